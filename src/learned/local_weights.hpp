// Weights over the logged pairs that favour queries near the query asked:
//
//   w_j(a) proportional to exp(-|(a - a_j) / b|^2 / 2) + 1e-12,  sum one
//
// b, one number per query column, minimises the leave-one-out score of the weighted values. A large b is the
// plain bootstrap: all pairs have equal weight.
#pragma once

#include "iqbo/kernel/kernel.hpp"
#include "pairs.hpp"
#include "trial_functions.hpp"

namespace iqbo {

inline constexpr double kBootstrap = 30.0;
inline constexpr Index kWeightPairs = 400;     // b is chosen on at most this many pairs
inline constexpr double kWeightFloor = 1e-12;  // far from all pairs every one counts alike

inline void normalise_rows(Matrix& w) {
  const Vector total = w.rowwise().sum();
  w.array().colwise() /= total.array();
}

// What is weighted are the logged x, or `values`, one row per pair, which are scored under `kappa`.
Vector choose_bandwidth(const LoggedPairs& pairs, const TrialFunctions& functions);
Vector choose_bandwidth(const LoggedPairs& pairs, const Rows& values, const Kernel& kappa);

// The same for the local spread of residuals: the b that best predicts each left-out residual as N(0, sum_j w_j r_j^2).
Vector choose_spread_bandwidth(const LoggedPairs& pairs, const Rows& residuals);

class LocalWeights {
 public:
  LocalWeights(const LoggedPairs& pairs, const Vector& bandwidth);
  Matrix operator()(const Queries& a) const;  // n x pairs

 private:
  std::shared_ptr<const internal::QueryEncoding> encoding_;
  Vector bandwidth_;
  Matrix logged_;
};

}  // namespace iqbo

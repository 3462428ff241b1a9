// mu^(a): kernel ridge regression of x on a, with the settings that have the least leave-one-out error.
//
//   L = exp(-|a - a'|^2 / 2) + kIntercept,  mu^(a) = L(a, .) (L + ridge I)^-1 x      kIntercept lets the data choose one
#pragma once

#include "pairs.hpp"

namespace iqbo {

inline constexpr double kIntercept = 100.0;

struct RidgeSettings {
  Vector scale;  // lengthscale per group of query columns, in units of its sd
  double ridge;
};

// Minimises sum_j |x_j - mu_{-j}(a_j)|^2, x in units of its sd, over scale and ridge, on at most kRidgePairs pairs.
RidgeSettings choose_ridge(const LoggedPairs& pairs);
inline constexpr Index kRidgePairs = 200;

// Where there are more pairs to judge by: starts from what is chosen on kRidgePairs pairs, and minimises the squared error at
// `others` of a mean that learned from kJudgedRidgePairs pairs, over each scale and the ridge in turn. Two hundred pairs say too
// little about six scales: which of them were taken changed the error of averages twofold.
RidgeSettings choose_ridge(const LoggedPairs& pairs, const LoggedPairs& others);
inline constexpr Index kJudgedRidgePairs = 1200;
inline constexpr Index kRidgeJudges = 2048;

class RidgeMean {
 public:
  RidgeMean(const LoggedPairs& pairs, const RidgeSettings& settings);
  RidgeMean(const LoggedPairs& pairs, const RidgeSettings& settings, Rows weight,
            Rows leave_one_out);  // from an earlier training

  Rows operator()(const Queries& a) const;
  const Rows& weight() const { return weight_; }
  const Rows& leave_one_out() const { return leave_one_out_; }  // x_j - mu_{-j}(a_j)

 private:
  std::shared_ptr<const internal::QueryEncoding> encoding_;
  Vector scale_;
  Matrix logged_;  // encoded
  Rows weight_;
  Rows leave_one_out_;
};

}  // namespace iqbo

// The distribution of a count still to come: an uncertain rate, and the variation of the family, by their first two moments.
//
//   y | g        of mean N g and variance N^2 V(g)                     V: Likelihood::variance
//   E y = N m,   Var y = N^2 (E V(g) + v)                              m, v: moments of g
//   E V(g) = V(m) + V'' v / 2                                          exact: V is quadratic in g
//
// Counts without bound are then taken to be negative binomial (Poisson where the variance is no larger than the mean), which a
// Poisson count of gamma rate is exactly; counts of at most N beta-binomial. Beyond kExact trials the latter is replaced by
// N times a beta variable.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"
#include "iqbo/likelihood/likelihood.hpp"

namespace iqbo {

class PredictiveCount {
 public:
  static constexpr double kExact = 2000.0;

  // `mean_g` and `var_g` are the moments of g, without the variation of the count.
  PredictiveCount(const Likelihood& likelihood, double exposure, double mean_g, double var_g);

  double mean() const { return mean_; }
  double var() const { return var_; }
  double cdf(double y) const;     // P(Y <= y)
  double middle(double y) const;  // P(Y < y) + P(Y = y) / 2

 private:
  double beta_binomial_cdf(double y) const;

  bool bounded_;
  double exposure_;
  double mean_;
  double var_;
};

// The least y with P(Y <= y) >= p, Y being one of these with these probabilities.
double quantile(const std::vector<PredictiveCount>& each, const Vector& weights, double p);

}  // namespace iqbo

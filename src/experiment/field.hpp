// f drawn from a GP, as a function, with its exact averages: to try policies on when the truth is unknown.
//
//   f(x) = m(x) + sum_j w_j k(x, s_j),   g(a) = nu(a) + sum_j w_j c(s_j, a),   w = L^-T eps,   L L' = k(s, s)
//
// f is the mean of the GP given a draw at the points s, and g its average under p(x|a), exactly. The points are chosen
// by pivoted Cholesky until almost no variance is left anywhere; what is left is missing from f.
#pragma once

#include <memory>

#include "iqbo/core/rng.hpp"
#include "iqbo/policy/setting.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

class Field {
 public:
  Field(Posterior prior, Inputs points, Vector weight)
      : prior_(std::move(prior)), points_(std::move(points)), weight_(std::move(weight)) {}

  Vector f(const Inputs& x) const;
  Vector g(const Queries& a) const;
  const Inputs& points() const { return points_; }

 private:
  Posterior prior_;
  Inputs points_;
  Vector weight_;
};

class FieldPrior {
 public:
  static constexpr double kResolved = 1e-6;  // of the largest variance of f
  static constexpr Index kMostPoints = 2000;

  FieldPrior(const Posterior& prior, const Inputs& among);

  Field draw(Rng& rng) const;
  Index size() const { return points_.size(); }
  double unresolved() const { return unresolved_; }  // the largest share of the variance of f that is missing

 private:
  Posterior prior_;
  Inputs points_;
  Matrix triangle_;
  double unresolved_;
};

// Where f matters: the inputs, the inputs that queries average over, and points spread over all that windows reach.
Inputs where_f_matters(const Setting& setting);

// The largest f on a list; in a box the largest a search finds.
double largest(const Field& field, const TargetSpace& x, Rng& rng);

}  // namespace iqbo

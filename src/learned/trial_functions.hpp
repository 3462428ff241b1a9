// Functions f on which learned conditionals are compared: what matters is the error of E[f(X)|a] for an f that might be.
//
//   f of x alone      from RBF GPs with lengthscales {2, 1, 1/2, 1/4, 1/8} times the median distance of the logged x
//   f of the place    h(a^(x)), h from RBF GPs on queries with lengthscales {1, 1/2} sd; a^(x) is the mean of the logged
//                     queries, weighted by how near their x is. Who asks by the distance from a river expects that f
//                     depends on it, and such an f has a finer grain across the river than along it: a model that moves a
//                     cloud off the support is wrong about it, and no f that depends on x in the same way everywhere
//                     shows that.
//
// All seven kernels have the same weight; the yardstick is their mean, with value 1 at distance 0. It is represented by
// random cosines, the same ones every time: |k(x, .) - embedding|^2 is a sum of squares over `count()` functions.
#pragma once

#include "iqbo/average/laws.hpp"
#include "pairs.hpp"

namespace iqbo {

class TrialFunctions {
 public:
  explicit TrialFunctions(const LoggedPairs& pairs);

  Index count() const { return frequency_.rows() + place_frequency_.rows(); }
  const Sum& of_x() const { return of_x_; }  // the first kind alone: the mean of its kernels

  // Values at the x of some of the pairs, a row each. A pair has no part in its own a^(x): otherwise f would seem to
  // depend on a even if nothing does.
  Matrix at(const LoggedPairs& some) const;

  // E f(X), a row for each law.
  Matrix average(const Laws& laws) const;

  // Cosines and sines of the first kind at any points.
  Matrix waves_of_x(const Rows& points) const;

  // The yardstick between the x of some of the pairs; only the second kind is represented by cosines.
  Matrix gram(const LoggedPairs& some) const;

 private:
  Matrix values(const Rows& x, const Rows* a) const;        // a: of pairs that have no part in their own a^(x)
  Matrix place_values(const Rows& x, const Rows* a) const;  // the second kind
  Matrix of_place(const Rows& x, const Rows* a) const;      // a^(x)
  Matrix average(const DiscreteLaws& laws) const;
  Matrix average(const SpreadLaws& laws) const;

  Sum of_x_;
  Rows frequency_;
  Matrix place_frequency_;
  Rows logged_x_, logged_a_;  // some of the pairs: x in units of its sd, a as it was logged
  Matrix encoded_;            // their queries
  Vector x_sd_;
  double bandwidth_ = 1.0;  // of a^(x), in sd of x
};

}  // namespace iqbo

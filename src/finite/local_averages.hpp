// Averages of f over windows, from values of f on a lattice nearby.
//
//   g(a) = sum_i w_i f(x_i) + e(a),      w = K^-1 c(a),      Var e(a) = q(a, a) - c(a)' K^-1 c(a)
//
// x_i: some lattice points in the window, evenly spread over it. Given f there, g(a) is taken to depend on nothing else: the
// remainders e(a) of different queries are drawn independently. Variances of g are exact; a covariance with f(x) or another
// query is off by at most sd(e(a)) times the sd of the other. e(a) has about 1e-5 of the variance where f is smooth, and up to a
// few percent where it is rough, or where a window reaches beyond the lattice.
#pragma once

#include "targets.hpp"

namespace iqbo {

struct LocalAverages {
  SparseRows weight;  // queries x points of the lattice
  Vector sd;          // of e
  double left = 0.0;  // the largest share of a variance that e has

  // Of queries that are windows over x, which is on a lattice.
  static LocalAverages of(const FiniteTargets& targets, const Functionals& averaged);
};

}  // namespace iqbo

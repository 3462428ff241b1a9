// A Matern kernel as a finite mixture of RBF kernels. With u ~ Gamma(nu, 1) and r in lengthscales
//
//   M_nu(r) = E[exp(-nu r^2 / (2 u))] ~= sum_i weight_i exp(-r^2 / (2 scale_i^2)),   scale^2 = u / nu
//
// so any average of M_nu that has a closed form for the RBF (Gaussian windows, boxes) is a weighted sum of such forms.
//
//   nu                       1/2       3/2       5/2
//   nodes                    87        37        27
//   largest error, any r     4.2e-12   4.7e-12   3.8e-12    |mixture - M_nu|, variance one
//   smallest scale           1.1e-11   2.6e-4    6.7e-3     a kink needs narrow bumps, a smooth top does not
//
// The largest error bounds that of every average too, whatever the window, its width, its place and the dimension: a
// window averages the error with everything else. No relative accuracy is claimed: where M_nu < 1e-11 the mixture is
// noise, though never negative. Between two exact points use M_nu itself, which is cheaper and exact.
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

struct ScaleMixture {
  Vector scale;   // ascending, in lengthscales
  Vector weight;  // positive, sum to one
};

// nu is 0.5, 1.5 or 2.5, otherwise std::invalid_argument.
const ScaleMixture& matern_mixture(double nu);

}  // namespace iqbo::internal

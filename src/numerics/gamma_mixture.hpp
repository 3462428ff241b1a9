// Matern and rational quadratic kernels as finite mixtures of RBF kernels. With u ~ Gamma(nu, 1) and r in lengthscales
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
// The largest error also bounds that of every average, for any window, width, position and dimension, because a window
// averages the error like everything else. No relative accuracy is claimed: where M_nu < 1e-11 the mixture is
// noise, though never negative. Between two exact points use M_nu itself, which is cheaper and exact.
//
// A rational quadratic is mixed the other way round, with u ~ Gamma(alpha, 1) and the same bound on its error, 5e-12:
//
//   (1 + r^2 / (2 alpha))^-alpha = E[exp(-u r^2 / (2 alpha))],   scale^2 = alpha / u
//
// with 46 / alpha nodes for small alpha, 57 for alpha = 1, and 22 for large alpha. Its heavy tail is kept at all r.
#pragma once

#include "iqbo/numerics/scale_mixture.hpp"

namespace iqbo::internal {

// nu is 0.5, 1.5 or 2.5, otherwise std::invalid_argument.
const ScaleMixture& matern_mixture(double nu);

// alpha > 0; weight_slope is the derivative in log alpha.
ScaleMixture rational_quadratic_mixture(double alpha);

}  // namespace iqbo::internal

// Averages of kernels, means and cosines under laws of X.
//
//   expect(m, P)[i]       = E m(X_i)                    nu(a)
//   expect(k, P, R)(i,j)  = E k(X_i, Y_j)               q(a, a'), c(x, a) or k(x, x'), depending on P and R
//   expect_diagonal(k, P) = E k(X_i, X_i')              X_i' an independent copy: q(a, a)
//   expect_cosines(P, w, b)(i,r) = E cos(w_r . X_i + b_r)
//
// X_i has law i of P, Y_j has law j of R; they are independent.
//
// Accuracy:
// - Discrete laws: finite sums, any kernel and mean. Where these would take long and the kernel is an Rbf, or a Product or
//   Sum of Rbfs: scalar products of averaged features, to 2e-14 of the variance times both sums of |weights|.
// - Spread laws with Rbf (also inside Product and Sum): closed form in any dimension, relative error below 1e-10 where
//   the value exceeds 1e-300, for widths from 0 to beyond 1e3 lengthscales (numerics/box_rbf.hpp).
// - Spread laws with Matern: one quadrature over the Gamma scale mixture of RBFs that a Matern kernel is, in any
//   dimension; absolute error below 1e-10 of the variance (numerics/gamma_mixture.hpp, docs/theory/averages.md).
// - Spread laws with RationalQuadratic, or any RadialPart that has a mixture: likewise, as exact as the mixture.
// - Spread laws with Periodic, or any AxisPart with a series: sums of cosines in closed form, to 1e-14 of the variance.
// - Spread laws with White: zero, except between two exact points.
// - Spread laws with another kernel of your own: std::invalid_argument; use SampledConditional.
// - Spread laws with a mean that is not affine: tensor Gauss rules of kMeanNodes nodes per axis, at most three
//   axes with a width (sd and half-width of one coordinate are two); beyond that std::invalid_argument.
// - Axis laws with any of these, and Products and Sums of them: products of one-dimensional sums, as exact as the grid
//   they stand for (mixtures to 1e-11 of the variance). Other kernels, and means that are not affine: grid sums.
//
// A discrete law whose weights do not sum to one still leaves the constant part c of a mean unchanged:
// c + sum_j w_j (m(s_j) - c). With DiscreteLaws::exact_constant = false it is the plain sum_j w_j m(s_j).
#pragma once

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "iqbo/kernel/mean.hpp"

namespace iqbo {

inline constexpr int kMeanNodes = 24;

Vector expect(const Mean& mean, const Laws& laws);
Matrix expect(const Kernel& kernel, const Laws& left, const Laws& right);
Vector expect_diagonal(const Kernel& kernel, const Laws& laws);

// Row r of `frequency` is w_r; phase[r] is b_r.
Matrix expect_cosines(const Laws& laws, const Rows& frequency, const Vector& phase);

// sum_ij weight_ij d expect(k, P, R)(i,j) / dtheta_p, theta = kernel.log_parameters().
Vector expect_pull_back(const Kernel& kernel, const Laws& left, const Laws& right, const Matrix& weight);

// d expect(m, P)[i] / d mean.parameters().
Matrix expect_jacobian(const Mean& mean, const Laws& laws);

}  // namespace iqbo

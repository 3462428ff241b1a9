// Oracles that share no code with iqbo: quadrature in long double, and Gaussian conditioning by the
// information form rather than by covariances.
#pragma once

#include <cmath>
#include <functional>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::test {

// Quadrature of positive functions does not cancel: 64 bits of mantissa are plenty for ten digits.
using Real = long double;
using LongMatrix = Eigen::Matrix<long double, Eigen::Dynamic, Eigen::Dynamic>;
using LongVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

// The integral of an analytic function over [lower, upper] by composite Gauss-Legendre of 20 nodes on `panels` panels.
Real integrate(const std::function<Real(const Real&)>& f, const Real& lower, const Real& upper, int panels);

// A^-1 by Gauss-Jordan elimination with pivoting.
LongMatrix inverse(LongMatrix a);

// Posterior mean and covariance of a Gaussian vector F ~ N(mean, k) given z = w F + noise, from the precision matrix
// k^-1 + w' R^-1 w.
struct GaussianVector {
  LongVector mean;
  LongMatrix cov;
};
GaussianVector condition(const LongVector& mean, const LongMatrix& k, const LongMatrix& w, const LongVector& z,
                         const LongVector& noise_var);

}  // namespace iqbo::test

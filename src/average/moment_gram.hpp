// The covariance of laws with themselves, for many smooth kernels, where a law is made of many points: learned clouds and
// embeddings, samples, large bags.
//
//   q_ij = E k(X_i, X_j') = sum_uv C_uv E T_u(X_i) E T_v(X_j)
//
// T_u are products of Chebyshev polynomials along the axes of the box that holds all points, and C the coefficients of
// the kernel's interpolant (smooth_features.hpp). Only C changes with the kernel: the moments E T_u(X_i) are computed
// once. The cost of q and of its gradient does not depend on the number of points.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo::internal {

class MomentGram {
 public:
  static constexpr Index kMostTerms = 64;  // polynomials along an axis
  static constexpr double kError =
      1e-11;  // of q, and of its slopes, relative to variance * sum |weights_i| sum |weights_j|

  // Empty unless all laws are points or discrete, in one or two dimensions.
  static std::optional<MomentGram> of(const Laws& laws);

  // Whether kMostTerms polynomials suffice: a sum of products of RBFs, none of them too narrow for the box.
  bool suits(const Kernel& kernel) const;

  // These need suits(kernel). pull_back is sum_ij weight_ij d q_ij / dtheta, theta = kernel.log_parameters(), for a
  // symmetric `weight`.
  Matrix covariance(const Kernel& kernel) const;
  Vector pull_back(const Kernel& kernel, const Matrix& weight) const;

 private:
  struct Axis;
  Axis axis(Index c, double precision) const;
  static std::vector<Index> large_products(const Axis& first, const Axis& second);
  Index terms_along(Index c, double precision) const;
  void add(double share, const DiscreteLaws& laws);
  void add_points(const Rows& points, const Vector& weight, Index law);
  Matrix moments(Index rows, Index columns) const;  // rows x (columns * laws), the moments of low degrees

  Index laws_ = 0;
  Vector middle_, half_;  // of the box; two axes, the second of length zero in one dimension
  Index dimension_ = 0;
  Matrix moment_;  // kMostTerms x (kMostTerms * laws): E T_u(X_0) T_v(X_1) of law i in row u, column i * kMostTerms + v
};

}  // namespace iqbo::internal

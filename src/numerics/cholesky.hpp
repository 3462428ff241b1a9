// K + jitter diag(K) = L L', for covariance matrices that may be singular to working precision.
//
// Jitter is 0 whenever the matrix factors without it. Otherwise it is the smallest of 1e-13, 1e-12, ..., 1e-6 that
// works, and jitter() reports it, so that a caller can always tell an exact result from a regularised one. Each
// diagonal entry grows in proportion to itself, so that one very noisy observation does not blur the others. A pivot
// counts as positive only above kPivotFloor of its diagonal entry; a smaller one is rounding error, whose square root
// would be mistaken for information.
#pragma once

#include <optional>

#include "iqbo/core/errors.hpp"
#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

using ExtendedVector = Eigen::Matrix<long double, Eigen::Dynamic, 1>;

class Cholesky {
 public:
  static constexpr double kPivotFloor = 5e-14;
  static constexpr double kLeastJitter = 1e-13;
  static constexpr double kMostJitter = 1e-6;

  Cholesky() = default;  // of the 0 x 0 matrix

  // Reads the lower triangle of a symmetric K. Throws NotPositiveDefinite.
  explicit Cholesky(const Matrix& k);

  // The factor of [[K, B'], [B, C]], B = below (new x old) and C = corner (new x new, lower triangle read), in
  // O(size^2 new). Empty if that is not positive definite with the jitter in use: then factor the whole matrix afresh.
  std::optional<Cholesky> extended(const Matrix& below, const Matrix& corner) const;

  Index size() const { return packed_.rows(); }
  double jitter() const { return jitter_; }
  const Vector& diagonal() const { return diagonal_; }  // of K + jitter diag(K)
  Matrix lower() const;                                 // L, zero above the diagonal

  void solve_lower_in_place(Eigen::Ref<Matrix> b) const;  // b <- L^-1 b
  void solve_upper_in_place(Eigen::Ref<Matrix> b) const;  // b <- L^-T b
  Matrix inverse() const;                                 // (L L')^-1
  Vector inverse_diagonal() const;                        // only the diagonal, in a third of the time
  double log_determinant() const;

  // (L L')^-1 b. Where pivots range over more than kWidePivots, the solution is refined with residuals in extended
  // precision, so that it depends on K and b but not on the order in which K was factored. At low noise the weights of
  // repeated observations that nearly contradict each other are huge and cancel; sums over these weights keep their
  // digits only if they are computed in that precision too.
  ExtendedVector solve_extended(const Vector& b) const;
  Vector solve(const Vector& b) const { return solve_extended(b).cast<double>(); }

 private:
  static constexpr double kWidePivots = 1e5;

  Matrix packed_;  // L on and below the diagonal, K above it
  Vector diagonal_;
  double jitter_ = 0.0;
};

}  // namespace iqbo::internal

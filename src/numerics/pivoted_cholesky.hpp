// K ~ F F' from a few columns of K, chosen where most variance is left: pivoted Cholesky of a covariance matrix that is
// never formed.
//
//   d_i = K_ii - sum_c F_ic^2 <= tolerance for every i   at the end,   and |K_ij - (F F')_ij| <= sqrt(d_i d_j)
//
// Smooth kernels need a few hundred columns for thousands of points; duplicates and singular matrices do no harm.
//
// Pivots are chosen in blocks: each has at least kGreed of the largest variance left, not the largest itself. So
// kernels are evaluated many columns at a time, and most work is matrix products; ranks are within 4 % of one-by-one
// pivoting (2,500 points of a square, RBF, tolerance 1e-6 to 1e-14). O(n r) memory, O(n r^2) time. [Harbrecht12]
#pragma once

#include <utility>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// The entries of K.
class CovarianceSource {
 public:
  virtual ~CovarianceSource() = default;
  virtual Vector diagonal() const = 0;
  virtual Matrix columns(const std::vector<Index>& which) const = 0;  // n x |which|
  virtual Matrix block(const std::vector<Index>& which) const = 0;    // |which| x |which|

 protected:
  CovarianceSource() = default;
  CovarianceSource(const CovarianceSource&) = default;
  CovarianceSource(CovarianceSource&&) = default;
  CovarianceSource& operator=(const CovarianceSource&) = default;
  CovarianceSource& operator=(CovarianceSource&&) = default;
};

// A matrix that is held.
class DenseCovariance final : public CovarianceSource {
 public:
  explicit DenseCovariance(Matrix k) : k_(std::move(k)) {}
  Vector diagonal() const override { return k_.diagonal().cwiseMax(0.0); }
  Matrix columns(const std::vector<Index>& which) const override { return k_(Eigen::all, which); }
  Matrix block(const std::vector<Index>& which) const override { return k_(which, which); }

 private:
  Matrix k_;
};

struct PivotedCholesky {
  static constexpr double kGreed = 0.1;

  Matrix factor;              // F, n x r; its rows at the pivots, in their order, are lower triangular
  std::vector<Index> pivots;  // r rows of K
  Vector residual;            // d, >= 0
  bool complete = false;      // d <= tolerance everywhere; otherwise it stopped early

  Index rank() const { return factor.cols(); }
  Matrix triangle() const { return factor(pivots, Eigen::all); }  // r x r, lower
};

// Stops when no residual exceeds `tolerance` > 0, or at `most_rank` columns. Pivots are sought among the first
// `preferred` rows, whose columns should be cheaper, while any of them exceeds it, then among all. With `or_nothing` it
// also stops once most_rank columns cannot suffice: each column removes less than those before it, so the rest needs at
// least as many as at the pace of the last block (which must exceed what is allowed by a quarter, for safety).
PivotedCholesky pivoted_cholesky(const CovarianceSource& k, double tolerance, Index most_rank, Index preferred,
                                 bool or_nothing = false);

}  // namespace iqbo::internal

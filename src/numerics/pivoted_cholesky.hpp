// K ~ F F' from a few columns of K, chosen where most variance is left: pivoted Cholesky of a covariance matrix that is
// never formed.
//
//   d_i = K_ii - sum_c F_ic^2 <= tolerance for every i   when it ends,   and |K_ij - (F F')_ij| <= sqrt(d_i d_j)
//
// Smooth kernels need a few hundred columns for thousands of points; duplicates and singular matrices do no harm.
//
// Pivots are taken in blocks: each has variance left of at least kGreed of the largest, instead of the largest itself.
// That lets kernels be evaluated many columns at a time and makes nearly all arithmetic matrix products; ranks come out
// within 4 per cent of those of the one-by-one choice (2,500 points of a square, RBF, tolerances 1e-6 to 1e-14). O(n r) memory, O(n r^2) time. [Harbrecht12]
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// K, known by its entries.
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

struct PivotedCholesky {
  static constexpr double kGreed = 0.1;

  Matrix factor;              // F, n x r; its rows at the pivots, in their order, are lower triangular
  std::vector<Index> pivots;  // r rows of K
  Vector residual;            // d, >= 0
  bool complete = false;      // d <= tolerance everywhere; otherwise it stopped at most_rank

  Index rank() const { return factor.cols(); }
  Matrix triangle() const { return factor(pivots, Eigen::all); }  // r x r, lower
};

// Stops when nothing above `tolerance` > 0 is left, or at `most_rank` columns. Pivots are sought among the first
// `preferred` rows as long as those have something left, then among all: for columns that are cheaper there. With `or_nothing`
// also as soon as most_rank is out of reach: columns take less and less, so what is left needs at least as many as it would at
// the pace of the last block (and a quarter more, to be sure).
PivotedCholesky pivoted_cholesky(const CovarianceSource& k, double tolerance, Index most_rank, Index preferred,
                                 bool or_nothing = false);

}  // namespace iqbo::internal

// LawGram for discrete laws: W K W', K the covariance of the points that carry weight.
//
// If the points lie on a lattice, whole or with holes, k(x, y) depends on the steps between x and y alone. Then what
// counts of a pair of laws is how much weight its points give to each distance: a sparse matrix H of pairs by
// distances, computed once. Under a kernel the covariances are H t, t the kernel at the distances, and a gradient
// starts with H' weight: no kernel is ever evaluated for a pair of pixels. Otherwise K is computed from the distinct
// points, half of it.
#pragma once

#include <optional>

#include "discrete_expectation.hpp"
#include "law_gram.hpp"

namespace iqbo::internal {

class DiscreteGram {
 public:
  explicit DiscreteGram(const DiscreteLaws& laws);

  LawGram::Under under(const Kernel& kernel, bool with_gradient) const;  // needs is_stationary(kernel)
  bool is_on_lattice() const { return distances_.has_value(); }

 private:
  struct Distances {
    Rows difference;                                          // one row for each distance
    Eigen::SparseMatrix<double, Eigen::RowMajor, int> share;  // H: a row for each pair (i, j), i >= j, column by column
  };
  static std::optional<Distances> on_lattice(const Compact& laws);

  Matrix covariance(const Kernel& kernel) const;
  Vector pull_back(const Kernel& kernel, const Matrix& weight) const;

  using ByPoint = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

  Compact laws_;
  ByPoint by_point_;  // the same weights
  std::optional<Distances> distances_;
};

}  // namespace iqbo::internal

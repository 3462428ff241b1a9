// LawGram for discrete laws: W K W', K the covariance of the points that carry weight.
//
// If the points lie on a lattice, whole or with holes, k(x, y) depends on the steps between x and y alone. Then what
// counts of a pair of laws is how much weight its points give to each distance: a sparse matrix H of pairs by
// distances (lag_shares.hpp), computed once. Under a kernel the covariances are H t, t the kernel at the distances, and a
// gradient starts with H' weight: no kernel is ever evaluated for a pair of pixels. Otherwise K is computed from the
// distinct points, half of it.
#pragma once

#include <optional>

#include "discrete_expectation.hpp"
#include "lag_shares.hpp"
#include "law_gram.hpp"

namespace iqbo::internal {

class DiscreteGram {
 public:
  explicit DiscreteGram(const DiscreteLaws& laws);

  // Needs is_stationary(kernel); on a lattice also suits(kernel).
  LawGram::Under under(const Kernel& kernel, bool with_gradient) const;
  bool is_on_lattice() const { return shares_.has_value(); }

  // False where far distances of a lattice were replaced by nodes, and the kernel is not smooth between them.
  bool suits(const Kernel& kernel) const;

 private:
  Matrix covariance(const Kernel& kernel) const;
  Vector pull_back(const Kernel& kernel, const Matrix& weight) const;

  using ByPoint = Eigen::SparseMatrix<double, Eigen::ColMajor, Index>;

  Index size_;                       // laws
  std::optional<LagShares> shares_;  // if that is empty:
  Compact laws_;
  ByPoint by_point_;  // the same weights
};

}  // namespace iqbo::internal

// Laws over points of a lattice, as runs of equal weight along its last axis.
//
// A bag of pixels, whatever its shape, is a few runs a row; what is computed run by run takes a time that grows with the
// perimeter of a bag, not with its area squared. Points that are weighted one by one are runs of length one.
#pragma once

#include <memory>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "numerics/lattice.hpp"

namespace iqbo::internal {

// Points as cells (row, column): columns along the last axis, rows along all others.
class LatticePoints {
 public:
  explicit LatticePoints(Lattice lattice);

  // Of the support of laws; kept as long as the support lives. Null if it is not on a lattice.
  static std::shared_ptr<const LatticePoints> of(const std::shared_ptr<const Inputs>& support);

  Index size() const { return static_cast<Index>(row_.size()); }  // points
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index cells() const { return rows_ * columns_; }
  Index row(Index point) const { return row_[static_cast<std::size_t>(point)]; }
  Index column(Index point) const { return column_[static_cast<std::size_t>(point)]; }
  const Lattice& lattice() const { return lattice_; }

  // The steps between two rows along every axis, whatever their signs, as a row: 0 to rows() - 1.
  Index lag(Index row, Index other) const {
    return leading_.size() == 1 ? std::abs(row - other) : lag_of_many(row, other);
  }

  // Between cell 0 and those of a row of lags: their steps along all axes but the last, in units of X.
  Vector leading_distance(Index lag) const;

 private:
  Index lag_of_many(Index row, Index other) const;

  Lattice lattice_;
  std::vector<Index> leading_;  // cells along the axes but the last
  Index rows_ = 1, columns_ = 1;
  std::vector<Index> row_, column_;
};

struct LatticeRun {
  Index row, begin, end;  // columns begin to end - 1
  double weight;          // of each cell
};

using LatticeRuns = std::vector<LatticeRun>;  // of one law, row by row

std::vector<LatticeRuns> runs_of(const LatticePoints& points, const SparseRows& weight);

}  // namespace iqbo::internal

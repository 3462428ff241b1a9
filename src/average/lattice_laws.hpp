// Laws over points of a lattice, as runs of equal weight along its last axis.
//
// A bag of pixels, whatever its shape, is a few runs a row; what is computed run by run takes a time that grows with the
// perimeter of a bag, not with its area squared. Points that are weighted one by one are runs of length one.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "numerics/lattice.hpp"

namespace iqbo::internal {

struct LatticeCell {
  Index row, column;
};

// Points as cells (row, column): columns along the last axis, rows along all others.
class LatticePoints {
 public:
  explicit LatticePoints(Lattice lattice);

  // Of the support of laws; kept as long as the support lives. Null if it is not on a lattice.
  static std::shared_ptr<const LatticePoints> of(const std::shared_ptr<const Inputs>& support);

  // Of points that somebody else keeps: what the last call found serves the next one with the same points, while it lives.
  static std::shared_ptr<const LatticePoints> of(const Inputs& points);

  Index size() const { return static_cast<Index>(row_.size()); }  // points
  Index rows() const { return rows_; }
  Index columns() const { return columns_; }
  Index cells() const { return rows_ * columns_; }
  Index row(Index point) const { return row_[static_cast<std::size_t>(point)]; }
  Index column(Index point) const { return column_[static_cast<std::size_t>(point)]; }
  LatticeCell at(Index point) const { return {row(point), column(point)}; }
  const Lattice& lattice() const { return lattice_; }

  // The cells of any points, those of holes among them; empty if one is off the lattice.
  std::optional<std::vector<LatticeCell>> cells_of(const Inputs& x) const;
  bool has_ordered_rows() const { return leading_.size() == 1; }  // one axis besides the last, or none

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

// Equal runs of successive rows are a rectangle: most bags of pixels are a few of them. In three or more dimensions rows have
// no order, and every run is a rectangle of its own.
struct LatticeBlock {
  Index top, bottom;  // rows top to bottom - 1
  Index begin, end;   // columns begin to end - 1
  double weight;      // of each cell

  Index height() const { return bottom - top; }
};

using LatticeBlocks = std::vector<LatticeBlock>;

LatticeBlocks blocks_of(const LatticePoints& points, const LatticeRuns& law);
std::vector<LatticeBlocks> blocks_of(const LatticePoints& points, const std::vector<LatticeRuns>& laws);

}  // namespace iqbo::internal

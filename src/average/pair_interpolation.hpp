// Averages under many pairs of windows of the same sizes, from a few of them.
//
// Between windows of given widths an average is a smooth function of the distances along the axes, but for where the
// edges of boxes meet. It is interpolated by Chebyshev polynomials on pieces of each axis, which become longer with the
// distance. Where the nodes lie does not depend on the kernel, and interpolation is linear, so that its adjoint serves
// gradients. How exact it is does depend on the kernel: error() compares with averages that were not interpolated.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "law_pairs.hpp"

namespace iqbo::internal {

// Pairs that form a grid: number begin + i + columns * j has distance i along the first axis and j along the second.
struct PairGrid {
  Index begin, columns, rows;
};

class PairInterpolation {
 public:
  // Of the kernel's variance, at the checks. Typical errors are 1e-11, and 5e-9 for Matern 1/2 under boxes.
  static constexpr double kError = 1e-8;

  // Empty if it would not pay: more than two columns, too many different widths, too few pairs, or exact points.
  static std::optional<PairInterpolation> of(const LawPairs& pairs);

  const LawPairs& nodes() const { return nodes_; }
  const std::vector<PairGrid>& grids() const { return grids_; }  // of the nodes; one for each combination of widths
  Array values(const Array& at_nodes) const;                     // at the pairs
  Array totals(const Array& of_pairs) const;                     // the adjoint: at the nodes

  // Pairs where interpolation is worst, one for each piece of the plane and the closest of all, and the error there.
  const LawPairs& checks() const { return checks_; }
  double error(const Array& interpolated, const Array& at_checks) const;

 private:
  // Pairs on one piece of each axis, and where they are there: x on [-1, 1], one column for each axis.
  struct Cell {
    std::vector<std::int32_t> pairs;
    Matrix x;     // as many rows as a multiple of kLanes
    Index begin;  // of its nodes; those of the next row are `stride` further
    Index stride;
  };
  Matrix at_cell(const Array& at_nodes, const Cell& cell) const;

  LawPairs nodes_, checks_;
  std::vector<PairGrid> grids_;
  std::vector<Cell> cells_;
  std::vector<Index> checked_;  // pairs
  Index pairs_ = 0;
};

}  // namespace iqbo::internal

// How much of each cell of a lattice a polygon covers, exactly.
//
// Cells are unit squares: that of row r and column c is [c, c + 1] x [r, r + 1]. By Green's theorem the area of a polygon to the left
// of its edges is a sum over edges, so each edge adds to the cells that it crosses, and to all that lie beyond them in its row. The
// cost is that of the cells crossed by edges, plus one addition for each cell of the polygon's bounding box. Nothing is
// sampled: shares are right up to rounding.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

// A closed line of (x, y); the last point may repeat the first. Its direction does not matter.
struct MapRing {
  Rows points;
  bool hole = false;  // what is inside is taken away
};

struct CellShare {
  Index row;
  Index column;
  double share;  // of the cell, in (0, 1]
};

// The cells of `rows` x `columns` that the polygons cover. Outer rings must not overlap each other, and a hole must lie in one.
std::vector<CellShare> covered_cells(const std::vector<MapRing>& rings, Index rows, Index columns);

}  // namespace iqbo::internal

// Divides many points into few cells, at a cost of O(N log(cells)) for N points.
//
// The cell with the largest sum of squared distances from its mean is divided next, across the coordinate with the largest
// share of that sum, at the mean. So cells become equal in (number of points) x (spread)^2, as those of k-means do, and
// points that coincide are never divided: if there are at most `count` distinct points, each has a cell of its own.
#pragma once

#include <cstdint>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct Division {
  std::vector<std::int32_t> cell;  // of each point
  Index count = 0;                 // of cells, all of which have points
};

Division divided(const Matrix& points, Index count);

}  // namespace iqbo

// Replaces many points by few, and finds the nearest of listed points.
#pragma once

#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct Clusters {
  Rows centre;        // m x d: the mean of each cluster's points
  SparseRows member;  // points x m, a single one in each row
};

// At most `count` clusters, with distances in units of `scale`: farthest-point start, then Lloyd's iterations. If there
// are at most `count` points, they stay as they are.
Clusters thinned(const Rows& points, const Vector& scale, Index count);

// For each of `points` the row of `listed` nearest to it.
std::vector<Index> nearest_rows(const Rows& listed, const Rows& points);

}  // namespace iqbo

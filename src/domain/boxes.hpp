// What a box and a choice times a box have in common.
#pragma once

#include "iqbo/domain/query_domain.hpp"

namespace iqbo {

// Where a cost is least if it rises or falls along the axes, and some other points.
Queries probes_of(const QueryBox& box);

// About `count` points, corners included.
Queries grid_of(const QueryBox& box, Index count);

}  // namespace iqbo

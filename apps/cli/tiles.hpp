// The rectangles that queries average over, for many at once.
#pragma once

#include <vector>

#include "iqbo/record/history.hpp"
#include "iqbo/study/study.hpp"

namespace iqbo::cli {

// One per row; empty if one of them is no rectangle.
std::vector<TileRecord> tiles_of(Study& study, const Rows& queries);
std::vector<TileRecord> tiles_of(Study& study, const std::vector<Trial>& trials);

}  // namespace iqbo::cli

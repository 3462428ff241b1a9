// The grids on which X and A are shown to people.
#pragma once

#include "study_setup.hpp"

namespace iqbo::internal {

// The lengths of the grid of shown_points() along the user's axes, the last varying fastest; empty if there is no grid.
std::vector<std::int64_t> grid_of_inputs(const StudySetup& setup);
std::vector<std::int64_t> grid_of_queries(const StudySetup& setup);

}  // namespace iqbo::internal

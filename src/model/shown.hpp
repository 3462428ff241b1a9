// The grids on which people are shown X and A.
#pragma once

#include "study_model.hpp"

namespace iqbo::internal {

// The lengths of the grid of shown_points() along the user's axes, the last varying fastest; empty if it is none.
std::vector<std::int64_t> grid_of_inputs(const StudyModel& model);
std::vector<std::int64_t> grid_of_queries(const StudyModel& model);

}  // namespace iqbo::internal

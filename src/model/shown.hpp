// The points of X and A that people are shown.
#pragma once

#include "study_model.hpp"

namespace iqbo::internal {

// A list, or a grid that stands for a box of one or two dimensions (a coarser one, where X is a finer); none if that would be
// too many.
Inputs shown_inputs(const StudyModel& model);
Queries shown_queries(const StudyModel& model, Policy& policy);

// The lengths of that grid along the user's axes, the last varying fastest; empty if it is none.
std::vector<std::int64_t> grid_of_inputs(const StudyModel& model);
std::vector<std::int64_t> grid_of_queries(const StudyModel& model);

}  // namespace iqbo::internal

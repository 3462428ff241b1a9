// Beliefs in more than two dimensions: along each axis and over each pair of axes through a point, and main effects.
//
//   effect of axis j at v     average of f over u, the other coordinates equally spread over the box: mean and sd
#pragma once

#include "iqbo/record/history.hpp"
#include "study_model.hpp"

namespace iqbo::internal {

// Through `at`, in the user's coordinates. Empty unless X has more than two dimensions; unless A is a box of more than two.
SlicesRecord slices_of_f(const StudyModel& model, Policy& policy, const std::vector<double>& at);
SlicesRecord slices_of_g(const StudyModel& model, Policy& policy, std::vector<double> at);

}  // namespace iqbo::internal

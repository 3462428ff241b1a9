// Beliefs in more than two dimensions: along each axis and over each pair of axes through a point, and main effects.
//
//   effect of axis j at v     average of f over the other coordinates, spread evenly over the box: mean and sd
#pragma once

#include "iqbo/record/history.hpp"
#include "study_setup.hpp"

namespace iqbo::internal {

// Through `at`, in the user's coordinates. Of f: empty unless X has more than 2 dimensions; of g: unless A is such.
SlicesRecord slices_of_f(const StudySetup& setup, Policy& policy, const std::vector<double>& at);
SlicesRecord slices_of_g(const StudySetup& setup, Policy& policy, std::vector<double> at);

}  // namespace iqbo::internal

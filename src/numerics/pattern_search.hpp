// Minimisation without derivatives, for the few cheap parameters of a cross-validated score.
//
// Coordinate pattern search: from `start` try one step up and down along each coordinate in turn, take the first that
// improves, halve the step when none does. Deterministic; finds a local minimum, so give it a start from a grid.
#pragma once

#include <functional>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

struct PatternSearch {
  Vector lower;
  Vector upper;
  double first_step = 1.0;
  double last_step = 0.25;
  int max_evaluations = 60;
};

// The point with the least score; NaN counts as infinite.
Vector pattern_minimise(const std::function<double(const Vector&)>& score, const Vector& start,
                        const PatternSearch& options);

}  // namespace iqbo::internal

// What a query touches, as it is drawn: p(x given a) as an ellipse, a box, or points of X with weights.
#pragma once

#include "iqbo/record/history.hpp"
#include "study_model.hpp"

namespace iqbo::internal {

// Gaussian windows are ellipses of one sd, uniform ones boxes (within X, where they are cut off there). Bags and cells are
// their members if X lists all of these. Whatever else, a learned law too, is an ellipse of its mean and sd.
std::vector<FootprintRecord> footprints(const StudyModel& model, const Queries& a);

}  // namespace iqbo::internal

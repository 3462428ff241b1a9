// The inputs that a query touches, as they are drawn: p(x given a) as an ellipse, a box, or points of X with weights.
#pragma once

#include "iqbo/record/history.hpp"
#include "study_setup.hpp"

namespace iqbo::internal {

// Gaussian windows are ellipses of one sd, uniform ones boxes (cut off at the box of X where they are truncated). Bags
// and cells are their members if X lists all of these. Any other law, also a learned one, is an ellipse of mean and sd.
std::vector<FootprintRecord> footprints(const StudySetup& setup, const Queries& a);

// The rectangles that queries average over evenly, in X: uniform windows, and bags that fill a rectangle of a lattice (whose
// points are taken to be the middles of cells). None if one of the queries is anything else.
std::optional<std::vector<TileRecord>> tiles(const StudySetup& setup, const Queries& a);

}  // namespace iqbo::internal

// The point with the largest score in a box, or in a finite choice times a box: the query worth most, the input where
// the mean is largest.
//
// The search starts with Sobol points, all in one batch; from the best of them it continues by sequential quadratic
// programming with the score's gradient (numerics/maximise.hpp) or, where it has none, with central differences. The
// result is the best point found. A finite set needs no search: argmax.hpp.
//
// Accuracy, as a test requires it: on 50 random posteriors of two-dimensional queries, within 0.1 % of the score's
// range of the best of a 300 x 300 grid.
#pragma once

#include <functional>

#include "iqbo/core/points.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/mixed.hpp"

namespace iqbo {

// One score per point, the larger the better, -infinity allowed. With a gradient, row j of it is d score_j / d point_j.
template <class Space>
struct Score {
  std::function<Vector(const Points<Space>& points, Rows* gradient)> evaluate;
  bool has_gradient = true;
};

struct SearchOptions {
  Index points = 512;  // for every choice, if there are choices
  int starts = 8;
  int max_evaluations = 60;  // from each start
};

template <class Space>
struct Best {
  Points<Space> point;  // one row
  double score;
};

using QueryScore = Score<QuerySpace>;
using InputScore = Score<InputSpace>;
using BestQuery = Best<QuerySpace>;
using BestInput = Best<InputSpace>;

// `also` are further points to start from, such as the best of the last step; they must lie in the space.
BestQuery search(const QueryScore& score, const QueryBox& box, const Queries& also, Rng& rng,
                 const SearchOptions& options = {});
BestQuery search(const QueryScore& score, const MixedQueries& space, const Queries& also, Rng& rng,
                 const SearchOptions& options = {});
BestInput search(const InputScore& score, const InputBox& box, const Inputs& also, Rng& rng,
                 const SearchOptions& options = {});

}  // namespace iqbo

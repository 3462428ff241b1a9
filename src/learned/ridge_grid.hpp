// The search for a scale per query column and a ridge, which several models share: first a grid over one common scale,
// then a coordinate search over each scale; for every scale the best of a list of ridges.
#pragma once

#include <cmath>
#include <functional>
#include <limits>
#include <numbers>

#include "iqbo/core/stop.hpp"
#include "numerics/pattern_search.hpp"
#include "ridge_mean.hpp"

namespace iqbo {

struct Scored {
  double ridge;
  double score;
};

template <class Score>
Scored best_ridge(Score score) {
  Scored best{1.0, std::numeric_limits<double>::infinity()};
  for (const double ridge : {1e-4, 1e-3, 3e-3, 1e-2, 3e-2, 0.1, 0.3, 1.0, 3.0, 10.0}) {
    stop_point();
    const double found = score(ridge);
    if (found < best.score) best = {ridge, found};
  }
  return best;
}

// Scales common to all groups that are tried first, as log2 of the scale in units of the sd.
inline constexpr double kLogScales[] = {-3.0, -2.0, -1.0, 0.0, 1.0, 2.0, 3.0};

// The vector of log2 scales with the least score: a common scale first, then each one separately.
inline Vector search_scales(Index groups, const std::function<double(const Vector&)>& score) {
  Vector best = Vector::Zero(groups);
  if (groups == 0) return best;
  double least = std::numeric_limits<double>::infinity();
  for (const double common : kLogScales) {
    const Vector at = Vector::Constant(groups, common);
    const double found = score(at);
    if (found < least) {
      least = found;
      best = at;
    }
  }
  internal::PatternSearch options{Vector::Constant(groups, -4.0), Vector::Constant(groups, 5.0)};
  options.max_evaluations = static_cast<int>(12 + 8 * groups);
  return internal::pattern_minimise(score, best, options);
}

inline Vector exp2_of(const Vector& log2) { return (log2.array() * std::numbers::ln2).exp(); }

// best_for(scale) returns the best ridge at these scales.
inline RidgeSettings search_ridge(const internal::QueryEncoding& encoding,
                                  const std::function<Scored(const Vector&)>& best_for) {
  const Vector log2 = search_scales(encoding.groups(), [&](const Vector& at) { return best_for(exp2_of(at)).score; });
  return {exp2_of(log2), best_for(exp2_of(log2)).ridge};
}

}  // namespace iqbo

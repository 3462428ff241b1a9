// The largest value of a smooth function on a box, sought from many starts.
//
// The best of the listed points and all `known` points are polished by gradient steps (differences); of the points that
// reach the maximum to kSameHeight of the range seen, those further apart than kSamePlace of the box are returned. A
// search, not a proof: it finds what lies uphill from its starts.
#pragma once

#include <functional>

#include "iqbo/problem/problem.hpp"

namespace iqbo {

inline constexpr Index kSummitStarts = 8;
inline constexpr double kSameHeight = 1e-10;
inline constexpr double kSamePlace = 1e-3;

template <class Space>
using BatchFunction = std::function<Vector(const Points<Space>&)>;

template <class Space>
Optimum<Space> summit(const BatchFunction<Space>& f, const Box<Space>& box, const Points<Space>& listed,
                      const Points<Space>& known);

// The best of the listed points, all of those that share the value.
template <class Space>
Optimum<Space> best_listed(const Vector& values, const Points<Space>& listed);

}  // namespace iqbo

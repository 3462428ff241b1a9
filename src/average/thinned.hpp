// Clouds of many points, replaced by clouds of fewer.
#pragma once

#include "iqbo/average/laws.hpp"

namespace iqbo::internal {

// Laws of more points than this, on average, are clouds: sums over pairs of their points take long.
inline constexpr double kCloud = 32.0;

// How many points a law has on average, if all are made of points, or the grid that an axis law spans; 0 otherwise.
double points_per_law(const Laws& laws);

// The same laws with at most `most` points each, a power of two. The points of a law are halved again and again across
// their widest side; each part becomes one point, its mean. Means are kept, variances shrink by what is lost
// within the parts: an average of a kernel of lengthscale l changes by about (their sd / l)^2 of its variance. Laws with
// negative weights stay as they are. The grid of an axis law is replaced by one of few nodes.
Laws thinned(const Laws& laws, Index most);

}  // namespace iqbo::internal

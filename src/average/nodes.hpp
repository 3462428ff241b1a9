// Laws as weighted points, where a function of f has to be averaged that is not linear in it.
#pragma once

#include "iqbo/average/laws.hpp"

namespace iqbo::internal {

// The same laws, all over one list of points. Those that are lists keep their points; windows become Gauss rules along each
// coordinate, of 9 nodes in one dimension, 5 in two and 3 beyond, exact for polynomials of degree 17, 9 and 5; axis laws
// become the grid that such rules span. `of_density` if any part is.
DiscreteLaws as_points(const Laws& laws);

}  // namespace iqbo::internal

// Points spread evenly over a box, to stand for it: shifted Sobol points.
#pragma once

#include "iqbo/core/rng.hpp"
#include "iqbo/space/box.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

template <class Space>
Points<Space> spread_points(const Box<Space>& box, Index count, Rng& rng) {
  Rows out = internal::sobol(count, box.dimension(), rng) * (box.upper() - box.lower()).asDiagonal();
  out.rowwise() += box.lower().transpose();
  return box.clipped(Points<Space>(std::move(out)));
}

}  // namespace iqbo

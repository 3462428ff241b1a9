// Points spread evenly over a space, to stand for it.
#pragma once

#include "iqbo/core/rng.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/mixed.hpp"
#include "numerics/sobol.hpp"

namespace iqbo {

template <class Space>
Points<Space> spread_points(const Box<Space>& box, Index count, Rng& rng) {
  Rows out = internal::sobol(count, box.dimension(), rng) * (box.upper() - box.lower()).asDiagonal();
  out.rowwise() += box.lower().transpose();
  return box.clipped(Points<Space>(std::move(out)));
}

// The choices in a random order, again and again, each with the next point of the box.
inline Queries spread_points(const MixedQueries& space, Index count, Rng& rng) {
  const Queries in_box = spread_points(space.box(), count, rng);
  const Index first = rng.below(space.choices().size());
  Rows out(count, space.dimension());
  for (Index i = 0; i < count; ++i)
    out.row(i) = space.with_choice((first + i) % space.choices().size(), in_box.slice(i, 1)).row(0);
  return Queries(std::move(out));
}

}  // namespace iqbo

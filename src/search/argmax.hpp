// The best of a list, ties broken by the seed.
#pragma once

#include "iqbo/core/matrix.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo::internal {

// The row of the largest score; ties are broken at random, all equally likely. -infinity is a score like any other.
// Refuses an empty list; a NaN is a NumericalError that names the row.
Index argmax(const Vector& score, Rng& rng);

}  // namespace iqbo::internal

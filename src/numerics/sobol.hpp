// Points that fill a cube evenly: the Sobol sequence, shifted at random modulo one.
//
// The shift makes every point uniform on (0, 1)^d, so averages over the points are unbiased, and keeps their evenness
// ([Cranley76], [Joe08]'s direction numbers as in Boost). n = 2^m points are the most even.
#pragma once

#include "iqbo/core/matrix.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo::internal {

// One point per row, each coordinate in (0, 1). Needs points >= 1 and 1 <= dimension <= 1000.
Rows sobol(Index points, Index dimension, Rng& rng);

}  // namespace iqbo::internal

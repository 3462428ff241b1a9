// What an answer really tells about the largest value, by simulation: a yardstick for scores that approximate it.
//
//   I(z; f*) = E[ log p(z | f*) / p(z) ],   z = g(a) + noise,   f* = max f
//
// Equation 9 of [Zhang26] replaces "the maximum is f*" by g(a) <= f*, because p(z | f*) has no closed form. Here it is a mixture: joint
// paths are sorted by f* into groups of equal size, and p(z | group) is the mean of the densities N(g_s(a), noise_var) of its paths, on a grid
// of z. I(z; group) is at most I(z; f*) and close to it where groups are narrow; what it is too large by, because paths are finitely many, is of
// order 1 / paths and is removed by a jackknife over kParts parts, which also gives the standard error.
//
// Cost: paths and groups times z-grid for each query. Take 20,000 paths or more; a small noise_var needs more of them.
#pragma once

#include "iqbo/core/matrix.hpp"

namespace iqbo {

struct MaxInformation {
  Vector nats;   // for each query; may come out slightly below 0
  Vector error;  // standard error
};

inline constexpr Index kParts = 10;

// fstar_s and column s of g (queries x paths) belong to the same path. One positive noise_var for each query. Refuses fewer than
// 4 kParts paths in a group, and noise too small for the grid: an sd below 1/2000 of the range of g.
MaxInformation max_value_information(const Vector& fstar, const Matrix& g, const Vector& noise_var, Index groups = 64);

}  // namespace iqbo

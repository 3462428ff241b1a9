// A stationary kernel as a sum of cosines ([Rahimi07]):
//
//   k(x, y) ~ sum_r amplitude_r^2 cos(w_r . (x - y)),      f(x) = sum_r amplitude_r (u_r cos(w_r.x) + v_r sin(w_r.x))
//
// with u, v standard normal is then a draw from GP(0, k). Frequencies follow the spectral density: normal for Rbf,
// Student t with 2 nu degrees of freedom for Matern nu, StationaryPart::frequencies for others; Product draws its
// factors independently, Sum each term. They come from shifted Sobol points: for an Rbf in 2-d, 512 reproduce the
// kernel to 0.02 of the variance, instead of 0.1 at random (tested). Matern 1/2, with its heavy tail, converges worst.
//
// White parts have no such sum: their variance is returned separately. Other kernels are refused.
#pragma once

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/kernel.hpp"

namespace iqbo {

struct SpectralFeatures {
  Rows frequency;    // count x d
  Vector amplitude;  // count
  double nugget;     // variance of the white parts
};

// `count` frequencies for each term of a Sum that is not White. Needs count >= 1.
bool has_spectrum(const Kernel& kernel);  // false for kernels that are refused
SpectralFeatures spectral_features(const Kernel& kernel, Index count, Rng& rng);

}  // namespace iqbo

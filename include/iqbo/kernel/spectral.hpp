// A stationary kernel as a sum of cosines ([Rahimi07]):
//
//   k(x, y) ~ sum_r amplitude_r^2 cos(w_r . (x - y)),      f(x) = sum_r amplitude_r (u_r cos(w_r.x) + v_r sin(w_r.x))
//
// with u, v standard normal is then a draw from GP(0, k). Frequencies follow the kernel's spectral density: a normal for Rbf, a
// Student t with 2 nu degrees of freedom for Matern nu, what StationaryPart::frequencies says for other families, independent
// factors for Product, each term its share for Sum. They are placed by shifted Sobol points rather than at random: for an Rbf in two dimensions, 512 frequencies reproduce the kernel to 0.02 of the
// variance instead of 0.1 (a test holds it to that); Matern 1/2, with its heavy tail, converges least well.
//
// White parts have no such sum: their variance is given apart. Other kernels are refused.
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
bool has_spectrum(const Kernel& kernel);  // whether it is one of those
SpectralFeatures spectral_features(const Kernel& kernel, Index count, Rng& rng);

}  // namespace iqbo

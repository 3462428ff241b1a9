// The least noise that is assumed of any observation, whatever noise was stated.
//
// Covariances have errors: of rounding, 1e-14 of the variance, where f or finite sums of f are observed; of up to 1e-10
// of the variance for averages over windows (average/expectation.hpp). Let S = Q + diag(noise_var) be right up to a
// matrix of norm e, and no noise variance be below s > e. A posterior variance v = [1 -w'] Cov [1 -w']' contains w' N w
// >= s |w|^2, so its error is at most e (1 + |w|^2) <= e + v e / s; likewise the error of a mean is at most e / s times
// the standard deviation sqrt(v) times |L^-1 (z - nu)|, which is sqrt(t) if the model is right. With s well above e all
// are small, however nearly singular Q is; with s = 0 nothing bounds them. Hence
//
//   assumed noise variance = max(stated, share Var(observation), (kDigits z)^2),    variances reported >= share prior variance
//
// with a share of kExact or kWindows. Noise sd of 1e-5 of the sd of an answer or more (1e-6 without windows) is used as
// stated, to the last bit.
#pragma once

#include <optional>

#include "iqbo/posterior/contradiction.hpp"
#include "prior.hpp"

namespace iqbo {

struct LeastNoise {
  static constexpr double kExact = 1e-12;    // values of f, and laws that list their points
  static constexpr double kWindows = 1e-10;  // all others
  static constexpr double kDigits = 1e-15;   // of z: what a double can express

  static double share(const Laws& laws);

  // The noise variance that is assumed of z, which has prior variance `var`.
  static double of(double share, double var, double z, double stated);
};

// An observation contradicts the others if they determine it (what is left of its variance is no more than the least
// noise), its noise was stated to be less than that, and it is this many standard deviations away.
struct Determined {
  static constexpr double kLeft = 4.0;  // predictive variance, noise included, over the assumed noise variance
  static constexpr double kMost = 6.0;

  // `var` is the predictive variance of z, noise included; surprise = (z - its mean) / sqrt(var).
  static bool contradicts(double surprise, double var, double assumed, double stated);

  // Two answers to one query that differ by no more than their noise, assumed to have these variances, explains. What was
  // accepted once is accepted again, even where it surprised: the mean is then still on its way to it.
  static bool agree(double z, double other, double assumed, double other_assumed);
};

}  // namespace iqbo

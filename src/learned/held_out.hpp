// How well models predict pairs that they have not seen: 5-fold kappa scores, and the mixture that minimises them.
#pragma once

#include <vector>

#include "models.hpp"

namespace iqbo {

// For models 0 .. m-1, averaged over held-out pairs (x, a), with mu_m the embedding of p_m(.|a) under kappa and weights w that
// sum to one:
//   |k(x, .) - sum_m w_m mu_m|^2  =  sum_m w_m |k(x, .) - mu_m|^2 - 1/2 sum_mn w_m w_n |mu_m - mu_n|^2
// The second term does not depend on x, so fewer pairs suffice to estimate it.
struct HeldOut {
  Vector scores;                               // |k(x, .) - mu_m|^2
  Matrix distance;                             // |mu_m - mu_n|^2
  double ignore = 0.0;                         // score of the logged x with equal weights whatever a
  std::vector<std::vector<Laws>> refits = {};  // [fold][model], all for the same queries

  double score(const Vector& weight) const { return weight.dot(scores) - 0.5 * weight.dot(distance * weight); }
};

// The settings are those chosen on all pairs; models are trained again without each fold. Uses at most kHeldOutPairs
// pairs and scores all of them; distances use kHeldOutDistances pairs.
//
// Kappa scores of different lengthscales differ in size: under the finest one all models are far from the truth, and it
// alone would decide. So if there are several models, lengthscale l has weight 1 / (mean of |mu_m - mu_n|^2 under l):
// the comparison is how much of their disagreement is error, per lengthscale, as f may have any of them.
inline constexpr Index kHeldOutPairs = 1500;
inline constexpr Index kHeldOutDistances = 150;
inline constexpr Index kRefitQueries = 40;
HeldOut hold_out(const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                 const InputDomain& domain, const Sum& kappa);

// Weights on the simplex with the least score; exact, by trying every set of models that could have positive weight.
Vector stacking_weights(const HeldOut& held_out);

}  // namespace iqbo

// How well models predict pairs they have not seen: 5-fold kappa scores, and the mixture that minimises them.
#pragma once

#include <vector>

#include "models.hpp"

namespace iqbo {

// For models 0 .. m-1, averaged over held-out pairs (x, a):
//   score of the mixture sum_m w_m p_m  =  self - 2 w'cross + w'inner w
struct HeldOut {
  double self = 0.0;    // k(x, x)
  Vector cross;         // c_m(x, a)
  Matrix inner;         // E k(X_m, X'_n) given a
  double ignore = 0.0;  // score of the logged x with equal weights whatever a

  double score(const Vector& weight) const { return self - 2.0 * weight.dot(cross) + weight.dot(inner * weight); }
};

// Settings are those chosen on all pairs; models are trained afresh without each fold. Uses at most kHeldOutPairs pairs, and
// scores at most kHeldOutScores of them.
inline constexpr Index kHeldOutPairs = 1500;
inline constexpr Index kHeldOutScores = 300;
HeldOut hold_out(const Pairs& pairs, const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                 const InputDomain& domain, const Kernel& kappa);

// Weights on the simplex with the least score: exact, by trying every set of models that could carry weight.
Vector stacking_weights(const HeldOut& held_out);

}  // namespace iqbo

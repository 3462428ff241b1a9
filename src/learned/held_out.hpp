// How well models predict pairs that they have not seen: held-out scores, and the mixture that minimises them.
#pragma once

#include <vector>

#include "models.hpp"
#include "trial_functions.hpp"

namespace iqbo {

// For models 0 .. m-1, averaged over held-out pairs (x, a), with mu_m the embedding of p_m(.|a) under the yardstick and
// weights w that sum to one:
//   |k(x, .) - sum_m w_m mu_m|^2  =  sum_m w_m |k(x, .) - mu_m|^2 - 1/2 sum_mn w_m w_n |mu_m - mu_n|^2
// |k(x, .) - mu_m|^2 is on average the squared error of E_m[f(X)|a], f drawn from the trial functions, plus what even the
// truth would score.
struct HeldOut {
  Vector scores;        // |k(x, .) - mu_m|^2
  Matrix distance;      // |mu_m - mu_n|^2
  double ignore = 0.0;  // score of the logged x with equal weights whatever a

  double score(const Vector& weight) const { return weight.dot(scores) - 0.5 * weight.dot(distance * weight); }
};

// The settings are those chosen on all pairs; models are trained again without each of five folds of query_folds.hpp. Uses
// at most kHeldOutPairs pairs, and scores at most kScoredPairs of them.
inline constexpr Index kHeldOutPairs = 1500;
inline constexpr Index kScoredPairs = 600;
HeldOut hold_out(const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds, const ModelSettings& settings,
                 const InputDomain& domain, const TrialFunctions& functions);

// The same by other pairs, which no model was trained on; models are trained on all of `pairs`, once. With a thousand judges
// this is surer than folds of a few hundred, and it judges the models that will be used. Scores at most kJudges of them.
inline constexpr Index kJudges = 1024;
HeldOut judged_by(const LoggedPairs& others, const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds,
                  const ModelSettings& settings, const InputDomain& domain, const TrialFunctions& functions);

// Weights on the simplex with the least score + price * (number of models with positive weight); exact, by trying every set
// of models.
Vector stacking_weights(const HeldOut& held_out, double price = 0.0);

// What is learned without each of five folds of pairs, for the same kRefitQueries queries: for the jackknife, which asks how
// much depends on chance, not what lies between regions.
inline constexpr Index kRefitQueries = 40;
std::vector<Laws> refits(const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds, const Vector& weight,
                         const ModelSettings& settings, const InputDomain& domain);

}  // namespace iqbo

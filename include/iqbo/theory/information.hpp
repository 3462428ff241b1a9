// How much queries tell about f, in nats, and how much the best T of them could.
//
//   I(z_S; f) = 1/2 log det(I + R^-1/2 Q_S R^-1/2)              Q_S: covariance of g at the queries S, R: their noise
//             = 1/2 sum_t log(1 + q_{t-1}(a_t, a_t) / sigma_t^2)        lemma 4 of [Zhang26]
//   rho_T     = max of I(z_S; f) over S of T queries
//
// rho_T counts queries with repeats unless told otherwise: a policy may ask twice, and [Zhang26]'s maximum over sets
// then does not bound what it learns (docs/theory/bounds.md). gamma_T of direct values is rho_T for windows of width 0.
//
// I is submodular and grows with S, so greedy choice of the most informative query reaches 1 - 1/e of rho_T or more
// [Nemhauser78]. Each step k bounds the best choice of t: the best query after k steps is worth D_{k+1}, hence
//
//   rho_t <= min_k ( I_k + t D_{k+1} ) <= I_t / (1 - (1 - 1/t)^t) <= I_t / (1 - 1/e)
//
// Any QueryBelief will do, before or after data; what it already knows does not count. Noise must be positive.
#pragma once

#include <vector>

#include "iqbo/core/points.hpp"
#include "iqbo/posterior/belief.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

double information_gain(const QueryBelief& belief, const Queries& a, const NoiseVar& noise_var);

// Values after the first 1, 2, ... queries, by lemma 4: O(t) per query and earlier one, without determinants.
Vector information_along(const QueryBelief& belief, const Queries& a, const NoiseVar& noise_var);

// 1/2 sum log(1 + k_{t-1}(xi_t, xi_t) / sigma_t^2), k_{t-1} the variance of f(xi_t) left after the answers to a_1 ..
// a_{t-1}. This is the sum in the proof of theorem 2. It is an information gain only if a_t measures f(xi_t) itself.
Vector target_information_along(const Posterior& prior, const Queries& a, const Inputs& xi, const NoiseVar& noise_var);

struct InformationChoice {
  std::vector<Index> chosen;  // rows of the candidates, in order
  Vector gain;                // I after the first 1, 2, ... of them
  Vector upper;               // bounds of rho_1, rho_2, ...: min_k above
};

// `steps` queries, each the most informative one next. Lazy: gains can only fall, so a candidate is brought up to date
// only when its old gain is the largest. Memory: candidates x steps.
InformationChoice greedy_information(const QueryBelief& belief, const Queries& candidates, Index steps,
                                     const NoiseVar& noise_var, bool repeats = true);

// rho_T itself by trying all selections; refuses more than kMostSelections. gain has the intermediate values in the
// order of `chosen`, the last of which is rho_T; upper is empty.
inline constexpr double kMostSelections = 1e6;
InformationChoice exact_information(const QueryBelief& belief, const Queries& candidates, Index steps,
                                    const NoiseVar& noise_var, bool repeats = true);

}  // namespace iqbo

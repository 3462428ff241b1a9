// How much queries tell about f, in nats, and how much the best T of them could.
//
//   I(z_S; f) = 1/2 log det(I + R^-1/2 Q_S R^-1/2)              Q_S: covariance of g at the queries S, R: their noise
//             = 1/2 sum_t log(1 + q_{t-1}(a_t, a_t) / sigma_t^2)        lemma 4 of [Zhang26]
//   rho_T     = max of I(z_S; f) over S of T queries
//
// rho_T counts queries with repeats unless told otherwise: a policy may ask twice, and [Zhang26]'s maximum over sets would
// not bound what it learns then (docs/theory/bounds.md). gamma_T of direct looks is rho_T under windows of width 0.
//
// I is submodular and grows with S, so taking the most informative query next comes within 1 - 1/e of rho_T [Nemhauser78],
// and every step k of it bounds the best choice of t: the best query left after k is worth D_{k+1}, hence
//
//   rho_t <= min_k ( I_k + t D_{k+1} ) <= I_t / (1 - (1 - 1/t)^t) <= I_t / (1 - 1/e)
//
// Any QueryBelief will do, before or after data; what it knows already does not count. Noise must be positive.
#pragma once

#include <vector>

#include "iqbo/core/points.hpp"
#include "iqbo/posterior/belief.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

double information_gain(const QueryBelief& belief, const Queries& a, const NoiseVar& noise_var);

// After the first 1, 2, ... of them, by lemma 4: O(t) per query and earlier one, no determinant.
Vector information_along(const QueryBelief& belief, const Queries& a, const NoiseVar& noise_var);

// 1/2 sum log(1 + k_{t-1}(xi_t, xi_t) / sigma_t^2), k_{t-1} what is left of the variance of f(xi_t) after the answers to
// a_1 .. a_{t-1}. This is the sum in the proof of theorem 2. It is an information gain only if a_t looks directly at xi_t.
Vector target_information_along(const Posterior& prior, const Queries& a, const Inputs& xi, const NoiseVar& noise_var);

struct InformationChoice {
  std::vector<Index> chosen;  // rows of the candidates, in order
  Vector gain;                // I after 1, 2, ... of them
  Vector upper;               // of rho_1, rho_2, ...: min_k above
};

// `steps` queries, each the most informative next. Lazy: gains only ever fall, so a candidate is brought up to date when
// its old gain is the largest. Memory candidates x steps.
InformationChoice greedy_information(const QueryBelief& belief, const Queries& candidates, Index steps,
                                     const NoiseVar& noise_var, bool repeats = true);

// rho_T itself by trying all selections; refuses more than kMostSelections. gain has the intermediate values in the order of
// `chosen`, its last is rho_T; upper is empty.
inline constexpr double kMostSelections = 1e6;
InformationChoice exact_information(const QueryBelief& belief, const Queries& candidates, Index steps,
                                    const NoiseVar& noise_var, bool repeats = true);

}  // namespace iqbo

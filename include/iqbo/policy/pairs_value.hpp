// Pairs or answers: where p(x|a) was learned, is another query worth more, or another look at which x a query gives?
//
//   g(a) = E^[f(X) | a] + e(a),   e ~ GP(0, l)          the discrepancy of what was learned (Posterior::with_discrepancy)
//
// Twice as many pairs halve the variance of e, where errors fall with the number N of pairs as 1 / sqrt(N): e = e1 + e2, both of covariance
// l / 2, and the new pairs tell e1. The answers that were given say more about f then. Before e1 is known, the mean of f will be m + d,
// d ~ N(0, Cov(f | z) - Cov(f | z, e1)), and what is gained, in units of f and as CKG counts it, is
//
//   doubling   E max_i (m_i + d_i) - max_i m_i                      by draws
//   query      max_j E max_i (m_i + b_ij Z) - max_i m_i             the best next query, CKG
//   here_j     the same as `query` for being told e1(a_j) alone     where further pairs are worth most
//
// All are about one step ahead and about what the belief says; a discrepancy that was fitted as 0 makes pairs worthless. What an error of
// p(x|a) at queries not asked yet costs in the future is not counted, so that `doubling` is a lower bound of what the belief says.
#pragma once

#include "iqbo/core/rng.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

struct PairsValue {
  double doubling = 0.0;
  double doubling_error = 0.0;  // standard error
  double query = 0.0;
  Index best_query = 0;  // row of a
  Vector here;           // for each row of a
  Index best_place = 0;  // row of a
};

// Inputs among which the maximiser is sought and queries that may be asked. At most kPairsContenders inputs are compared, those with
// the largest m + 2 sd. Refuses a posterior without a discrepancy of one parameter (its variance), and one without answers.
inline constexpr Index kPairsContenders = 256;
PairsValue value_of_pairs(const Posterior& posterior, const Inputs& x, const Queries& a, double noise_var, Rng& rng,
                          Index draws = 4096);

}  // namespace iqbo

// Whether any query measures f where it matters. Assumption 2 of [Zhang26] as a diagnostic:
//
//   max over a of P(|X - x| <= eps | a)          the assumption: it reaches 1 for every eps, at x = x*
//
// Where it stays well below 1 at the recommended x, no query shows f there alone, and a bound on f* - max g(a_t) cannot
// go to zero; f* - f(x_t) still may.
//
// Accuracy, by kind of law (average/laws.hpp); `error` says how large the error may be, 0 where the result is exact:
// - points, bags, learned weights: sums. Signed weights are summed as they are and may leave [0, 1]. Weights that stand for
//   draws of a density: one standard error, sqrt(p (1 - p) sum w^2).
// - windows, in one dimension or for kCube: closed form, a product over coordinates; for kBall exact where all sds are equal
//   and half-widths 0 (non-central chi^2, sd at least eps / 1000), else shifted Sobol points with the last coordinate in
//   closed form, one standard error over kShifts shifts.
// - windows cut off by a domain: sums over the nodes that represent them. A Gauss rule's cumulative weights are within
//   one weight of the true ones (Chebyshev, Markov, Stieltjes); the error is at most two of the largest per coordinate.
#pragma once

#include "iqbo/conditional/conditional.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {

enum class Neighbourhood { kBall, kCube };  // |X - x| Euclidean, or each coordinate within eps as [Zhang26] prints it

struct Coverage {
  Vector probability;
  Vector error;
};

inline constexpr int kShifts = 8;
inline constexpr Index kShiftPoints = 1024;

// P(|X - x| <= eps) under each law; x has one row.
Coverage coverage(const Laws& laws, const Inputs& x, double eps, Neighbourhood shape, Rng& rng);

struct BestCoverage {
  Index row;  // of the candidates
  double probability;
  double error;
};

BestCoverage best_coverage(const Conditional& conditional, const Queries& candidates, const Inputs& x, double eps,
                           Neighbourhood shape, Rng& rng);

}  // namespace iqbo

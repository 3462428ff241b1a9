// The probability that one listed input has the largest f of all, by joint draws that stop early.
//
// Draws are made at a few rivals first; only those in which the input beats all of them are continued to the whole
// list, which loses nothing: an input that is beaten once does not win. With d(x) = f(x) - f(x_0),
//
//   P(f(x) > f(x_0)) = Phi(E d / sd d),     P(some x in R beats x_0) <= sum over R of these,
//
// so that inputs whose sum is at most kNegligible are left out altogether; the result is too large by at most that.
#pragma once

#include <memory>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/finite/finite.hpp"

namespace iqbo {

class FiniteEngine;

// Joint draws of f at some of the listed inputs that can be continued to all of them.
class PartialPaths {
 public:
  virtual ~PartialPaths() = default;
  virtual Matrix draw(Index count, Rng& rng) = 0;                         // one draw per column
  virtual Matrix whole(const std::vector<Index>& columns, Rng& rng) = 0;  // n x |columns|, of the last draw()
};

// From covariances with the inputs, and from whole paths that are moved to pass through what was drawn.
std::unique_ptr<PartialPaths> conditioned_paths(const FiniteEngine& engine, const Vector& mean,
                                                const std::vector<Index>& inputs);

// The inputs that can beat `row`, the likeliest first, after `row` itself; all others together do so with a probability
// of at most kNegligible. cov: Cov(f(x_i), f(x_row)).
constexpr double kNegligible = 1e-3;
std::vector<Index> rivals_of(Index row, const Marginals& f, const Vector& cov);

// P(win) = P(ahead) P(win | ahead), each by the share of draws. Standard errors are those of (w + 1) / (n + 2) for w of
// n, so that neither none nor all look certain.
struct Tally {
  Index draws = 0;
  Index ahead = 0;      // of the draws
  Index continued = 0;  // of those ahead
  double wins = 0.0;    // of those continued

  double value() const;
  double error() const;
  double error_of_ahead() const;  // the part of it that more draws reduce, even if none of them is continued
};

// At most `most` draws are continued, and kCheap times as many made.
constexpr Index kCheap = 100;
FiniteBelief::WinProbability race(const FiniteEngine& engine, const Marginals& f,
                                  const FiniteBelief::Widening& widening, Index row, double error, Index most,
                                  Rng& rng);

}  // namespace iqbo

// Joint draws of f* and f(x) on a large lattice, without paths over all of its inputs.
//
//   f = s + w,    w white, of the variance of the kernel's white parts (a nugget)
//
// X is divided into blocks of equal size, several hundred at most. s is drawn jointly, from its exact posterior, at one input of
// each block, the one nearest to its middle, and f is drawn at x with it; each block adds the largest of as many independent
// values of w as it has inputs. Left out are how s varies within a block, by at most `apart` times a normal number between its
// middle and its farthest corner, and what answers say about w at single inputs, of which they determine those that were asked
// alone. An event f* - f(x) <= tolerance is decided otherwise where f* is about as close to its limit as `apart`.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/fit/ensemble.hpp"

namespace iqbo {

class StandIns {
 public:
  // Empty if X is small or lies on no lattice, or if `apart`, the prior sd of s between middle and corner, would exceed the
  // limit for some member: then f is too rough, or the blocks are too wide.
  static std::optional<StandIns> of(const Ensemble& belief, const Inputs& x, double limit);

  // f* - f(x_row) in so many draws; deviations from the mean are `widened` times as large as the belief says.
  std::vector<double> regrets(const Ensemble& belief, Index row, double widened, Index draws, Rng& rng) const;

  const std::vector<Index>& rows() const { return rows_; }    // one for each block
  const std::vector<Index>& count() const { return count_; }  // of inputs in the block
  double apart() const { return apart_; }

 private:
  explicit StandIns(const Inputs& x) : x_(&x) {}

  const Inputs* x_;
  std::vector<Index> rows_, next_, count_;  // next_: the next nearest to the middle
  double apart_ = 0.0;
};

}  // namespace iqbo

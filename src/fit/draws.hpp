// Hyperparameters drawn from p(family, theta | z), by importance sampling about the modes that a fit has found.
#pragma once

#include "run.hpp"

namespace iqbo {

struct FitDraw {
  std::size_t family;  // in FitRun::families
  Vector theta;
  Vector beta;    // coefficients of the mean, drawn too
  double weight;  // the sum over all draws is 1
};

struct FitDraws {
  std::vector<FitDraw> members;  // different ones, at least one
  int evaluations = 0;
};

// At most `members` draws.
FitDraws draw(const FitRun& run, int members, std::uint64_t seed);

}  // namespace iqbo

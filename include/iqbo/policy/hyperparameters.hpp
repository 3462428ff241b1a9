// Hyperparameters as a fit found them, as plain numbers: to be kept, and used again instead of fitting again.
//
// A policy computes with a prior that was made from these numbers, never with the fit itself, so that one that is told them
// (Policy::remember) chooses the same as one that fitted them, bit for bit.
#pragma once

#include <optional>

#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo {

struct Hyperparameters {
  Index observations = 0;  // fitted to the first so many
  Stationary::Family family = Stationary::Family::kRbf;
  double variance = 1.0;
  Vector lengthscale;
  double nugget = 0.0;  // 0: none
  Vector mean;          // constant, then slopes if it is linear
  double noise_var = 0.0;
  std::optional<double> discrepancy_var;
};

// None where the kernel has a structure of its own (FitOptions::families empty).
std::optional<Hyperparameters> hyperparameters_of(const Fit& fit, Index observations, double noise_var);

// `learned`: whose discrepancy it is, if there is one.
Posterior prior_of(const Hyperparameters& values, const Conditional& conditional, const LearnedConditional* learned);

}  // namespace iqbo

// Turns a fit into hyperparameters that can be stored, and used again instead of fitting again.
//
// A policy computes with a prior that was made from these numbers, never with the fit itself, so that one that is told
// them (Policy::remember) chooses the same as one that fitted them, bit for bit.
#pragma once

#include <optional>

#include "iqbo/core/hyperparameters.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo {

// With the noise variance of a usual answer. None if the kernel has its own structure (FitOptions::families empty).
std::optional<Hyperparameters> hyperparameters_of(const Fit& fit, double noise_var);

// Parameters of a family beyond lengthscales, as Hyperparameters::others lists them: alpha, period[0], ...
std::vector<FittedParameter> named_shape(const StationaryFamily& family, Index dimension, const Vector& shape);

// `learned`: the owner of the discrepancy, if there is one. Refuses hyperparameters without variance or mean.
Posterior prior_of(const Hyperparameters& values, const Conditional& conditional, const LearnedConditional* learned);

}  // namespace iqbo

// Fits hyperparameters to the data: answers (averages), values of f, or both.
//
//   Posterior prior(Rbf(1.0, Vector::Ones(2)), bags);           // the numbers do not matter: they are fitted
//   Fit fitted = fit(prior.condition(a, z, 1.0), {}, seed);
//   fitted.posterior.f(x);
//   fitted.summary({{"east", "north"}, {"km", "km"}, "cases"}); // "lengthscale of east: 3.1 km (2.0 to 4.9)", ...
//
// Maximises  log p(z | theta) + log p(theta)  over the logarithms theta of the hyperparameters, with the coefficients
// of the mean integrated out:
//
//   S(theta) = Cov(averages of k) + nugget W + tau^2 D + noise N,     z ~ N(H beta, S),   beta ~ N(0, B), B wide
//
// The search begins on a coarse grid, which makes it global, and goes on by gradients from its best points
// (numerics/maximise.hpp). The weak priors, all log-normal and in units of the data, and the reasons for them are in
// docs/fitting.md. With them constant or tiny data give a result too: nearly the prior, with intervals that say so.
//
// Everything is relative to the spread of z and of the locations, so a change of units changes the result by just that.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/hyperparameters.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {

struct FitOptions {
  enum class MeanModel {
    kConstant,  // an unknown constant
    kLinear,    // an unknown constant and slope
    kFixed      // as in the posterior
  };
  enum class Noise {
    kFitted,  // one unknown factor on the posterior's noise_var, which gives the proportions; equal if that is 0
    kKnown    // as in the posterior
  };

  // Families (kernel/family.hpp) to choose from by evidence. One: no choice. None: the posterior's own kernel, whatever
  // its structure, with all its parameters fitted; then `ard` and `nugget` have no meaning.
  std::vector<std::string> families = {"rbf", "matern32", "matern12"};
  bool ard = true;  // a lengthscale per column, or one for all
  // With `ard`: equal numbers for columns that are measured in the same unit. Their lengthscales are alike unless the data
  // say otherwise: the logarithm of a ratio has a prior sd of 0.5. Empty: all columns have the same unit if their extents
  // differ by a factor of 10 at most, otherwise each has its own.
  std::vector<int> units = {};
  bool nugget = true;  // f has a white part; needs a p(x|a) with a finite support
  MeanModel mean = MeanModel::kConstant;
  Noise noise = Noise::kFitted;
  int starts = 3;  // of the gradient search, for the leading family; the others get one
  int max_evaluations = 1000;
  // false: log p(z | theta) alone is maximised, within the bounds of docs/fitting.md (type II maximum likelihood). Few
  // answers then lead to extreme lengthscales and noises; it is there to repeat what others do.
  bool priors = true;
};

// Names and units for the summary; any of them may be left out.
struct FitLabels {
  std::vector<std::string> columns;       // "east"
  std::vector<std::string> column_units;  // "km"
  std::string output_unit;                // of z
};

// Intervals are Laplace's approximation on the log scale (mean, slope: exact given the rest). noise_var is the mean
// over observations.
struct Fit : Hyperparameters {
  Posterior posterior;                                   // the same data under the fitted prior
  std::vector<std::pair<std::string, double>> families;  // and their log posterior, log p(z | theta) + log p(theta)
  int evaluations;                                       // of the evidence, with or without gradient

  FittedParameter parameter(const std::string& name) const;  // of parameters(); throws std::invalid_argument if none
  std::string summary(const FitLabels& labels = {}) const;   // one line each, then the notes
};

// The same data, options and seed give the same bits. If the posterior has a discrepancy, its variance tau^2 is fitted
// too and may vanish (parameter 0; a kernel of negligible variance stays in place).
Fit fit(const Posterior& data, const FitOptions& options, std::uint64_t seed);

// The same, with the search for the family of `last` begun at its values and not on the grid, which takes a quarter of the
// evaluations: for a fit after every answer. It finds the maximum next to `last`, which need not be the largest.
Fit fit_from(const Hyperparameters& last, const Posterior& data, const FitOptions& options, std::uint64_t seed);

}  // namespace iqbo

// A fit before it is reported: the report needs its mode, an ensemble the whole of Laplace's approximation.
#pragma once

#include <memory>
#include <utility>

#include "search.hpp"

namespace iqbo {

struct FitRun {
  std::shared_ptr<const FitData> data;
  std::shared_ptr<const FitObjective> objective;  // of the family chosen
  Laplace laplace;
  std::vector<std::pair<std::string, double>> families;
  int evaluations;        // of all families
  Hyperparameters found;  // as far as is known before the report: family, observations, notes
};

// What the seed of a fit is used for.
enum FitStream : std::uint64_t { kEnsembleStream = 0x656e73, kStartsStream = 0x666974, kCoarseStream = 0x636f61 };

// Needs at least one observation. Throws std::invalid_argument for bad options.
FitRun run_fit(const Posterior& data, const FitOptions& options, std::uint64_t seed);

// The stationary part of a kernel that is a variance times one such part; null for other kernels.
const StationaryPart* single_part(const Kernel& kernel);

void check_options(const FitOptions& options);

// The point estimate. Spends at most 10 further evaluations.
Fit report_fit(FitRun run);
Fit unfitted(const Posterior& data);  // no observations

}  // namespace iqbo

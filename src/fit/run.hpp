// A fit before it is reported: the report needs its mode, an ensemble the whole of Laplace's approximation.
#pragma once

#include <memory>
#include <utility>

#include "search.hpp"

namespace iqbo {

struct FamilyRun {
  std::string name;
  std::shared_ptr<const FitObjective> objective;
  FitPoint mode;
  bool is_thinned;  // found with FitRun::thinned; the value of the mode is that of all points
};

struct FitRun {
  std::shared_ptr<const FitData> data;
  std::vector<FamilyRun> families;           // the best first; at least one
  std::shared_ptr<const FitSample> thinned;  // null unless laws are clouds of points
  Laplace laplace;                           // of the best family
  int evaluations;                           // of all families
  Hyperparameters found;                     // as far as is known before the report: family, observations, notes

  const FitObjective& objective() const { return *families.front().objective; }
};

// What the seed of a fit is used for.
enum FitStream : std::uint64_t { kEnsembleStream = 0x656e73, kStartsStream = 0x666974, kCoarseStream = 0x636f61 };

// Needs at least one observation. Throws std::invalid_argument for bad options. `last` may be null (fit_from() of fit.hpp).
FitRun run_fit(std::shared_ptr<const FitData> data, const FitOptions& options, std::uint64_t seed,
               const Hyperparameters* last = nullptr);
FitRun run_fit(const Posterior& data, const FitOptions& options, std::uint64_t seed,
               const Hyperparameters* last = nullptr);

// The stationary part of a kernel that is a variance times one such part; null for other kernels.
const StationaryPart* single_part(const Kernel& kernel);

void check_options(const FitOptions& options);

// The point estimate. Spends at most 10 further evaluations.
Fit report_fit(FitRun run);

// theta by name, without intervals, and the mean that beta stands for.
Hyperparameters numbers_at(const FitObjective& objective, const std::string& family, const Vector& theta,
                           const Vector& beta);
Fit unfitted(const Posterior& data);  // no observations

}  // namespace iqbo

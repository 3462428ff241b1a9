// The models of p(x|a) that can be learned from pairs, trained with given settings. Formulas: iqbo/learned/learned.hpp.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "iqbo/average/laws.hpp"
#include "iqbo/learned/learned.hpp"
#include "local_weights.hpp"
#include "pairs.hpp"
#include "ridge_mean.hpp"
#include "trial_functions.hpp"

namespace iqbo {

class LearnedModel {
 public:
  virtual ~LearnedModel() = default;
  virtual Laws laws(const Queries& a) const = 0;

  // E[h(X) | a] for functions tabulated on the logged x, one per column, if that is cheaper than laws(); else empty.
  virtual std::optional<Matrix> average(const Queries&, const Matrix&) const { return std::nullopt; }
};

bool is_among(const std::vector<LearnedKind>& kinds, LearnedKind kind);

// Everything that is chosen by leave-one-out.
struct ModelSettings {
  RidgeSettings mean;  // shift, plug-in
  Vector shift_bandwidth;
  Vector spread_bandwidth;  // plug-in
  Vector nw_bandwidth;
  RidgeSettings cme;
  Index shift_points;                                  // number of clusters of residuals
  std::shared_ptr<const RidgeMean> trained_mean = {};  // on all pairs, with `mean`; choosing the bandwidths needs it
  bool exact_constant = true;                          // cme: see LearnedOptions
};

// Chooses the settings that the given models need, by leave-one-out: the weights of kNw and kCme by the error of averages of
// the trial functions, those of kShift, which weigh residuals, by those trial functions that depend on x alone.
// Settings that the options give are not chosen. `others`: further pairs, by which the mean of shift and plug-in is judged.
ModelSettings choose_settings(const LoggedPairs& pairs, const std::vector<LearnedKind>& kinds,
                              const TrialFunctions& functions, const LearnedOptions& options,
                              const LoggedPairs* others = nullptr);

// `mean` is the one trained on these very pairs, if available.
std::unique_ptr<const LearnedModel> train(LearnedKind kind, const LoggedPairs& pairs, const ModelSettings& settings,
                                          const InputDomain& domain, std::shared_ptr<const RidgeMean> mean = nullptr);

// The same for a mixture, in which all laws are made of few points: the normal laws of kPlugIn become points of X, and more
// than kMixedPoints logged x, under kCme and kNw, are represented by as many clusters of pairs that are near each other in x and
// in a, each at the mean of its x. (Near in x alone would blur what a distinguishes: both banks of a narrow class of distance.)
struct PointsModel {
  std::shared_ptr<const LearnedModel> model;
  std::shared_ptr<const Inputs> points;  // null if each law has points of its own
};
inline constexpr Index kMixedPoints = 128;
std::unique_ptr<const LearnedModel> as_points(std::unique_ptr<const LearnedModel> plug_in, Index dimension,
                                              const InputDomain& domain);
PointsModel train_points(LearnedKind kind, const LoggedPairs& pairs, const ModelSettings& settings,
                         const InputDomain& domain, std::shared_ptr<const RidgeMean> mean = nullptr);

}  // namespace iqbo

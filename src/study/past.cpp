#include "past.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "iqbo/core/lists.hpp"
#include "observe.hpp"
#include "setup/snapshot_of.hpp"

namespace iqbo {

using namespace internal;

namespace {

// This policy chooses nothing, so it keeps no covariances for choosing and draws no paths.
Policy onlooker(const StudySetup& setup) {
  PolicyOptions options = setup.options();
  options.policy = PolicyKind::kMaxVariance;
  options.recommend_paths = 0;
  options.budget = {};
  return {setup.setting(), options, setup.spec().seed};
}

// `points` are shown, and what is believed takes time in proportion to the listed `inputs`, shown or not.
std::set<std::int64_t> moments(std::int64_t answers, Index points, Index inputs) {
  constexpr Index kEach = 10;         // so many answers have a frame each
  constexpr Index kFrames = 25;       // about as many as a thousand answers have
  constexpr Index kNumbers = 150000;  // limit of the means in all frames together
  constexpr Index kInputs = 32768;    // likewise of the inputs
  std::set<std::int64_t> all;
  for (Index t = 1; t <= std::min<Index>(kEach, answers); ++t) all.insert(t);
  for (const Index t : Policy::fit_sizes(answers)) all.insert(t);
  const Index every = 1 + std::max(kFrames * points / kNumbers, kFrames * inputs / kInputs);
  std::set<std::int64_t> out;
  Index i = 0;
  for (const std::int64_t t : all)
    if (++i % every == 0) out.insert(t);
  return out;
}

Index listed_inputs(const StudySetup& setup) {
  const auto* list = std::get_if<InputSet>(&setup.setting().targets);
  return list != nullptr ? list->size() : 0;
}

}  // namespace

Past::Past(const StudySetup& setup) : setup_(&setup), policy_(onlooker(setup)) {}

FrameRecord Past::look(const ShownPoints& shown) {
  FrameRecord out;
  out.told = policy_.size();
  out.best = recommendation_record(*setup_, policy_.best());
  if (!shown.x.empty()) {
    const Marginals f = believed_f(policy_, shown.x);
    out.f_mean = list_of(setup_->user_value(f.mean));
    out.f_sd = list_of(setup_->user_sd(f.var));
  }
  if (!shown.a.empty()) {
    const Marginals g = believed_g(policy_, shown.a);
    out.g_mean = list_of(setup_->user_value(g.mean));
    out.g_sd = list_of(setup_->user_sd(g.var));
  }
  return out;
}

void Past::go_on(const std::vector<LoggedObservation>& answers, const std::map<std::int64_t, Hyperparameters>& fits,
                 const ShownPoints& shown) {
  for (const auto& [observations, record] : fits)
    if (observations > policy_.size()) policy_.remember(setup_->policy_fit(record));
  const auto wanted =
      moments(static_cast<std::int64_t>(answers.size()), shown.x.size() + shown.a.size(), listed_inputs(*setup_));
  for (auto t = static_cast<std::size_t>(policy_.size()); t < answers.size(); ++t) {
    observe(*setup_, answers[t], policy_);
    const auto told = static_cast<std::int64_t>(t + 1);
    if (wanted.count(told) > 0) frames_.emplace(told, look(shown));
  }
  const Marginals ahead = policy_.forecasts(static_cast<Index>(expected_.size()));
  for (Index i = 0; i < ahead.mean.size(); ++i) {
    expected_.push_back(setup_->user_value(ahead.mean[i]));
    expected_sd_.push_back(setup_->user_difference(std::sqrt(ahead.var[i])));
  }
}

}  // namespace iqbo

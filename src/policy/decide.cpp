#include "decide.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/nearest.hpp"
#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/level_set.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/acquisition/pointwise_cut.hpp"
#include "iqbo/acquisition/rate_gradient.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

Vector gumbel(Scene& scene, Index samples, Rng& rng) {
  const double floor = scene.g_all(rng).mean.maxCoeff();
  return gumbel_max(scene.f_all(rng), floor, samples, rng).values;
}

Chosen by_location(PolicyKind kind, Scene& scene, Index samples, Rng& rng) {
  const bool one = kind == PolicyKind::kThompson;
  MaxSamples paths = scene.sample_max(one ? 1 : samples, rng);
  const ScenePoints at{std::move(paths.arguments), std::move(paths.rows)};
  if (one) return scene.best(ThompsonCorrelation(at.x), at, rng);
  return scene.best(Cjes(at.x, scene.f(at).var), at, rng);
}

// The results of a user's function are checked like the user's arguments.
class CustomAcquisition final : public Acquisition {
 public:
  CustomAcquisition(const CustomScore& custom, SampledMaxima maxima) : custom_(custom), maxima_(std::move(maxima)) {}

  const Inputs& references() const override { return maxima_.arguments; }
  bool logarithmic() const override { return custom_.logarithmic; }
  bool has_gradient() const override { return false; }

  Vector score(const Outlook& outlook, const Eigen::Ref<const Matrix>& c, OutlookGradient* gradient) const override {
    if (gradient != nullptr) throw std::logic_error("a custom score has no gradient");
    const std::string name = "custom score " + in_quotes(custom_.name);
    Vector out = custom_.score(outlook, maxima_, c);
    require_rows(out.size(), outlook.size(), name);
    for (Index j = 0; j < out.size(); ++j)
      if (std::isnan(out[j]) || out[j] == std::numeric_limits<double>::infinity())
        refuse(name, "row " + std::to_string(j) + " is " + readable(out[j]), "a number, or -infinity");
    return out;
  }

 private:
  const CustomScore& custom_;
  SampledMaxima maxima_;
};

Chosen by_custom(const CustomScore& custom, Scene& scene, Index samples, Rng& rng) {
  MaxSamples paths = scene.sample_max(samples, rng);
  const ScenePoints at{std::move(paths.arguments), std::move(paths.rows)};
  const SampledMaxima maxima{std::move(paths.values), at.x, scene.f(at)};
  if (!custom.make) return scene.best(CustomAcquisition(custom, maxima), at, rng);
  const auto score = custom.make(maxima);
  if (score == nullptr) refuse("custom score " + in_quotes(custom.name), "none", "an Acquisition");
  return scene.best(*score, scene.points(score->references()), rng);
}

// The threshold as eta has it. Beyond the range of f it is as far away as a double allows to compute with.
double threshold_of(Link link, double above) {
  if (link == Link::kIdentity) return above;
  constexpr double kLeast = 1e-300;
  return inverse(link, std::clamp(above, kLeast, link == Link::kLogit ? 1.0 - 1e-16 : above + kLeast));
}

// The inputs that may be on the wrong side of the threshold count; of very many, evenly spaced ones stand for all.
Chosen by_level_set(double above, Scene& scene, Rng& rng) {
  constexpr std::size_t kMost = 1024;
  constexpr double kSure = 4.0;  // sds
  ScenePoints all = scene.everywhere(rng);
  const Marginals f = scene.f(all);
  const double threshold = threshold_of(scene.link(), above);
  std::vector<Index> open;
  for (Index i = 0; i < f.mean.size(); ++i)
    if (std::abs(f.mean[i] - threshold) < kSure * std::sqrt(f.var[i])) open.push_back(i);
  if (open.empty())
    for (Index i = 0; i < f.mean.size(); ++i) open.push_back(i);
  const std::size_t step = (open.size() + kMost - 1) / kMost;
  std::vector<Index> rows;
  for (std::size_t i = 0; i < open.size(); i += step) rows.push_back(open[i]);
  ScenePoints at{Inputs(Rows(all.x.coordinates()(rows, Eigen::all))), {}};
  for (const Index i : rows)
    if (!all.rows.empty()) at.rows.push_back(all.rows[static_cast<std::size_t>(i)]);
  return scene.best(LevelSet(at.x, f.mean(rows), f.var(rows), threshold), at, rng);
}

// Of very many inputs, evenly spaced ones stand for all; the maximisers of the sampled paths are always among them.
Chosen by_pointwise_cut(Scene& scene, Index samples, Rng& rng) {
  constexpr Index kMost = 512;
  MaxSamples paths = scene.sample_max(samples, rng);
  const ScenePoints all = scene.everywhere(rng);
  const Index step = (all.x.size() + kMost - 1) / kMost;
  std::vector<Index> rows;
  for (Index i = 0; i < all.x.size(); i += step) rows.push_back(i);
  ScenePoints at{Inputs(Rows(all.x.coordinates()(rows, Eigen::all))).joined(paths.arguments), {}};
  if (!all.rows.empty()) {
    for (const Index i : rows) at.rows.push_back(all.rows[static_cast<std::size_t>(i)]);
    at.rows.insert(at.rows.end(), paths.rows.begin(), paths.rows.end());
  }
  const Marginals f = scene.f(at);
  return scene.best(PointwiseCut(at.x, f.mean, f.var, paths.values), at, rng);
}

}  // namespace

Chosen decide(PolicyKind kind, const PolicyOptions& options, Scene& scene, double q_floor, Rng& rng) {
  using enum PolicyKind;
  const Index samples = options.samples;
  switch (kind) {
    case kMaxVariance:
      return scene.best(MaxVariance(), {}, rng);
    case kCmes:
      return scene.best(Cmes(scene.sample_max(samples, rng).values, q_floor), {}, rng);
    case kCmesGumbel:
      return scene.best(Cmes(gumbel(scene, samples, rng), q_floor), {}, rng);
    case kCmesNoisy:
      return scene.best(NoisyCmes(scene.sample_max(samples, rng).values, q_floor), {}, rng);
    case kCmesF:
      return by_pointwise_cut(scene, samples, rng);
    case kCkg: {
      const ScenePoints at = scene.knowledge_points(samples, rng);
      if (scene.link() == Link::kIdentity) return scene.best(Ckg(at.x, scene.f(at).mean), at, rng);
      const Marginals eta = scene.f(at);
      return scene.best(RateGradient(at.x, eta.mean, eta.var, scene.link()), at, rng);
    }
    case kCjes:
    case kThompson:
      return by_location(kind, scene, samples, rng);
    case kMes:
    case kMesG:
      return scene.best(Cmes(scene.sample_g_max(samples, rng), q_floor), {}, rng);
    case kEi:
    case kEiG:
      scene.see_rates();
      return scene.best(ExpectedImprovement(scene.incumbent()), {}, rng);
    case kUcb:
    case kUcbG:
      scene.see_rates();
      return scene.best(Ucb(), {}, rng);
    case kPi:
    case kPiG:
      scene.see_rates();
      return scene.best(ProbabilityOfImprovement(scene.incumbent()), {}, rng);
    case kEst:
    case kEstG:
      scene.see_rates();
      return scene.best(Est(expected_max(scene.g_all(rng)), q_floor), {}, rng);
    case kLevelSet:
      return by_level_set(*options.above, scene, rng);
    case kMfmes:
      return scene.best(Mfmes(scene.sample_finest_max(samples, rng), q_floor), rng);
    case kCustom:
      return by_custom(*options.custom, scene, samples, rng);
    case kRandom:
    case kAuto:
      break;
  }
  return scene.random(rng);
}

}  // namespace iqbo

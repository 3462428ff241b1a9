#include "decide.hpp"

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

Vector gumbel(Scene& scene, Index samples, Rng& rng) {
  const double floor = scene.g_all(rng).mean.maxCoeff();
  return gumbel_max(scene.f_all(rng), floor, samples, rng).values;
}

Chosen by_location(PolicyKind kind, Scene& scene, Index samples, Rng& rng) {
  const bool one = kind == PolicyKind::kThompson;
  MaxSamples paths = scene.sample_max(one ? 1 : samples, rng);
  const Places at{std::move(paths.arguments), std::move(paths.rows)};
  if (one) return scene.best(ThompsonCorrelation(at.x), at, rng);
  return scene.best(Cjes(at.x, scene.f(at).var), at, rng);
}

}  // namespace

Chosen decide(PolicyKind kind, Scene& scene, Index samples, double q_floor, Rng& rng) {
  using enum PolicyKind;
  switch (kind) {
    case kMaxVariance:
      return scene.best(MaxVariance(), {}, rng);
    case kCmes:
      return scene.best(Cmes(scene.sample_max(samples, rng).values, q_floor), {}, rng);
    case kCmesGumbel:
      return scene.best(Cmes(gumbel(scene, samples, rng), q_floor), {}, rng);
    case kCmesNoisy:
      return scene.best(NoisyCmes(scene.sample_max(samples, rng).values, q_floor), {}, rng);
    case kCkg: {
      const Places at = scene.knowledge_places(samples, rng);
      return scene.best(Ckg(at.x, scene.f(at).mean), at, rng);
    }
    case kCjes:
    case kThompson:
      return by_location(kind, scene, samples, rng);
    case kMes:
    case kMesG:
      return scene.best(Cmes(scene.sample_g_max(samples, rng), q_floor), {}, rng);
    case kEi:
    case kEiG:
      return scene.best(ExpectedImprovement(scene.incumbent()), {}, rng);
    case kUcb:
    case kUcbG:
      return scene.best(Ucb(), {}, rng);
    case kPi:
    case kPiG:
      return scene.best(ProbabilityOfImprovement(scene.incumbent()), {}, rng);
    case kEst:
    case kEstG:
      return scene.best(Est(expected_max(scene.g_all(rng)), q_floor), {}, rng);
    case kMfmes:
      return scene.best(Mfmes(scene.sample_finest_max(samples, rng), q_floor), rng);
    case kRandom:
    case kAuto:
      break;
  }
  return scene.random(rng);
}

}  // namespace iqbo

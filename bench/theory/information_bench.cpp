// The hundred most informative of many queries: windows of sd 0.05 on a grid of the unit square, RBF of lengthscale 0.2,
// noise sd 0.1. The gain is checked before against the determinant of what was chosen.
#include <benchmark/benchmark.h>

#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/theory/information.hpp"

namespace iqbo {
namespace {

constexpr Index kSteps = 100;

void GreedyInformation(benchmark::State& state) {
  const Posterior prior(Rbf(1.0, Vector{{0.2, 0.2}}), GaussianConditional(QueryMap::identity(2), 0.05));
  const auto side = static_cast<Index>(state.range(0));
  const Queries a = QueryBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({side, side});
  const InformationChoice choice = greedy_information(prior, a, kSteps, 0.01);
  const Queries chosen(Rows(a.coordinates()(choice.chosen, Eigen::all)));
  if (std::abs(choice.gain[kSteps - 1] - information_gain(prior, chosen, 0.01)) > 1e-8)
    return state.SkipWithError("wrong answer");
  for (auto _ : state) benchmark::DoNotOptimize(greedy_information(prior, a, kSteps, 0.01));
  state.counters["gain"] = choice.gain[kSteps - 1];
  state.counters["upper / gain"] = choice.upper[kSteps - 1] / choice.gain[kSteps - 1];
}
BENCHMARK(GreedyInformation)->Arg(10)->Arg(32)->Arg(100)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace iqbo

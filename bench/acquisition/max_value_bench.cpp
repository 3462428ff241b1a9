// CMES of 2,500 queries with 16 samples of f*, the scoring alone: nu = 0, q = 1 and f* = 1, so that every score must be
// log h(1), known to 15 digits; the arithmetic does not depend on the numbers being equal.
#include <benchmark/benchmark.h>

#include <cmath>

#include "iqbo/acquisition/max_value.hpp"

namespace iqbo {
namespace {

constexpr Index kQueries = 2500;
constexpr Index kSamples = 16;

template <class Score>
void score_all(benchmark::State& state) {
  // A noise variance of 1e-30 is none, but takes the noise-aware score through all of its arithmetic.
  const Outlook outlook{Vector::Zero(kQueries), Vector::Ones(kQueries), Vector::Constant(kQueries, 1e-30)};
  const Score score(Vector::Ones(kSamples));
  if (std::abs(std::exp(score.score(outlook, Matrix()).mean()) - 0.316553764493039) > 1e-12)
    return state.SkipWithError("wrong answer");
  for ([[maybe_unused]] auto _ : state) benchmark::DoNotOptimize(score.score(outlook, Matrix()));
  state.SetItemsProcessed(state.iterations() * kQueries * kSamples);
}
BENCHMARK_TEMPLATE(score_all, Cmes)->Unit(benchmark::kMillisecond);
BENCHMARK_TEMPLATE(score_all, NoisyCmes)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace iqbo

// The conditional knowledge gradient of 2,500 queries over 2,500 inputs, against one rank-one update C -= u v' of their
// cross covariance, the least a suggestion costs on finite sets.
//
// f on a 50 x 50 grid, RBF of lengthscale 0.15, queries averages under a Gaussian window of sd 0.05 at the grid points,
// noise sd 0.1, after t random queries: with few of them every line matters, with many most are pruned.
// "ratio" is the time of scoring all queries over that of the update, both measured in turn in one run.
// The answer is checked before: against quadrature over Z for some queries, which knows no envelope.
#include <benchmark/benchmark.h>

#include <chrono>
#include <cmath>
#include <numbers>

#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

constexpr Index kSide = 50;
constexpr Index kPoints = kSide * kSide;
constexpr double kLengthscale2 = 0.15 * 0.15;
constexpr double kWindow2 = 0.05 * 0.05;
constexpr double kNoiseVar = 0.01;

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

Rows grid() {
  const Vector ticks = Vector::LinSpaced(kSide, 0, 1);
  Rows x(kPoints, 2);
  for (Index i = 0; i < kPoints; ++i) x.row(i) << ticks[i % kSide], ticks[i / kSide];
  return x;
}

// Covariances when `windows` of the two ends are averages.
Matrix covariance(const Rows& x, int windows) {
  const double wide2 = kLengthscale2 + windows * kWindow2;
  Matrix out(kPoints, kPoints);
  for (Index j = 0; j < kPoints; ++j) out.col(j) = (x.rowwise() - x.row(j)).rowwise().squaredNorm() / (-2 * wide2);
  return out.array().exp() * (kLengthscale2 / wide2);
}

// Posterior of f and g after `observations` answers drawn as they come, by rank-one updates.
struct Belief {
  Rows x = grid();
  Vector mean = Vector::Zero(kPoints);
  Vector nu = Vector::Zero(kPoints);
  Matrix c = covariance(x, 1);
  Matrix q = covariance(x, 2);

  explicit Belief(Index observations) {
    Rng rng(11);
    for (Index t = 0; t < observations; ++t) {
      const Index j = rng.below(kPoints);
      const double sd = std::sqrt(q(j, j) + kNoiseVar);
      const Vector u = c.col(j) / sd;
      const Vector v = q.col(j) / sd;
      const double surprise = rng.normal();
      mean += u * surprise;
      nu += v * surprise;
      c.noalias() -= u * v.transpose();
      q.noalias() -= v * v.transpose();
    }
  }

  Outlook outlook() const { return {nu, q.diagonal().cwiseMax(0), Vector::Constant(kPoints, kNoiseVar)}; }
};

// E max_i (m_i + b_i Z) - max m by a trapezoidal rule, whose error, of the kinks, is about step^2.
double by_quadrature(const Vector& mean, const Vector& b) {
  constexpr double kStep = 1e-3;
  const double best = mean.maxCoeff();
  double sum = 0;
  for (int i = -9000; i <= 9000; ++i) {
    const double z = kStep * i;
    sum += kStep * std::exp(-0.5 * z * z) * ((mean + b * z).maxCoeff() - best);
  }
  return sum * std::numbers::inv_sqrtpi / std::numbers::sqrt2;
}

bool agrees(const Belief& belief, const Vector& score) {
  const Outlook outlook = belief.outlook();
  for (Index j = 0; j < kPoints; j += 617) {
    const double sd = std::sqrt(outlook.q[j] + kNoiseVar);
    const double want = by_quadrature(belief.mean, belief.c.col(j) / sd);
    if (std::abs(std::exp(score[j]) - want) > 1e-6 * std::abs(belief.c.col(j).maxCoeff() / sd)) return false;
  }
  return true;
}

void knowledge_gradient_of_all_queries(benchmark::State& state) {
  const Belief belief(state.range(0));
  const Outlook outlook = belief.outlook();
  const Ckg ckg(Inputs(belief.x), belief.mean);
  if (!agrees(belief, ckg.score(outlook, belief.c))) return state.SkipWithError("wrong answer");
  Matrix c = belief.c;
  Rng rng(12);
  const Vector u = 1e-9 * rng.normals(kPoints);
  const Vector v = 1e-9 * rng.normals(kPoints);
  double score = 0;
  double update = 0;
  for ([[maybe_unused]] auto _ : state) {
    auto start = std::chrono::steady_clock::now();
    c.noalias() -= u * v.transpose();
    update += seconds_since(start);
    benchmark::DoNotOptimize(c.data());
    start = std::chrono::steady_clock::now();
    benchmark::DoNotOptimize(ckg.score(outlook, c));
    const double seconds = seconds_since(start);
    score += seconds;
    state.SetIterationTime(seconds);
  }
  state.counters["ratio"] = score / update;
  state.counters["update_ms"] = 1e3 * update / static_cast<double>(state.iterations());
}
BENCHMARK(knowledge_gradient_of_all_queries)
    ->ArgName("t")
    ->Arg(1)
    ->Arg(10)
    ->Arg(200)
    ->UseManualTime()
    ->Unit(benchmark::kMillisecond)
    ->MinTime(0.5);

}  // namespace
}  // namespace iqbo

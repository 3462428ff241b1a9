// Posterior mean and variance of g at many candidates, against the triangular solve that no exact method avoids.
//
// t = 500 averages under Gaussian windows, RBF, d = 2. "solve/total" is the time of L^-1 B alone, B in the chunks that
// the posterior uses, over the time of everything (laws, covariances, solve, sums), both processor times, in turn in one
// run: 1 would be no overhead at all. "MB" is how much the peak memory grew during the sweep; it must not grow with the
// candidates beyond queries and answer (32 bytes a candidate).
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <ctime>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"

namespace iqbo {
namespace {

constexpr Index kObservations = 500;
constexpr double kLengthscale = 0.2;
constexpr double kSd = 0.1;
constexpr double kNoiseVar = 0.01;

// Of the processor: other people's work does not count.
double processor_time() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

struct Setting {
  Queries a;
  Vector z;
  Posterior belief;
  Matrix lower;  // of the observations' covariance

  Setting() : belief(Rbf(1.0, Vector{{kLengthscale, kLengthscale}}), GaussianConditional(QueryMap::identity(2), kSd)) {
    Rng rng(7);
    a = Queries(rng.uniforms(kObservations, 2));
    z = rng.normals(kObservations);
    belief = belief.condition(a, z, kNoiseVar);
    Matrix s(kObservations, kObservations);
    for (Index j = 0; j < kObservations; ++j) s.col(j) = covariances(a.row(j));
    s.diagonal().array() += kNoiseVar;
    lower = Eigen::LLT<Matrix>(s).matrixL();
  }

  // Cov(g(a_i), g(b)) by hand.
  Vector covariances(const Eigen::RowVectorXd& b) const {
    const double wide2 = kLengthscale * kLengthscale + 2.0 * kSd * kSd;
    return (-(a.coordinates().rowwise() - b).rowwise().squaredNorm().array() / (2.0 * wide2)).exp() *
           (kLengthscale * kLengthscale / wide2);
  }

  // Textbook formulas, one candidate at a time.
  bool agrees(const Queries& candidates, const Marginals& got) const {
    const Matrix s = lower * lower.transpose();
    const Eigen::LDLT<Matrix> ldlt(s);
    const double prior = covariances(a.row(0))[0];
    for (Index i = 0; i < candidates.size(); i += candidates.size() / 20) {
      const Vector c = covariances(candidates.row(i));
      const Vector solved = ldlt.solve(c);
      if (std::abs(got.mean[i] - solved.dot(z)) > 1e-9 || std::abs(got.var[i] - (prior - solved.dot(c))) > 1e-9)
        return false;
    }
    return true;
  }
};

void sweep_of_g(benchmark::State& state) {
  const Setting setting;
  Rng rng(8);
  const Queries candidates(rng.uniforms(state.range(0), 2));
  constexpr Index kChunk = 256;
  const Matrix rhs = Matrix::Random(kObservations, kChunk);
  Matrix chunk = rhs;
  double total = 0.0;
  double solve = 0.0;
  const double before = peak_megabytes();
  for ([[maybe_unused]] auto _ : state) {
    double start = processor_time();
    const Marginals got = setting.belief.g(candidates);
    const double sweep = processor_time() - start;
    total += sweep;
    state.SetIterationTime(sweep);
    if (!setting.agrees(candidates, got)) return state.SkipWithError("wrong answer");
    for (Index begin = 0; begin < candidates.size(); begin += kChunk) {
      chunk = rhs;
      start = processor_time();
      setting.lower.triangularView<Eigen::Lower>().solveInPlace(chunk);
      solve += processor_time() - start;
      benchmark::DoNotOptimize(chunk.data());
    }
  }
  state.counters["solve/total"] = solve / total;
  state.counters["bar"] = 0.70;
  state.counters["MB"] = peak_megabytes() - before;
  state.SetItemsProcessed(state.iterations() * candidates.size());
}
BENCHMARK(sweep_of_g)->Arg(10'000)->Arg(100'000)->UseManualTime()->Unit(benchmark::kMillisecond)->MinTime(1.0);

}  // namespace
}  // namespace iqbo

// What one evaluation of the evidence and its gradient costs in a fit, in Cholesky factorisations of the same size.
//
// A fit needs a hundred evaluations; whatever does not depend on the kernel is prepared once and not counted. Every value
// is compared with Posterior::log_evidence before, and every gradient with Posterior::log_evidence_gradient, which
// averages the kernel in another way.
#include <Eigen/Cholesky>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <ctime>
#include <memory>
#include <string>
#include <vector>

#include "fit/objective.hpp"
#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"

namespace iqbo {
namespace {

double cpu_seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }

// CPU seconds of one call: the least of several rounds, each long enough to be measured.
template <class Call>
double seconds(const Call& call) {
  double best = 1e300;
  for (int round = 0; round < 5; ++round) {
    const double begin = cpu_seconds();
    int calls = 0;
    while (cpu_seconds() - begin < 0.05 || calls < 1) {
      call();
      ++calls;
    }
    best = std::min(best, (cpu_seconds() - begin) / calls);
  }
  return best;
}

double cholesky_seconds(Index t) {
  Rng rng(1);
  const Rows x = rng.uniforms(t, 2);
  Matrix k = Rbf(1.0, Vector::Constant(2, 0.3)).gram(Inputs(x));
  k.diagonal().array() += 0.01;
  Eigen::LLT<Matrix> factor(t);
  return seconds([&] { factor.compute(k); });
}

struct Case {
  std::string name;
  std::shared_ptr<const Conditional> conditional;
  Queries queries;
  double bar;
};

Posterior with_answers(const Case& one, const Kernel& kernel) {
  const Index t = one.queries.size();
  Rng rng(7);
  return Posterior(kernel, *one.conditional).condition(one.queries, rng.normals(t), 0.05);
}

// The largest relative difference between a fit's evidence and gradient and the posterior's own.
double error_of(const FitObjective& objective, const Posterior& posterior, const Vector& theta) {
  Vector gradient(objective.size());
  const auto value = objective.evaluate(theta, &gradient);
  objective.log_prior(theta, &gradient);  // adds the prior's slope once more
  Vector slope = Vector::Zero(objective.size());
  objective.log_prior(theta, &slope);
  gradient -= 2.0 * slope;
  const Vector expected = posterior.log_evidence_gradient().kernel;
  const double scale = std::max(1.0, expected.cwiseAbs().maxCoeff());
  return std::max(std::abs(value.log_evidence - posterior.log_evidence()) / std::abs(posterior.log_evidence()),
                  (gradient.head(expected.size()) - expected).cwiseAbs().maxCoeff() / scale);
}

int measure(const Case& one) {
  const double unit = cholesky_seconds(one.queries.size());
  int wrong = 0;
  for (const std::string family : {"rbf", "matern32", "matern12"}) {
    const Stationary kernel(family, 1.0, Vector{{0.2, 0.3}});
    const Posterior posterior = with_answers(one, kernel);
    FitOptions options;
    options.families = {};
    options.mean = FitOptions::MeanModel::kFixed;
    options.noise = FitOptions::Noise::kKnown;
    const double before = cpu_seconds();
    const FitData data(posterior, options);
    const double prepared = cpu_seconds() - before;
    const FitObjective objective(data, data.sample(), kernel, options);
    const Vector theta = kernel.log_parameters();
    const double error = error_of(objective, posterior, theta);
    Vector gradient(objective.size());
    const double cost = seconds([&] { objective.evaluate(theta, &gradient); }) / unit;
    const double alone = seconds([&] { objective.evaluate(theta, nullptr); }) / unit;
    std::printf("%-34s %-9s t = %-4ld %7.1f  bar %4.0f %s   without gradient %6.1f   prepared %6.1f ms   error %.0e\n",
                one.name.c_str(), family.c_str(), static_cast<long>(one.queries.size()), cost, one.bar,
                cost <= one.bar ? "met   " : "MISSED", alone, 1e3 * prepared, error);
    std::fflush(stdout);
    if (!(error < 1e-7)) ++wrong;
  }
  return wrong;
}

Queries scattered(Index t, Index columns = 2) {
  Rng rng(3);
  return Queries(rng.uniforms(t, columns));
}

// Bags of 4 x 4 pixels at random positions of a square of `side` pixels, or of 16 points anywhere.
Case bags(Index t, Index side, bool on_lattice) {
  Rng rng(5);
  const Index count = side * side;
  Rows points(count, 2);
  for (Index i = 0; i < count; ++i)
    points.row(i) << (static_cast<double>(i % side) + 0.5) / static_cast<double>(side),
        (static_cast<double>(i / side) + 0.5) / static_cast<double>(side);
  if (!on_lattice) points = rng.uniforms(count, 2);
  std::vector<BagRow> rows;
  for (Index b = 0; b < t; ++b) {
    const Index left = rng.below(side - 3), bottom = rng.below(side - 3);
    for (Index k = 0; k < 16; ++k) rows.push_back({b, (bottom + k / 4) * side + left + k % 4, 1.0});
  }
  auto conditional = std::make_shared<BagConditional>(Inputs(points), rows);
  return {on_lattice ? "bags of 16 of " + std::to_string(count) + " pixels"
                     : "bags of 16 of " + std::to_string(count) + " points",
          conditional, conditional->queries(), 25};
}

Case learned(LearnedKind kind, const std::string& name, double bar) {
  Rng rng(9);
  const Rows a = rng.uniforms(1000, 2);
  Rows x(1000, 2);
  for (Index i = 0; i < x.rows(); ++i)
    for (Index c = 0; c < 2; ++c) x(i, c) = a(i, c) + 0.1 * std::sin(6.0 * a(i, 1 - c)) + 0.08 * rng.normal();
  LearnedOptions options;
  options.model = kind;
  return {name, std::make_shared<LearnedConditional>(Inputs(x), Queries(a), options), scattered(200), bar};
}

Queries on_grid(Index side) {
  Rows out(side * side, 2);
  for (Index i = 0; i < out.rows(); ++i)
    out.row(i) << static_cast<double>(i % side) * 0.07, static_cast<double>(i / side) * 0.07;
  return Queries(out);
}

std::vector<Case> cases() {
  const auto centre = QueryMap::identity(2);
  std::vector<Case> out;
  out.push_back({"points", std::make_shared<GaussianConditional>(centre, 0.0), scattered(500), 10});
  out.push_back({"Gaussian windows", std::make_shared<GaussianConditional>(centre, 0.05), scattered(500), 10});
  out.push_back({"Gaussian windows on a grid", std::make_shared<GaussianConditional>(centre, 0.05), on_grid(14), 10});
  out.push_back(bags(200, 32, true));
  out.push_back(bags(200, 64, true));
  out.push_back(bags(200, 32, false));
  out.push_back({"uniform windows", std::make_shared<UniformConditional>(centre, 0.05), scattered(200), 25});
  out.push_back({"uniform windows on a grid", std::make_shared<UniformConditional>(centre, 0.05), on_grid(14), 25});
  out.push_back(learned(LearnedKind::kCme, "CME of 1,000 pairs", 60));
  out.push_back(learned(LearnedKind::kShift, "shift of 1,000 pairs", 100));
  return out;
}

double wall_seconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

// Answers about a smooth field with noise, fitted with all defaults.
int fit_whole(const std::string& name, const Conditional& conditional, const Queries& a, double bar) {
  Rng rng(11);
  Posterior data(Matern32(1.0, Vector::Constant(2, 0.3)), conditional);
  const Matrix k = data.g_cov(a) + 1e-10 * Matrix::Identity(a.size(), a.size());
  const Vector z = k.llt().matrixL() * rng.normals(a.size()) + 0.1 * rng.normals(a.size());
  data = data.condition(a, z, 0.01);
  const double begin = cpu_seconds(), began = wall_seconds();
  const Fit found = fit(data, FitOptions{}, 1);
  const double cpu = cpu_seconds() - begin, wall = wall_seconds() - began;
  const bool sound = found.noise_var && found.noise_var->low < 0.01 && found.noise_var->high > 0.01;
  std::printf("%-44s t = %-5ld %7.2f s CPU, %6.2f s wall  bar %5.1f %s  %4d evaluations, %s%s\n", name.c_str(),
              static_cast<long>(a.size()), cpu, wall, bar, cpu <= bar ? "met   " : "MISSED", found.evaluations,
              found.family.c_str(), sound ? "" : "  NOISE NOT FOUND");
  std::fflush(stdout);
  return sound ? 0 : 1;
}

int fit_wholes() {
  const auto centre = QueryMap::identity(2);
  int wrong = 0;
  wrong += fit_whole("points", GaussianConditional(centre, 0.0), scattered(500), 3.0);
  wrong += fit_whole("Gaussian windows", GaussianConditional(centre, 0.05), scattered(200), 1.3);
  wrong += fit_whole("Gaussian windows", GaussianConditional(centre, 0.05), scattered(1000), 20.0);
  wrong += fit_whole("uniform windows", UniformConditional(centre, 0.05), scattered(200), 3.0);
  const Case some = bags(200, 32, true);
  wrong += fit_whole(some.name, *some.conditional, some.queries, 2.0);
  const Rows sixty = scattered(60).coordinates();
  Rows repeated(221, 2);
  for (Index i = 0; i < repeated.rows(); ++i) repeated.row(i) = sixty.row(i % 60);
  wrong += fit_whole("60 uniform windows, repeated", UniformConditional(centre, 0.05), Queries(repeated), 1.0);
  return wrong;
}

}  // namespace
}  // namespace iqbo

// Names of cases to measure may be given; "fits" are the whole fits.
int main(int count, char** arguments) {
  int wrong = 0;
  std::puts("One evaluation of the evidence and its gradient, in Cholesky factorisations of t (CPU time, one thread):");
  for (const auto& one : iqbo::cases()) {
    bool wanted = count == 1;
    for (int i = 1; i < count; ++i) wanted = wanted || one.name.find(arguments[i]) != std::string::npos;
    if (wanted) wrong += iqbo::measure(one);
  }
  bool wholes = count == 1;
  for (int i = 1; i < count; ++i) wholes = wholes || std::string(arguments[i]) == "fits";
  if (wholes) {
    std::puts("Whole fits with all defaults:");
    wrong += iqbo::fit_wholes();
  }
  if (wrong > 0) std::printf("%d answers are wrong\n", wrong);
  return wrong == 0 ? 0 : 1;
}

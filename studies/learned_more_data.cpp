// More queries must not make the answer worse, also where p(x|a) was learned from few pairs.
//
// X given a lies on a thin arc whose position depends on a. f is drawn from a GP; queries are random; hyperparameters and
// discrepancy are fitted at t = 20 and at t = 60; the regret is max f - f(argmax m). With and without the discrepancy.
//
//   learned_more_data [--draws 80] [--seed 1]
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/space/finite_set.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header

constexpr double kNoiseSd = 0.05;

Eigen::RowVectorXd on_arc(double a, Rng& rng) {
  const double angle = std::numbers::pi * (a - 0.25 + 0.5 * rng.uniform());
  const double radius = 0.5 + 0.01 * rng.normal();
  Eigen::RowVectorXd x(2);
  x << 0.5 + radius * std::cos(angle), radius * std::sin(angle);
  return x;
}

// Points along the whole of the arc and a little to its sides: where queries can see.
Inputs strip() {
  Rows out(80 * 3, 2);
  for (Index i = 0; i < out.rows(); ++i) {
    const double angle = std::numbers::pi * (-0.25 + 1.5 * static_cast<double>(i / 3) / 79.0);
    const double radius = 0.45 + 0.05 * static_cast<double>(i % 3);
    out.row(i) << 0.5 + radius * std::cos(angle), radius * std::sin(angle);
  }
  return Inputs(out);
}

struct Problem {
  Inputs x = strip();
  Vector f;
  Matrix frequency;
  Vector phase, amplitude;

  explicit Problem(Rng& rng) : frequency(200, 2), phase(200), amplitude(std::sqrt(0.01) * rng.normals(200)) {
    for (Index r = 0; r < 200; ++r) {
      frequency.row(r) = rng.normals(2).transpose() / 0.25;
      phase[r] = 2.0 * std::numbers::pi * rng.uniform();
    }
    f = at(x.coordinates());
  }
  Vector at(const Rows& points) const {
    return ((points * frequency.transpose()).rowwise() + phase.transpose()).array().cos().matrix() * amplitude;
  }
  double average(double a, Rng& rng) const {
    Rows cloud(2000, 2);
    for (Index j = 0; j < cloud.rows(); ++j) cloud.row(j) = on_arc(a, rng);
    return at(cloud).mean();
  }
};

struct Outcome {
  double regret;
  double tau;
};

Outcome outcome(const Problem& problem, const LearnedConditional& learned, const Queries& a, const Vector& z,
                bool discrepancy) {
  Posterior data = Posterior(Rbf(1.0, Vector{{0.3, 0.3}}), learned).condition(a, z, kNoiseSd * kNoiseSd);
  if (discrepancy) data = data.with_discrepancy(*learned.discrepancy(0.01));
  FitOptions options;
  options.families = {"rbf"};
  options.ard = false;
  options.nugget = false;
  const Fit fitted = fit(data, options, 1);
  Index best = 0;
  fitted.posterior.f(problem.x).mean.maxCoeff(&best);
  return {problem.f.maxCoeff() - problem.f[best],
          discrepancy ? std::sqrt(fitted.parameter("discrepancy_var").value) : 0.0};
}

// What one number of pairs gives, a value per draw.
struct Column {
  std::vector<double> early, late;
};
struct Result {
  Column with, without;
  std::vector<double> tau, error;  // at t = 60; of the learned averages of the true f
};

void add_draw(int d, Index pairs, std::uint64_t seed, Result& out) {
  Rng rng(seed, {static_cast<std::uint64_t>(d)});
  const Problem problem(rng);
  Rows logged_a = rng.uniforms(pairs, 1);
  Rows logged_x(pairs, 2);
  for (Index j = 0; j < pairs; ++j) logged_x.row(j) = on_arc(logged_a(j, 0), rng);
  LearnedOptions options;
  options.model = LearnedKind::kAuto;
  options.domain = InputSet(problem.x);
  const LearnedConditional learned(Inputs(logged_x), Queries(logged_a), options);
  Rng asked(seed, {static_cast<std::uint64_t>(d), 1});
  const Queries a(asked.uniforms(60, 1));
  Vector g(60);
  Vector z(60);
  for (Index t = 0; t < 60; ++t) {
    g[t] = problem.average(a.row(t)[0], asked);
    z[t] = g[t] + kNoiseSd * asked.normal();
  }
  for (const bool discrepancy : {true, false}) {
    Column& column = discrepancy ? out.with : out.without;
    column.early.push_back(outcome(problem, learned, a.slice(0, 20), z.head(20), discrepancy).regret);
    const auto [regret, tau] = outcome(problem, learned, a, z, discrepancy);
    column.late.push_back(regret);
    if (discrepancy) out.tau.push_back(tau);
  }
  const Vector got = learned.cosines(a, problem.frequency, problem.phase) * problem.amplitude;
  out.error.push_back((got - g).norm() / std::sqrt(60.0));
}

std::string with_se(const std::vector<double>& values) {
  const auto [mean, se] = study::summarise(values);
  char text[64];
  std::snprintf(text, sizeof text, "%.3f +- %.3f", mean, se);
  return text;
}

std::vector<double> differences(const std::vector<double>& left, const std::vector<double>& right) {
  std::vector<double> out;
  for (std::size_t i = 0; i < left.size(); ++i) out.push_back(left[i] - right[i]);
  return out;
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments arguments = study::parse(argc, argv, 80);
  std::printf("| pairs | discrepancy | regret at t = 20 | regret at t = 60 | ratio | paired change |\n");
  std::printf("|---|---|---|---|---|---|\n");
  std::string more;
  for (const Index pairs : {100, 400}) {
    Result result;
    for (int d = 0; d < arguments.draws; ++d) {
      add_draw(d, pairs, arguments.seed, result);
      study::progress(std::to_string(pairs) + " pairs", d + 1, arguments.draws);
    }
    for (const auto& [column, name] : {std::pair{&result.with, "fitted"}, std::pair{&result.without, "none"}})
      std::printf("| %ld | %s | %s | %s | %.2f | %s |\n", static_cast<long>(pairs), name,
                  with_se(column->early).c_str(), with_se(column->late).c_str(),
                  study::summarise(column->late).mean / study::summarise(column->early).mean,
                  with_se(differences(column->late, column->early)).c_str());
    more += std::to_string(pairs) + " pairs, t = 60: regret with - without " +
            with_se(differences(result.with.late, result.without.late)) + "; tau " + with_se(result.tau) +
            ", real error of the averages " + with_se(result.error) + "\n";
    std::fflush(stdout);
  }
  std::printf("\n%s", more.c_str());
}

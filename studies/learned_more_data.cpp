// More queries must not make the answer worse, also where p(x|a) was learned from few pairs.
//
// X given a lies on a thin arc whose position depends on a. f is drawn from a GP; queries are random; hyperparameters and
// discrepancy are fitted at t = 20 and at t = 60; the regret is max f - f(argmax m). With and without the discrepancy.
//
//   learned_more_data [--draws 20] [--seed 1]
#include <cmath>
#include <cstdio>
#include <numbers>

#include "iqbo/conditional/learned.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/fit.hpp"
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

double regret(const Problem& problem, const LearnedConditional& learned, const Queries& a, const Vector& z,
              bool discrepancy) {
  Posterior data = Posterior(Rbf(1.0, Vector{{0.3, 0.3}}), learned).condition(a, z, kNoiseSd * kNoiseSd);
  if (discrepancy) data = data.with_discrepancy(*learned.discrepancy(0.01));
  FitOptions options;
  options.families = {Stationary::Family::kRbf};
  options.ard = false;
  options.nugget = false;
  const Vector mean = fit(data, options, 1).posterior.f(problem.x).mean;
  Index best = 0;
  mean.maxCoeff(&best);
  return problem.f.maxCoeff() - problem.f[best];
}

}  // namespace

int main(int argc, char** argv) {
  const study::Arguments options = study::parse(argc, argv, 20);
  std::printf("| pairs | discrepancy | regret at t = 20 | regret at t = 60 | ratio |\n|---|---|---|---|---|\n");
  for (const Index pairs : {100, 400})
    for (const bool discrepancy : {true, false}) {
      double early = 0.0;
      double late = 0.0;
      for (int d = 0; d < options.draws; ++d) {
        Rng rng(options.seed, {static_cast<std::uint64_t>(d)});
        const Problem problem(rng);
        Rows logged_a = rng.uniforms(pairs, 1);
        Rows logged_x(pairs, 2);
        for (Index j = 0; j < pairs; ++j) logged_x.row(j) = on_arc(logged_a(j, 0), rng);
        LearnedOptions learned;
        learned.model = LearnedKind::kAuto;
        learned.domain = InputSet(problem.x);
        const LearnedConditional conditional(Inputs(logged_x), Queries(logged_a), learned);
        Rng asked(options.seed, {static_cast<std::uint64_t>(d), 1});
        const Queries a(asked.uniforms(60, 1));
        Vector z(60);
        for (Index t = 0; t < 60; ++t) z[t] = problem.average(a.row(t)[0], asked) + kNoiseSd * asked.normal();
        early += regret(problem, conditional, a.slice(0, 20), z.head(20), discrepancy) / options.draws;
        late += regret(problem, conditional, a, z, discrepancy) / options.draws;
      }
      std::printf("| %ld | %s | %.3f | %.3f | %.2f |\n", static_cast<long>(pairs), discrepancy ? "fitted" : "none",
                  early, late, late / early);
      std::fflush(stdout);
    }
}

// Do 90 % intervals for f cover 90 % where p(x|a) was learned, with and without the discrepancy?
//
// f = 2 + Matern(variance 1, lengthscale 0.3) + white(0.25) on 16 x 16 pixels of the unit square; noise sd 0.05. A query is a place
// a in the square; X given a is a pixel with probability proportional to exp(-|x - c(a)|^2 / (2 0.1^2)), c not linear. p(x|a) is
// learned (shift) from pairs, everything is fitted from 60 queries. Coverage: share of the 256 pixels inside mean +- 1.645
// sd; standard errors are between draws.
//
//   learned_calibration [--draws 50] [--seed 1]
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <numbers>
#include <string>

#include "iqbo/conditional/learned.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/posterior/ensemble.hpp"
#include "pixels.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;  // a program, not a header
using Family = Stationary::Family;

constexpr double kSds90 = 1.644854;
constexpr double kNoiseSd = 0.05;
constexpr Index kQueries = 60;

double coverage(const Belief& belief, const Inputs& x, const Vector& f) {
  const auto [mean, var] = belief.f(x);
  return ((f - mean).array().abs() <= kSds90 * var.array().sqrt()).cast<double>().mean();
}

// p(x|a) over the pixels.
Vector window(const Inputs& x, const Eigen::RowVectorXd& a) {
  Eigen::RowVectorXd centre(2);
  centre << a[0] + 0.15 * std::sin(2.0 * std::numbers::pi * a[1]), a[1];
  const Vector weight = (-(x.coordinates().rowwise() - centre).rowwise().squaredNorm() / 0.02).array().exp();
  return weight / weight.sum();
}

Index draw_from(const Vector& weight, Rng& rng) {
  double left = rng.uniform();
  for (Index i = 0; i < weight.size(); ++i)
    if ((left -= weight[i]) < 0.0) return i;
  return weight.size() - 1;
}

LearnedConditional learn(Rng& rng, const Inputs& x, Index pairs) {
  const Rows a = rng.uniforms(pairs, 2);
  Rows logged(pairs, 2);
  for (Index j = 0; j < pairs; ++j) logged.row(j) = x.row(draw_from(window(x, a.row(j)), rng));
  LearnedOptions options;
  options.domain = InputSet(x);
  return {Inputs(logged), Queries(a), options};
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = study::parse(argc, argv, 50);
  const Inputs x = study::pixel_grid(16, 16);
  std::printf(
      "| f | pairs | with discrepancy, %% | ensemble of 16, %% | without discrepancy, %% | tau / error of g |\n");
  std::printf("|---|---|---|---|---|---|\n");
  for (const Family family : {Family::kMatern12, Family::kMatern32})
    for (const Index pairs : {100, 400}) {
      const study::Field field(Sum(Stationary(family, 1.0, Vector{{0.3, 0.3}}), White(0.25, 2)), x);
      std::vector<double> with, ensemble, without, tau, error;
      for (int d = 0; d < arguments.draws; ++d) {
        Rng rng(arguments.seed, {static_cast<std::uint64_t>(d), static_cast<std::uint64_t>(pairs)});
        const Vector f = field.draw(rng).array() + 2.0;
        const LearnedConditional learned = learn(rng, x, pairs);
        const Queries a(rng.uniforms(kQueries, 2));
        Vector g(kQueries);
        for (Index t = 0; t < kQueries; ++t) g[t] = window(x, a.row(t)).dot(f);
        const Vector z = g + kNoiseSd * rng.normals(kQueries);
        const Posterior plain = Posterior(Matern32(1.0, Vector{{0.3, 0.3}}), learned).condition(a, z, 1.0);
        const auto [fitted, mixture] =
            fit_ensemble(plain.with_discrepancy(*learned.discrepancy(0.01)), {}, arguments.seed);
        with.push_back(coverage(fitted.posterior, x, f));
        ensemble.push_back(coverage(mixture, x, f));
        without.push_back(coverage(fit(plain, {}, arguments.seed).posterior, x, f));
        tau.push_back(std::sqrt(fitted.parameter("discrepancy_var").value));
        error.push_back(std::sqrt((learned.average(a, f) - g).squaredNorm() / static_cast<double>(kQueries)));
        study::progress("draws", d + 1, arguments.draws);
      }
      std::printf("| Matern %s + white | %ld | %s | %s | %s | %.3f / %.3f |\n",
                  family == Family::kMatern12 ? "1/2" : "3/2", static_cast<long>(pairs), study::percent(with).c_str(),
                  study::percent(ensemble).c_str(), study::percent(without).c_str(), study::summarise(tau).mean,
                  study::summarise(error).mean);
      std::fflush(stdout);
    }
}

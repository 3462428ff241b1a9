// Do 90 % intervals for f cover 90 %, with everything fitted from block averages?
//
// f = 2 + Matern(variance 1, lengthscale 0.3) + white(0.25) on 24 x 24 pixels of the unit square; noise sd 0.05. Seen
// through all 64 blocks of 3 x 3 pixels (equal: nugget and noise cannot be told apart) or through 64 squares of 1 to 4
// pixels a side at random places (mixed). Coverage: share of the 576 pixels inside mean +- 1.645 sd, averaged over
// draws; standard errors are between draws.
#include <cmath>
#include <cstdio>
#include <string>

#include "iqbo/fit/ensemble.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "pixels.hpp"
#include "study.hpp"

namespace {

using namespace iqbo;
constexpr Index kSide = 24;
constexpr double kSds90 = 1.644854;

double coverage(const Belief& belief, const Inputs& x, const Vector& f) {
  const auto [mean, var] = belief.f(x);
  return ((f - mean).array().abs() <= kSds90 * var.array().sqrt()).cast<double>().mean();
}

double mean_sd(const Belief& belief, const Inputs& x) { return belief.f(x).var.cwiseSqrt().mean(); }

std::vector<BagRow> mixed_blocks(Rng& rng, Index count) {
  std::vector<BagRow> out;
  for (Index bag = 0; bag < count; ++bag) {
    const Index width = 1 + rng.below(4);
    study::add_block(out, kSide, bag, rng.below(kSide - width + 1), rng.below(kSide - width + 1), width, width);
  }
  return out;
}

// One draw of f, and what is seen of it.
struct Data {
  Vector f;
  Posterior posterior;
};

Data draw(Rng& rng, const Kernel& kernel, const study::Field& field, const Inputs& x, bool equal, Index t) {
  Vector f = field.draw(rng);
  f.array() += 2.0;
  const BagConditional bags(x, equal ? study::tiles(kSide, kSide, 3, 3) : mixed_blocks(rng, t));
  std::vector<Index> asked;
  for (Index i = 0; i < t; ++i) asked.push_back(equal ? (i * 29) % 64 : i);  // 29 and 64: every block once
  const Queries a(Rows(bags.queries().coordinates()(asked, Eigen::all)));
  const Vector z = bags.average(a, f) + 0.05 * rng.normals(t);
  return {f, Posterior(kernel, bags).condition(a, z, 1.0)};
}

struct Row {
  std::vector<double> with, ensemble, without, known;
};

void nugget_table(const study::Arguments& arguments, const Inputs& x) {
  std::printf(
      "| f | blocks | coverage, %% | ensemble of 16, %% | without nugget, %% | noise known, %% "
      "|\n|---|---|---|---|---|---|\n");
  for (const std::string_view family : {"matern12", "matern32"})
    for (const bool equal : {true, false}) {
      const Sum kernel(Stationary(family, 1.0, Vector{{0.3, 0.3}}), White(0.25, 2));
      const study::Field field(kernel, x);
      Row row;
      const std::string name = family == "matern12" ? "Matern 1/2" : "Matern 3/2";
      for (int i = 0; i < arguments.draws; ++i) {
        Rng rng(arguments.seed, {static_cast<std::uint64_t>(i), equal ? 0U : 1U});
        const auto [f, data] = draw(rng, kernel, field, x, equal, 64);
        FitOptions options;
        const auto [fitted, mixture] = fit_ensemble(data, options, arguments.seed);
        row.with.push_back(coverage(fitted.posterior, x, f));
        row.ensemble.push_back(coverage(mixture, x, f));
        options.nugget = false;
        row.without.push_back(coverage(fit(data, options, arguments.seed).posterior, x, f));
        options.nugget = true;
        options.noise = FitOptions::Noise::kKnown;
        row.known.push_back(coverage(fit(data.with_noise_var(0.0025), options, arguments.seed).posterior, x, f));
        study::progress(name, i + 1, arguments.draws);
      }
      std::printf("| %s + white | %s | %s | %s | %s | %s |\n", name.c_str(), equal ? "equal" : "mixed",
                  study::percent(row.with).c_str(), study::percent(row.ensemble).c_str(),
                  study::percent(row.without).c_str(), study::percent(row.known).c_str());
      std::fflush(stdout);
    }
}

void small_table(const study::Arguments& arguments, const Inputs& x) {
  std::printf(
      "\n| f | t | point estimate, %% | ensemble of 16, %% | draws below 50 %%: point | ensemble | mean sd: point "
      "| ensemble |\n|---|---|---|---|---|---|---|---|\n");
  for (const std::string_view family : {"matern12", "matern32"})
    for (const Index t : {5, 10, 20}) {
      const Sum kernel(Stationary(family, 1.0, Vector{{0.3, 0.3}}), White(0.25, 2));
      const study::Field field(kernel, x);
      std::vector<double> point, ensemble, point_low, ensemble_low, point_sd, ensemble_sd;
      const std::string name = family == "matern12" ? "Matern 1/2" : "Matern 3/2";
      for (int i = 0; i < arguments.draws; ++i) {
        Rng rng(arguments.seed, {static_cast<std::uint64_t>(i), 2U, static_cast<std::uint64_t>(t)});
        const auto [f, data] = draw(rng, kernel, field, x, false, t);
        const auto [fitted, mixture] = fit_ensemble(data, {}, arguments.seed);
        point.push_back(coverage(fitted.posterior, x, f));
        ensemble.push_back(coverage(mixture, x, f));
        point_low.push_back(point.back() < 0.5 ? 1.0 : 0.0);
        ensemble_low.push_back(ensemble.back() < 0.5 ? 1.0 : 0.0);
        point_sd.push_back(mean_sd(fitted.posterior, x));
        ensemble_sd.push_back(mean_sd(mixture, x));
        study::progress(name + ", t = " + std::to_string(t), i + 1, arguments.draws);
      }
      std::printf("| %s + white | %d | %s | %s | %.0f %% | %.0f %% | %.2f | %.2f |\n", name.c_str(),
                  static_cast<int>(t), study::percent(point).c_str(), study::percent(ensemble).c_str(),
                  100.0 * study::summarise(point_low).mean, 100.0 * study::summarise(ensemble_low).mean,
                  study::summarise(point_sd).mean, study::summarise(ensemble_sd).mean);
      std::fflush(stdout);
    }
}

}  // namespace

int main(int argc, char** argv) {
  const auto arguments = study::parse(argc, argv, 50);
  const Inputs x = study::pixel_grid(kSide, kSide);
  nugget_table(arguments, x);
  small_table(arguments, x);
}

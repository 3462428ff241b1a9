// Problems that the studies of policies share. X and A are lists; f on X and g on A are known, so that regrets are exact.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>
#include <vector>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/policy.hpp"
#include "iqbo/problem/registry.hpp"
#include "iqbo/space/box.hpp"

namespace iqbo::study {

struct Case {
  Setting setting;
  Vector f;  // on X
  Vector g;  // on A
  double noise_sd;
  double unit;  // regrets are given in it
};

// A broad hill, lower than a narrow one elsewhere. Averaged under a Gaussian window of this sd each is lower and wider; no
// window: the hills themselves.
inline Vector two_hills(const Vector& at, double window) {
  Vector out = Vector::Zero(at.size());
  for (const auto& [height, centre, width] : {std::array{0.8, 0.3, 0.12}, std::array{1.0, 0.75, 0.03}}) {
    const double wide = std::hypot(width, window);
    out.array() += height * width / wide * (-((at.array() - centre) / wide).square() / 2.0).exp();
  }
  return out;
}

// A test problem less `mean`, in units of `unit`, seen through its own p(x|a).
inline Case of(const Problem& problem, double mean, double unit) {
  const Vector f = (problem.f(problem.x().points()).array() - mean) / unit;
  const Vector g = (problem.g(problem.a().points()).array() - mean) / unit;
  return {{problem.x(), problem.a(), problem.conditional()}, f, g, problem.noise_sd() / unit, unit};
}

inline Case with_known_prior(Case known, const Problem& problem) {
  known.setting.kernel = problem.kernel();
  known.setting.noise_var = known.noise_sd * known.noise_sd;
  return known;
}

inline Case two_peaks() {
  const Problem peaks = problem("two-peaks");
  return with_known_prior(of(peaks, peaks.f(peaks.x().points()).mean(), 1.0), peaks);
}

// "districts" or "districts-rough"
inline Case districts(const char* name, bool known, std::uint64_t seed) {
  const Problem map = problem(name, {.seed = seed});
  const Case fitted = of(map, 0.0, 1.0);
  return known ? with_known_prior(fitted, map) : fitted;
}

// f from an RBF GP on a 24 x 24 grid of the unit square, seen through Gaussian windows at 12 x 12 centres.
// Drawn jointly at these points, unlike the problem "gp-draw", which is a function.
inline Case gp_draw(bool known, std::uint64_t seed) {
  Rng rng(seed, {7});
  constexpr double kNoiseSd = 0.05;
  const Rbf kernel(1.0, Vector{{0.12, 0.12}});
  const Inputs x = InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({24, 24});
  const Queries a = QueryBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({12, 12});
  const GaussianConditional window(QueryMap::identity(2), 0.08);
  const Posterior prior(kernel, window);
  // Jointly f on X and g on A.
  Matrix cov(x.size() + a.size(), x.size() + a.size());
  cov << prior.f_cov(x), prior.fg_cov(x, a), prior.fg_cov(x, a).transpose(), prior.g_cov(a);
  cov.diagonal().array() += 1e-9;
  const Vector both = cov.llt().matrixL() * rng.normals(cov.rows());
  Setting setting{InputSet(x), QuerySet(a), window.clone()};
  if (known) {
    setting.kernel = kernel.clone();
    setting.noise_var = kNoiseSd * kNoiseSd;
  }
  return {setting, both.head(x.size()), both.tail(a.size()), kNoiseSd, 1.0};
}

// Branin behind the paper's non-linear map, standardised.
inline Case branin(std::shared_ptr<const Conditional> conditional) {
  constexpr double kMean = -54.3;
  constexpr double kSd = 51.3;
  Case out = of(problem("branin-nonlinear"), kMean, kSd);
  out.setting.conditional = std::move(conditional);
  out.noise_sd = 0.1;
  return out;
}

inline std::shared_ptr<const Conditional> branin_window() { return problem("branin-nonlinear").conditional(); }

inline std::shared_ptr<const Conditional> branin_learned(LearnedKind model, Index pairs, Rng& rng) {
  const Problem branin = problem("branin-nonlinear");
  const auto [x, a] = branin.logged(pairs, rng);
  LearnedOptions options;
  options.model = model;
  options.domain = branin.x();
  return LearnedConditional(x, a, options).clone();
}

// max f - f(recommended) after each of the given numbers of queries. The noise of the n-th answer depends on the seed
// and on n alone, and so does the initial design: policies are compared on equal terms.
inline std::vector<double> regrets(const Case& problem, const PolicyOptions& options, const std::vector<Index>& at,
                                   std::uint64_t seed) {
  PolicyOptions quick = options;
  quick.recommend_paths = 1;  // probabilities are not looked at
  Policy policy(problem.setting, quick, seed);
  std::vector<double> out;
  for (Index t = 1; t <= at.back(); ++t) {
    const Suggestion next = policy.suggest();
    Rng noise(seed, {1000, static_cast<std::uint64_t>(t)});
    policy.observe(next.queries, Vector::Constant(1, problem.g[next.rows[0]] + problem.noise_sd * noise.normal()));
    if (std::find(at.begin(), at.end(), t) != at.end())
      out.push_back(problem.unit * (problem.f.maxCoeff() - problem.f[*policy.best().row]));
  }
  return out;
}

}  // namespace iqbo::study

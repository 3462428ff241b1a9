// Problems that the studies of policies share. X and A are lists; f on X and g on A are known, so that regrets are exact.
#pragma once

#include <Eigen/Cholesky>
#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <numbers>
#include <string>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/learned.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/numerics/gauss_rule.hpp"
#include "iqbo/policy/policy.hpp"
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

// The same less the mean, seen through windows wider than the narrow peak.
inline Case two_peaks() {
  const Inputs x = Inputs::line(Vector::LinSpaced(401, 0.0, 1.0));
  const Queries a = Queries::line(Vector::LinSpaced(61, 0.02, 0.98));
  constexpr double kWindow = 0.05;
  Vector f = two_hills(x.coordinates().col(0), 0.0);
  const double mean = f.mean();
  Setting setting{InputSet(x), QuerySet(a), GaussianConditional(QueryMap::identity(1), kWindow).clone()};
  setting.kernel = Rbf(0.1, Vector{{0.035}}).clone();
  setting.noise_var = 0.005 * 0.005;
  return {setting, f.array() - mean, two_hills(a.coordinates().col(0), kWindow).array() - mean, 0.005, 1.0};
}

// Districts around random centres, each pixel in that of the nearest; the answer is a district's mean. Named by centroids.
inline std::shared_ptr<const BagConditional> voronoi_districts(const Inputs& pixels, Index districts, Rng& rng) {
  for (;;) {
    const Rows centres = rng.uniforms(districts, 2) * 20.0;
    std::vector<BagRow> rows;
    Rows centroid = Rows::Zero(districts, 2);
    Vector count = Vector::Zero(districts);
    for (Index i = 0; i < pixels.size(); ++i) {
      Index nearest = 0;
      (centres.rowwise() - pixels.row(i)).rowwise().squaredNorm().minCoeff(&nearest);
      rows.push_back({nearest, i, 1.0});
      centroid.row(nearest) += pixels.row(i);
      count[nearest] += 1.0;
    }
    if (count.minCoeff() == 0.0) continue;  // a district without a pixel: draw again
    centroid.array().colwise() /= count.array();
    return std::make_shared<BagConditional>(pixels, rows, Queries(centroid));
  }
}

inline Inputs pixels() { return InputBox(Vector{{0.5, 0.5}}, Vector{{19.5, 19.5}}).grid({20, 20}); }

// A draw of f on listed points.
inline Vector draw_field(const Kernel& kernel, const Inputs& x, Rng& rng) {
  Matrix k = kernel.gram(x);
  k.diagonal().array() += 1e-9 * k(0, 0);
  return k.llt().matrixL() * rng.normals(x.size());
}

inline Case districts(const Kernel& kernel, double noise_sd, bool known, Rng& rng) {
  const Inputs x = pixels();
  const auto bags = voronoi_districts(x, 40, rng);
  const Vector f = draw_field(kernel, x, rng);
  Setting setting{InputSet(x), QuerySet(bags->queries()), bags};
  if (known) {
    setting.kernel = kernel.clone();
    setting.noise_var = noise_sd * noise_sd;
  }
  return {setting, f, bags->average(bags->queries(), f).col(0), noise_sd, 1.0};
}

// f from an RBF GP on a 24 x 24 grid of the unit square, seen through Gaussian windows at 12 x 12 centres.
inline Case gp_draw(bool known, Rng& rng) {
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

inline double negative_branin(double x0, double x1) {
  constexpr double kPi = std::numbers::pi;
  const double valley = x1 - 5.1 / (4.0 * kPi * kPi) * x0 * x0 + 5.0 / kPi * x0 - 6.0;
  return -(valley * valley + 10.0 * (1.0 - 1.0 / (8.0 * kPi)) * std::cos(x0) + 10.0);
}

// The paper's non-linear map: x = 15 cos(pi a / 2) + offset + 0.5 N. X 36 x 36, A 30 x 30, f standardised.
inline Rows branin_map(const Queries& a) {
  Rows out = 15.0 * (0.5 * std::numbers::pi * a.coordinates().array()).cos();
  out.col(0).array() -= 5.0;
  return out;
}

struct Pairs {
  Inputs x;
  Queries a;
};

inline Pairs branin_pairs(Index count, Rng& rng) {
  const Queries a(rng.uniforms(count, 2));
  Rows x = branin_map(a);
  for (Index i = 0; i < count; ++i) x.row(i) += 0.5 * rng.normals(2).transpose();
  return {Inputs(x), a};
}

inline Case branin(std::shared_ptr<const Conditional> conditional) {
  constexpr double kMean = -54.3;
  constexpr double kSd = 51.3;
  const Inputs x = InputBox(Vector{{-5.0, 0.0}}, Vector{{10.0, 15.0}}).grid({36, 36});
  const Queries a = QueryBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}).grid({30, 30});
  Vector f(x.size());
  for (Index i = 0; i < x.size(); ++i) f[i] = (negative_branin(x.row(i)[0], x.row(i)[1]) - kMean) / kSd;
  const Rule& rule = gauss_hermite(24);
  const Rows centre = branin_map(a);
  Vector g = Vector::Zero(a.size());
  for (Index j = 0; j < a.size(); ++j)
    for (Index u = 0; u < rule.node.size(); ++u)
      for (Index v = 0; v < rule.node.size(); ++v)
        g[j] += rule.weight[u] * rule.weight[v] *
                (negative_branin(centre(j, 0) + 0.5 * rule.node[u], centre(j, 1) + 0.5 * rule.node[v]) - kMean) / kSd;
  return {{InputSet(x), QuerySet(a), std::move(conditional)}, f, g, 0.1, kSd};
}

inline std::shared_ptr<const Conditional> branin_window() {
  return GaussianConditional(QueryMap::function(2, 2, branin_map), 0.5).clone();
}

inline std::shared_ptr<const Conditional> branin_learned(LearnedKind model, Index pairs, Rng& rng) {
  const auto [x, a] = branin_pairs(pairs, rng);
  LearnedOptions options;
  options.model = model;
  options.domain = InputSet(InputBox(Vector{{-5.0, 0.0}}, Vector{{10.0, 15.0}}).grid({36, 36}));
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
      out.push_back(problem.unit * (problem.f.maxCoeff() - problem.f[*policy.recommend().row]));
  }
  return out;
}

}  // namespace iqbo::study

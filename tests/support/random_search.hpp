// How close the search over a box comes to the best of a fine grid, on a random posterior of two-dimensional queries.
#pragma once

#include <algorithm>
#include <memory>

#include "iqbo/acquisition/improvement.hpp"
#include "iqbo/acquisition/knowledge_gradient.hpp"
#include "iqbo/acquisition/location.hpp"
#include "iqbo/acquisition/max_value.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/search/search.hpp"

namespace iqbo::test {

// A posterior given answers at random queries, through windows of random width, of an f with random lengthscales.
inline Posterior random_posterior(Rng& rng) {
  const Index t = 3 + rng.below(15);
  const Rbf kernel(1.0, Vector{{0.1 + 0.3 * rng.uniform(), 0.1 + 0.3 * rng.uniform()}});
  const GaussianConditional window(QueryMap::identity(2), 0.03 + 0.1 * rng.uniform());
  return Posterior(kernel, window).condition(Queries(rng.uniforms(t, 2)), rng.normals(t), 0.01);
}

inline std::unique_ptr<Acquisition> random_acquisition(const Posterior& posterior, Index which, Rng& rng) {
  const Inputs some(rng.uniforms(8, 2));
  const double best = posterior.g(posterior.queries()).mean.maxCoeff();
  switch (which % 5) {
    case 0:
      return std::make_unique<Cmes>(Vector(best + 0.5 + rng.uniforms(8, 1).col(0).array()));
    case 1:
      return std::make_unique<Cjes>(some, posterior.f(some).var);
    case 2:
      return std::make_unique<Ckg>(some, posterior.f(some).mean);
    case 3:
      return std::make_unique<ExpectedImprovement>(best);
    default:
      return std::make_unique<Ucb>();
  }
}

// (best of the grid - found) / (range over the grid): negative if the search did better.
inline double shortfall(Index which, Index grid, std::uint64_t seed) {
  Rng rng(seed, {static_cast<std::uint64_t>(which)});
  const Posterior posterior = random_posterior(rng);
  const auto acquisition = random_acquisition(posterior, which, rng);
  const Inputs& x = acquisition->references();
  const QueryScore score{[&](const Queries& a, Rows* gradient) {
    const auto [nu, q] = posterior.g(a);
    const Outlook outlook{nu, q, Vector::Constant(a.size(), 0.01)};
    const Matrix c = x.empty() ? Matrix(0, a.size()) : posterior.fg_cov(x, a);
    if (gradient == nullptr) return acquisition->score(outlook, c);
    OutlookGradient weight;
    const Vector out = acquisition->score(outlook, c, &weight);
    *gradient = x.empty() ? posterior.g_pull_back(a, {weight.nu, weight.q})
                          : posterior.g_pull_back(a, {weight.nu, weight.q}, x, weight.c);
    return out;
  }};
  const QueryBox box(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}});
  const double found = search(score, box, Queries(), rng).score;
  const Vector all = score.evaluate(box.grid({grid, grid}), nullptr);
  return (all.maxCoeff() - found) / (all.maxCoeff() - all.minCoeff());
}

}  // namespace iqbo::test

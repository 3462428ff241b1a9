// Averages of paths over windows, from values of f nearby: their joint distribution against exact covariances.
#include "finite/local_averages.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

Inputs lattice(Index side) {
  Rows x(side * side, 2);
  for (Index i = 0; i < x.rows(); ++i)
    x.row(i) << static_cast<double>(i / side) / static_cast<double>(side - 1),
        static_cast<double>(i % side) / static_cast<double>(side - 1);
  return Inputs(x);
}

// What is stated bounds the errors of all covariances; variances are exact.
TEST(LocalAverages, StateTheirError) {
  const Inputs x = lattice(24);
  const Queries a({{0.5, 0.5}, {0.52, 0.45}, {0.25, 0.7}, {0.8, 0.25}});
  for (const char* family : {"rbf", "matern32", "matern12"})
    for (const double width : {0.06, 0.2}) {
      SCOPED_TRACE(std::string(family) + ", width " + std::to_string(width));
      const UniformConditional window(QueryMap::identity(2), width);
      const Stationary kernel(family, 1.3, Vector{{0.25, 0.4}});
      const FiniteTargets targets({kernel.clone(), ConstantMean(0.0).clone(), nullptr}, window.clone(), x, a);
      ASSERT_NE(targets.lattice, nullptr);
      const auto found = LocalAverages::of(targets, averages(window, a));
      EXPECT_LT(found.left, std::string(family) == "rbf" ? 1e-4 : (std::string(family) == "matern32" ? 5e-3 : 0.05));
      const Matrix k = kernel.gram(x), q = window.q(kernel, a, a), c = window.c(kernel, x, a);
      Matrix g = found.weight * k * found.weight.transpose();
      g.diagonal() += found.sd.cwiseAbs2();
      EXPECT_LT((g.diagonal() - q.diagonal()).cwiseAbs().maxCoeff(), 1e-7);
      EXPECT_LT((g - q).cwiseAbs().maxCoeff(), 2.0 * std::sqrt(found.left) * q.diagonal().maxCoeff() + 1e-7);
      // Cov(f(x) - its prediction, e): at most the product of their sds.
      EXPECT_LT((k * found.weight.transpose() - c).cwiseAbs().maxCoeff(), std::sqrt(found.left) * 1.3 + 1e-7);
    }
}

// A belief on a large lattice with windows does not factor anything of its size.
TEST(LocalAverages, AreUsedOnLargeLattices) {
  const Inputs x = lattice(40);
  const Queries a({{0.5, 0.5}, {0.3, 0.6}, {0.8, 0.2}});
  const UniformConditional window(QueryMap::identity(2), 0.1);
  const Posterior prior(Stationary("matern32", 1.0, Vector{{0.2, 0.2}}), window);
  FiniteBelief belief(prior, x, a);
  EXPECT_NE(belief.description().find("circulant"), std::string::npos);
  EXPECT_NE(belief.description().find("from values nearby"), std::string::npos);
  belief.observe(0, 1.5, 0.01);
  Rng rng(3);
  constexpr Index kDraws = 2000;
  const auto [f, g] = belief.draw(kDraws, rng);
  const Vector mean = g.rowwise().mean();
  for (Index j = 0; j < a.size(); ++j) {
    const double sd = std::sqrt(belief.g().var[j]);
    EXPECT_NEAR(mean[j], belief.g().mean[j], 5.0 * sd / std::sqrt(static_cast<double>(kDraws)));
    const double drawn = std::sqrt((g.row(j).array() - mean[j]).square().mean());
    EXPECT_NEAR(drawn, sd, 0.08 * sd + 1e-3);
  }
}

}  // namespace
}  // namespace iqbo

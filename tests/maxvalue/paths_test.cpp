#include "iqbo/maxvalue/paths.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

Posterior averages_and_looks(const Kernel& kernel, bool discrepancy) {
  Posterior prior(kernel, GaussianConditional(QueryMap::identity(1), 0.08), ConstantMean(0.7));
  if (discrepancy) prior = prior.with_discrepancy(Rbf(0.05, Vector{{0.5}}));
  return prior.condition(Queries{{0.1}, {0.4}, {0.45}, {0.8}}, Vector{{0.2, 1.1, 1.0, 0.5}}, 0.01)
      .condition(Inputs{{0.25}}, Vector{{0.9}}, 0.02);
}

// Draws whitened by the exact posterior law: their mean square is 1 up to sampling error, and to the error of the prior's
// cosines, which 1,024 frequencies make smaller than that.
void expect_posterior_law(const Posterior& posterior) {
  const Inputs x{{0.05}, {0.3}, {0.5}, {0.95}};
  const Queries a{{0.2}, {0.6}};
  constexpr Index kPaths = 2000;
  Rng rng(11);
  const Paths paths(posterior, a, kPaths, rng, {1024});
  Matrix drawn(6, kPaths);
  drawn << paths.f(x), paths.g();

  Vector mean(6);
  mean << posterior.f(x).mean, posterior.g(a).mean;
  Matrix cov(6, 6);
  cov << posterior.f_cov(x), posterior.fg_cov(x, a), posterior.fg_cov(x, a).transpose(), posterior.g_cov(a);
  const Matrix white = cov.llt().matrixL().solve((drawn.colwise() - mean).eval());
  // 6 means with standard error 1/sqrt(2000) and 21 covariances with at most sqrt(2/2000): five of them are exceeded in
  // 27 numbers with probability below 2e-5 each way.
  const double five = 5.0 / std::sqrt(static_cast<double>(kPaths));
  EXPECT_LT(white.rowwise().mean().cwiseAbs().maxCoeff(), five);
  const Matrix spread = white * white.transpose() / static_cast<double>(kPaths) - Matrix::Identity(6, 6);
  EXPECT_LT(spread.cwiseAbs().maxCoeff(), std::sqrt(2.0) * five + 0.02);
}

TEST(Paths, FollowThePosterior) {
  expect_posterior_law(averages_and_looks(Rbf(1.3, Vector{{0.2}}), false));
  expect_posterior_law(averages_and_looks(Matern52(1.3, Vector{{0.3}}), false));
}

TEST(Paths, CarryTheDiscrepancyInWhatQueriesShow) {
  expect_posterior_law(averages_and_looks(Rbf(1.3, Vector{{0.2}}), true));
}

TEST(Paths, FollowThePriorWithoutData) {
  const Posterior prior(Rbf(1.0, Vector{{0.2}}), GaussianConditional(QueryMap::identity(1), 0.08), ConstantMean(-0.4));
  expect_posterior_law(prior);
}

// With a nugget the paths follow the smooth part of f: the posterior of a sum whose white part is noise of the looks.
TEST(Paths, TakeTheNuggetForWhatItIs) {
  const Rbf smooth(1.0, Vector{{0.2}});
  const Posterior rough = Posterior(Sum(smooth, White(0.3, 1)), GaussianConditional(QueryMap::identity(1), 0.1))
                              .condition(Inputs{{0.2}, {0.7}}, Vector{{1.0, -1.0}}, 0.1);
  const Posterior same = Posterior(smooth, GaussianConditional(QueryMap::identity(1), 0.1))
                             .condition(Inputs{{0.2}, {0.7}}, Vector{{1.0, -1.0}}, 0.4);
  Rng rng(2);
  const Matrix drawn = Paths(rough, Queries(), 4000, rng, {4096}).f(Inputs{{0.3}});
  const Marginals exact = same.f(Inputs{{0.3}});
  EXPECT_NEAR(drawn.mean(), exact.mean[0], 5.0 * std::sqrt(exact.var[0] / 4000.0));
  EXPECT_NEAR((drawn.array() - exact.mean[0]).square().mean(), exact.var[0], 0.12 * exact.var[0]);
}

TEST(Paths, GradientsAreThoseOfTheFunction) {
  Rng rng(3);
  const Paths paths(averages_and_looks(Rbf(1.3, Vector{{0.2}}), false), Queries(), 2, rng);
  Vector gradient(1);
  const double value = paths.f(1, Vector{{0.37}}, &gradient);
  const Matrix around = paths.f(Inputs{{0.37}, {0.371}, {0.369}});
  EXPECT_NEAR(value, around(0, 1), 1e-12);
  EXPECT_NEAR(gradient[0], (around(1, 1) - around(2, 1)) / 0.002, 1e-3);
}

// In two dimensions, of averages and values, with a mean that has a slope: against central differences of f itself.
TEST(Paths, GradientsFollowEveryPart) {
  const Posterior told = Posterior(Matern52(1.3, Vector{{0.2, 0.5}}), GaussianConditional(QueryMap::identity(2), 0.1),
                                   LinearMean(0.3, Vector{{1.0, -2.0}}))
                             .condition(Inputs{{0.2, 0.1}, {0.9, 0.7}}, Vector{{1.0, -0.5}}, 0.1)
                             .condition(Queries{{0.5, 0.5}, {0.1, 0.8}, {0.4, 0.2}}, Vector{{0.3, 0.9, -0.2}}, 0.05);
  Rng rng(4);
  const Paths paths(told, Queries(), 3, rng);
  constexpr double kStep = 1e-5;
  for (Index s = 0; s < 3; ++s) {
    const Vector x{{0.37, 0.61}};
    Vector gradient(2);
    paths.f(s, x, &gradient);
    for (Index j = 0; j < 2; ++j) {
      const Vector step = kStep * Vector::Unit(2, j);
      const double want = (paths.f(s, x + step, nullptr) - paths.f(s, x - step, nullptr)) / (2.0 * kStep);
      EXPECT_NEAR(gradient[j], want, 1e-6 * (1.0 + std::abs(want)));
    }
  }
}

// Two samples of f*, by paths and by dense joint sampling on a grid of 300 points. Kolmogorov-Smirnov with 600 each:
// beyond 0.1125 with probability 0.001 if both follow the same law.
TEST(MaxOfPaths, HasTheLawOfDenseSampling) {
  const Posterior posterior = averages_and_looks(Rbf(1.3, Vector{{0.2}}), false);
  const InputBox box(Vector{{0.0}}, Vector{{1.0}});
  constexpr Index kPaths = 600;
  Rng rng(21);
  const Paths paths(posterior, Queries(), kPaths, rng);
  Vector ours = max_of_paths(paths, box, Inputs(), rng, {128, 2}).values;

  const Inputs grid = box.grid({300});
  const Eigen::SelfAdjointEigenSolver<Matrix> factor(posterior.f_cov(grid));
  const Matrix noise = rng.normals(300 * kPaths).reshaped(300, kPaths);
  Matrix dense = factor.eigenvectors() * (factor.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal() * noise);
  dense.colwise() += posterior.f(grid).mean;
  Vector theirs = dense.colwise().maxCoeff().transpose();

  double worst = 0.0;
  for (const double y : ours)
    worst = std::max(worst,
                     std::abs((ours.array() <= y).cast<double>().mean() - (theirs.array() <= y).cast<double>().mean()));
  EXPECT_LT(worst, 0.1125);
}

TEST(MaxOfPaths, FindsTheMaximumOfEveryPath) {
  Rng rng(8);
  const InputBox box(Vector{{0.0}}, Vector{{1.0}});
  const Paths paths(averages_and_looks(Rbf(1.3, Vector{{0.1}}), false), Queries{{0.3}}, 10, rng);
  const MaxSamples found = max_of_paths(paths, box, Inputs{{0.4}}, rng);
  const Matrix grid = paths.f(box.grid({4001}));
  for (Index s = 0; s < 10; ++s) {
    EXPECT_NEAR(found.values[s], std::max(grid.col(s).maxCoeff(), paths.g()(0, s)), 1e-5);
    EXPECT_NEAR(paths.f(s, found.arguments.row(s).transpose(), nullptr), grid.col(s).maxCoeff(), 1e-5);
  }
}

TEST(Paths, RefusesNone) {
  Rng rng(1);
  const Posterior prior(Rbf(1.0, Vector{{0.2}}), GaussianConditional(QueryMap::identity(1), 0.08));
  test::expect_refusal([&] { Paths(prior, Queries(), 0, rng); }, {"count: 0, expected at least 1"});
}

}  // namespace
}  // namespace iqbo

// Joint paths against the covariance of the exact posterior.
//
// Paths at some inputs and queries are whitened by the exact mean and covariance. They must then be independent standard
// normal: the sum of squares is chi-square, and so is that of the means; products of coordinates are checked one by one at
// a level divided by their number. Each of these tests fails with probability kFalseAlarm for correct code.
#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <boost/math/distributions/chi_squared.hpp>
#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "iqbo/finite/finite.hpp"
#include "support/finite_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::FiniteSetting;
using test::kFalseAlarm;

constexpr Index kPaths = 2000;

void expect_chi_square(double value, double dof) {
  const boost::math::chi_squared law(dof);
  EXPECT_GT(value, quantile(law, kFalseAlarm / 2.0)) << dof << " degrees of freedom";
  EXPECT_LT(value, quantile(complement(law, kFalseAlarm / 2.0))) << dof << " degrees of freedom";
}

void expect_standard_normal(const Matrix& y) {
  const auto k = static_cast<double>(y.rows());
  const auto n = static_cast<double>(y.cols());
  expect_chi_square(y.squaredNorm(), k * n);
  expect_chi_square(n * y.rowwise().mean().squaredNorm(), k);
  Matrix products = y * y.transpose() / std::sqrt(n);
  products.diagonal().setZero();
  const double level = kFalseAlarm / (k * (k - 1.0));
  EXPECT_LT(products.cwiseAbs().maxCoeff(), quantile(complement(boost::math::normal(), level)));
}

std::vector<Index> every(Index step, Index size) {
  std::vector<Index> out;
  for (Index i = 0; i < size; i += step) out.push_back(i);
  return out;
}

void expect_distribution(const FiniteBelief& belief, const FiniteBelief::Paths& paths, const Posterior& exact) {
  const auto in_x = every(7, belief.x().size());
  const auto in_a = every(5, belief.a().size());
  const Inputs x(belief.x().coordinates()(in_x, Eigen::all));
  const Queries a(belief.a().coordinates()(in_a, Eigen::all));
  Matrix y(x.size() + a.size(), kPaths);
  y << (paths.f(in_x, Eigen::all).colwise() - exact.f(x).mean), (paths.g(in_a, Eigen::all).colwise() - exact.g(a).mean);
  Matrix cov(y.rows(), y.rows());
  cov << exact.f_cov(x), exact.fg_cov(x, a), exact.fg_cov(x, a).transpose(), exact.g_cov(a);
  const Eigen::SelfAdjointEigenSolver<Matrix> eigen(cov);
  const Index kept = (eigen.eigenvalues().array() > 1e-6).count();
  const Matrix along = eigen.eigenvectors().transpose() * y;
  expect_standard_normal(eigen.eigenvalues().tail(kept).cwiseSqrt().cwiseInverse().asDiagonal() *
                         along.bottomRows(kept));
  for (const double value : along.topRows(y.rows() - kept).reshaped()) ASSERT_LT(std::abs(value), 0.01);  // ten sd
}

void expect_distribution(const FiniteBelief& belief, const Posterior& exact) {
  Rng rng(21);
  expect_distribution(belief, belief.draw(kPaths, rng), exact);
}

// Some observations, unlisted ones among them where there can be.
void expect_distribution_after_observing(const FiniteSetting& setting, EngineKind engine) {
  SCOPED_TRACE(setting.name);
  Rng rng(12);
  FiniteBelief belief(setting.prior, setting.x, setting.a, {engine, 0.01});
  Posterior exact = setting.prior;
  const auto tell = [&](const auto& points) {
    const Vector z = 0.5 * rng.normals(points.size());
    const Vector noise_var = test::random_vector(rng, points.size(), 0.02, 0.2);
    belief.observe(points, z, noise_var);
    exact = exact.condition(points, z, noise_var);
  };
  expect_distribution(belief, exact);
  tell(setting.a.slice(3, 6));
  tell(setting.x.slice(10, 2));
  if (engine == EngineKind::kDataSpace) {
    tell(Inputs(rng.uniforms(2, 2)));
    if (setting.a.dimension() == 2) tell(Queries(rng.uniforms(2, 2)));
  }
  tell(setting.a.slice(4, 2));
  EXPECT_EQ(belief.engine(), engine);
  expect_distribution(belief, exact);
}

TEST(FinitePaths, OfTheLowRankEngine) {
  Rng rng(1);
  for (const auto& setting : test::smooth_settings(rng))
    expect_distribution_after_observing(setting, EngineKind::kLowRank);
}

TEST(FinitePaths, OfTheDataSpaceEngine) {
  Rng rng(2);
  for (const auto& setting : test::smooth_settings(rng))
    expect_distribution_after_observing(setting, EngineKind::kDataSpace);
  for (const auto& setting : test::rough_settings(rng))
    expect_distribution_after_observing(setting, EngineKind::kDataSpace);
}

// On a lattice with gaps, and only there, paths come from an FFT.
TEST(FinitePaths, OfALatticeByCirculantEmbedding) {
  Rng rng(3);
  const auto settings = test::rough_settings(rng);
  const auto describe = [](const FiniteSetting& s) {
    return FiniteBelief(s.prior, s.x, s.a, {EngineKind::kDataSpace}).description();
  };
  EXPECT_NE(describe(settings[0]).find("circulant embedding"), std::string::npos) << describe(settings[0]);
  EXPECT_NE(describe(settings[1]).find("factor of the prior"), std::string::npos) << describe(settings[1]);
  auto one_row = settings[0];
  one_row.x = Inputs(one_row.x.coordinates().topRows(12));
  const BagConditional bags = test::random_bags(rng, one_row.x, 10);
  one_row.a = bags.queries();
  one_row.prior = one_row.prior.with_conditional(bags);
  EXPECT_NE(describe(one_row).find("circulant embedding"), std::string::npos) << describe(one_row);
  const FiniteBelief belief(one_row.prior, one_row.x, one_row.a, {EngineKind::kDataSpace});
  expect_distribution(belief, one_row.prior);
}

// A lattice and the scattered points of a learned law, under kernels that are products over axes, and only under these.
TEST(FinitePaths, OfPointsThatShareCoordinatesByAxes) {
  Rng rng(6);
  const Inputs x(test::grid(18));
  const LearnedConditional cloud = test::learned(rng, LearnedKind::kCme);
  const Queries a(test::uniform_rows(rng, 30, 2));
  const Sum kernel(Rbf(0.8, Vector{{0.2, 0.3}}), Stationary("periodic", 0.4, Vector{{1.1, 0.8}}, Vector{{0.9, 1.3}}));
  const Posterior prior(kernel, cloud);
  const FiniteBelief belief(prior, x, a, {EngineKind::kDataSpace});
  EXPECT_NE(belief.description().find("factors along the axes"), std::string::npos) << belief.description();
  expect_distribution(belief, prior);
  const Posterior noisy(Sum(kernel, White(0.3, 2)), cloud);
  expect_distribution({noisy, x, a, {EngineKind::kDataSpace}}, noisy);
  const FiniteBelief rough(Posterior(Matern32(1.0, Vector{{0.2, 0.3}}), cloud), x, a, {EngineKind::kDataSpace});
  EXPECT_NE(rough.description().find("factor of the prior"), std::string::npos) << rough.description();
}

// Many scattered points: random features, whose covariances are off by 1 / sqrt(2 * 1024) of the variance. Averaged
// over pairs of points the error of one correlation is that large, and the sampling error is far below.
TEST(FinitePaths, OfManyScatteredPointsByRandomFeatures) {
  Rng rng(4);
  const Index n = FiniteBelief::kMostFactored / 2 + 50;
  Rows points(2 * n, 2);
  points.topRows(n) = rng.uniforms(n, 2);
  points.bottomRows(n) = points.topRows(n).rowwise() + Eigen::RowVector2d(0.05, 0.02);
  const Inputs x(points);
  const BagConditional bags = test::random_bags(rng, x, 20);
  const Sum kernel(Matern32(1.0, Vector{{0.1, 0.1}}), White(0.5, 2));
  const FiniteBelief belief(Posterior(kernel, bags), x, bags.queries(), {EngineKind::kDataSpace});
  EXPECT_NE(belief.description().find("approximation"), std::string::npos) << belief.description();
  const Index count = 40;
  const Matrix f = belief.draw(count, rng).f;
  const double pairs = static_cast<double>(n * count);
  const double variance = f.squaredNorm() / (2.0 * pairs);
  const double covariance = f.topRows(n).cwiseProduct(f.bottomRows(n)).sum() / pairs;
  const double r = std::sqrt(3.0) * std::hypot(0.05, 0.02) / 0.1;
  EXPECT_NEAR(variance, 1.5, 0.1);
  EXPECT_NEAR(covariance, (1.0 + r) * std::exp(-r), 0.1);
}

}  // namespace
}  // namespace iqbo

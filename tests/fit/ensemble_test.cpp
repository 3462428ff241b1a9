// Mixtures against their definition by sampling, and what an ensemble is for.
#include "iqbo/fit/ensemble.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

Posterior some(double lengthscale, double mean) {
  const GaussianConditional window(QueryMap::identity(1), 0.1);
  return Posterior(Rbf(1.0, Vector{{lengthscale}}), window, ConstantMean(mean))
      .condition(Queries{{0.1}, {0.5}, {0.8}}, Vector{{1.0, -1.0, 0.3}}, 0.05);
}

const Inputs kX{{0.0}, {0.3}, {1.5}};
const Queries kA{{0.2}, {2.0}};

TEST(Ensemble, OfEqualsIsEachOfThem) {
  const Posterior one = some(0.3, 0.5);
  const Ensemble all({one, one, one}, Vector{{1.0, 2.0, 5.0}});
  EXPECT_LT((all.f(kX).mean - one.f(kX).mean).norm(), test::kConditioned);
  EXPECT_LT((all.f(kX).var - one.f(kX).var).norm(), test::kConditioned);
  EXPECT_LT((all.g(kA).var - one.g(kA).var).norm(), test::kConditioned);
  EXPECT_LT((all.fg_cov(kX, kA) - one.fg_cov(kX, kA)).norm(), test::kConditioned);
  EXPECT_NEAR(all.weights().sum(), 1.0, test::kRounding);
}

// Oracle: draw a member, then f and g jointly from it; moments of many draws.
TEST(Ensemble, HasTheMomentsOfTheMixture) {
  const std::vector<Posterior> members{some(0.2, 0.0), some(0.8, 2.0), some(0.4, -1.0)};
  const Vector weights{{0.5, 0.2, 0.3}};
  const Ensemble all(members, weights);
  Rng rng(3);
  constexpr Index kDraws = 60000;
  Matrix draws(5, kDraws);
  std::vector<Matrix> root;
  std::vector<Vector> mean;
  for (const auto& member : members) {
    Matrix cov(5, 5);
    cov << member.f_cov(kX), member.fg_cov(kX, kA), member.fg_cov(kX, kA).transpose(), member.g_cov(kA);
    cov.diagonal().array() += 1e-10;
    root.emplace_back(Eigen::LLT<Matrix>(cov).matrixL());
    mean.emplace_back(5);
    mean.back() << member.f(kX).mean, member.g(kA).mean;
  }
  for (Index i = 0; i < kDraws; ++i) {
    const double u = rng.uniform();
    const std::size_t s = u < 0.5 ? 0 : u < 0.7 ? 1 : 2;
    draws.col(i) = mean[s] + root[s] * rng.normals(5);
  }
  const Vector centre = draws.rowwise().mean();
  draws.colwise() -= centre;
  const Matrix cov = draws * draws.transpose() / static_cast<double>(kDraws);
  Matrix want(5, 5);
  want << all.f_cov(kX), all.fg_cov(kX, kA), all.fg_cov(kX, kA).transpose(), all.g_cov(kA);
  constexpr double kSampling = 0.05;  // 4 standard errors of a variance of about 2
  EXPECT_LT((cov - want).cwiseAbs().maxCoeff(), kSampling);
  EXPECT_LT((centre.head(3) - all.f(kX).mean).cwiseAbs().maxCoeff(), kSampling);
  EXPECT_LT((all.f(kX).var - Vector(all.f_cov(kX).diagonal())).norm(), test::kConditioned);
  EXPECT_LT((all.g(kA).var - Vector(all.g_cov(kA).diagonal())).norm(), test::kConditioned);
}

TEST(Ensemble, AdmitsWhatAPointEstimateDoesNotKnow) {
  Rng rng(4);
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const Queries a(rng.uniforms(6, 1));
  const Posterior data = Posterior(Rbf(1.0, Vector{{0.2}}), window).condition(a, rng.normals(6), 0.1);
  const auto [fitted, ensemble] = fit_ensemble(data, {}, 1);
  const auto [again, same] = fit_ensemble(data, {}, 1);
  EXPECT_LE(ensemble.members().size(), 16U);
  EXPECT_EQ(fitted.members.size(), ensemble.members().size());
  EXPECT_EQ(ensemble.weights(), same.weights());
  EXPECT_EQ(ensemble.f(kX).var, same.f(kX).var);
  EXPECT_GE(ensemble.effective_members(), 2.0);
  EXPECT_GT(ensemble.f(kX).var.mean(), fitted.posterior.f(kX).var.mean());
}

// Oracle: the posterior of (family, lengthscale, variance) on a grid, from the evidence of Posterior and the documented
// priors. Draws differ from seed to seed; their mean must not.
TEST(Ensemble, DrawsFromThePosteriorOfFamilyAndHyperparameters) {
  Rng rng(8);
  constexpr Index kObserved = 12;
  constexpr double kNoiseVar = 0.04;
  const Inputs x(rng.uniforms(kObserved, 1));
  const GaussianConditional window(QueryMap::identity(1), 0.0);
  const Vector z = (5.0 * x.coordinates().col(0).array()).sin() + 0.2 * rng.normals(kObserved).array();
  const Posterior data = Posterior(Rbf(1.0, Vector{{0.2}}), window).condition(x, z, kNoiseVar);
  FitOptions options;
  options.families = {"rbf", "matern12"};
  options.mean = FitOptions::MeanModel::kFixed;
  options.noise = FitOptions::Noise::kKnown;

  const double extent = std::sqrt(12.0 * (x.coordinates().array() - x.coordinates().mean()).square().mean());
  const double usual_length = extent / std::sqrt(static_cast<double>(kObserved));
  const double usual_var = z.squaredNorm() / kObserved;
  double total = 0.0, rbf = 0.0, length = 0.0, length2 = 0.0;
  for (const bool smooth : {true, false})
    for (double u = -4.0; u <= 4.0; u += 0.1)  // in prior sds
      for (double v = -4.0; v <= 4.0; v += 0.1) {
        const double log_length = std::log(usual_length) + 1.5 * u;
        const double var = usual_var * std::exp(1.5 * v);
        const Vector scale{{std::exp(log_length)}};
        const Posterior under = smooth ? data.with_prior(Rbf(var, scale), ConstantMean(0.0))
                                       : data.with_prior(Matern12(var, scale), ConstantMean(0.0));
        const double p = std::exp(under.log_evidence() - 0.5 * (u * u + v * v));
        total += p;
        rbf += smooth ? p : 0.0;
        length += p * log_length;
        length2 += p * log_length * log_length;
      }
  length /= total;
  const double sd = std::sqrt(length2 / total - length * length);

  constexpr int kSeeds = 60;
  double drawn_rbf = 0.0, drawn_length = 0.0, drawn_length2 = 0.0;
  for (std::uint64_t seed = 0; seed < kSeeds; ++seed)
    for (const Hyperparameters& member : fit_ensemble(data, options, seed, 24).fit.members) {
      const double at = std::log(member.lengthscale[0].value);
      drawn_rbf += member.family == "rbf" ? member.weight / kSeeds : 0.0;
      drawn_length += member.weight * at / kSeeds;
      drawn_length2 += member.weight * at * at / kSeeds;
    }
  EXPECT_NEAR(drawn_rbf, rbf / total, 0.06);
  EXPECT_NEAR(drawn_length, length, 0.12 * sd);
  EXPECT_NEAR(std::sqrt(drawn_length2 - drawn_length * drawn_length), sd, 0.15 * sd);
}

TEST(Ensemble, RefusesBadArguments) {
  const Posterior one = some(0.3, 0.0);
  test::expect_refusal([&] { Ensemble({}, Vector()); }, {"members"});
  test::expect_refusal([&] { Ensemble({one}, Vector{{0.5, 0.5}}); }, {"weights", "2 rows", "1"});
  test::expect_refusal([&] { Ensemble({one, one}, Vector{{1.0, -1.0}}); }, {"weights", "row 1", "-1"});
  test::expect_refusal([&] { Ensemble({one}, Vector{{0.0}}); }, {"weights", "sum to 0"});
  for (const int members : {0, -1})
    test::expect_refusal([&] { fit_ensemble(one, {}, 1, members); }, {"members", "at least 1"});
}

}  // namespace
}  // namespace iqbo

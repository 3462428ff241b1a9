// Evidence and information gain: chain rules, and gradients against finite differences.
#include "iqbo/posterior/evidence.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/posterior/plain_gp.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "support/finite_difference.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

// Averages and direct looks in turn, with different noise.
struct Mixed {
  Queries a;
  Inputs x;
  Vector z_a, z_x, noise_a;

  explicit Mixed(Rng& rng, Queries queries)
      : a(std::move(queries)),
        x(test::random_inputs(rng, 3, 2)),
        z_a(rng.normals(a.size())),
        z_x(rng.normals(3)),
        noise_a(test::random_vector(rng, a.size(), 0.05, 0.5)) {}

  Posterior onto(const Posterior& prior) const {
    return prior.condition(a.slice(0, 3), z_a.head(3), noise_a.head(3))
        .condition(x, z_x, 0.2)
        .condition(a.slice(3, a.size() - 3), z_a.tail(a.size() - 3), noise_a.tail(a.size() - 3));
  }
};

std::vector<std::pair<std::shared_ptr<const Conditional>, Queries>> conditionals(Rng& rng) {
  const BagConditional bags(test::random_inputs(rng, 10, 2), SparseRows(test::uniform_rows(rng, 6, 10).sparseView()));
  return {
      {GaussianConditional(QueryMap::identity(2), 0.2).clone(), test::random_queries(rng, 6, 2)},
      {UniformConditional(QueryMap::columns({0, 1}), QueryMap::columns({2})).clone(), test::random_queries(rng, 6, 3)},
      {bags.clone(), bags.queries()}};
}

std::vector<std::shared_ptr<const Kernel>> kernels() {
  const Vector l{{0.3, 0.5}};
  return {Rbf(1.4, l).clone(), Matern32(1.4, l).clone(),
          Product({{Rbf(1.2, Vector{{0.4}}), {1}}, {Matern52(0.7, Vector{{0.2}}), {0}}}).clone(),
          Sum(Matern12(1.0, l), White(0.3, 2)).clone()};
}

// p(z) = prod_t p(z_t | z_1 .. z_{t-1}), each factor a normal density of the one-step prediction.
TEST(Evidence, IsTheProductOfOneStepPredictions) {
  Rng rng(1);
  for (const auto& [conditional, a] : conditionals(rng))
    for (const auto& kernel : kernels()) {
      const Mixed data(rng, a);
      Posterior post(*kernel, *conditional, ConstantMean(0.4));
      double log_p = 0.0;
      const auto step = [&](const Marginals& predicted, double z, double noise) {
        log_p +=
            std::log(boost::math::pdf(boost::math::normal(predicted.mean[0], std::sqrt(predicted.var[0] + noise)), z));
      };
      for (Index i = 0; i < a.size(); ++i) {
        step(post.g(a.slice(i, 1)), data.z_a[i], data.noise_a[i]);
        post = post.condition(a.slice(i, 1), data.z_a.segment(i, 1), data.noise_a[i]);
      }
      for (Index i = 0; i < 3; ++i) {
        step(post.f(data.x.slice(i, 1)), data.z_x[i], 0.2);
        post = post.condition(data.x.slice(i, 1), data.z_x.segment(i, 1), 0.2);
      }
      EXPECT_NEAR(data.onto(Posterior(*kernel, *conditional, ConstantMean(0.4))).log_evidence(), log_p, 1e-10);
    }
}

TEST(Evidence, GradientInEveryHyperparameterForMixedData) {
  Rng rng(2);
  for (const auto& [conditional, a] : conditionals(rng))
    for (const auto& kernel : kernels()) {
      const Mixed data(rng, a);
      const LinearMean mean(0.4, Vector{{0.5, -1.0}});
      const Posterior post = data.onto(Posterior(*kernel, *conditional, mean));
      const EvidenceGradient gradient = post.log_evidence_gradient();

      const auto in_kernel = [&](const Vector& theta) {
        return post.with_prior(*kernel->with_log_parameters(theta), mean).log_evidence();
      };
      const auto in_mean = [&](const Vector& beta) {
        return post.with_prior(*kernel, *mean.with_parameters(beta)).log_evidence();
      };
      const Vector kernel_want = test::finite_difference(in_kernel, kernel->log_parameters());
      const Vector mean_want = test::finite_difference(in_mean, mean.parameters());
      const double scale = std::max(1.0, kernel_want.cwiseAbs().maxCoeff());
      EXPECT_LT((gradient.kernel - kernel_want).cwiseAbs().maxCoeff(), 3e-8 * scale)
          << gradient.kernel.transpose() << "\n"
          << kernel_want.transpose();
      EXPECT_LT((gradient.mean - mean_want).cwiseAbs().maxCoeff(),
                1e-8 * std::max(1.0, mean_want.cwiseAbs().maxCoeff()));

      Mixed noisier = data;
      const auto in_noise = [&](const Vector& noise) {
        noisier.noise_a = noise;
        return noisier.onto(Posterior(*kernel, *conditional, mean)).log_evidence();
      };
      const Vector noise_want = test::finite_difference(in_noise, data.noise_a, 1e-3);
      Vector noise_got(a.size());
      noise_got << gradient.noise_var.head(3), gradient.noise_var.tail(a.size() - 3);
      EXPECT_LT((noise_got - noise_want).cwiseAbs().maxCoeff(), 1e-7 * std::max(1.0, noise_want.cwiseAbs().maxCoeff()));
    }
}

TEST(Evidence, OfThePlainGpLikewise) {
  Rng rng(3);
  const Queries a = test::random_queries(rng, 7, 2);
  const Vector z = rng.normals(7);
  const Matern52 kernel(1.2, Vector{{0.4, 0.8}});
  const auto evidence = [&](const Vector& theta) {
    return PlainGp(*kernel.with_log_parameters(theta), 0.3).condition(a, z, 0.1).log_evidence();
  };
  const Vector got = PlainGp(kernel, 0.3).condition(a, z, 0.1).log_evidence_gradient().kernel;
  EXPECT_LT((got - test::finite_difference(evidence, kernel.log_parameters())).cwiseAbs().maxCoeff(), 1e-8);
}

// [Zhang26] lemma "information gain - var": I(z_T; f) = 1/2 sum_t log(1 + q_{t-1}(a_t, a_t) / sigma^2).
TEST(InformationGain, ChainRule) {
  for (const double noise_var : {1e-6, 1e-2, 1.0})
    for (std::uint64_t seed = 0; seed < 5; ++seed) {
      Rng rng(seed);
      const Queries a = test::random_queries(rng, 40, 2);
      Posterior post(Rbf(1.0, Vector{{0.3, 0.3}}), GaussianConditional(QueryMap::identity(2), 0.1));
      double sum = 0.0;
      for (Index t = 0; t < a.size(); ++t) {
        sum += 0.5 * std::log1p(post.g(a.slice(t, 1)).var[0] / noise_var);
        post = post.condition(a.slice(t, 1), rng.normals(1), noise_var);
      }
      EXPECT_NEAR(post.information_gain(), sum, 1e-9 * std::max(1.0, sum));
    }
}

}  // namespace
}  // namespace iqbo

// Evidence and information gain: chain rules, and gradients against finite differences.
#include "iqbo/posterior/evidence.hpp"

#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/errors.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "iqbo/posterior/plain_gp.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "support/errors.hpp"
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

// m(x) = b x^2, b to be fitted: neither affine nor with a constant part.
class Parabola final : public Mean {
 public:
  explicit Parabola(double b) : b_(b) {}
  std::shared_ptr<const Mean> clone() const override { return std::make_shared<Parabola>(*this); }
  Index dimension() const override { return 2; }
  Vector at(const Inputs& x) const override { return b_ * x.coordinates().col(0).array().square(); }
  double constant_part() const override { return 0.0; }
  Vector constant_gradient() const override { return Vector::Zero(1); }
  bool is_affine() const override { return false; }
  std::vector<std::string> parameter_names() const override { return {"b"}; }
  Vector parameters() const override { return Vector::Constant(1, b_); }
  std::shared_ptr<const Mean> with_parameters(const Vector& values) const override {
    return std::make_shared<Parabola>(values[0]);
  }
  Matrix jacobian(const Inputs& x) const override { return x.coordinates().col(0).array().square(); }

 private:
  double b_;
};

TEST(Evidence, GradientInTheParametersOfAUsersMean) {
  Rng rng(4);
  for (const auto& [conditional, a] : conditionals(rng)) {
    const Mixed data(rng, a);
    const Rbf kernel(1.0, Vector{{0.3, 0.5}});
    const Posterior post = data.onto(Posterior(kernel, *conditional, Parabola(0.7)));
    const auto evidence = [&](const Vector& b) { return post.with_prior(kernel, Parabola(b[0])).log_evidence(); };
    EXPECT_NEAR(post.log_evidence_gradient().mean[0], test::finite_difference(evidence, Vector{{0.7}})[0], 1e-8);
  }
}

TEST(Evidence, GradientInTheDiscrepancy) {
  Rng rng(5);
  for (const auto& [conditional, a] : conditionals(rng)) {
    const Mixed data(rng, a);
    const Matern32 l(0.4, Vector::Constant(a.dimension(), 0.6));
    const Posterior post = data.onto(Posterior(Rbf(1.0, Vector{{0.3, 0.5}}), *conditional));
    const auto evidence = [&](const Vector& theta) {
      return post.with_discrepancy(*l.with_log_parameters(theta)).log_evidence();
    };
    const Vector got = post.with_discrepancy(l).log_evidence_gradient().discrepancy;
    EXPECT_LT((got - test::finite_difference(evidence, l.log_parameters())).cwiseAbs().maxCoeff(), 1e-8);
    EXPECT_EQ(post.log_evidence_gradient().discrepancy.size(), 0);
  }
}

// Noise below the least that is assumed counts as that much.
TEST(InformationGain, IsThatOfTheNoiseAssumed) {
  const Posterior post = Posterior(Rbf(1.0, Vector{{0.3}}), UniformConditional(QueryMap::identity(1), 0.1))
                             .condition(Queries({{0.2}, {0.2}}), Vector{{1.0, 1.0}}, 1e-16);
  EXPECT_NEAR(post.information_gain(), 0.5 * std::log1p(2.0 / 1e-10), 1e-5);
}

// The least noise is a share of the variance: it grows with the kernel's, and does not depend on the noise stated.
TEST(EvidenceGradient, OfNoiseBelowTheLeast) {
  const Posterior post = Posterior(Rbf(1.3, Vector{{0.3}}), UniformConditional(QueryMap::identity(1), 0.1))
                             .condition(Queries({{0.2}, {0.2}, {0.7}, {0.9}}), Vector{{1.0, 1.0, -0.3, 0.4}},
                                        Vector{{0.0, 0.0, 1e-14, 0.1}});
  const auto evidence = [&](const Vector& theta) {
    return post.with_prior(*post.kernel().with_log_parameters(theta), post.mean()).log_evidence();
  };
  const EvidenceGradient got = post.log_evidence_gradient();
  const Vector want = test::finite_difference(evidence, post.kernel().log_parameters());
  // Rounding of S over the least noise, 1e-16 / 1e-10, over the step of the difference; the share is worth 0.5.
  EXPECT_LT((got.kernel - want).cwiseAbs().maxCoeff(), 1e-3);
  EXPECT_EQ(got.noise_var.head(3), Vector::Zero(3));
  EXPECT_NE(got.noise_var[3], 0.0);
}

// Squares of what the prior cannot explain overflow: that is said, and not taken for a very small probability.
TEST(Evidence, BeyondTheRangeOfNumbersIsAnError) {
  const Posterior prior(Rbf(1.0, Vector{{1.0}}), GaussianConditional(QueryMap::identity(1), 0.1));
  const Queries a(Rows::Constant(1, 1, 0.5));
  EXPECT_TRUE(std::isfinite(prior.condition(a, Vector::Constant(1, 1e150), 0.1).log_evidence()));
  test::expect_error<NumericalError>([&] { prior.condition(a, Vector::Constant(1, 1e200), 0.1).log_evidence(); },
                                     {"log p(z)", "1e+200", "another unit"});
}

}  // namespace
}  // namespace iqbo

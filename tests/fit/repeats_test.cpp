// Repeated observations are summarised, exactly; threads change nothing.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>

#include "fit/objective.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"

namespace iqbo {
namespace {

Posterior with_repeats(double noise_spread) {
  Rng rng(1);
  Rows a(24, 1);
  for (Index i = 0; i < a.rows(); ++i) a(i, 0) = 0.1 * static_cast<double>(i % 7);
  const Vector noise = (0.02 * (1.0 + noise_spread * rng.uniforms(24, 1).col(0).array())).matrix();
  const Vector z = (6.0 * a.col(0)).array().sin().matrix() + 0.2 * rng.normals(24);
  Rows x(5, 1);
  x << 0.1, 0.1, 0.35, 0.1, 0.35;  // values of f, among them a place that is a query's too
  return Posterior(Matern32(1.3, Vector::Constant(1, 0.2)), GaussianConditional(QueryMap::identity(1), 0.05))
      .condition(Queries(a), z, noise)
      .condition(Inputs(x), rng.normals(5), 0.03);
}

TEST(FitRepeats, EvidenceIsThatOfAllObservations) {
  for (const double spread : {0.0, 3.0}) {
    const Posterior data = with_repeats(spread);
    FitOptions options;
    options.families = {};
    options.mean = FitOptions::MeanModel::kFixed;
    options.noise = FitOptions::Noise::kKnown;
    const FitData prepared(data, options);
    EXPECT_EQ(prepared.sample().size(), 9);  // of 29
    const FitObjective objective(prepared, prepared.sample(), data.kernel(), options);
    Vector gradient(objective.size());
    const auto at = objective.evaluate(data.kernel().log_parameters(), &gradient);
    EXPECT_NEAR(at.log_evidence, data.log_evidence(), 1e-10 * std::abs(data.log_evidence()));
    Vector prior_slope = Vector::Zero(objective.size());
    objective.log_prior(data.kernel().log_parameters(), &prior_slope);
    const Vector expected = data.log_evidence_gradient().kernel;
    EXPECT_LT((gradient - prior_slope - expected).cwiseAbs().maxCoeff(), 1e-9 * expected.cwiseAbs().maxCoeff());
  }
}

TEST(FitRepeats, NoiseIsLearnedFromTheSpreadWithin) {
  const Posterior data = with_repeats(3.0);
  FitOptions options;
  options.families = {};
  options.mean = FitOptions::MeanModel::kFixed;
  const FitData prepared(data, options);
  const FitObjective objective(prepared, prepared.sample(), data.kernel(), options);
  Vector theta = objective.centre();
  const Index noise = objective.position(FitParameter::Kind::kNoise);
  ASSERT_GE(noise, 0);
  theta[noise] = std::log(0.07);
  Vector gradient(objective.size());
  const auto at = objective.evaluate(theta, &gradient);
  // The same observations under that noise, all of them.
  const Posterior there =
      data.with_prior(*objective.kernel(theta), data.mean()).with_noise_var(objective.noise_var(theta));
  EXPECT_NEAR(at.log_evidence, there.log_evidence(), 1e-9 * std::abs(there.log_evidence()));
  constexpr double kStep = 1e-4;
  Vector ahead = theta, behind = theta;
  ahead[noise] += kStep;
  behind[noise] -= kStep;
  const double slope =
      (objective.evaluate(ahead, nullptr).log_posterior - objective.evaluate(behind, nullptr).log_posterior) /
      (2.0 * kStep);
  EXPECT_NEAR(gradient[noise], slope, 1e-5 * std::max(1.0, std::abs(slope)));
}

TEST(FitRepeats, FiveHundredAtOneQueryCostWhatOneDoes) {
  Rng rng(2);
  Rows a = Rows::Constant(500, 1, 0.3);
  a.topRows(5).col(0) = Vector::LinSpaced(5, 0.0, 1.0);
  const Vector z = Vector::Constant(500, 0.4) + 0.1 * rng.normals(500);
  const Posterior data = Posterior(Rbf(1.0, Vector::Constant(1, 0.2)), UniformConditional(QueryMap::identity(1), 0.05))
                             .condition(Queries(a), z, 0.01);
  const auto begin = std::chrono::steady_clock::now();
  const Fit found = fit(data, FitOptions{}, 1);
  const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
  EXPECT_NEAR(std::sqrt(found.noise_var->value), 0.1, 0.01);
  EXPECT_LT(taken.count(), 5.0);  // minutes, if each were a row of a matrix
}

TEST(FitRepeats, ThreadsChangeNothing) {
  Rng rng(3);
  const Rows a = rng.uniforms(230, 2);  // enough for a coarse sample
  const Vector z = (5.0 * a.col(0)).array().sin().matrix() + 0.1 * rng.normals(230);
  const Posterior data = Posterior(Rbf(1.0, Vector::Constant(2, 0.2)), GaussianConditional(QueryMap::identity(2), 0.03))
                             .condition(Queries(a), z, 0.01);
  setenv("IQBO_THREADS", "1", 1);
  const Fit alone = fit(data, FitOptions{}, 1);
  setenv("IQBO_THREADS", "3", 1);
  const Fit together = fit(data, FitOptions{}, 1);
  unsetenv("IQBO_THREADS");
  EXPECT_EQ(alone.evaluations, together.evaluations);
  EXPECT_EQ(alone.families, together.families);
  EXPECT_TRUE(alone.posterior.kernel().log_parameters() == together.posterior.kernel().log_parameters());
  EXPECT_EQ(alone.log_evidence, together.log_evidence);
}

}  // namespace
}  // namespace iqbo

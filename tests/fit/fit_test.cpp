// Fitting against what it promises: the documented objective at its maximum, and parameters that were put in.
#include "iqbo/fit/fit.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "numerics/cholesky.hpp"
#include "support/errors.hpp"
#include "support/fit_settings.hpp"
#include "support/oracle.hpp"
#include "support/tolerance.hpp"

namespace iqbo {

using namespace internal;

namespace {

using test::Blocks;
double log_of(const Fit& fit, const std::string& name) { return std::log(fit.parameter(name).value); }

// At the maximum the slope of the log evidence, which Posterior computes and other tests check, is what the documented
// priors take back: d log p(z) / dtheta = (theta - centre) / sd^2.
TEST(Fit, StopsWhereEvidenceAndDocumentedPriorsBalance) {
  Rng rng(11);
  const Blocks blocks(8, 3);
  const Posterior data = blocks.draw(rng, Sum(Matern32(2.0, Vector{{0.3, 0.5}}), White(0.3, 2)), 0.05);
  FitOptions options;
  options.families = {"matern32"};
  options.mean = FitOptions::MeanModel::kFixed;
  const Fit fitted = fit(data, options, 1);
  const auto slope = fitted.posterior.log_evidence_gradient();
  const double s2 = data.z().squaredNorm() / static_cast<double>(data.size());
  // Usual lengthscale: sqrt(extent * spacing) of 64 blocks, 8 along each column. Usual variance: what shows s2.
  const Vector usual = std::sqrt(12.0 / 8.0) * test::spread_of_pixels(blocks.pixels());
  const double var = s2 / data.conditional().q_diagonal(Matern32(1.0, usual), data.queries()).mean();
  const auto balance = [&](double found, const std::string& name, double centre, double prior_sd) {
    EXPECT_NEAR(found, (log_of(fitted, name) - std::log(centre)) / (prior_sd * prior_sd), test::kFitSlope) << name;
  };
  balance(slope.kernel[0], "variance", var, 1.5);
  // Lengthscales of columns with the same unit: sd 1.5 each, and 0.35 sqrt(2) of the logarithm of their ratio.
  const double common = 1.5 * 1.5 - 0.35 * 0.35;
  const Matrix alike{{1.5 * 1.5, common}, {common, 1.5 * 1.5}};
  const double centre = 0.5 * usual.array().log().sum();
  const Vector off{{log_of(fitted, "lengthscale[0]") - centre, log_of(fitted, "lengthscale[1]") - centre}};
  const Vector pull = alike.inverse() * off;
  EXPECT_NEAR(slope.kernel[1], pull[0], test::kFitSlope);
  EXPECT_NEAR(slope.kernel[2], pull[1], test::kFitSlope);
  balance(slope.kernel[3], "nugget", 0.1 * var, 2.5);
  balance(fitted.posterior.noise_var()[0] * slope.noise_var.sum(), "noise_var", 0.01 * s2, 2.5);
  EXPECT_NEAR(fitted.log_evidence, fitted.posterior.log_evidence(), test::kConditioned * 100);
}

// Without priors the slope of the log evidence itself vanishes, and the evidence is larger than with them.
TEST(Fit, MaximumLikelihoodIfPriorsAreOff) {
  Rng rng(11);
  const Blocks blocks(8, 3);
  const Posterior data = blocks.draw(rng, Matern32(2.0, Vector{{0.3, 0.5}}), 0.05);
  FitOptions options;
  options.families = {"matern32"};
  options.mean = FitOptions::MeanModel::kFixed;
  options.nugget = false;
  const Fit with = fit(data, options, 1);
  options.priors = false;
  const Fit fitted = fit(data, options, 1);
  const auto slope = fitted.posterior.log_evidence_gradient();
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(slope.kernel[i], 0.0, test::kFitSlope) << i;
  EXPECT_NEAR(fitted.posterior.noise_var()[0] * slope.noise_var.sum(), 0.0, test::kFitSlope);
  EXPECT_GT(fitted.log_evidence, with.log_evidence);
}

// From the fit to one answer less the search finds the same maximum, with a small part of the evaluations.
TEST(Fit, GoesOnFromTheLastFit) {
  Rng rng(11);
  const Blocks blocks(8, 3);
  const Posterior data = blocks.draw(rng, Matern32(2.0, Vector{{0.3, 0.5}}), 0.05);
  FitOptions options;
  options.families = {"matern32"};
  const Index t = data.size() - 1;
  const Posterior none(data.kernel(), data.conditional(), data.mean());
  const Posterior less =
      none.condition(data.queries().slice(0, t), Vector(data.z().head(t)), Vector(data.noise_var().head(t)));
  const Fit anew = fit(data, options, 1);
  const Fit further = fit_from(fit(less, options, 1), data, options, 1);
  for (const FittedParameter& each : anew.parameters()) {
    const FittedParameter there = further.parameter(each.name);
    EXPECT_NEAR(there.value, each.value, 1e-3 * (each.high - each.low)) << each.name;
  }
  EXPECT_NEAR(further.log_evidence, anew.log_evidence, 1e-4);
  EXPECT_LT(4 * further.evaluations, anew.evaluations);
  options.families = {"rbf"};  // of which the last fit says nothing
  EXPECT_EQ(fit_from(anew, data, options, 1).log_evidence, fit(data, options, 1).log_evidence);
  EXPECT_EQ(fit_from(anew, none, options, 1).evaluations, 0);
}

// Lengthscales whose columns have units of their own are fitted as if each were alone.
TEST(Fit, UnitsSayWhichLengthscalesAreAlike) {
  Rng rng(19);
  const Blocks blocks(7, 3);
  const Posterior data = blocks.draw(rng, Matern32(1.0, Vector{{0.15, 0.6}}), 0.05);
  FitOptions options;
  options.families = {"matern32"};
  const auto stretch = [&](std::vector<int> units) {
    options.units = std::move(units);
    const Fit fitted = fit(data, options, 1);
    return log_of(fitted, "lengthscale[1]") - log_of(fitted, "lengthscale[0]");
  };
  const double own = stretch({0, 1});
  EXPECT_LT(std::abs(stretch({7, 7})), std::abs(own));
  EXPECT_EQ(stretch({7, 7}), stretch({}));  // the columns have the same extent
  EXPECT_GT(stretch({7, 7}), 0.3) << "49 averages say clearly that they differ";
  test::expect_refusal([&] { stretch({0}); }, {"units", "1 row", "2"});
}

// Oracle for the mean integrated out: quadrature over the constant.
TEST(Fit, IntegratesTheMean) {
  Rng rng(12);
  const Posterior data = Blocks(5, 2).draw(rng, Rbf(1.0, Vector{{0.4, 0.4}}), 0.1, 3.0);
  FitOptions options;
  options.families = {"rbf"};
  const Fit fitted = fit(data, options, 1);
  const double centre = data.z().mean();
  const double s = std::sqrt((data.z().array() - centre).square().sum() / static_cast<double>(data.size() - 1));
  const auto density = [&](const test::Real& c) -> test::Real {
    const double log_p =
        fitted.posterior.with_prior(fitted.posterior.kernel(), ConstantMean(static_cast<double>(c))).log_evidence();
    const double u = (static_cast<double>(c) - centre) / (10.0 * s);
    return std::exp(static_cast<test::Real>(log_p - fitted.log_evidence - 0.5 * u * u)) /
           (10.0 * s * std::sqrt(2 * M_PI));
  };
  EXPECT_NEAR(static_cast<double>(test::integrate(density, centre - 20 * s, centre + 20 * s, 10)), 1.0, 1e-6);
  const auto& mean = fitted.parameter("mean");
  EXPECT_EQ(mean.value, fitted.posterior.mean().parameters()[0]);
  EXPECT_LT(mean.low, 3.0);
  EXPECT_GT(mean.high, 3.0);
}

TEST(Fit, NoNeighbourIsBetter) {
  Rng rng(13);
  const Posterior data = Blocks(7, 2).draw(rng, Sum(Rbf(1.0, Vector{{0.3, 0.3}}), White(0.2, 2)), 0.1);
  FitOptions options;
  options.mean = FitOptions::MeanModel::kFixed;
  const Fit fitted = fit(data, options, 1);
  const Posterior& best = fitted.posterior;
  const Vector theta = best.kernel().log_parameters();
  const double top = best.log_evidence();
  for (Index i = 0; i < theta.size(); ++i)
    for (const double step : {-0.5, 0.5}) {
      Vector moved = theta;
      moved[i] += step;
      // 0.5 nats: what the priors may take back over such a step.
      EXPECT_LT(best.with_prior(*best.kernel().with_log_parameters(moved), best.mean()).log_evidence(), top + 0.5);
    }
}

// ./dev study fit_recovery has the full run.
TEST(Fit, RecoversWhatWasPutIn) {
  int close = 0;
  for (const std::uint64_t seed : {1U, 2U}) {
    Rng rng(seed);
    const Posterior data = Blocks(12, 2).draw(rng, Rbf(4.0, Vector{{0.2, 0.5}}), 0.01, 10.0);
    const Fit fitted = fit(data, {}, seed);
    EXPECT_EQ(fitted.families.front().first, "rbf");
    for (const auto& [name, truth] : {std::pair{"lengthscale[0]", 0.2}, std::pair{"lengthscale[1]", 0.5}})
      close += std::abs(log_of(fitted, name) - std::log(truth)) < std::log(1.5) ? 1 : 0;
    EXPECT_NEAR(log_of(fitted, "noise_var"), std::log(0.01), 1.0) << seed;
  }
  EXPECT_GE(close, 3);  // of 4
}

TEST(Fit, TellsRoughFromSmooth) {
  Rng rng(21);
  const Queries a = Queries::line(Vector::LinSpaced(80, 0.0, 1.0));
  const GaussianConditional window(QueryMap::identity(1), 0.01);
  for (const auto& [kernel, name] : {std::pair<Stationary, std::string>{Rbf(1.0, Vector{{0.1}}), "rbf"},
                                     std::pair<Stationary, std::string>{Matern12(1.0, Vector{{0.3}}), "matern12"}}) {
    const Vector z = Cholesky(window.q(kernel, a, a)).lower() * rng.normals(80) + 0.01 * rng.normals(80);
    const Fit fitted = fit(Posterior(kernel, window).condition(a, z, 1.0), {}, 1);
    ASSERT_EQ(fitted.families.size(), 3U);
    EXPECT_EQ(fitted.families[0].first, name);
    EXPECT_GE(fitted.families[0].second, fitted.families[1].second);
    EXPECT_GE(fitted.families[1].second, fitted.families[2].second);
  }
}

TEST(Fit, FindsTheNuggetOfARoughField) {
  Rng rng(31);
  const Blocks blocks(10, 1, 3);  // blocks of 1 x 1 to 3 x 3 pixels: they see the white part in different amounts
  const Posterior data = blocks.draw(rng, Sum(Rbf(1.0, Vector{{0.4, 0.4}}), White(0.5, 2)), 1e-4);
  const Fit fitted = fit(data, {}, 1);
  const auto& nugget = fitted.parameter("nugget");
  EXPECT_NEAR(std::log(nugget.value), std::log(0.5), 0.7);
  EXPECT_LT(nugget.low, 0.5);
  EXPECT_GT(nugget.high, 0.5);
}

TEST(Fit, LinearTrend) {
  Rng rng(41);
  const Blocks blocks(8, 2);
  const Posterior flat = blocks.draw(rng, Rbf(0.05, Vector{{0.2, 0.2}}), 0.001);
  const LinearMean trend(3.0, Vector{{2.0, -4.0}});
  const Vector z = flat.z() + flat.conditional().nu(trend, flat.queries());
  const Posterior data = Posterior(flat.kernel(), flat.conditional()).condition(flat.queries(), z, 1.0);
  FitOptions options;
  options.mean = FitOptions::MeanModel::kLinear;
  const Fit fitted = fit(data, options, 1);
  for (const auto& [name, truth] : {std::pair{"slope[0]", 2.0}, std::pair{"slope[1]", -4.0}, std::pair{"mean", 3.0}}) {
    const auto& p = fitted.parameter(name);
    EXPECT_NEAR(p.value, truth, 0.5) << name;
    EXPECT_LT(p.low, p.value);
    EXPECT_GT(p.high, p.value);
  }
}

TEST(Fit, NoiseKnownOrFitted) {
  Rng rng(51);
  const Posterior drawn = Blocks(8, 2).draw(rng, Rbf(1.0, Vector{{0.3, 0.3}}), 0.04);
  FitOptions options;
  options.nugget = false;
  const Fit fitted = fit(drawn, options, 1);
  EXPECT_NEAR(log_of(fitted, "noise_var"), std::log(0.04), 0.7);
  options.noise = FitOptions::Noise::kKnown;
  const Fit known = fit(drawn.with_noise_var(0.04), options, 1);
  EXPECT_EQ(known.posterior.noise_var(), Vector::Constant(64, 0.04));
  test::expect_no_parameter(known, "noise_var");
  EXPECT_NEAR(log_of(known, "lengthscale[0]"), log_of(fitted, "lengthscale[0]"), 0.2);
  // Proportions are kept.
  options.noise = FitOptions::Noise::kFitted;
  Vector uneven = Vector::Ones(64);
  uneven.head(32).setConstant(3.0);
  const Vector noise = fit(drawn.with_noise_var(uneven), options, 1).posterior.noise_var();
  EXPECT_NEAR(noise[0] / noise[63], 3.0, test::kRounding * 10);
}

TEST(Fit, MixedDataAgreeOnOneKernel) {
  Rng rng(61);
  const Rbf kernel(1.0, Vector{{0.15}});
  const GaussianConditional window(QueryMap::identity(1), 0.1);
  const Queries a(rng.uniforms(40, 1));
  const Inputs x(rng.uniforms(30, 1));
  const Posterior prior(kernel, window);
  Matrix joint(70, 70);
  joint << window.q(kernel, a, a), window.c(kernel, x, a).transpose(), window.c(kernel, x, a), kernel.gram(x);
  joint.diagonal().array() += 0.0025;
  const Vector z = Cholesky(joint).lower() * rng.normals(70);
  const Fit fitted = fit(prior.condition(a, z.head(40), 1.0).condition(x, z.tail(30), 1.0), {}, 1);
  EXPECT_NEAR(log_of(fitted, "lengthscale[0]"), std::log(0.15), std::log(1.5));
  EXPECT_NEAR(log_of(fitted, "noise_var"), std::log(0.0025), 1.0);
  EXPECT_EQ(fitted.posterior.size(), 70);
}

TEST(Fit, DiscrepancyVanishesOrIsFound) {
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const Queries a = Queries::line(Vector::LinSpaced(70, 0.0, 1.0));
  const Inputs x = Inputs::line(Vector::LinSpaced(40, 0.0, 1.0));
  const Rbf kernel(1.0, Vector{{0.1}});
  const Rbf l(1.0, Vector{{0.15}});
  Matrix joint(110, 110);
  joint << window.q(kernel, a, a), window.c(kernel, x, a).transpose(), window.c(kernel, x, a), kernel.gram(x);
  joint.diagonal().array() += 1e-4;
  Matrix gram = l.gram(a);
  gram.diagonal().array() += 1e-8;
  FitOptions options;
  options.families = {"rbf"};
  double log_tau = 0.0;
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    Rng rng(seed);
    const Vector exact = Cholesky(joint).lower() * rng.normals(110);
    const Vector error = 0.4 * (Cholesky(gram).lower() * rng.normals(70));
    const Posterior prior = Posterior(kernel, window).with_discrepancy(l);
    const auto fitted = [&](const Vector& averages) {
      return fit(prior.condition(a, averages, 1.0).condition(x, exact.tail(40), 1.0), options, 1);
    };
    const auto none = fitted(exact.head(70)).parameter("discrepancy_var");
    EXPECT_LT(std::sqrt(none.value), 0.01);
    EXPECT_LT(std::sqrt(none.high), 0.1);
    EXPECT_EQ(none.low, 0.0);
    const Fit some = fitted(exact.head(70) + error);
    const auto found = some.parameter("discrepancy_var");
    EXPECT_GT(found.low, 0.0);
    EXPECT_EQ(std::exp(some.posterior.discrepancy()->log_parameters()[0]), found.value);
    log_tau += 0.25 * 0.5 * std::log(found.value);
  }
  EXPECT_NEAR(log_tau, std::log(0.4), std::log(1.5));  // one draw has seven lengthscales: its own rms varies as much
}

TEST(Fit, AKernelOfTheUsersOwnStructure) {
  Rng rng(81);
  const Product truth({{Rbf(1.0, Vector{{0.2}}), {0}}, {Matern32(1.0, Vector{{0.6}}), {1}}});
  const Posterior data = Blocks(10, 2).draw(rng, truth, 0.01);
  FitOptions options;
  options.families.clear();
  const Fit fitted = fit(data, options, 1);
  EXPECT_NE(dynamic_cast<const Product*>(&fitted.posterior.kernel()), nullptr);
  EXPECT_NEAR(log_of(fitted, "lengthscale[0]"), std::log(0.2), std::log(1.6));
  EXPECT_NEAR(log_of(fitted, "lengthscale[1]"), std::log(0.6), std::log(2.0));
  test::expect_no_parameter(fitted, "nugget");
}

TEST(Fit, OneLengthscaleForAll) {
  Rng rng(91);
  FitOptions options;
  options.ard = false;
  options.families = {"rbf"};
  const Fit fitted = fit(Blocks(9, 2).draw(rng, Rbf(1.0, Vector{{0.3, 0.3}}), 0.01), options, 1);
  const Vector theta = fitted.posterior.kernel().log_parameters();
  EXPECT_EQ(theta[1], theta[2]);
  EXPECT_NEAR(log_of(fitted, "lengthscale"), std::log(0.3), std::log(1.5));
}

}  // namespace
}  // namespace iqbo

// Fits of families beyond the default ones, seen through windows.
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/fit/fit.hpp"
#include "iqbo/kernel/sum.hpp"
#include "support/errors.hpp"
#include "support/fit_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

// Windows of half-width 0.1 over ten years of something seasonal: sin(2 pi x) averages to itself, damped.
Posterior seasonal() {
  const UniformConditional window(QueryMap::identity(1), 0.1);
  Rng rng(5);
  const Queries a(10.0 * rng.uniforms(60, 1));
  const double damping = std::sin(0.2 * M_PI) / (0.2 * M_PI);
  const Vector z = damping * (2.0 * M_PI * a.coordinates().col(0).array()).sin();
  return Posterior(Rbf(1.0, Vector{{1.0}}), window).condition(a, z + 0.05 * rng.normals(60), 1.0);
}

TEST(FitFamilies, FindTheSeason) {
  FitOptions options;
  options.families = {"rbf", "periodic"};
  const Fit found = fit(seasonal(), options, 1);
  EXPECT_EQ(found.families.front().first, "periodic");
  EXPECT_NEAR(found.parameter("period[0]").value, 1.0, 0.01);
  EXPECT_LT(found.parameter("period[0]").low, 1.0);
  EXPECT_GT(found.parameter("period[0]").high, 1.0);
  EXPECT_NEAR(found.parameter("noise_var").value, 0.0025, 0.002);
  // What it says about f: the amplitude is that of f, not of the averages.
  const Marginals peak = found.posterior.f(Inputs({{0.25}, {5.25}, {40.25}}));
  for (Index i = 0; i < 3; ++i) EXPECT_NEAR(peak.mean[i], 1.0, 0.1);
  const std::string summary = found.summary({{"time"}, {"years"}, "cases"});
  EXPECT_NE(summary.find("kernel: periodic"), std::string::npos) << summary;
  EXPECT_NE(summary.find("period of time: 1"), std::string::npos) << summary;
  EXPECT_NE(summary.find(" years ("), std::string::npos) << summary;
  const auto lengthscale = summary.substr(summary.find("lengthscale of time"));
  EXPECT_EQ(lengthscale.substr(0, lengthscale.find('\n')).find("years"), std::string::npos) << "it has no unit";
}

// The slope of the evidence at the maximum is what the priors take back, also in the shape: log-normal about 1, sd 1.5.
TEST(FitFamilies, RationalQuadraticStopsWhereEvidenceAndPriorBalance) {
  Rng rng(11);
  const test::Blocks blocks(7, 3);
  const Posterior data = blocks.draw(rng, RationalQuadratic(2.0, Vector{{0.2, 0.3}}, 0.8), 0.02);
  FitOptions options;
  options.families = {"rational-quadratic"};
  options.mean = FitOptions::MeanModel::kFixed;
  options.nugget = false;
  const Fit fitted = fit(data, options, 1);
  const auto slope = fitted.posterior.log_evidence_gradient();
  ASSERT_EQ(slope.kernel.size(), 4);
  EXPECT_NEAR(slope.kernel[3], std::log(fitted.parameter("alpha").value) / (1.5 * 1.5), test::kFitSlope);
  EXPECT_EQ(fitted.posterior.kernel().parameter_names()[3], "alpha");
}

// The posterior's own kernel, its numbers as starting points: a trend and a season.
TEST(FitFamilies, SumsAreFittedAsTheyStand) {
  const Posterior data =
      seasonal().with_prior(Sum(Rbf(1.0, Vector{{3.0}}), Periodic(1.0, Vector{{1.0}}, Vector{{0.98}})), ConstantMean());
  FitOptions options;
  options.families = {};
  const Fit found = fit(data, options, 1);
  EXPECT_NEAR(found.parameter("1.period[0]").value, 1.0, 0.02);
}

TEST(FitFamilies, OneForAllColumns) {
  Rng rng(3);
  const Posterior data = test::Blocks(5, 2).draw(rng, Rbf(1.0, Vector{{0.4, 0.4}}), 0.1);
  FitOptions options;
  options.families = {"periodic"};
  options.ard = false;
  const Fit found = fit(data, options, 1);
  const Vector theta = found.posterior.kernel().log_parameters();
  EXPECT_EQ(theta[1], theta[2]);
  EXPECT_EQ(theta[3], theta[4]);
  EXPECT_GT(found.parameter("period").value, 0.0);
}

TEST(FitFamilies, UnknownNamesAreRefused) {
  FitOptions options;
  options.families = {"rbf", "perodic"};
  test::expect_refusal([&] { fit(seasonal(), options, 1); }, {"families: is \"perodic\"", "\"periodic\""});
}

}  // namespace
}  // namespace iqbo

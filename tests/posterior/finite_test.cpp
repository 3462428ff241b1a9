// The finite engine against the exact posterior, which it shares no conditioning with.
#include "iqbo/posterior/finite.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.hpp"
#include "support/finite_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::FiniteSetting;
using test::kFinite;

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

const std::vector<Index> kSome{0, 3, 17, 3};

void expect_same(FiniteBelief& belief, const Posterior& exact, double tolerance) {
  const Inputs& x = belief.x();
  const Queries& a = belief.a();
  const Inputs some_x(x.coordinates()(kSome, Eigen::all));
  const Queries some_a(a.coordinates()(kSome, Eigen::all));
  EXPECT_LT(distance(belief.f().mean, exact.f(x).mean), tolerance);
  EXPECT_LT(distance(belief.f().var, exact.f(x).var), tolerance);
  EXPECT_LT(distance(belief.g().mean, exact.g(a).mean), tolerance);
  EXPECT_LT(distance(belief.g().var, exact.g(a).var), tolerance);
  EXPECT_LT(distance(belief.f_cov(kSome), exact.f_cov(some_x, x)), tolerance);
  EXPECT_LT(distance(belief.g_cov(kSome), exact.g_cov(some_a, a)), tolerance);
  EXPECT_LT(distance(belief.fg_cov(kSome), exact.fg_cov(some_x, a)), tolerance);
  EXPECT_LT(distance(belief.fg_cov(), exact.fg_cov(x, a)), tolerance);
}

// What 120 looks would show, with many repeats, f and g being drawn from the prior: averages, and every fifth time f
// itself. After 60 of them the cross covariance is asked for, so that it is then kept.
void expect_same_after_observing(const FiniteSetting& setting, EngineKind engine, double sd) {
  SCOPED_TRACE(setting.name + ", noise sd " + readable(sd));
  Rng rng(5);
  FiniteBelief belief(setting.prior, setting.x, setting.a, {engine, sd * sd});
  EXPECT_EQ(belief.engine(), engine) << belief.description();
  const auto truth = FiniteBelief(setting.prior, setting.x, setting.a, {EngineKind::kDataSpace}).draw(1, rng);
  Posterior exact = setting.prior;
  for (int step = 0; step < 120; ++step) {
    const double noise_var = sd * sd * (1.0 + rng.uniform());
    const double noise = std::sqrt(noise_var) * rng.normal();
    if (step % 5 == 4) {
      const Index i = rng.below(10);
      const Vector z = Vector::Constant(1, truth.f(i, 0) + noise);
      belief.observe(setting.x.slice(i, 1), z, noise_var);
      exact = exact.condition(setting.x.slice(i, 1), z, noise_var);
    } else {
      const Index j = rng.below(setting.a.size() / 2);
      const double z = truth.g(j, 0) + noise;
      belief.observe(j, z, noise_var);
      exact = exact.condition(setting.a.slice(j, 1), Vector::Constant(1, z), noise_var);
    }
    if (step == 60) belief.fg_cov();
  }
  EXPECT_EQ(belief.size(), 120);
  EXPECT_EQ(belief.engine(), engine) << belief.description();
  expect_same(belief, exact, kFinite);
}

TEST(FiniteBelief, LowRankEqualsTheExactPosterior) {
  Rng rng(1);
  for (const auto& setting : test::smooth_settings(rng))
    for (const double sd : {1e-3, 0.1}) expect_same_after_observing(setting, EngineKind::kLowRank, sd);
}

TEST(FiniteBelief, DataSpaceEqualsTheExactPosterior) {
  Rng rng(2);
  for (const auto& setting : test::smooth_settings(rng))
    expect_same_after_observing(setting, EngineKind::kDataSpace, 1e-3);
  for (const auto& setting : test::rough_settings(rng))
    for (const double sd : {1e-3, 0.1}) expect_same_after_observing(setting, EngineKind::kDataSpace, sd);
}

}  // namespace
}  // namespace iqbo

#include "iqbo/policy/scheduled_ucb.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/posterior/plain_gp.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

const Rbf& kernel() {
  static const Rbf rbf(0.5, Vector{{0.12}});
  return rbf;
}

Posterior prior() { return {kernel(), GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1}))}; }

// f of policy_settings.hpp under a window of sd delta.
double answer(const Queries& a) {
  const double wide = std::hypot(0.1, a.row(0)[1]);
  return 0.1 / wide * std::exp(-0.5 * std::pow((a.row(0)[0] - 0.7) / wide, 2)) +
         0.3 * std::sin(5.0 * a.row(0)[0]) * std::exp(-0.5 * std::pow(5.0 * a.row(0)[1], 2));
}

// The band of step t misses f at one of n inputs with probability at most n P(|Z| > sqrt(beta_t)): over all steps and inputs that
// stays below delta, and the bound P(|Z| > z) <= exp(-z^2 / 2), by which beta is chosen, uses delta up: what is left after T steps
// is of order 1 / T.
TEST(ScheduledUcb, SpendsDeltaOnAllStepsTogether) {
  constexpr Index kSteps = 80;
  for (const double delta : {0.1, 0.01}) {
    ScheduledUcbOptions options;
    options.delta = delta;
    ScheduledUcb ucb(prior(), InputSet(test::unit_inputs().grid({60})), ResolutionSchedule::constant(0.05), 1e-2,
                     options, 1);
    double tails = 0.0, bounds = 0.0;
    for (Index t = 1; t <= kSteps; ++t) {
      tails += 60.0 * std::erfc(std::sqrt(ucb.beta() / 2.0));
      bounds += 60.0 * std::exp(-ucb.beta() / 2.0);
      ucb.observe(Queries{{0.5, 0.05}}, Vector{{0.1}});
    }
    EXPECT_LT(tails, delta);
    EXPECT_LT(bounds, delta);
    EXPECT_GT(bounds, delta * (1.0 - 1.0 / static_cast<double>(kSteps)));
  }
}

// With direct looks it is GP-UCB: a plain GP on X.
TEST(ScheduledUcb, IsGpUcbAtResolutionZero) {
  const Inputs x = test::unit_inputs().grid({60});
  ScheduledUcb ucb(prior(), InputSet(x), ResolutionSchedule::constant(0.0), 1e-4, {}, 1);
  const Queries looks(x.coordinates());
  PlainGp gp{kernel()};
  ucb.observe(Queries{{0.25, 0.0}}, Vector{{0.2}});  // the prior has no best point
  gp = gp.condition(Queries{{0.25}}, Vector{{0.2}}, 1e-4);
  for (int t = 2; t <= 12; ++t) {
    const auto [mean, var] = gp.g(looks);
    const double beta = ucb.beta();
    Index want = 0;
    const double top = (mean.array() + (beta * var.array()).sqrt()).maxCoeff(&want);
    const Queries a = ucb.suggest();
    const auto chosen = gp.g(Queries(Rows(a.coordinates().leftCols(1))));
    EXPECT_NEAR(chosen.mean[0] + std::sqrt(beta * chosen.var[0]), top, test::kPosterior);
    ucb.observe(a, Vector{{answer(a)}});
    gp = gp.condition(Queries(Rows(a.coordinates().leftCols(1))), Vector{{answer(a)}}, 1e-4);
  }
}

TEST(ScheduledUcb, FollowsItsScheduleToThePeak) {
  const ResolutionSchedule schedule = ResolutionSchedule::paper(1, 0.01);
  for (const TargetSpace& x :
       {TargetSpace(InputSet(test::unit_inputs().grid({60}))), TargetSpace(test::unit_inputs())}) {
    ScheduledUcb ucb(prior(), x, schedule, 1e-4, {}, 3);
    for (Index t = 1; t <= 25; ++t) {
      const Queries a = ucb.suggest();
      EXPECT_EQ(a.row(0)[1], schedule(t));
      EXPECT_EQ(a.coordinates(), ucb.suggest().coordinates());
      ucb.observe(a, Vector{{answer(a)}});
    }
    EXPECT_NEAR(ucb.best().row(0)[0], 0.7, 0.03);
  }
}

// In a box the band is climbed by gradients: no listed point is above what it finds.
TEST(ScheduledUcb, FindsTheTopOfTheBandInABox) {
  ScheduledUcb ucb(prior(), test::unit_inputs(), ResolutionSchedule::constant(0.05), 1e-4, {}, 1);
  for (int t = 0; t < 5; ++t) ucb.observe(ucb.suggest(), Vector{{answer(ucb.suggest())}});
  const double factor = std::sqrt(ucb.beta());
  const auto band = [&](const Inputs& x) {
    const Marginals f = ucb.posterior().f(x);
    return Vector(f.mean.array() + factor * f.var.array().sqrt());
  };
  const double found = band(Inputs(Rows(ucb.suggest().coordinates().leftCols(1))))[0];
  EXPECT_GE(found, band(test::unit_inputs().grid({2001})).maxCoeff() - 1e-9);
}

TEST(ScheduledUcb, TakesAnotherBeta) {
  ScheduledUcbOptions options;
  options.beta = [](Index t) { return 3.0 * static_cast<double>(t); };
  ScheduledUcb ucb(prior(), test::unit_inputs(), ResolutionSchedule::constant(0.05), 1e-4, options, 1);
  ucb.observe(Queries{{0.5, 0.05}}, Vector{{0.1}});
  EXPECT_EQ(ucb.beta(), 6.0);
}

TEST(ScheduledUcb, NamesWhatIsWrong) {
  const ResolutionSchedule schedule = ResolutionSchedule::constant(0.05);
  const auto make = [&](const Posterior& prior, const TargetSpace& x, double noise_var,
                        ScheduledUcbOptions options = {}) { ScheduledUcb(prior, x, schedule, noise_var, options, 1); };
  const TargetSpace x = test::unit_inputs();
  test::expect_refusal([&] { make(Posterior(kernel(), *test::window()), x, 0.1); },
                       {"prior: queries of 1 coordinates, expected 2: a location and its resolution"});
  test::expect_refusal(
      [&] {
        make(prior(), InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}), 0.1);
      },
      {"targets: 2 columns"});
  test::expect_refusal([&] { make(prior(), x, -0.1); }, {"noise_var", "-0.1"});
  ScheduledUcbOptions options;
  options.delta = 0.0;
  test::expect_refusal([&] { make(prior(), x, 0.1, options); }, {"delta: 0, expected a number in (0, 1)"});
  options.beta = [](Index) { return -1.0; };
  test::expect_refusal([&] { make(prior(), x, 0.1, options); }, {"beta", "-1"});
  const ScheduledUcb broken(prior(), x, ResolutionSchedule([](Index) { return -1.0; }), 0.1, {}, 1);
  test::expect_refusal([&] { broken.suggest(); }, {"delta: at t = 1 is -1"});
}

}  // namespace
}  // namespace iqbo

#include "iqbo/theory/blurred.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/numerics/gauss_rule.hpp"
#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/information.hpp"
#include "iqbo/theory/schedule.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

Posterior windows_on_a_line(double lengthscale) {
  return {Rbf(1.0, Vector{{lengthscale}}), GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1}))};
}

// E[k(0) - 2 k(eps) + k(eps - eps')] by quadrature.
double blur_by_quadrature(double delta, double lengthscale) {
  const Rule& rule = gauss_hermite(64);
  const auto k = [&](double step) { return std::exp(-0.5 * step * step / (lengthscale * lengthscale)); };
  double out = 1.0;
  for (Index i = 0; i < rule.node.size(); ++i) {
    out -= 2.0 * rule.weight[i] * k(delta * rule.node[i]);
    for (Index j = 0; j < rule.node.size(); ++j)
      out += rule.weight[i] * rule.weight[j] * k(delta * (rule.node[i] - rule.node[j]));
  }
  return out;
}

TEST(Blurred, WhatAWindowHides) {
  const Posterior prior = windows_on_a_line(0.2);
  const Vector delta{{0.0, 0.02, 0.1, 0.2}};
  Rows a(4, 2);
  a.col(0).setConstant(0.4);
  a.col(1) = delta;
  const Vector found = blur_var(prior, Inputs::line(Vector::Constant(4, 0.4)), Queries(a));
  for (Index i = 0; i < 4; ++i) EXPECT_NEAR(found[i], blur_by_quadrature(delta[i], 0.2), 1e-9);
  // Of fourth order in delta: 3/4 (delta / lengthscale)^4 for small windows.
  EXPECT_NEAR(found[1], 0.75 * 1e-4, 0.05 * 0.75 * 1e-4);
}

BagConditional random_bags(const Inputs& x, Index bags, Rng& rng) {
  std::vector<BagRow> rows;
  for (Index b = 0; b < bags; ++b)
    for (Index i = 0; i < x.size(); ++i) rows.push_back({b, i, std::pow(rng.uniform(), 3.0)});
  return BagConditional(x, rows);
}

// First step of the repair: averages never tell more than as many direct measurements, all selections tried.
RC_GTEST_PROP(Blurred, AveragesTellNoMoreThanValues, (std::uint64_t seed)) {
  Rng rng(seed);
  constexpr Index kPoints = 6, kAnswers = 3;
  const Inputs x = Inputs::line(rng.normals(kPoints));
  const BagConditional bags = random_bags(x, kPoints, rng);
  std::vector<BagRow> each;
  for (Index i = 0; i < kPoints; ++i) each.push_back({i, i, 1.0});
  const BagConditional values(x, each);
  const Rbf kernel(1.0, Vector::Constant(1, 0.1 + rng.uniform()));
  const double noise_var = std::pow(10.0, 1.0 - 4.0 * rng.uniform());
  const double blurred =
      exact_information(Posterior(kernel, bags), bags.queries(), kAnswers, noise_var).gain[kAnswers - 1];
  const double direct =
      exact_information(Posterior(kernel, values), values.queries(), kAnswers, noise_var).gain[kAnswers - 1];
  RC_ASSERT(blurred <= direct * (1.0 + test::kConditioned));
}

// Second step: sum k_{t-1}(xi_t, xi_t) <= (sqrt(C I_T) + sqrt(E_T))^2, whatever is asked.
RC_GTEST_PROP(Blurred, VarianceLeftIsInformationAndBlur, (std::uint64_t seed)) {
  Rng rng(seed);
  constexpr Index kSteps = 12;
  const double lengthscale = 0.05 + 0.5 * rng.uniform(), noise_var = std::pow(10.0, -3.0 * rng.uniform());
  const Posterior prior = windows_on_a_line(lengthscale);
  Rows a(kSteps, 2);
  for (Index t = 0; t < kSteps; ++t) a.row(t) << rng.uniform(), 0.3 * std::pow(rng.uniform(), 2.0);
  const Queries asked(a);
  const Inputs xi(Rows(a.leftCols(1)));
  double left = 0.0;
  for (Index t = 0; t < kSteps; ++t) {
    const Posterior before = t == 0 ? prior : prior.condition(asked.slice(0, t), Vector(Vector::Zero(t)), noise_var);
    left += before.f(xi.slice(t, 1)).var[0];
  }
  const double told = information_along(prior, asked, noise_var)[kSteps - 1];
  const double most = std::sqrt(information_factor(noise_var) * told) + std::sqrt(blur_var(prior, xi, asked).sum());
  RC_ASSERT(left <= most * most * (1.0 + test::kConditioned));
}

// The gap in the printed proof: windows much wider than the lengthscale.
TEST(Blurred, WithoutTheBlurItFails) {
  const Posterior prior = windows_on_a_line(0.1);
  Rows a(20, 2);
  for (Index t = 0; t < 20; ++t) a.row(t) << 0.5, 0.5;
  const Queries asked(a);
  const Inputs xi(Rows(a.leftCols(1)));
  const double told = information_along(prior, asked, 0.01)[19];
  const double left = 20.0 * prior.condition(asked, Vector(Vector::Zero(20)), 0.01).f(xi.slice(0, 1)).var[0];
  EXPECT_GT(left, 3.0 * information_factor(0.01) * told);
  EXPECT_LT(left,
            std::pow(std::sqrt(information_factor(0.01) * told) + std::sqrt(blur_var(prior, xi, asked).sum()), 2));
}

// The whole, on draws of f from the prior with a list X: GP-UCB asks through windows that narrow.
TEST(Blurred, HoldsOnDraws) {
  constexpr Index kInputs = 41, kSteps = 25;
  constexpr double kNoiseVar = 0.01, kDelta = 0.2;
  const Posterior prior = windows_on_a_line(0.2);
  const Inputs x = Inputs::line(Vector::LinSpaced(kInputs, 0.0, 1.0));
  const Vector delta = ResolutionSchedule::paper(1, 0.1).first(kSteps);
  Rows all(kInputs * kSteps, 2);
  for (Index t = 0; t < kSteps; ++t) {
    all.middleRows(t * kInputs, kInputs).col(0) = x.coordinates().col(0);
    all.middleRows(t * kInputs, kInputs).col(1).setConstant(delta[t]);
  }
  const FiniteBelief world(prior, x, Queries(all), {.noise_var = kNoiseVar});
  constexpr int kRuns = 20;
  for (int r = 0; r < kRuns; ++r) {
    Rng rng(31, {static_cast<std::uint64_t>(r)});
    const FiniteBelief::Paths truth = world.draw(1, rng);
    FiniteBelief belief = world;
    Queries asked;
    double best = truth.g.minCoeff();
    for (Index t = 0; t < kSteps; ++t) {
      const double width = std::sqrt(beta(union_weight(t + 1), kInputs, kDelta / 2.0));
      Index row = 0;
      (belief.f().mean + width * belief.f().var.cwiseSqrt()).maxCoeff(&row);
      const double g = truth.g(t * kInputs + row, 0);
      belief.observe(t * kInputs + row, g + 0.1 * rng.normal(), kNoiseVar);
      asked = asked.joined(world.a().slice(t * kInputs + row, 1));
      best = std::max(best, g);
    }
    const double told = information_along(prior, asked, kNoiseVar)[kSteps - 1];
    const double blur = blur_var(prior, Inputs(Rows(asked.coordinates().leftCols(1))), asked).sum();
    const double bound =
        blurred_regret_bound(beta(union_weight(kSteps), kInputs, kDelta / 2.0), told, blur, kSteps, kNoiseVar);
    EXPECT_LE(truth.f.maxCoeff() - best, bound);
  }
}

// By hand: C = 2 / log 5; sqrt(2 / 4) (2 sqrt(3 C) + 3 sqrt(0.25)).
TEST(Blurred, TheBoundByHand) {
  EXPECT_NEAR(blurred_regret_bound(2.0, 3.0, 0.25, 4, 0.25), 3.7912314, 1e-6);
  EXPECT_DOUBLE_EQ(blurred_regret_bound(2.0, 0.0, 0.25, 4, 0.25), 1.5 * std::sqrt(0.5));
}

// E_T of the schedule grows as gamma_T of an RBF does, (log T)^{d+1}: in one dimension the ratio tends to 3/8 c^2 / lengthscale^4.
TEST(Blurred, TheScheduleKeepsTheRate) {
  constexpr double kC = 1e-3, kLengthscale = 0.2;
  const ResolutionSchedule schedule = ResolutionSchedule::paper(1, kC);
  double blur = 0.0, before = 0.0;
  for (Index t = 1; t <= 1000000; ++t) {
    const double s = std::pow(schedule(t) / kLengthscale, 2);
    blur += 1.0 - 2.0 / std::sqrt(1.0 + s) + 1.0 / std::sqrt(1.0 + 2.0 * s);
    if (t == 1000) before = blur;
  }
  const double limit = 0.375 * kC * kC / std::pow(kLengthscale, 4);
  const auto share = [&](double sum, double steps) { return sum / (limit * std::pow(std::log(steps), 2)); };
  EXPECT_NEAR(share(before, 1e3), 1.0, 0.1);
  EXPECT_NEAR(share(blur, 1e6), 1.0, 0.03);
}

TEST(Blurred, TheConstantIsTheLargestThatCostsNoMore) {
  const auto blur_of = [](double delta) { return blur_by_quadrature(delta, 0.2); };
  constexpr Index kSteps = 50;
  constexpr double kInformation = 20.0, kNoiseVar = 0.01;
  const double direct = blurred_regret_bound(9.0, kInformation, 0.0, kSteps, kNoiseVar);
  for (const double loss : {0.1, 0.5, 2.0}) {
    const double c = schedule_constant(blur_of, 1, kSteps, kInformation, kNoiseVar, 1.0, loss);
    for (const double factor : {0.99, 1.01}) {
      double blur = 0.0;
      for (const double delta : ResolutionSchedule::paper(1, c * factor).first(kSteps)) blur += blur_of(delta);
      const double bound = blurred_regret_bound(9.0, kInformation, blur, kSteps, kNoiseVar);
      if (factor < 1.0)
        EXPECT_LE(bound, (1.0 + loss) * direct);
      else
        EXPECT_GT(bound, (1.0 + loss) * direct);
    }
  }
  EXPECT_EQ(schedule_constant(blur_of, 1, kSteps, 0.0, kNoiseVar),
            0.0);  // nothing is told: no blur is small beside that
  EXPECT_EQ(schedule_constant([](double) { return 0.0; }, 1, kSteps, 1.0, kNoiseVar), kMostConstant);
}

TEST(Blurred, NamesWhatIsWrong) {
  test::expect_refusal([] { blurred_regret_bound(1.0, 1.0, 1.0, 0, 0.1); }, {"steps: 0, expected at least 1"});
  test::expect_refusal([] { blurred_regret_bound(1.0, -1.0, 1.0, 3, 0.1); }, {"information", "-1"});
  test::expect_refusal([] { blurred_regret_bound(1.0, 1.0, -1.0, 3, 0.1); }, {"beta, blur"});
  test::expect_refusal([] { schedule_constant({}, 1, 3, 1.0, 0.1); }, {"blur_of: none"});
  test::expect_refusal([] { schedule_constant([](double) { return 1.0; }, 1, 3, 1.0, 0.1, 1.0, 0.0); }, {"loss: is 0"});
  test::expect_refusal(
      [] {
        blur_var(windows_on_a_line(0.2), Inputs{{0.1}}, Queries{{0.1, 0.1}, {0.2, 0.1}});
      },
      {"xi: 1 rows, expected 2"});
}

}  // namespace
}  // namespace iqbo

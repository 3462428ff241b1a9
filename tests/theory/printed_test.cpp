// Where a statement of [Zhang26] does not hold as printed: the numbers of docs/theory/bounds.md.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>

#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/numerics/gauss_rule.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/theory/bounds.hpp"
#include "iqbo/theory/coverage.hpp"
#include "iqbo/theory/information.hpp"
#include "iqbo/theory/schedule.hpp"

namespace iqbo {
namespace {

double two_tails(double t) { return std::erfc(t / std::numbers::sqrt2); }

// Lemma 2: |nu - g| is two-sided, zeta is one-sided. One step, pi_1 = 1, as the lemma allows.
TEST(Printed, ZetaIsOneSided) {
  EXPECT_NEAR(zeta(1.0, 0.4), 0.668, 5e-4);
  EXPECT_NEAR(two_tails(zeta(1.0, 0.4)), 0.504, 5e-4);                    // fails in 50 %, promised 40 %
  EXPECT_NEAR(two_tails(zeta(1.0, 0.4)) / 2.0, 0.252, 5e-4);              // one side keeps the promise
  EXPECT_NEAR(two_tails(zeta(1.0, 0.4, BoundSides::kTwo)), 0.176, 5e-4);  // so does the two-sided width
  EXPECT_LT(two_tails(zeta(1.0, 0.27)), 0.27);                            // the bound on the tail is generous below
  EXPECT_GT(two_tails(zeta(1.0, 0.29)), 0.29);
}

// Lemma 2 is about one query per step, not about all of A: 50 queries that know nothing of each other.
TEST(Printed, ZetaIsForTheQueryAsked) {
  const double one = 1.0 - two_tails(zeta(1.0, 0.1, BoundSides::kTwo));
  EXPECT_NEAR(std::pow(one, 50), 0.198, 5e-4);  // promised 0.9
}

// Lemma 3 needs a_t to be the query of least margin. Of two queries, sds 1 and 0.1, the other one is asked.
TEST(Printed, TheStepBoundIsForTheLeastMargin) {
  const double kappa = least_margin({Vector{{0.0, 0.0}}, Vector{{1.0, 0.01}}}, 1.0);
  EXPECT_DOUBLE_EQ(kappa, 1.0);
  const double bound = (kappa + zeta(union_weight(1), 0.05)) * 0.1;
  EXPECT_NEAR(bound, 0.337, 5e-4);  // while f* - g is 1 on average
}

// rho_T as a maximum over sets does not bound a run that asks twice.
TEST(Printed, SetsDoNotBoundRepeats) {
  const Posterior prior(Rbf(1.0, Vector{{0.01}}), GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1})));
  const Queries a{{0.0, 0.0},
                  {1.0, 1.0}};  // a look at f(0), and an average over a hundred lengthscales: variance 0.0071
  EXPECT_NEAR(exact_information(prior, a, 2, 1.0, false).gain[1], 0.350, 5e-4);
  EXPECT_NEAR(exact_information(prior, a, 2, 1.0, true).gain[1], 0.549, 5e-4);
}

// The two-peak function and its averages under windows of this sd.
double two_peaks(double at, double window) {
  double out = 0.0;
  for (const auto& [height, centre, width] : {std::array{0.8, 0.3, 0.12}, std::array{1.0, 0.75, 0.03}}) {
    const double wide = std::hypot(width, window);
    out += height * width / wide * std::exp(-0.5 * std::pow((at - centre) / wide, 2));
  }
  return out;
}

// Theorem 1: where no query shows x* alone, f* - max g stays; then kappa grows, and the bound cannot go to zero.
TEST(Printed, TheoremOneHasAFloor) {
  constexpr double kWindow = 0.05;
  constexpr double kNoiseVar = 0.005 * 0.005;
  const Posterior prior(Rbf(0.1, Vector{{0.035}}), GaussianConditional(QueryMap::identity(1), kWindow));
  const Queries a = Queries::line(Vector::LinSpaced(61, 0.02, 0.98));
  const double fstar = two_peaks(0.75, 0.0);
  Vector g(a.size());
  for (Index i = 0; i < a.size(); ++i) g[i] = two_peaks(a.row(i)[0], kWindow);
  EXPECT_NEAR(fstar - g.maxCoeff(), 0.263, 1e-3);

  Rng rng(1);
  iqbo::Run run{Queries(), Vector(100), Vector::Constant(100, fstar)};
  Posterior posterior = prior;
  for (Index t = 0; t < 100; ++t) {  // CMES with one sample, f* itself
    const Marginals now = posterior.g(a);
    Index row = 0;
    ((fstar - now.mean.array()) / now.var.array().sqrt()).minCoeff(&row);
    run.a = run.a.joined(a.slice(row, 1));
    run.z[t] = g[row] + 0.005 * rng.normal();
    posterior = posterior.condition(a.slice(row, 1), run.z.segment(t, 1), kNoiseVar);
  }
  const RunBounds bounds = run_bounds(prior, run, a, kNoiseVar, 0.1);
  for (const Index steps : {10, 100}) {
    const double bound = instant_regret_bound(steps, bounds.information[steps - 1], bounds.kappa.head(steps).maxCoeff(),
                                              kNoiseVar, 0.1, bounds.var);
    EXPECT_NEAR(bounds.kappa.head(steps).maxCoeff(), steps == 10 ? 6.08 : 224.3, 0.1);
    EXPECT_NEAR(bound, steps == 10 ? 2.04 : 20.3, 0.05);
    EXPECT_GT(bound, fstar - g.maxCoeff());
  }
}

// Theorem 1 counts samples above f* as if they came from the prior; they come from the posterior.
TEST(Printed, SamplesAreNotFromThePrior) {
  const Inputs x = Inputs::line(Vector::LinSpaced(60, 0.0, 1.0));
  const Queries a = Queries::line(Vector::LinSpaced(30, 0.0, 1.0));
  const Posterior prior(Rbf(1.0, Vector{{0.15}}), GaussianConditional(QueryMap::identity(1), 0.03));
  FiniteOptions options;
  options.noise_var = 0.01;
  const FiniteBelief before(prior, x, a, options);
  Rng rng(5);
  const Vector prior_max = before.draw(2000, rng).f.colwise().maxCoeff().transpose();
  int fewer = 0;
  double least_ratio = 1.0;
  constexpr int kDraws = 40;
  for (int d = 0; d < kDraws; ++d) {
    const FiniteBelief::Paths truth = before.draw(1, rng);
    const double fstar = truth.f.col(0).maxCoeff();
    const double assumed = (prior_max.array() > fstar).cast<double>().mean();  // 1 - w
    FiniteBelief after = before;
    for (Index i = 0; i < a.size(); i += 2) after.observe(i, truth.g(i, 0) + 0.1 * rng.normal(), 0.01);
    const Vector post_max = after.draw(2000, rng).f.colwise().maxCoeff().transpose();
    const double found = (post_max.array() > fstar).cast<double>().mean();
    fewer += found < assumed ? 1 : 0;
    if (assumed > 0.0) least_ratio = std::min(least_ratio, found / assumed);
  }
  EXPECT_NEAR(fewer, 17, 5);  // of 40 draws of f
  EXPECT_LT(least_ratio, 0.02);
}

// Assumption 2 with a fixed window: what the best query has within 0.01 of x.
TEST(Printed, AFixedWindowDoesNotReachAssumptionTwo) {
  const Queries a = Queries::line(Vector::LinSpaced(61, 0.02, 0.98));
  Rng rng(1);
  const GaussianConditional window(QueryMap::identity(1), 0.05);
  const BestCoverage best = best_coverage(window, a, Inputs{{0.75}}, 0.01, Neighbourhood::kBall, rng);
  EXPECT_NEAR(best.probability, 0.158, 1e-3);
}

// Theorem 2: the sum over variances of f(xi_t) after *blurred* answers is not the information in direct looks.
TEST(Printed, BlurredAnswersLeaveMoreVariance) {
  constexpr double kNoiseVar = 0.01;
  constexpr Index kSteps = 100;
  const GaussianConditional window(QueryMap::columns({0}), QueryMap::columns({1}));
  const Vector delta = ResolutionSchedule::paper(1).first(kSteps);
  for (const double lengthscale : {0.1, 0.5}) {
    const Posterior prior(Rbf(1.0, Vector{{lengthscale}}), window);
    Rows asked(kSteps, 2);
    Rows direct(101, 2);
    for (Index t = 0; t < kSteps; ++t)
      asked.row(t) << std::fmod(0.618033988749895 * static_cast<double>(t), 1.0), delta[t];
    direct.col(0) = Vector::LinSpaced(101, 0.0, 1.0);
    direct.col(1).setZero();
    const Inputs xi(Rows(asked.leftCols(1)));
    const double blurred = target_information_along(prior, Queries(asked), xi, kNoiseVar)[kSteps - 1];
    Rows sharp = asked;
    sharp.col(1).setZero();
    const double looks = target_information_along(prior, Queries(sharp), xi, kNoiseVar)[kSteps - 1];
    const double gamma = greedy_information(prior, Queries(direct), kSteps, kNoiseVar).upper[kSteps - 1];
    EXPECT_NEAR(blurred, lengthscale == 0.1 ? 214.2 : 116.7, 0.1);
    EXPECT_NEAR(looks, lengthscale == 0.1 ? 36.6 : 13.2, 0.1);
    EXPECT_NEAR(gamma, lengthscale == 0.1 ? 44.4 : 16.3, 0.1);
  }
}

// Theorem 2 asks for Tr f'' <= 2 M; f = -10 x^2 has it with M = 0, and yet |f - g| = 10 delta^2 at every xi. Its square is
// M^2 delta^4 with the right M = 10, not M delta^4 as the proof sums.
TEST(Printed, TheCurvatureBoundMustBeTwoSided) {
  const Rule& rule = gauss_hermite(16);
  const double g = -10.0 * (0.3 + 0.5 * rule.node.array()).square().matrix().dot(rule.weight);
  EXPECT_NEAR(std::abs(-10.0 * 0.09 - g), 2.5, 1e-12);
}

TEST(Printed, SavingsDoNotGrowWithDimension) {
  const double one = printed_schedule_savings(1000, 1)[999];
  const double two = printed_schedule_savings(1000, 2)[999];
  EXPECT_NEAR(one, 263.0, 0.5);
  EXPECT_NEAR(two, 235.0, 0.5);
  const Vector line = printed_schedule_savings(100000, 1);
  const Vector plane = printed_schedule_savings(100000, 2);
  EXPECT_TRUE((plane.tail(100000 - 181).array() < line.tail(100000 - 181).array()).all());  // from T = 182 on
  EXPECT_GT(plane[180], line[180]);
  for (Index d = 2; d < 5; ++d)
    EXPECT_LT(printed_schedule_savings(1000, d)[999], printed_schedule_savings(1000, d + 1)[999]);
}

// The window grows until t = e^d, and is wider than a unit cube around any point while tau_t > 1.
TEST(Printed, TheScheduleRisesFirst) {
  const std::vector<Index> widest_at{3, 7, 20, 55, 148};
  const std::vector<Index> wider{0, 0, 87, 996, 997};
  for (Index d = 1; d <= 5; ++d) {
    Vector tau(1000);
    for (Index t = 1; t <= 1000; ++t) tau[t - 1] = printed_half_width(t, d);
    Index at = 0;
    const double widest = tau.maxCoeff(&at);
    EXPECT_EQ((tau.array() > 1.0).count(), wider[static_cast<std::size_t>(d - 1)]) << widest;
    EXPECT_EQ(at + 1, widest_at[static_cast<std::size_t>(d - 1)]);
  }
}

}  // namespace
}  // namespace iqbo

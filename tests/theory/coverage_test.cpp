#include "iqbo/theory/coverage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <numbers>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/sampled.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
#include "iqbo/learned/learned.hpp"
#include "support/errors.hpp"
#include "support/oracle.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::Real;
using enum Neighbourhood;

Real density(Real x, Real centre, Real sd) {
  return std::exp(-(x - centre) * (x - centre) / (2 * sd * sd)) / (sd * std::sqrt(2 * std::numbers::pi_v<Real>));
}

Coverage of(const SpreadLaws& laws, const Inputs& x, double eps, Neighbourhood shape = kBall) {
  Rng rng(1);
  return coverage(laws, x, eps, shape, rng);
}

// A box behind a blur: the density of the normal, averaged over the box, integrated over the interval.
RC_GTEST_PROP(Coverage, OfAWindowOnTheLine, (std::uint64_t seed)) {
  Rng rng(seed);
  const double centre = rng.uniform();
  const double sd = test::log_uniform(rng, 0.02, 1.0);
  const double half = test::log_uniform(rng, 0.02, 1.0);
  const double x = rng.uniform();
  const double eps = test::log_uniform(rng, 0.05, 0.5);
  const Real both = test::integrate(
                        [&](const Real& u) {
                          return test::integrate([&](const Real& y) { return density(y, centre + half * u, sd); },
                                                 x - eps, x + eps, 8);
                        },
                        -1, 1, 8) /
                    2;
  const Real blur = test::integrate([&](const Real& y) { return density(y, centre, sd); }, x - eps, x + eps, 20);
  const auto row = [](double v) { return Rows(Rows::Constant(1, 1, v)); };
  const Inputs at{{x}};
  RC_ASSERT(std::abs(of({row(centre), row(sd), row(half)}, at, eps).probability[0] - static_cast<double>(both)) <
            test::kConditioned);
  RC_ASSERT(std::abs(of({row(centre), row(sd), row(0.0)}, at, eps).probability[0] - static_cast<double>(blur)) <
            test::kConditioned);
}

TEST(Coverage, OfABoxIsTheOverlap) {
  const SpreadLaws box{Rows{{0.0, 0.0}}, Rows{{0.0, 0.0}}, Rows{{1.0, 2.0}}};
  EXPECT_NEAR(of(box, Inputs{{0.8, 0.0}}, 0.5, kCube).probability[0], 0.7 / 2.0 * 1.0 / 4.0, test::kRounding);
  const Coverage disc = of(box, Inputs{{0.0, 0.0}}, 0.5);
  EXPECT_NEAR(disc.probability[0], std::numbers::pi * 0.25 / 8.0, 6.0 * disc.error[0]);
  EXPECT_GT(disc.error[0], 0.0);
  EXPECT_LT(disc.error[0], 1e-4);
}

TEST(Coverage, OfADiscUnderARoundWindow) {
  // Polar coordinates around x; the window is off by 0.3.
  const Real sd = 0.25L;
  const Real want = test::integrate(
      [&](const Real& r) {
        return r * test::integrate(
                       [&](const Real& angle) {
                         return density(r * std::cos(angle), 0.3L, sd) * density(r * std::sin(angle), 0, sd);
                       },
                       0, 2 * std::numbers::pi_v<Real>, 20);
      },
      0, 0.4L, 20);
  const SpreadLaws round{Rows{{1.3, 2.0}}, Rows{{0.25, 0.25}}, Rows{{0.0, 0.0}}};
  const Coverage exact = of(round, Inputs{{1.0, 2.0}}, 0.4);
  EXPECT_NEAR(exact.probability[0], static_cast<double>(want), test::kConditioned);
  EXPECT_EQ(exact.error[0], 0.0);
  // The same by points: one sd is a little wider, so that the closed form does not apply.
  const SpreadLaws oval{Rows{{1.3, 2.0}}, Rows{{0.25, 0.25 * (1 + 1e-12)}}, Rows{{0.0, 0.0}}};
  const Coverage points = of(oval, Inputs{{1.0, 2.0}}, 0.4);
  EXPECT_NEAR(points.probability[0], exact.probability[0], 6.0 * points.error[0]);
  EXPECT_LT(points.error[0], 1e-4);
}

TEST(Coverage, InThreeDimensionsPointsAgreeWithTheClosedForm) {
  const SpreadLaws round{Rows{{0.1, 0.0, 0.2}}, Rows{{0.2, 0.2, 0.2}}, Rows::Zero(1, 3)};
  const SpreadLaws oval{round.centre, Rows{{0.2, 0.2, 0.2 * (1 + 1e-12)}}, Rows::Zero(1, 3)};
  const Inputs x{{0.0, 0.0, 0.0}};
  const Coverage points = of(oval, x, 0.3);
  EXPECT_NEAR(points.probability[0], of(round, x, 0.3).probability[0], 6.0 * points.error[0]);
  EXPECT_LT(points.error[0], 1e-3);
}

TEST(Coverage, OfAPoint) {
  const SpreadLaws direct{Rows{{0.5, 0.5}, {0.5, 0.9}}, Rows::Zero(2, 2), Rows::Zero(2, 2)};
  for (const auto shape : {kBall, kCube})
    EXPECT_EQ(of(direct, Inputs{{0.5, 0.6}}, 0.2, shape).probability, (Vector{{1.0, 0.0}}));
  Rng rng(1);
  EXPECT_EQ(coverage(Inputs{{0.5}, {0.9}}, Inputs{{0.5}}, 0.0, kBall, rng).probability, (Vector{{1.0, 0.0}}));
}

TEST(Coverage, OfBagsIsTheWeightInside) {
  const BagConditional bags(Inputs{{0.0, 0.0}, {0.3, 0.3}, {1.0, 0.0}},
                            {{0, 0, 1.0}, {0, 1, 2.0}, {0, 2, 1.0}, {1, 2, 1.0}});
  Rng rng(1);
  const Inputs x{{0.0, 0.0}};
  EXPECT_EQ(coverage(bags.laws(bags.queries()), x, 0.35, kCube, rng).probability, (Vector{{0.75, 0.0}}));
  EXPECT_EQ(coverage(bags.laws(bags.queries()), x, 0.35, kBall, rng).probability, (Vector{{0.25, 0.0}}));
  const BestCoverage best = best_coverage(bags, bags.queries(), Inputs{{1.0, 0.0}}, 0.0, kBall, rng);
  EXPECT_EQ(best.row, 1);
  EXPECT_EQ(best.probability, 1.0);
}

// 4,000 draws of a normal: the stated standard error is that of a share.
TEST(Coverage, OfASamplerHasTheErrorOfAShare) {
  const auto sampled = SampledConditional::sampler(
      1, 1,
      [](const Queries& a, Index n, Rng& rng) { return Rows((a.row(0)[0] + 0.1 * rng.normals(n).array()).matrix()); },
      4000, 7);
  Rng rng(1);
  const Coverage found = coverage(sampled.laws(Queries{{0.5}}), Inputs{{0.5}}, 0.1, kBall, rng);
  const double want = std::erf(1.0 / std::numbers::sqrt2);
  EXPECT_NEAR(found.error[0], std::sqrt(want * (1.0 - want) / 4000.0), 1e-4);
  EXPECT_NEAR(found.probability[0], want, 4.0 * found.error[0]);
}

TEST(Coverage, OfATruncatedWindowIsWithinItsBound) {
  const InputBox domain(Vector{{0.0}}, Vector{{1.0}});
  const TruncatedConditional cut(GaussianConditional(QueryMap::identity(1), 0.2), domain, Truncation::kRenormalise, 40);
  Rng rng(1);
  const Coverage found = coverage(cut.laws(Queries{{0.1}}), Inputs{{0.1}}, 0.15, kBall, rng);
  const auto phi = [](double t) { return 0.5 * std::erfc(-t / std::numbers::sqrt2); };
  const double want = (phi(0.75) - phi(-0.5)) / (phi(4.5) - phi(-0.5));
  EXPECT_NEAR(found.probability[0], want, found.error[0]);
  EXPECT_LT(found.error[0], 0.2);
}

TEST(Coverage, OfALearnedModelIsItsWeight) {
  Rng rng(5);
  const Rows a = rng.uniforms(80, 1);
  LearnedOptions options;
  options.model = LearnedKind::kNw;
  const LearnedConditional learned(Inputs(Rows(a + 0.02 * test::uniform_rows(rng, 80, 1, -1.0, 1.0))), Queries(a),
                                   options);
  const Queries candidates{{0.1}, {0.5}, {0.9}};
  const BestCoverage best = best_coverage(learned, candidates, Inputs{{0.5}}, 0.15, kBall, rng);
  EXPECT_EQ(best.row, 1);
  const Laws all = learned.laws(candidates);
  const auto& laws = std::get<DiscreteLaws>(all.parts()[0].kind);
  double inside = 0.0;
  for (Index j = 0; j < laws.support->size(); ++j)
    if (std::abs(laws.support->row(j)[0] - 0.5) <= 0.15) inside += laws.weight.coeff(1, j);
  EXPECT_NEAR(best.probability, inside, test::kRounding);
}

TEST(Coverage, NamesWhatIsWrong) {
  Rng rng(1);
  const GaussianConditional window(QueryMap::identity(1), 0.1);
  const Queries a{{0.5}};
  test::expect_refusal([&] { best_coverage(window, a, Inputs{{0.5}}, -0.1, kBall, rng); }, {"eps", "-0.1"});
  test::expect_refusal(
      [&] {
        best_coverage(window, a, Inputs{{0.5, 0.5}}, 0.1, kBall, rng);
      },
      {"x: 2 columns, expected 1"});
  test::expect_refusal(
      [&] {
        best_coverage(window, a, Inputs{{0.5}, {0.6}}, 0.1, kBall, rng);
      },
      {"x: 2 rows, expected 1"});
  test::expect_refusal([&] { best_coverage(window, Queries(), Inputs{{0.5}}, 0.1, kBall, rng); }, {"candidates"});
}

}  // namespace
}  // namespace iqbo

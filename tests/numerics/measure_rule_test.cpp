#include "numerics/measure_rule.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <cstdint>
#include <limits>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {

using namespace internal;

namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();

// integral of ((t - centre) / radius)^power under the rule
double moment(const Rule& rule, int power, double centre, double radius) {
  long double sum = 0;
  for (Index i = 0; i < rule.node.size(); ++i)
    sum += rule.weight[i] * std::pow((static_cast<long double>(rule.node[i]) - centre) / radius, power);
  return static_cast<double>(sum);
}

// `size` distinct nodes within centre +- radius, weights of any size between 0.001 and 1.
Rule random_measure(Rng& rng, Index size, double centre, double radius) {
  Vector slots = Vector::LinSpaced(size, -1, 1);
  if (size > 1) slots += (rng.uniforms(size, 1).array() - 0.5).matrix() / static_cast<double>(size);
  return {(centre + radius * slots.array()).matrix(), (1e-3 + 0.999 * rng.uniforms(size, 1).array()).matrix()};
}

TEST(MeasureRule, OfTheUniformLawIsGaussLegendre) {
  const Rule& fine = gauss_legendre(128);
  for (const int n : {1, 2, 5, 20, 64}) {
    const Rule rule = measure_rule(fine, n);
    ASSERT_EQ(rule.node.size(), n);
    EXPECT_TRUE((rule.node - gauss_legendre(n).node).isZero(kRounding)) << n;
    EXPECT_TRUE((rule.weight - gauss_legendre(n).weight).isZero(kRounding)) << n;
  }
}

// The midpoint rule with N cells differs from the uniform law by O(1 / N^2).
TEST(MeasureRule, ConvergesWithTheDiscretisation) {
  for (const Index cells : {100, 1000, 10000}) {
    const double h = 2.0 / static_cast<double>(cells);
    const Rule fine{Vector::LinSpaced(cells, -1 + h / 2, 1 - h / 2), Vector::Constant(cells, h / 2)};
    const Rule rule = measure_rule(fine, 5);
    EXPECT_TRUE((rule.node - gauss_legendre(5).node).isZero(h * h)) << cells;
    EXPECT_TRUE((rule.weight - gauss_legendre(5).weight).isZero(h * h)) << cells;
  }
}

// Constants: the roots of the Chebyshev polynomial of degree 4 and the equal weights of its measure.
TEST(MeasureRule, OfTheArcsineLawIsGaussChebyshev) {
  constexpr Index kFine = 200;
  Vector node(kFine);
  for (Index i = 0; i < kFine; ++i) node[i] = std::cos(M_PI * (static_cast<double>(i) + 0.5) / kFine);
  const Rule rule = measure_rule({node, Vector::Constant(kFine, 1.0 / kFine)}, 4);
  const Vector want{{-0.92387953251128675613, -0.38268343236508977173, 0.38268343236508977173, 0.92387953251128675613}};
  EXPECT_TRUE((rule.node - want).isZero(kRounding)) << rule.node.transpose();
  EXPECT_TRUE((rule.weight.array() - 0.25).isZero(kRounding)) << rule.weight.transpose();
}

RC_GTEST_PROP(MeasureRule, IsExactForPolynomials, (std::uint64_t seed)) {
  Rng rng(seed);
  const int n = 1 + static_cast<int>(rng.below(12));
  const double centre = 10 * rng.normal();
  const double radius = std::exp(3 * rng.normal());
  const Rule fine = random_measure(rng, n + rng.below(60), centre, radius);
  const Rule rule = measure_rule(fine, n);
  RC_ASSERT(rule.node.size() == n);
  RC_ASSERT((rule.weight.array() > 0).all());
  RC_ASSERT(rule.node.minCoeff() >= fine.node.minCoeff() - kRounding * (std::abs(centre) + radius));
  RC_ASSERT(rule.node.maxCoeff() <= fine.node.maxCoeff() + kRounding * (std::abs(centre) + radius));
  // Nodes carry the rounding of `centre`; a power of degree k moves by at most k times that, in radii.
  const double tolerance = kRounding * fine.weight.sum() * 2 * n * (1 + std::abs(centre) / radius);
  for (int power = 0; power < 2 * n; ++power)
    RC_ASSERT(std::abs(moment(rule, power, centre, radius) - moment(fine, power, centre, radius)) < tolerance);
}

// One degree more is not integrated exactly: its error is the squared norm of the orthogonal polynomial, positive.
TEST(MeasureRule, IsNotExactBeyondItsDegree) {
  Rng rng(2);
  const Rule fine = random_measure(rng, 30, 0, 1);
  EXPECT_GT(moment(fine, 6, 0, 1) - moment(measure_rule(fine, 3), 6, 0, 1), 1e-3 * moment(fine, 6, 0, 1));
}

TEST(MeasureRule, FewPointsComeBackAsTheyAre) {
  const Rule rule = measure_rule({Vector{{2, -1, 5}}, Vector{{0.5, 3, 0.25}}}, 10);
  ASSERT_EQ(rule.node.size(), 3);
  EXPECT_TRUE(rule.node.isApprox(Vector{{-1, 2, 5}}, kRounding)) << rule.node.transpose();
  EXPECT_TRUE(rule.weight.isApprox(Vector{{3, 0.5, 0.25}}, kRounding)) << rule.weight.transpose();
}

RC_GTEST_PROP(MeasureRule, AsManyPointsAsAskedForComeBackAsTheyAre, (std::uint64_t seed)) {
  Rng rng(seed);
  const Index size = 1 + rng.below(12);
  const Rule fine = random_measure(rng, size, 0.5, 2.0);
  const Rule rule = measure_rule(fine, static_cast<int>(size + rng.below(20)));
  RC_ASSERT(rule.node.size() == size);
  RC_ASSERT((rule.node - fine.node).isZero(kConditioned));
  RC_ASSERT((rule.weight - fine.weight).isZero(kConditioned));
}

TEST(MeasureRule, OnePointIsKept) {
  for (const double t : {0.0, 1e-8, -123.456}) {
    const Rule rule = measure_rule({Vector{{t}}, Vector{{0.7}}}, 4);
    ASSERT_EQ(rule.node.size(), 1);
    EXPECT_DOUBLE_EQ(rule.node[0], t);
    EXPECT_DOUBLE_EQ(rule.weight[0], 0.7);
  }
}

TEST(MeasureRule, EqualNodesAreOnePointAndWeightlessOnesNone) {
  const Rule rule = measure_rule({Vector{{1, 3, 1, 8}}, Vector{{0.25, 1, 0.5, 0}}}, 5);
  ASSERT_EQ(rule.node.size(), 2);
  EXPECT_TRUE(rule.node.isApprox(Vector{{1, 3}}, kRounding)) << rule.node.transpose();
  EXPECT_TRUE(rule.weight.isApprox(Vector{{0.75, 1}}, kRounding)) << rule.weight.transpose();
}

TEST(MeasureRule, KeepsTheTotalWeight) {
  Rng rng(3);
  for (const double total : {1e-200, 1.0, 7.5, 1e200}) {
    Rule fine = random_measure(rng, 40, 0, 1);
    fine.weight *= total / fine.weight.sum();
    EXPECT_NEAR(measure_rule(fine, 6).weight.sum() / total, 1.0, kRounding);
  }
}

TEST(MeasureRule, RefusesWhatIsNoMeasure) {
  const Vector t{{0, 1, 2}};
  const Vector w{{1, 1, 1}};
  expect_refusal([&] { measure_rule({t, w}, 0); }, {"n: is 0, expected at least 1"});
  expect_refusal([&] { measure_rule({t, Vector{{1, 1}}}, 2); }, {"weight: 2 rows, expected 3"});
  expect_refusal([&] { measure_rule({Vector{{0, kNan, 2}}, w}, 2); }, {"node: row 1 is nan, expected a finite"});
  expect_refusal([&] { measure_rule({t, Vector{{1, -0.5, 1}}}, 2); }, {"weight: row 1 is -0.5, expected", ">= 0"});
  expect_refusal([&] { measure_rule({t, Vector{{1, 1, kNan}}}, 2); }, {"weight: row 2 is nan, expected"});
  expect_refusal([&] { measure_rule({t, Vector::Zero(3)}, 2); }, {"weight: sums to 0, expected a positive sum"});
  expect_refusal([&] { measure_rule({Vector(), Vector()}, 2); }, {"weight: sums to 0, expected a positive sum"});
}

}  // namespace
}  // namespace iqbo::test

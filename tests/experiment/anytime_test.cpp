#include "iqbo/experiment/anytime.hpp"

#include <gtest/gtest.h>

#include <boost/math/quadrature/tanh_sinh.hpp>
#include <cmath>
#include <functional>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

Vector alternating(Index n) {  // mean 0, sd sqrt(n / (n - 1))
  Vector out(n);
  for (Index i = 0; i < n; ++i) out[i] = i % 2 == 0 ? 1.0 : -1.0;
  return out;
}

// Oracle: the Bayes factor of an effect d ~ N(0, 1/c) against 0, by quadrature over d of the likelihood of the t statistic, its
// variance integrated out under 1/sd: proportional to (sum (x - d s)^2)^..., here written for the data themselves. At the end of the
// interval the factor is 1 / alpha.
double bayes_factor(const Vector& x, double mean, double c) {
  const auto n = static_cast<double>(x.size());
  const Vector centred = x.array() - mean;
  const double squares = centred.squaredNorm(), sum = centred.sum();
  // integral over s of s^(-n-1) exp(-sum (x - d s)^2 / (2 s^2)), relative to d = 0; u = 1/s.
  boost::math::quadrature::tanh_sinh<double> rule;
  const auto marginal = [&](double d) {
    const double scale = std::sqrt(n / squares);
    return rule.integrate(
        [&](double u) {
          if (u <= 0.0) return 0.0;
          const double v = u * scale;
          return std::exp((n - 1.0) * std::log(u) - 0.5 * (v * v * squares - 2.0 * d * v * sum + n * d * d) + 0.5 * n);
        },
        0.0, 8.0);
  };
  const double sd = 1.0 / std::sqrt(c);
  const double mixed = rule.integrate(
      [&](double d) { return marginal(d) * std::exp(-0.5 * d * d / (sd * sd)) / (sd * std::sqrt(2.0 * M_PI)); },
      -12.0 * sd, 12.0 * sd);
  return mixed / marginal(0.0);
}

TEST(Anytime, EndsWhereTheBayesFactorSaysSo) {
  Rng rng(3);
  for (const Index n : {12, 20, 33}) {
    const Vector x = (0.3 + rng.normals(n).array()).matrix();
    const Interval interval = anytime_interval(x);
    ASSERT_TRUE(std::isfinite(interval.low));
    EXPECT_NEAR(bayes_factor(x, interval.low, 10.0), 20.0, 1e-4) << n;
    EXPECT_NEAR(bayes_factor(x, interval.high, 10.0), 20.0, 1e-4) << n;
    EXPECT_EQ(interval.n, n);
    EXPECT_NEAR(interval.mean, x.mean(), 1e-15);
  }
}

// The chance that some look, after 20, 40, ..., 400 values, misses the mean: at most 0.05, and not far from it either.
double missed(const std::function<double(Rng&)>& draw, double mean, int runs, Index among = 1) {
  int misses = 0;
  for (int r = 0; r < runs; ++r) {
    Rng rng(29, {static_cast<std::uint64_t>(r)});
    Vector x(400);
    for (double& each : x) each = draw(rng);
    for (Index n = 20; n <= 400; n += 20) {
      const Interval interval = anytime_interval(x.head(n), among);
      if (interval.low <= mean && mean <= interval.high) continue;
      ++misses;
      break;
    }
  }
  return misses / static_cast<double>(runs);
}

TEST(Anytime, CoversUnderTwentyLooks) {
  constexpr int kSimulated = 4000;
  const double error = 3.0 * std::sqrt(0.05 * 0.95 / kSimulated);
  const double normal = missed([](Rng& rng) { return 1.0 + 2.0 * rng.normal(); }, 1.0, kSimulated);
  EXPECT_LE(normal, 0.05 + error);
  EXPECT_GE(normal, 0.005) << "an interval that always covers says too little";
  // Differences of log regrets: skewed; two groups of seeds, one of which ends at the floor; many exact zeros.
  EXPECT_LE(missed([](Rng& rng) { return -std::log(1.0 - rng.uniform()); }, 1.0, kSimulated), 0.05 + error);
  EXPECT_LE(missed([](Rng& rng) { return rng.uniform() < 0.2 ? -1.0 + 0.1 * rng.normal() : 0.1 * rng.normal(); }, -0.2,
                   kSimulated),
            0.05 + error);
  EXPECT_LE(missed([](Rng& rng) { return rng.uniform() < 0.5 ? 0.0 : rng.normal(); }, 0.0, kSimulated), 0.05 + error);
  // Student's interval, looked at as often, misses far more: that is what this one is for.
  int student = 0;
  for (int r = 0; r < 500; ++r) {
    Rng rng(31, {static_cast<std::uint64_t>(r)});
    const Vector x = rng.normals(400);
    for (Index n = 20; n <= 400; n += 20)
      if (const Interval one = mean_interval(x.head(n)); one.low > 0.0 || one.high < 0.0) {
        ++student;
        break;
      }
  }
  EXPECT_GT(student / 500.0, 0.15);
}

TEST(Anytime, ManyIntervalsHoldTogether) {
  const Vector x = alternating(100);
  EXPECT_GT(anytime_interval(x, 88).high, 1.3 * anytime_interval(x).high);
  EXPECT_LE(missed([](Rng& rng) { return rng.normal(); }, 0.0, 4000, 50), 0.05 / 50 + 3.0 * std::sqrt(0.001 / 4000));
}

TEST(Anytime, IsNotMuchWiderThanASingleLook) {
  for (const Index n : {100, 400}) {
    const double ratio = anytime_interval(alternating(n)).high / mean_interval(alternating(n)).high;
    EXPECT_GT(ratio, 1.4);
    EXPECT_LT(ratio, 1.7);
  }
}

TEST(Anytime, FewValuesDecideNothing) {
  for (const Index n : {1, 2, 4}) EXPECT_TRUE(std::isinf(anytime_interval(Vector::Ones(n) * 5.0, 88).high)) << n;
  EXPECT_EQ(is_smaller(anytime_interval(Vector::Constant(3, -5.0), 88), 0.1), Verdict::kUndecided);
  const Interval same = anytime_interval(Vector::Constant(40, -5.0), 88);
  EXPECT_EQ(same.low, -5.0);
  EXPECT_EQ(same.high, -5.0);
}

TEST(Anytime, RefusesNonsense) {
  test::expect_refusal([] { anytime_interval(Vector()); }, {"values"});
  test::expect_refusal([] { anytime_interval(Vector::Zero(3), 0); }, {"among: is 0"});
}

}  // namespace
}  // namespace iqbo

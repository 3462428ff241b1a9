// Oracles: simulation of the rate and then of the count, with the standard library's generators; a gamma rate, under which a
// Poisson count is negative binomial exactly; and the plain distributions where the rate is certain.
#include "policy/predictive_count.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace iqbo {
namespace {

// Draws of counts whose rate is drawn by `rate`.
template <class Rate, class Counted>
std::vector<double> simulated(int draws, Rate rate, Counted counted) {
  std::mt19937_64 random(7);
  std::vector<double> out;
  for (int i = 0; i < draws; ++i) out.push_back(static_cast<double>(counted(rate(random), random)));
  std::sort(out.begin(), out.end());
  return out;
}

double share_up_to(const std::vector<double>& sorted, double y) {
  return static_cast<double>(std::upper_bound(sorted.begin(), sorted.end(), y) - sorted.begin()) /
         static_cast<double>(sorted.size());
}

constexpr int kDraws = 200000;
constexpr double kClose = 0.006;  // five standard errors of a share from so many draws

TEST(PredictiveCount, AGammaRateGivesItsPoissonCountsExactly) {
  const double mean = 0.004, sd = 0.002, exposure = 2000;
  const double shape = mean * mean / (sd * sd);
  std::gamma_distribution<double> rate(shape, mean / shape);
  const auto drawn = simulated(
      kDraws, rate, [&](double g, auto& random) { return std::poisson_distribution<long>(exposure * g)(random); });
  const PredictiveCount count(*poisson_answers(), exposure, mean, sd * sd);
  EXPECT_NEAR(count.mean(), 8.0, 1e-12);
  for (const double y : {0.0, 2.0, 5.0, 8.0, 15.0, 25.0}) EXPECT_NEAR(count.cdf(y), share_up_to(drawn, y), kClose) << y;
}

// The rates that a log link gives are log-normal, not gamma: their counts are matched to 2.5 % in probability, and to 4.5 % where
// counts vary more than Poisson's besides, which is then a product of two distributions.
TEST(PredictiveCount, MatchesLogNormalRates) {
  for (const double dispersion : {1e-9, 0.3}) {
    const double spread = 0.5, exposure = 1000, middle = std::log(0.01);
    std::lognormal_distribution<double> rate(middle, spread);
    const auto drawn = simulated(kDraws, rate, [&](double g, auto& random) {
      double expected = exposure * g;
      if (dispersion > 1e-6)
        expected = std::gamma_distribution<double>(1.0 / dispersion, expected * dispersion)(random);
      return std::poisson_distribution<long>(expected)(random);
    });
    const double mean = std::exp(middle + 0.5 * spread * spread), var = mean * mean * std::expm1(spread * spread);
    const PredictiveCount count(*negative_binomial_answers(dispersion), exposure, mean, var);
    double first = 0, second = 0;
    for (const double y : drawn) first += y / kDraws, second += y * y / kDraws;
    EXPECT_NEAR(count.mean(), first, 0.01 * first);
    EXPECT_NEAR(count.var(), second - first * first, 0.03 * count.var());
    for (const double y : {1.0, 4.0, 8.0, 15.0, 30.0})
      EXPECT_NEAR(count.cdf(y), share_up_to(drawn, y), dispersion > 1e-6 ? 0.045 : 0.025) << y;
  }
}

TEST(PredictiveCount, ProportionsStayWithinTheirTrials) {
  for (const double trials : {20.0, 3000.0}) {  // the exact sum, and the continuous form
    std::mt19937_64 random(3);
    std::gamma_distribution<double> a(6.0), b(14.0);
    const auto beta = [&](auto& from) {
      const double u = a(from), v = b(from);
      return u / (u + v);
    };
    const auto drawn = simulated(kDraws, beta, [&](double g, auto& from) {
      return std::binomial_distribution<long>(static_cast<long>(trials), g)(from);
    });
    const PredictiveCount count(*binomial_answers(), trials, 0.3, 0.3 * 0.7 / 21.0);
    for (const double share : {0.05, 0.2, 0.3, 0.45, 0.7}) {
      const double y = std::floor(share * trials);
      EXPECT_NEAR(count.cdf(y), share_up_to(drawn, y), kClose) << trials << " " << y;
    }
    EXPECT_EQ(count.cdf(trials), 1.0);
    EXPECT_EQ(count.cdf(-1.0), 0.0);
  }
}

TEST(PredictiveCount, QuantilesAreTheLeastCountsThatSuffice) {
  const std::vector<PredictiveCount> two{{*poisson_answers(), 100, 0.02, 0.0}, {*poisson_answers(), 100, 0.2, 1e-3}};
  const Vector weights{{0.25, 0.75}};
  for (const double p : {0.01, 0.025, 0.3, 0.5, 0.975, 0.999}) {
    const double y = quantile(two, weights, p);
    const auto below = [&](double at) { return 0.25 * two[0].cdf(at) + 0.75 * two[1].cdf(at); };
    EXPECT_GE(below(y), p);
    EXPECT_LT(below(y - 1.0), p);
  }
  EXPECT_EQ(quantile({{*poisson_answers(), 10, 0.0, 0.0}}, Vector::Ones(1), 0.975), 0.0);  // a rate of nothing
}

}  // namespace
}  // namespace iqbo

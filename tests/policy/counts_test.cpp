// Policies whose answers are counts: they find high rates, state honest ones, and depend on nothing but what they were told.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>
#include <random>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/fit/linked_fit.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo::test {
namespace {

// 8 x 8 pixels with log-normal rates; districts of 2 x 2 and 4 x 4.
struct Rates {
  static Inputs grid() {
    Rows at(64, 2);
    for (Index i = 0; i < 64; ++i) at.row(i) << static_cast<double>(i % 8), static_cast<double>(i / 8);
    return Inputs(std::move(at));
  }
  static std::vector<BagRow> blocks() {
    std::vector<BagRow> rows;
    Index bag = 0;
    for (const Index size : {2, 4})
      for (Index top = 0; top < 8; top += size)
        for (Index left = 0; left < 8; left += size, ++bag)
          for (Index i = 0; i < size * size; ++i) rows.push_back({bag, 8 * (top + i / size) + left + i % size, 1.0});
    return rows;
  }

  Inputs pixels = grid();
  BagConditional bags{pixels, blocks()};
  Vector f;
  std::mt19937_64 random;

  explicit Rates(std::uint64_t seed, double level = -2.0) : random(seed) {
    Rng rng(seed);
    const Matrix k = Matern32(0.6, Vector::Constant(2, 2.5)).gram(pixels);
    f = (level + (Matrix(k.llt().matrixL()) * rng.normals(64)).array()).exp();
  }

  Setting setting(LikelihoodPtr family = poisson_answers(), std::vector<Link> links = {}) const {
    Setting out{InputSet(pixels), QuerySet(bags.queries()), bags};
    out.likelihood = std::move(family);
    out.links = std::move(links);
    return out;
  }

  Count ask(const Queries& a, double exposure) {
    const double g = (bags.weight() * f)[static_cast<Index>(a.row(0)[0])];
    return {static_cast<double>(std::poisson_distribution<long>(exposure * g)(random)), exposure};
  }
};

TEST(CountPolicy, FindsAHighRateAndSaysHowHigh) {
  int covered = 0;
  double regret = 0, middling = 0;
  constexpr int kRuns = 8;
  for (int run = 0; run < kRuns; ++run) {
    Rates world(static_cast<std::uint64_t>(run) + 1);
    Policy policy(world.setting(poisson_answers(), {Link::kLog}), {}, 3);
    for (int t = 0; t < 20; ++t) {
      const Queries a = policy.suggest().queries;
      policy.observe(a, {world.ask(a, 100)});
    }
    const Recommendation best = policy.best();
    EXPECT_GT(best.low, 0.0);
    EXPECT_LT(best.low, best.mean);
    EXPECT_GT(best.high, best.mean);
    EXPECT_NEAR(best.mean, policy.rates_f(best.x).mean[0], 1e-6 * best.mean);
    covered += best.low <= world.f[*best.row] && world.f[*best.row] <= best.high ? 1 : 0;
    regret += (world.f.maxCoeff() - world.f[*best.row]) / world.f.maxCoeff() / kRuns;
    middling += (world.f.maxCoeff() - world.f.mean()) / world.f.maxCoeff() / kRuns;
  }
  EXPECT_GE(covered, 6);
  EXPECT_LT(regret, 0.5 * middling);
}

TEST(CountPolicy, DependsOnWhatItWasToldAlone) {
  Rates world(5);
  Policy one(world.setting(), {}, 7), other(world.setting(), {}, 7);
  std::vector<std::pair<Queries, Count>> told;
  for (int t = 0; t < 9; ++t) {
    const Queries a = one.suggest().queries;
    const Count answer = world.ask(a, 40);
    one.observe(a, {answer});
    told.emplace_back(a, answer);
  }
  for (const auto& [a, answer] : told) other.observe(a, {answer});
  EXPECT_EQ(one.suggest().queries.coordinates(), other.suggest().queries.coordinates());
  EXPECT_EQ(one.best().mean, other.best().mean);
}

TEST(CountPolicy, RemembersItsFits) {
  Rates world(6);
  Policy one(world.setting(negative_binomial_answers(0.1)), {}, 2);
  for (Index i = 0; i < 12; ++i) {
    const Queries a = world.bags.queries().slice(i, 1);
    one.observe(a, {world.ask(a, 60)});
  }
  const Hyperparameters fit = *one.hyperparameters();
  EXPECT_TRUE(fit.dispersion);
  EXPECT_FALSE(fit.noise_var);
  EXPECT_THAT(fit.link, testing::AnyOf("log", "identity"));
  Rates again(6);
  Policy other(again.setting(negative_binomial_answers(0.1)), {}, 2);
  other.remember(fit);
  for (Index i = 0; i < 12; ++i) {
    const Queries a = again.bags.queries().slice(i, 1);
    other.observe(a, {again.ask(a, 60)});
  }
  EXPECT_EQ(other.fit(), nullptr);
  EXPECT_EQ(one.best().mean, other.best().mean);
  EXPECT_EQ(one.suggest().queries.coordinates(), other.suggest().queries.coordinates());
}

TEST(CountPolicy, EveryPolicyAsks) {
  Rates world(4);
  for (const PolicyKind kind : all_policies()) {
    if (kind == PolicyKind::kCustom || kind == PolicyKind::kMfmes) continue;
    PolicyOptions options;
    options.policy = kind;
    options.above = 0.1;
    options.members = 2;
    Policy policy(world.setting(), options, 1);
    for (int t = 0; t < 8; ++t) {
      const Suggestion next = policy.suggest();
      ASSERT_EQ(next.queries.size(), 1) << to_string(kind);
      policy.observe(next.queries, {world.ask(next.queries, 30)});
    }
    const Suggestion batch = policy.suggest(3, world.bags.queries().slice(2, 1));
    EXPECT_EQ(batch.queries.size(), 3) << to_string(kind);
    EXPECT_TRUE(std::isfinite(policy.best().mean)) << to_string(kind);
  }
}

// More people asked, a more informative answer: exposure that is known of each query decides what is asked.
TEST(CountPolicy, AsksWhereTheExposureIs) {
  Rates world(9);
  Setting setting = world.setting(poisson_answers(), {Link::kLog});
  setting.kernel = Matern32(0.6, Vector::Constant(2, 2.5)).clone();
  setting.mean = ConstantMean(-2.0).clone();
  setting.exposure = [](const Queries& a) {
    Vector out = Vector::Constant(a.size(), 1.0);
    for (Index i = 0; i < a.size(); ++i)
      if (a.row(i)[0] == 6.0) out[i] = 1000.0;
    return out;
  };
  PolicyOptions options;
  options.policy = PolicyKind::kCkg;
  options.initial = 1;
  Policy policy(setting, options, 4);
  const Queries first = policy.suggest().queries;
  policy.observe(first, {Count{2, 10}});
  EXPECT_EQ(policy.suggest().queries.row(0)[0], 6.0);
}

TEST(CountPolicy, ForecastsAreRates) {
  Rates world(8);
  Policy policy(world.setting(), {}, 5);
  for (Index i = 0; i < 12; ++i) {
    const Queries a = world.bags.queries().slice(i, 1);
    policy.observe(a, {world.ask(a, 80)});
  }
  const Marginals ahead = policy.forecasts(4);
  EXPECT_EQ(ahead.mean.size(), 8);
  EXPECT_GT(ahead.mean.minCoeff(), 0.0);
  EXPECT_LT(ahead.mean.maxCoeff(), 2.0);
  EXPECT_GT(ahead.var.minCoeff(), 0.0);
}

TEST(CountPolicy, RefusesValuesForCountsAndCountsForValues) {
  Rates world(1);
  Policy counts(world.setting(), {}, 1);
  const Queries a = world.bags.queries().slice(0, 1);
  EXPECT_THROW(counts.observe(a, Vector::Ones(1)), std::invalid_argument);
  EXPECT_THROW(counts.observe(a, {Count{1.5, 10}}), std::invalid_argument);
  EXPECT_EQ(counts.size(), 0);
  Setting plain = world.setting();
  plain.likelihood = nullptr;
  Policy values(plain, {}, 1);
  EXPECT_THROW(values.observe(a, {Count{1, 10}}), std::invalid_argument);
  EXPECT_THROW(Policy(world.setting(poisson_answers(), {Link::kLogit}), {}, 1), std::invalid_argument);
}

// Proportions stay between 0 and 1.
TEST(CountPolicy, Proportions) {
  Rates world(3, -1.0);
  world.f = world.f.array() / (1 + world.f.array());
  Policy policy(world.setting(binomial_answers()), {}, 3);
  for (int t = 0; t < 14; ++t) {
    const Queries a = policy.suggest().queries;
    const double g = (world.bags.weight() * world.f)[static_cast<Index>(a.row(0)[0])];
    policy.observe(a, {Count{static_cast<double>(std::binomial_distribution<long>(40, g)(world.random)), 40}});
  }
  const Recommendation best = policy.best();
  EXPECT_GE(best.low, 0.0);
  EXPECT_LT(best.high, policy.link() == Link::kLogit ? 1.0 : 1.5);
}

// Positive measurements, Gaussian noise: link chosen by evidence.
TEST(CountPolicy, PositiveMeasurements) {
  Rates world(11);
  Setting setting = world.setting(nullptr, {Link::kLog, Link::kIdentity});
  Policy policy(setting, {}, 3);
  Rng noise(4);
  for (int t = 0; t < 30; ++t) {
    const Queries a = policy.suggest().queries;
    const double g = (world.bags.weight() * world.f)[static_cast<Index>(a.row(0)[0])];
    policy.observe(a, Vector::Constant(1, g + 0.005 * noise.normal()));
  }
  EXPECT_EQ(policy.links().size(), 2U);
  EXPECT_EQ(policy.link(), Link::kLog);
  EXPECT_GT(policy.best().low, 0.0);
  ASSERT_TRUE(policy.hyperparameters()->noise_var);
  EXPECT_LT(policy.hyperparameters()->noise_var->value, 0.01);
}

}  // namespace
}  // namespace iqbo::test

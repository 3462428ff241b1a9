// Gaussian answers that are all positive: whether f = exp(eta) is asked of the evidence, and what follows from it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/policy/policy.hpp"

namespace iqbo::test {
namespace {

constexpr Index kSide = 10;

Inputs pixels() {
  Rows at(kSide * kSide, 2);
  for (Index i = 0; i < at.rows(); ++i) at.row(i) << static_cast<double>(i % kSide), static_cast<double>(i / kSide);
  return Inputs(std::move(at));
}

// Overlapping squares of 2 and of 3 pixels a side.
BagConditional squares() {
  std::vector<BagRow> rows;
  Index bag = 0;
  for (const Index size : {2, 3})
    for (Index top = 0; top + size <= kSide; top += size - 1)
      for (Index left = 0; left + size <= kSide; left += size - 1, ++bag)
        for (Index i = 0; i < size * size; ++i) rows.push_back({bag, kSide * (top + i / size) + left + i % size, 1.0});
  return {pixels(), rows};
}

struct World {
  BagConditional bags = squares();
  Vector eta, f;
  double noise_sd;

  World(std::uint64_t seed, bool skewed, double noise) : noise_sd(noise) {
    Rng rng(seed);
    const Matrix k = Matern32(1.0, Vector::Constant(2, 3.0)).gram(pixels());
    eta = Matrix(k.llt().matrixL()) * rng.normals(kSide * kSide);
    f = skewed ? Vector((1.2 * eta).array().exp()) : Vector(7.0 - (0.7 * eta).array().exp());
  }

  Setting setting() const { return {InputSet(pixels()), QuerySet(bags.queries()), bags}; }
  Vector answer(const Queries& a, Index t) const {
    return bags.average(a, f).col(0) + Vector::Constant(1, noise_sd * Rng(9, {static_cast<std::uint64_t>(t)}).normal());
  }
  Queries run(Policy& policy, Index steps) const {
    Queries asked;
    for (Index t = 0; t < steps; ++t) {
      const Queries a = policy.suggest().queries;
      policy.observe(a, answer(a, t));
      asked = asked.joined(a);
    }
    return asked;
  }
};

TEST(PositiveAnswers, OfASkewedFieldSpeakForExp) {
  int covered = 0;
  constexpr int kRuns = 4;
  for (std::uint64_t seed = 1; seed <= kRuns; ++seed) {
    const World world(seed, true, 0.02);
    Policy policy(world.setting(), {}, seed);
    world.run(policy, 20);
    ASSERT_EQ(policy.links().size(), 2U);
    EXPECT_EQ(policy.link(), Link::kLog);
    EXPECT_EQ(policy.hyperparameters()->link, "log");
    const Recommendation best = policy.best();
    EXPECT_GT(best.low, 0.0);
    covered += best.low <= world.f[*best.row] && world.f[*best.row] <= best.high ? 1 : 0;
  }
  EXPECT_GE(covered, 3);
}

// Its low values stand out, not its high ones.
TEST(PositiveAnswers, OfAFieldSkewedTheOtherWayDoNot) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const World world(seed, false, 0.02);
    Policy policy(world.setting(), {}, seed);
    world.run(policy, 22);
    EXPECT_EQ(policy.link(), Link::kIdentity);
  }
}

// An answer that is not positive, as noise makes it, is absorbed, and the next fit does not ask for exp.
TEST(PositiveAnswers, OneThatIsNotRulesItOut) {
  const World world(2, true, 0.02);
  Policy policy(world.setting(), {}, 1);
  const Queries asked = world.run(policy, 20);
  ASSERT_EQ(policy.link(), Link::kLog);
  policy.observe(asked.slice(0, 1), Vector::Constant(1, -0.01));
  const Recommendation before = policy.best();
  EXPECT_TRUE(std::isfinite(before.mean) && before.low > 0.0);
  for (Index t = 0; t < 12; ++t) policy.observe(asked.slice(t, 1), world.answer(asked.slice(t, 1), 100 + t));
  EXPECT_EQ(policy.link(), Link::kIdentity);
  EXPECT_TRUE(std::isfinite(policy.best().mean));
}

TEST(PositiveAnswers, WhatIsAskedDependsOnThemAlone) {
  const World world(3, true, 0.02);
  Policy one(world.setting(), {}, 4), other(world.setting(), {}, 4);
  const Queries asked = world.run(one, 23);
  ASSERT_EQ(one.link(), Link::kLog);
  for (Index t = 0; t < asked.size(); ++t) other.observe(asked.slice(t, 1), world.answer(asked.slice(t, 1), t));
  EXPECT_EQ(one.suggest().queries.coordinates(), other.suggest().queries.coordinates());
  const Recommendation best = one.best();
  EXPECT_EQ(best.mean, other.best().mean);
  EXPECT_EQ(best.high, other.best().high);
  Policy third(world.setting(), {}, 4);
  third.remember(*one.hyperparameters());
  for (Index t = 0; t < asked.size(); ++t) third.observe(asked.slice(t, 1), world.answer(asked.slice(t, 1), t));
  EXPECT_EQ(third.fit(), nullptr);
  EXPECT_EQ(third.link(), Link::kLog);
  EXPECT_EQ(third.suggest().queries.coordinates(), one.suggest().queries.coordinates());
  EXPECT_EQ(third.best().high, best.high);
}

// A study whose fits do not say their link was begun before links were asked for.
TEST(PositiveAnswers, AreNotAskedInAStudyThatBeganWithout) {
  const World world(3, true, 0.02);
  Policy one(world.setting(), {}, 4);
  const Queries asked = world.run(one, 9);
  Hyperparameters old = *one.hyperparameters();
  old.link.clear();
  for (Hyperparameters& each : old.members) each.link.clear();
  Policy other(world.setting(), {}, 4);
  other.remember(old);
  for (Index t = 0; t < asked.size(); ++t) other.observe(asked.slice(t, 1), world.answer(asked.slice(t, 1), t));
  world.run(other, 15);
  EXPECT_EQ(other.link(), Link::kIdentity);
}

}  // namespace
}  // namespace iqbo::test

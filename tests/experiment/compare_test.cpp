#include "iqbo/experiment/compare.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "support/errors.hpp"

namespace iqbo {
namespace {

using enum Verdict;

TEST(Compare, IntervalIsStudents) {
  // 1 .. 5: mean 3, sd sqrt(2.5), t_{0.975, 4} = 2.7764451052 (tables).
  const Interval interval = mean_interval(Vector{{1.0, 2.0, 3.0, 4.0, 5.0}});
  const double half = 2.7764451051977987 * std::sqrt(2.5 / 5.0);
  EXPECT_NEAR(interval.mean, 3.0, 1e-14);
  EXPECT_NEAR(interval.low, 3.0 - half, 1e-12);
  EXPECT_NEAR(interval.high, 3.0 + half, 1e-12);
  EXPECT_EQ(interval.n, 5);
}

TEST(Compare, IntervalsThatHoldTogetherAreWider) {
  // Five intervals with 95 % together: t_{0.995, 4} = 4.6040948713 (tables).
  const Interval interval = mean_interval(Vector{{1.0, 2.0, 3.0, 4.0, 5.0}}, 5);
  EXPECT_NEAR(interval.high, 3.0 + 4.604094871349993 * std::sqrt(2.5 / 5.0), 1e-11);
}

TEST(Compare, OneSeedDecidesNothing) {
  const Interval interval = mean_interval(Vector{{-7.0}});
  EXPECT_TRUE(std::isinf(interval.low) && std::isinf(interval.high));
  EXPECT_EQ(is_smaller(interval), kUndecided);
}

TEST(Compare, PairsCancelWhatSeedsShare) {
  const Vector shared{{100.0, -50.0, 3.0, 77.0}};
  const Interval interval = paired_difference(shared.array() - 1.0, shared);
  EXPECT_NEAR(interval.low, -1.0, 1e-12);
  EXPECT_NEAR(interval.high, -1.0, 1e-12);
}

TEST(Compare, VerdictIsWhereTheIntervalLies) {
  EXPECT_EQ(is_smaller({-1.0, -1.5, -0.5, 9}), kHolds);
  EXPECT_EQ(is_smaller({1.0, 0.5, 1.5, 9}), kDoesNotHold);
  EXPECT_EQ(is_smaller({-1.0, -2.5, 0.5, 9}), kUndecided);
  EXPECT_EQ(is_smaller({-1.0, -2.0, 0.0, 9}), kUndecided) << "touching zero is not below it";
  EXPECT_EQ(is_smaller({0.0, 0.0, 0.0, 9}), kDoesNotHold) << "no difference at all is not smaller";
}

// In this order: equal, holds, does not hold, undecided.
TEST(Compare, WhatDoesNotMatterIsEqual) {
  EXPECT_EQ(is_smaller({-0.05, -0.08, -0.02, 9}, 0.1), kEqual) << "although it excludes 0";
  EXPECT_EQ(is_smaller({0.05, 0.02, 0.1, 9}, 0.1), kEqual);
  EXPECT_EQ(is_smaller({-0.05, -0.11, -0.02, 9}, 0.1), kHolds);
  EXPECT_EQ(is_smaller({0.05, 0.0, 0.11, 9}, 0.1), kDoesNotHold);
  EXPECT_EQ(is_smaller({0.0, -0.11, 0.05, 9}, 0.1), kUndecided);
  EXPECT_EQ(is_smaller({0.0, 0.0, 0.0, 9}, 0.1), kEqual);
  EXPECT_EQ(to_string(kEqual), "equal");
}

TEST(Compare, AClaimAboutAllNeedsAll) {
  EXPECT_EQ(all_of({kHolds, kHolds}), kHolds);
  EXPECT_EQ(all_of({kHolds, kUndecided}), kUndecided);
  EXPECT_EQ(all_of({kUndecided, kDoesNotHold, kHolds}), kDoesNotHold);
  EXPECT_EQ(all_of({kHolds, kEqual}), kEqual);
  EXPECT_EQ(all_of({kEqual, kUndecided}), kUndecided);
  EXPECT_EQ(to_string(kDoesNotHold), "does not hold");
}

TEST(Compare, RefusesWhatIsNoNumber) {
  test::expect_refusal(
      [] {
        mean_interval(Vector{{1.0, std::numeric_limits<double>::quiet_NaN()}});
      },
      {"values: row 1 is nan, expected a finite number"});
  test::expect_refusal([] { paired_difference(Vector::Zero(3), Vector::Zero(2)); }, {"other: 2 rows, expected 3"});
}

}  // namespace
}  // namespace iqbo

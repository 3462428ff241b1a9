#include "iqbo/space/finite_set.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <chrono>
#include <cstdint>
#include <limits>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"

namespace iqbo::test {
namespace {

const Rows kDistricts{{0, 0}, {0, 1}, {1, 0}, {-2, 0.5}};

TEST(FiniteSet, KeepsItsPointsInOrder) {
  const InputSet set((Inputs(kDistricts)));
  EXPECT_EQ(set.size(), 4);
  EXPECT_EQ(set.dimension(), 2);
  EXPECT_EQ(set.points().coordinates(), kDistricts);
}

TEST(FiniteSet, FindsExactMembersOnly) {
  const InputSet set((Inputs(kDistricts)));
  EXPECT_EQ(set.find(Eigen::RowVector2d(1, 0)), 2);
  EXPECT_EQ(set.find(Eigen::RowVector2d(-2, 0.5)), 3);
  EXPECT_EQ(set.find(Eigen::RowVector2d(1, 1)), std::nullopt);
  EXPECT_EQ(set.find(Eigen::RowVector2d(std::nextafter(1.0, 2.0), 0)), std::nullopt);
  EXPECT_EQ(set.find(Eigen::RowVector2d(std::numeric_limits<double>::quiet_NaN(), 0)), std::nullopt);
}

TEST(FiniteSet, MinusZeroIsZero) {
  const InputSet set((Inputs(kDistricts)));
  EXPECT_EQ(set.find(Eigen::RowVector2d(-0.0, 1)), 1);
  EXPECT_EQ(set.find(Eigen::RowVector2d(1, -0.0)), 2);
  expect_refusal([] { InputSet(Inputs({{0.0}, {-0.0}})); }, {"x: row 1 repeats row 0"});
}

TEST(FiniteSet, PositionsMayRepeatAndComeInAnyOrder) {
  const QuerySet set((Queries(kDistricts)));
  EXPECT_EQ(set.positions(Queries({{1, 0}, {0, 0}, {1, 0}})), (std::vector<Index>{2, 0, 2}));
  EXPECT_TRUE(set.positions(Queries(Rows(0, 2))).empty());
}

TEST(FiniteSet, PositionsNameTheFirstStranger) {
  const QuerySet set((Queries(kDistricts)));
  expect_refusal(
      [&] {
        set.positions(Queries({{1, 0}, {0, 0.5}, {7, 7}}));
      },
      {"a: row 1 is not in the set, expected one of its 4 points"});
  expect_refusal([&] { set.positions(Queries({{7, 7}}), "start"); }, {"start: row 0 is not in the set"});
}

TEST(FiniteSet, RefusesNoPointsAndRepeatedPointsNamingBothRows) {
  expect_refusal([] { InputSet{Inputs()}; }, {"x: is empty, expected at least one"});
  expect_refusal([] { QuerySet(Queries(Rows(0, 2))); }, {"a: is empty"});
  expect_refusal(
      [] {
        QuerySet(Queries({{1, 2}, {3, 4}, {5, 6}, {3, 4}}));
      },
      {"a: row 3 repeats row 1, expected distinct points"});
}

TEST(FiniteSet, RefusesPointsOfAnotherDimension) {
  const InputSet set((Inputs(kDistricts)));
  expect_refusal([&] { set.find(Eigen::RowVector3d(0, 0, 0)); }, {"x: 3 columns, expected 2"});
  expect_refusal([&] { set.positions(Inputs({{1}}), "start"); }, {"start: 1 columns, expected 2"});
}

TEST(FiniteSet, MovesAndCopiesWhole) {
  InputSet set((Inputs(kDistricts)));
  const InputSet copy = set;
  const InputSet moved = std::move(set);
  EXPECT_EQ(copy.find(Eigen::RowVector2d(0, 1)), 1);
  EXPECT_EQ(moved.find(Eigen::RowVector2d(0, 1)), 1);
}

RC_GTEST_PROP(FiniteSet, EveryMemberIsFoundWhereItStands, (std::uint64_t seed)) {
  Rng rng(seed);
  const Inputs x(rng.uniforms(1 + rng.below(50), 1 + rng.below(4)));
  const InputSet set(x);
  const std::vector<Index> positions = set.positions(x);
  for (Index i = 0; i < x.size(); ++i) RC_ASSERT(positions[static_cast<std::size_t>(i)] == i);
}

// A lattice, ten times the 20,000 points we promise to handle. Looking along the list would take 2e10 comparisons,
// about a minute; looking up takes a tenth of a second, so the limit has room for sanitizers and a busy machine.
TEST(FiniteSet, DoesNotSearchTheWholeList) {
  constexpr std::chrono::seconds kLimit{10};
  Rows lattice(200000, 2);
  for (Index i = 0; i < lattice.rows(); ++i)
    lattice.row(i) << static_cast<double>(i / 400), 0.25 * static_cast<double>(i % 400);
  const Inputs x(lattice);
  const auto start = std::chrono::steady_clock::now();
  const InputSet set(x);
  const std::vector<Index> positions = set.positions(x);
  EXPECT_LT(std::chrono::steady_clock::now() - start, kLimit);
  EXPECT_EQ(positions.back(), x.size() - 1);
}

TEST(FiniteSet, RoundedPointsMeanMembers) {
  const InputSet set(Inputs{{0.0, 5.0}, {10.0, 5.0}});
  EXPECT_EQ(set.snapped(Inputs{{9.999999, 5.0}}, 1e-6).coordinates(), (Rows{{10.0, 5.0}}));
  EXPECT_EQ(set.snapped(Inputs{{9.9999, 5.0}}, 1e-6).coordinates(), (Rows{{9.9999, 5.0}})) << "too far";
  EXPECT_EQ(set.snapped(Inputs{{0.0, 5.000004}}, 1e-6).coordinates(), (Rows{{0.0, 5.0}}))
      << "of 5, where nothing varies";
}

}  // namespace
}  // namespace iqbo::test

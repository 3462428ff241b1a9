#include "iqbo/space/box.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cstdint>
#include <limits>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

InputBox random_box(Rng& rng) {
  const Index d = 1 + rng.below(4);
  const Vector lower = 3 * rng.normals(d);
  return {lower, lower + 5 * rng.uniforms(d, 1)};
}

Inputs random_points(Rng& rng, Index d) { return Inputs(10 * (rng.uniforms(20, d).array() - 0.5)); }

TEST(Box, KeepsItsEnds) {
  const QueryBox box(Vector{{0, -1}}, Vector{{2, 1}});
  EXPECT_EQ(box.dimension(), 2);
  EXPECT_EQ(box.lower(), (Vector{{0, -1}}));
  EXPECT_EQ(box.upper(), (Vector{{2, 1}}));
}

TEST(Box, ContainsItsEndsAndNothingBeyond) {
  const InputBox box(Vector{{0, -1}}, Vector{{2, 1}});
  EXPECT_TRUE(box.contains(Eigen::RowVector2d(0, -1)));
  EXPECT_TRUE(box.contains(Eigen::RowVector2d(2, 1)));
  EXPECT_TRUE(box.contains(Eigen::RowVector2d(1, 0)));
  EXPECT_FALSE(box.contains(Eigen::RowVector2d(std::nextafter(2.0, 3.0), 0)));
  EXPECT_FALSE(box.contains(Eigen::RowVector2d(0, std::nextafter(-1.0, -2.0))));
  EXPECT_FALSE(box.contains(Eigen::RowVector2d(kNan, 0)));
}

TEST(Box, RefusesEndsThatAreNoBox) {
  expect_refusal([] { InputBox(Vector(), Vector()); }, {"lower: is empty, expected at least one"});
  expect_refusal([] { InputBox(Vector{{0, 0}}, Vector{{1}}); }, {"upper: 1 rows, expected 2"});
  expect_refusal([] { InputBox(Vector{{0, kNan}}, Vector{{1, 1}}); }, {"lower: row 1 is nan, expected a finite"});
  expect_refusal([] { InputBox(Vector{{0, 0}}, Vector{{kInf, 1}}); }, {"upper: row 0 is inf, expected a finite"});
  expect_refusal([] { InputBox(Vector{{0, 1}}, Vector{{1, 1}}); }, {"upper: row 1 is 1, expected more than lower, 1"});
  expect_refusal([] { InputBox(Vector{{0, 2}}, Vector{{1, 1}}); }, {"upper: row 1 is 1, expected more than lower, 2"});
}

TEST(Box, RequireInsideNamesTheFirstCellOutsideAndItsInterval) {
  const InputBox box(Vector{{0, -1}}, Vector{{2, 1}});
  EXPECT_NO_THROW(box.require_inside(Inputs({{0, -1}, {2, 1}})));
  EXPECT_NO_THROW(box.require_inside(Inputs(Rows(0, 2))));
  expect_refusal(
      [&] {
        box.require_inside(Inputs({{1, 0}, {1, 1.5}, {9, 9}}));
      },
      {"x: row 1, column 1 is 1.5, expected a value in [-1, 1]"});
  expect_refusal(
      [&] {
        box.require_inside(Inputs({{-0.25, 7}}), "start");
      },
      {"start: row 0, column 0 is -0.25, expected a value in [0, 2]"});
}

TEST(Box, RefusesPointsOfAnotherDimension) {
  const QueryBox box(Vector{{0, -1}}, Vector{{2, 1}});
  expect_refusal([&] { box.contains(Eigen::RowVector3d(0, 0, 0)); }, {"a: 3 columns, expected 2"});
  expect_refusal([&] { box.require_inside(Queries({{1}}), "start"); }, {"start: 1 columns, expected 2"});
  expect_refusal([&] { box.clipped(Queries({{1}})); }, {"a: 1 columns, expected 2"});
}

TEST(Box, ClippedMovesEachCoordinateToTheNearestEnd) {
  const InputBox box(Vector{{0, -1}}, Vector{{2, 1}});
  EXPECT_EQ(box.clipped(Inputs({{-3, 0.5}, {1, 4}, {5, -5}})).coordinates(), (Rows{{0, 0.5}, {1, 1}, {2, -1}}));
}

RC_GTEST_PROP(Box, ClippedIsInsideIdempotentAndKeepsWhatWasInside, (std::uint64_t seed)) {
  Rng rng(seed);
  const InputBox box = random_box(rng);
  const Inputs x = random_points(rng, box.dimension());
  const Inputs clipped = box.clipped(x);
  box.require_inside(clipped);
  RC_ASSERT(box.clipped(clipped).coordinates() == clipped.coordinates());
  for (Index i = 0; i < x.size(); ++i) {
    RC_ASSERT(box.contains(clipped.row(i)));
    if (box.contains(x.row(i))) RC_ASSERT(clipped.row(i) == x.row(i));
  }
}

// No point of the box is nearer than the clipped one.
RC_GTEST_PROP(Box, ClippedIsTheNearestPoint, (std::uint64_t seed)) {
  Rng rng(seed);
  const InputBox box = random_box(rng);
  const Inputs x = random_points(rng, box.dimension());
  const Inputs clipped = box.clipped(x);
  const Inputs inside = box.clipped(random_points(rng, box.dimension()));
  for (Index i = 0; i < x.size(); ++i)
    RC_ASSERT((x.row(i) - clipped.row(i)).norm() <= (x.row(i) - inside.row(i)).norm() * (1 + kRounding));
}

TEST(Box, GridRunsFastestAlongTheLastAxis) {
  const InputBox box(Vector{{0, 10}}, Vector{{1, 30}});
  EXPECT_EQ(box.grid({2, 3}).coordinates(), (Rows{{0, 10}, {0, 20}, {0, 30}, {1, 10}, {1, 20}, {1, 30}}));
}

TEST(Box, GridOfOneTakesTheMiddle) {
  const InputBox box(Vector{{0, 10}}, Vector{{1, 30}});
  EXPECT_EQ(box.grid({1, 2}).coordinates(), (Rows{{0.5, 10}, {0.5, 30}}));
}

RC_GTEST_PROP(Box, GridHasExactEndsEqualStepsAndStaysInside, (std::uint64_t seed)) {
  Rng rng(seed);
  const InputBox box = random_box(rng);
  std::vector<Index> counts;
  Index total = 1;
  for (Index j = 0; j < box.dimension(); ++j) total *= counts.emplace_back(2 + rng.below(4));
  const Inputs grid = box.grid(counts);
  RC_ASSERT(grid.size() == total);
  box.require_inside(grid);
  RC_ASSERT(grid.row(0) == box.lower().transpose());
  RC_ASSERT(grid.row(total - 1) == box.upper().transpose());
  const auto last = static_cast<std::size_t>(box.dimension() - 1);
  const double length = box.upper()[box.dimension() - 1] - box.lower()[box.dimension() - 1];
  for (Index i = 1; i < counts[last]; ++i) {
    const double step = grid.row(i)[box.dimension() - 1] - grid.row(i - 1)[box.dimension() - 1];
    RC_ASSERT(std::abs(step * static_cast<double>(counts[last] - 1) - length) <
              kRounding * (1 + box.lower().cwiseAbs().maxCoeff() + length));
  }
}

TEST(Box, GridRefusesCountsThatDoNotFit) {
  const InputBox box(Vector{{0, 10}}, Vector{{1, 30}});
  expect_refusal([&] { box.grid({3}); }, {"counts: 1 rows, expected 2"});
  expect_refusal([&] { box.grid({3, 0}); }, {"counts: row 1 is 0, expected at least 1"});
  expect_refusal([&] { box.grid({-2, 1}); }, {"counts: row 0 is -2, expected at least 1"});
}

TEST(Box, RefusesAGridThatNoMemoryHolds) {
  const InputBox box(Vector::Zero(5), Vector::Ones(5));
  test::expect_refusal([&] { box.grid({1000, 1000, 1000, 1000, 1000}); }, {"counts", "points", "coarser"});
}

}  // namespace
}  // namespace iqbo::test

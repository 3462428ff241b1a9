// Oracle: the polygon is clipped to each cell by Sutherland and Hodgman's algorithm, and measured by the shoelace formula.
#include "map/coverage.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace iqbo::internal {
namespace {

using Point = std::array<double, 2>;
using Polygon = std::vector<Point>;

double area(const Polygon& p) {
  double twice = 0;
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point& a = p[i];
    const Point& b = p[(i + 1) % p.size()];
    twice += a[0] * b[1] - b[0] * a[1];
  }
  return std::abs(twice) / 2;
}

// What lies on the good side of one line, along axis j.
Polygon cut(const Polygon& p, std::size_t j, double at, bool above) {
  Polygon out;
  const auto good = [&](const Point& q) { return above ? q[j] >= at : q[j] <= at; };
  for (std::size_t i = 0; i < p.size(); ++i) {
    const Point& a = p[i];
    const Point& b = p[(i + 1) % p.size()];
    if (good(a)) out.push_back(a);
    if (good(a) == good(b)) continue;
    const double t = (at - a[j]) / (b[j] - a[j]);
    out.push_back({a[0] + t * (b[0] - a[0]), a[1] + t * (b[1] - a[1])});
  }
  return out;
}

double clipped_area(const Polygon& p, int row, int column) {
  Polygon q = cut(p, 0, column, true);
  q = cut(q, 0, column + 1, false);
  q = cut(q, 1, row, true);
  return area(cut(q, 1, row + 1, false));
}

MapRing ring_of(const Polygon& p, bool hole = false) {
  MapRing out{Rows(static_cast<Index>(p.size()), 2), hole};
  for (std::size_t i = 0; i < p.size(); ++i) out.points.row(static_cast<Index>(i)) << p[i][0], p[i][1];
  return out;
}

// Star-shaped about its middle, so that it does not cross itself.
Polygon star(const std::vector<double>& radii, Point middle, double largest) {
  Polygon out;
  for (std::size_t i = 0; i < radii.size(); ++i) {
    const double angle = 2 * std::numbers::pi * static_cast<double>(i) / static_cast<double>(radii.size());
    out.push_back({middle[0] + largest * radii[i] * std::cos(angle), middle[1] + largest * radii[i] * std::sin(angle)});
  }
  return out;
}

std::map<std::pair<Index, Index>, double> shares_of(const std::vector<MapRing>& rings, Index rows, Index columns) {
  std::map<std::pair<Index, Index>, double> out;
  for (const CellShare& cell : covered_cells(rings, rows, columns)) out[{cell.row, cell.column}] += cell.share;
  return out;
}

constexpr double kRounding = 1e-9;  // the sliver that is dropped

RC_GTEST_PROP(Coverage, IsTheAreaOfTheClippedPolygon, ()) {
  const auto radii = *rc::gen::container<std::vector<int>>(12, rc::gen::inRange(5, 100));
  const auto at = *rc::gen::pair(rc::gen::inRange(-300, 1100), rc::gen::inRange(-300, 900));
  const double largest = *rc::gen::inRange(1, 120) / 10.0;
  std::vector<double> r(radii.begin(), radii.end());
  for (double& each : r) each /= 100;
  const Point middle{at.first / 100.0, at.second / 100.0};
  Polygon outer = star(r, middle, largest);
  for (double& each : r) each *= 0.5;
  const Polygon hole = star(r, middle, largest);
  if (*rc::gen::arbitrary<bool>()) std::reverse(outer.begin(), outer.end());  // directions do not matter
  constexpr Index kRows = 6;
  constexpr Index kColumns = 8;  // polygons reach beyond them
  const auto shares = shares_of({ring_of(outer), ring_of(hole, true)}, kRows, kColumns);
  for (Index row = 0; row < kRows; ++row)
    for (Index column = 0; column < kColumns; ++column) {
      const auto found = shares.find({row, column});
      const double want = clipped_area(outer, static_cast<int>(row), static_cast<int>(column)) -
                          clipped_area(hole, static_cast<int>(row), static_cast<int>(column));
      RC_ASSERT(std::abs((found == shares.end() ? 0.0 : found->second) - want) < 2 * kRounding);
    }
}

TEST(Coverage, BordersOnCellsCoverThemWholly) {
  const auto shares = shares_of({ring_of({{1, 1}, {3, 1}, {3, 4}, {1, 4}, {1, 1}})}, 5, 5);
  EXPECT_EQ(shares.size(), 6U);
  for (const auto& [cell, share] : shares) EXPECT_DOUBLE_EQ(share, 1.0);
}

TEST(Coverage, NeighboursShareACellWithoutLoss) {
  const Polygon left{{0, 0}, {2.3, 0.1}, {1.1, 2.7}, {2.9, 5}, {0, 5}};
  const Polygon right{{5, 0}, {5, 5}, {2.9, 5}, {1.1, 2.7}, {2.3, 0.1}, {0, 0}};
  auto sum = shares_of({ring_of(left)}, 5, 5);
  for (const auto& [cell, share] : shares_of({ring_of(right)}, 5, 5)) sum[cell] += share;
  ASSERT_EQ(sum.size(), 25U);
  for (const auto& [cell, share] : sum) EXPECT_NEAR(share, 1.0, kRounding);
}

TEST(Coverage, KeepsLargeCoordinatesAndNothingBeyond) {
  const double far = 2e6;
  Polygon p{{far + 0.25, 10.5}, {far + 1.75, 10.5}, {far + 1.75, 11}, {far + 0.25, 11}};
  const auto shares = shares_of({ring_of(p)}, 20, 2'000'010);
  ASSERT_EQ(shares.size(), 2U);
  EXPECT_NEAR(shares.begin()->second, 0.375, kRounding);
  EXPECT_TRUE(covered_cells({ring_of({{-5, -5}, {-1, -5}, {-1, -1}})}, 4, 4).empty());
  EXPECT_TRUE(covered_cells({}, 4, 4).empty());
  EXPECT_TRUE(covered_cells({ring_of({{0, 0}, {1, 1}})}, 4, 4).empty());
}

}  // namespace
}  // namespace iqbo::internal

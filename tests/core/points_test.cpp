#include "iqbo/core/points.hpp"

#include <gtest/gtest.h>

#include <limits>
#include <type_traits>

#include "support/errors.hpp"

namespace iqbo::test {
namespace {

constexpr double kNan = std::numeric_limits<double>::quiet_NaN();
constexpr double kInf = std::numeric_limits<double>::infinity();

static_assert(!std::is_convertible_v<Rows, Inputs>, "a bare matrix does not say which space it is of");
static_assert(!std::is_convertible_v<Queries, Inputs> && !std::is_constructible_v<Inputs, Queries>);

TEST(Points, HoldsOnePointARow) {
  const Inputs x({{1, 2, 3}, {4, 5, 6}});
  EXPECT_EQ(x.size(), 2);
  EXPECT_EQ(x.dimension(), 3);
  EXPECT_FALSE(x.empty());
  EXPECT_EQ(x.coordinates(), (Rows{{1, 2, 3}, {4, 5, 6}}));
  EXPECT_EQ(Vector(x.row(1).transpose()), (Vector{{4, 5, 6}}));
}

TEST(Points, MayBeNone) {
  EXPECT_TRUE(Inputs().empty());
  EXPECT_EQ(Inputs().dimension(), 0);
  EXPECT_TRUE(Inputs(Rows(0, 4)).empty());
  EXPECT_EQ(Inputs(Rows(0, 4)).dimension(), 4);
}

TEST(Points, LineGivesEachValueItsPoint) {
  const Queries a = Queries::line(Vector{{0.5, -1, 2}});
  EXPECT_EQ(a.coordinates(), (Rows{{0.5}, {-1}, {2}}));
  const Vector more{{1, 2, 3, 4}};
  EXPECT_EQ(Queries::line(more.segment(1, 2)).coordinates(), (Rows{{2}, {3}}));
}

TEST(Points, AreEqualIfAllCoordinatesAre) {
  const Inputs x({{1, 2}, {3, 4}});
  EXPECT_EQ(x, Inputs({{1, 2}, {3, 4}}));
  EXPECT_NE(x, Inputs({{1, 2}, {3, 5}}));
  EXPECT_NE(x, Inputs({{3, 4}, {1, 2}}));
  EXPECT_NE(x, Inputs({{1, 2}}));  // fewer of them: compared with care, as Eigen reads beyond the shorter one
  EXPECT_NE(Inputs({{1, 2}}), x);
  EXPECT_NE(Inputs({{1}, {2}}), Inputs({{1, 2}}));
  EXPECT_EQ(Inputs(), Inputs());
}

TEST(Points, RefuseWhatIsNotFiniteNamingRowAndColumn) {
  expect_refusal([] { Inputs(Rows{{0, 0}, {0, 0}, {0, kNan}}); }, {"x: row 2, column 1 is nan, expected a finite"});
  expect_refusal([] { Queries(Rows{{0, 0}, {kInf, kNan}}); }, {"a: row 1, column 0 is inf, expected a finite"});
  expect_refusal([] { Queries({{0, -kInf}}); }, {"a: row 0, column 1 is -inf, expected a finite"});
  expect_refusal([] { Inputs::line(Vector{{1, kNan}}); }, {"x: row 1 is nan, expected a finite"});
}

TEST(Points, CallTheArgumentByTheNameGiven) {
  expect_refusal([] { Inputs(Rows{{kNan}}, "candidates"); }, {"candidates: row 0 is nan"});
  expect_refusal([] { Inputs(Rows(2, 0), "candidates"); }, {"candidates: 0 columns"});
}

TEST(Points, RefuseRaggedListsNamingTheRow) {
  expect_refusal([] { Inputs({{1, 2}, {3, 4}, {5}}); }, {"x", "row 2", "1 columns", "expected 2"});
  expect_refusal([] { Queries({{1}, {2, 3, 4}}); }, {"a", "row 1", "3 columns", "expected 1"});
}

TEST(Points, RefusePointsWithoutCoordinates) {
  expect_refusal([] { Inputs(Rows(3, 0)); }, {"x: 0 columns, expected at least one"});
  expect_refusal([] { Inputs({{}, {}}); }, {"x: 0 columns, expected at least one"});
}

TEST(Points, SliceKeepsOrderAndDimension) {
  const Inputs x({{1, 2}, {3, 4}, {5, 6}, {7, 8}});
  EXPECT_EQ(x.slice(1, 2).coordinates(), (Rows{{3, 4}, {5, 6}}));
  EXPECT_EQ(x.slice(0, 4).coordinates(), x.coordinates());
  EXPECT_TRUE(x.slice(4, 0).empty());
  EXPECT_EQ(x.slice(4, 0).dimension(), 2);
}

TEST(Points, JoinedPutsTheOthersBehind) {
  const Queries a({{1, 2}});
  const Queries more({{3, 4}, {5, 6}});
  EXPECT_EQ(a.joined(more).coordinates(), (Rows{{1, 2}, {3, 4}, {5, 6}}));
  EXPECT_EQ(more.joined(a).coordinates(), (Rows{{3, 4}, {5, 6}, {1, 2}}));
  EXPECT_EQ(a.coordinates(), (Rows{{1, 2}}));
}

TEST(Points, JoiningNoneChangesNothing) {
  const Queries a({{1, 2}});
  EXPECT_EQ(Queries().joined(a).coordinates(), a.coordinates());
  EXPECT_EQ(a.joined(Queries()).coordinates(), a.coordinates());
}

TEST(Points, JoinedRefusesAnotherDimension) {
  const Queries a({{1, 2}});
  expect_refusal([&] { a.joined(Queries({{1, 2, 3}})); }, {"a: 3 columns, expected 2"});
  EXPECT_EQ(a.size(), 1);
}

}  // namespace
}  // namespace iqbo::test

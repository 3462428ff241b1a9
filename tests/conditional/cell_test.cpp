#include "iqbo/conditional/cell.hpp"

#include <gtest/gtest.h>

#include <numeric>
#include <utility>
#include <vector>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

TEST(CellConditional, AveragesThePointsOfACell) {
  TreeOptions options;
  options.l_max = 2;
  const Vector values{{5.0, 1.0, -2.0, 4.0}};
  const QueryTree tree(Inputs::line(Vector{{0.0, 1.0, 7.0, 8.0}}), Vector{{1.0, 3.0, 1.0, 1.0}}, options);
  const CellConditional cells(tree);
  EXPECT_EQ(cells.input_dimension(), 1);
  EXPECT_EQ(cells.query_dimension(), 2);
  const Matrix average = cells.average(tree.queries({{0, 0}, {1, 0}, {1, 1}}), values);
  EXPECT_DOUBLE_EQ(average(0, 0), (5.0 + 3.0 - 2.0 + 4.0) / 6.0);
  EXPECT_DOUBLE_EQ(average(1, 0), (5.0 + 3.0) / 4.0);
  EXPECT_DOUBLE_EQ(average(2, 0), 1.0);
}

// Oracle: the points whose coordinates lie in the cell, one by one. The points are shuffled, and some cells hold hundreds.
TEST(CellConditional, ListsThePointsOfLargeCellsInOrder) {
  constexpr Index kSide = 40;
  Rng rng(3);
  std::vector<Index> order(static_cast<std::size_t>(kSide * kSide));
  std::iota(order.begin(), order.end(), Index{0});
  for (std::size_t i = order.size() - 1; i > 0; --i)
    std::swap(order[i], order[static_cast<std::size_t>(rng.below(static_cast<Index>(i) + 1))]);
  Rows points(kSide * kSide, 2);
  for (Index i = 0; i < points.rows(); ++i)
    points.row(i) << static_cast<double>(order[static_cast<std::size_t>(i)] / kSide),
        static_cast<double>(order[static_cast<std::size_t>(i)] % kSide);
  const Vector weight = Vector::NullaryExpr(points.rows(), [&] { return 0.5 + rng.uniform(); });
  TreeOptions options;
  options.l_max = 3;
  const QueryTree tree(Inputs(points), weight, options);
  const CellConditional cells(tree);
  for (Index level = 0; level <= 3; ++level) {
    const std::vector<Node> nodes = tree.nodes_at(level);
    const Laws laws = cells.laws(tree.queries(nodes));
    const SparseRows& found = std::get<DiscreteLaws>(laws.parts().front().kind).weight;
    Index entries = 0;
    for (std::size_t n = 0; n < nodes.size(); ++n) {
      const Cell cell = tree.cell(nodes[n]);
      SparseRows::InnerIterator at(found, static_cast<Index>(n));
      for (Index i = 0; i < points.rows(); ++i) {
        if (((points.row(i).transpose() - cell.centre).cwiseAbs() - cell.half_width).maxCoeff() > 0.0) continue;
        ASSERT_TRUE(at);
        EXPECT_EQ(at.col(), i);
        ++at;
        ++entries;
      }
      EXPECT_FALSE(at);
      EXPECT_NEAR(found.row(static_cast<Index>(n)).sum(), 1.0, 1e-12);
    }
    EXPECT_EQ(entries, points.rows()) << "no point lies on a border";
  }
}

// The last laws are kept: what was asked before must not show, neither here nor in a copy.
TEST(CellConditional, ForgetsWhatWasAskedBefore) {
  const QueryTree tree(Inputs::line(Vector{{0.0, 1.0, 7.0, 8.0}}), {.l_max = 2});
  const Vector values{{5.0, 1.0, -2.0, 4.0}};
  const Queries coarse = tree.queries({{0, 0}, {1, 1}}), fine = tree.queries({{1, 1}, {1, 0}});
  const CellConditional cells(tree);
  const auto copy = cells.clone();
  for (int round = 0; round < 2; ++round) {
    EXPECT_EQ(cells.average(coarse, values), (Matrix{{2.0}, {1.0}}));
    EXPECT_EQ(copy->average(coarse, values), (Matrix{{2.0}, {1.0}}));
    EXPECT_EQ(copy->average(fine, values), (Matrix{{1.0}, {3.0}}));
    EXPECT_EQ(cells.average(fine, values), (Matrix{{1.0}, {3.0}}));
  }
}

TEST(CellConditional, NamesWhatIsWrong) {
  const QueryTree tree(Inputs::line(Vector{{0.0, 1.0}}));
  test::expect_refusal(
      [&] {
        CellConditional(tree).laws(Queries{{0.3, 1.0}});
      },
      {"a: row 0 is not a node of the tree"});
  test::expect_refusal([] { CellConditional(QueryTree(QueryBox(Vector{{0.0}}, Vector{{1.0}}))); },
                       {"tree: cuts a box, expected one that divides points"});
}

}  // namespace
}  // namespace iqbo

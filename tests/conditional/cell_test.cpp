#include "iqbo/conditional/cell.hpp"

#include <gtest/gtest.h>

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

TEST(CellConditional, NamesWhatIsWrong) {
  const QueryTree tree(Inputs::line(Vector{{0.0, 1.0}}));
  test::expect_refusal([&] { CellConditional(tree).laws(Queries{{0.3, 1.0}}); }, {"a: row 0 is no node of the tree"});
  test::expect_refusal([] { CellConditional(QueryTree(QueryBox(Vector{{0.0}}, Vector{{1.0}}))); },
                       {"tree: cuts a box, expected one that divides points"});
}

}  // namespace
}  // namespace iqbo

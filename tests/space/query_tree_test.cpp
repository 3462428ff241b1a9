#include "iqbo/space/query_tree.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <set>

#include "iqbo/core/rng.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

QueryBox unit(Index d) { return {Vector::Zero(d), Vector::Ones(d)}; }

TreeOptions with_levels(Index l_max) {
  TreeOptions out;
  out.l_max = l_max;
  return out;
}

TEST(QueryTree, HalvesEveryAxis) {
  const QueryTree tree(QueryBox(Vector{{0.0, 10.0}}, Vector{{8.0, 14.0}}));
  EXPECT_EQ(tree.arity(), 4);
  EXPECT_EQ(tree.l_max(), 6);
  EXPECT_EQ(tree.dimension(), 3);
  EXPECT_EQ(tree.children(tree.root()), (std::vector<Node>{{1, 0}, {1, 1}, {1, 2}, {1, 3}}));
  // The last axis runs fastest: child 1 is the lower half of the first axis, the upper of the second.
  EXPECT_EQ(tree.cell({1, 1}).centre, (Vector{{2.0, 13.0}}));
  EXPECT_EQ(tree.cell({1, 1}).half_width, (Vector{{2.0, 1.0}}));
  // Its child 2: upper half of the first axis, lower of the second.
  EXPECT_EQ(tree.cell({2, 6}).centre, (Vector{{3.0, 12.5}}));
  EXPECT_EQ(tree.parent({2, 6}), (Node{1, 1}));
  EXPECT_FALSE(tree.parent(tree.root()).has_value());
  EXPECT_TRUE(tree.children({6, 4095}).empty());
}

TEST(QueryTree, CutsAxesAsAsked) {
  TreeOptions options = with_levels(3);
  options.splits = {3, 1};
  const QueryTree tree(unit(2), options);
  EXPECT_EQ(tree.arity(), 3);
  EXPECT_EQ(tree.nodes_at(2).size(), 9U);
  EXPECT_NEAR(tree.cell({2, 5}).centre[0], 5.5 / 9.0, 1e-15);
  EXPECT_EQ(tree.cell({2, 5}).centre[1], 0.5);
}

// Children tile their parent, whatever the splits: volumes add up, no two share a point, all lie within.
RC_GTEST_PROP(QueryTree, ChildrenTileTheirParent, ()) {
  TreeOptions options = with_levels(5);
  const Index d = *rc::gen::inRange<Index>(1, 4);
  for (Index j = 0; j < d; ++j) options.splits.push_back(*rc::gen::inRange<Index>(j == 0 ? 2 : 1, 4));
  const QueryTree tree(QueryBox(Vector::Constant(d, -1.0), Vector::Constant(d, 2.0)), options);
  Node node;
  const Index depth = *rc::gen::inRange<Index>(0, 5);
  for (Index l = 0; l < depth; ++l) {
    const auto children = tree.children(node);
    node = children[static_cast<std::size_t>(*rc::gen::inRange<Index>(0, static_cast<Index>(children.size())))];
  }
  const Cell whole = tree.cell(node);
  double volume = 0.0;
  for (const Node& child : tree.children(node)) {
    RC_ASSERT(tree.parent(child) == node);
    const Cell part = tree.cell(child);
    volume += part.half_width.prod();
    RC_ASSERT((((part.centre - whole.centre).cwiseAbs() + part.half_width).array() <=
               whole.half_width.array() * (1.0 + 1e-12))
                  .all());
    RC_ASSERT(tree.find(tree.queries({child}).row(0)) == child);
  }
  RC_ASSERT(std::abs(volume / whole.half_width.prod() - 1.0) < 1e-12);
}

TEST(QueryTree, PaysAndSeesAsThePaperDoes) {
  const QueryTree tree(unit(2));
  // Printed: lambda = 0.5 log2(1 / d), d = 2^-(l + 1), delta = 0.5 / lambda.
  for (Index l = 0; l <= 6; ++l) {
    const double lambda = 0.5 * std::log2(1.0 / std::exp2(-static_cast<double>(l + 1)));
    EXPECT_NEAR(tree.cost({l, 0}), lambda, 1e-15);
    EXPECT_NEAR(tree.resolution({l, 0}), 0.5 / lambda, 1e-15);
  }
  EXPECT_FALSE(tree.has_noise_var());
}

TEST(QueryTree, TakesListsAndCallbacks) {
  TreeOptions options = with_levels(2);
  options.cost = Vector{{1.0, 1.0, 4.0}};
  options.resolution = [](const Cell& cell) { return cell.half_width[0]; };
  options.noise_var = [](const Cell& cell) { return cell.centre[0] > 0.5 ? 0.1 : 0.01; };
  const QueryTree tree(unit(1), options);
  EXPECT_EQ(tree.cost({2, 3}), 4.0);
  EXPECT_EQ(tree.queries({{2, 3}}).coordinates(), (Rows(1, 2) << 0.875, 0.125).finished());
  EXPECT_EQ(tree.noise_var({2, 3}), 0.1);
  EXPECT_EQ(tree.noise_var({2, 0}), 0.01);
  EXPECT_EQ(tree.finest(Queries{{0.5, 0.5}}).coordinates(), (Rows(1, 2) << 0.5, 0.125).finished());
}

// With three parts the middle child has its parent's centre: the resolution tells them apart.
TEST(QueryTree, FindsWhatItNamed) {
  TreeOptions options = with_levels(3);
  options.splits = {3};
  const QueryTree tree(unit(1), options);
  std::set<Node> found;
  for (Index l = 0; l <= 3; ++l)
    for (const Node& node : tree.nodes_at(l)) {
      EXPECT_EQ(tree.find(tree.queries({node}).row(0)), node);
      found.insert(node);
    }
  EXPECT_EQ(found.size(), 40U);
  EXPECT_FALSE(tree.find(Queries{{0.5, 0.9}}.row(0)).has_value());
  EXPECT_FALSE(tree.find(Queries{{0.51, 0.5}}.row(0)).has_value());
}

TEST(QueryTree, NeverListsSixteenMillionLeaves) {
  const QueryTree tree(unit(2), with_levels(12));
  EXPECT_EQ(tree.size_at(12), 16777216.0);
  const Node last{12, 16777215};
  EXPECT_NEAR(tree.cell(last).centre[0], 1.0 - 0.5 / 4096.0, 1e-15);
  EXPECT_EQ(tree.find(tree.queries({last}).row(0)), last);
  test::expect_refusal([&] { tree.nodes_at(12); }, {"level: 12 has", "expected at most 1048576 to be listed"});
}

// --- points -----------------------------------------------------------------------------------------------------------

// On [0, 8]: cells of level 3 have width 1. 0.5 and 0.6 share one; 7.9 and 8 share the last.
TEST(PointTree, HoldsPointsAndPassesOverWhatAddsNothing) {
  const QueryTree tree(Inputs::line(Vector{{0.0, 0.5, 0.6, 7.9, 8.0}}), with_levels(4));
  EXPECT_EQ(tree.members(tree.root()).size(), 5U);
  const auto halves = tree.children(tree.root());
  ASSERT_EQ(halves.size(), 2U);
  EXPECT_EQ(tree.members(halves[0]), (std::vector<Index>{0, 1, 2}));
  EXPECT_EQ(tree.members(halves[1]), (std::vector<Index>{3, 4}));
  // All three lie in [0, 1): levels 2 and 3 would ask the same again. At level 4 [0, 0.5) and [0.5, 1) differ.
  const auto left = tree.children(halves[0]);
  EXPECT_EQ(left, (std::vector<Node>{{4, 0}, {4, 1}}));
  EXPECT_EQ(tree.members(left[0]), (std::vector<Index>{0}));
  EXPECT_EQ(tree.members(left[1]), (std::vector<Index>{1, 2}));
  EXPECT_EQ(tree.parent(left[1]), halves[0]);
  EXPECT_TRUE(tree.children(left[0]).empty());    // one point has no parts
  EXPECT_TRUE(tree.children(halves[1]).empty());  // 7.9 and 8 are never told apart
  EXPECT_EQ(tree.nodes_at(4), (std::vector<Node>{{4, 0}, {4, 1}, {1, 1}}));
  EXPECT_EQ(tree.find(tree.queries({left[1]}).row(0)), left[1]);
}

TEST(PointTree, CutsTheBoxItIsGiven) {
  TreeOptions options = with_levels(2);
  options.box = QueryBox(Vector{{0.0}}, Vector{{4.0}});
  const QueryTree tree(Inputs::line(Vector{{0.5, 1.5, 2.5, 3.5}}), options);
  EXPECT_EQ(tree.cell({2, 1}).centre[0], 1.5);
  EXPECT_EQ(tree.members({2, 1}), (std::vector<Index>{1}));
}

TEST(PointTree, LeavesOutPointsWithoutWeight) {
  const QueryTree tree(Inputs::line(Vector{{0.0, 1.0, 2.0}}), Vector{{1.0, 0.0, 3.0}}, with_levels(2));
  EXPECT_EQ(tree.members(tree.root()), (std::vector<Index>{0, 2}));
}

// Every point is in exactly one leaf, children split their parent's points, and no two nodes hold the same.
RC_GTEST_PROP(PointTree, DividesItsPoints, ()) {
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  const Index n = *rc::gen::inRange<Index>(2, 40);
  const QueryTree tree(Inputs(rng.uniforms(n, 2)), with_levels(5));
  std::set<std::vector<Index>> seen;
  std::vector<Node> open{tree.root()};
  std::size_t in_leaves = 0;
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    RC_ASSERT(seen.insert(tree.members(node)).second);
    std::size_t below = 0;
    for (const Node& child : tree.children(node)) {
      RC_ASSERT(tree.parent(child) == node);
      below += tree.members(child).size();
      open.push_back(child);
    }
    if (below == 0)
      in_leaves += tree.members(node).size();
    else
      RC_ASSERT(below == tree.members(node).size());
  }
  RC_ASSERT(in_leaves == static_cast<std::size_t>(n));
}

// --- misuse -----------------------------------------------------------------------------------------------------------

TEST(QueryTree, NamesWhatIsWrong) {
  const auto refused = [](const TreeOptions& options, std::initializer_list<std::string_view> pieces) {
    test::expect_refusal([&] { QueryTree(unit(2), options); }, pieces);
  };
  refused(with_levels(0), {"l_max: 0, expected at least 1"});
  refused(with_levels(40), {"l_max: 40, expected at most 31 for 4 children a node"});
  TreeOptions options = with_levels(2);
  options.cost = Vector{{1.0, -2.0, 3.0}};
  refused(options, {"cost: row 1 is -2"});
  options.cost = Vector{{1.0, 3.0, 2.0}};
  refused(options, {"cost: level 2 is 2, expected at least 3, that of the level above"});
  options.cost = Vector{{1.0, 3.0}};
  refused(options, {"cost: 2 levels, expected 3, from 0 to l_max"});
  options = with_levels(2);
  options.resolution = Vector{{1.0, 0.5, -0.1}};
  refused(options, {"resolution: row 2 is -0.1"});
  options.resolution = Vector{{0.5, 1.0, 0.1}};
  refused(options, {"resolution: level 1 is 1, expected at most 0.5, that of the level above"});
  options = with_levels(2);
  options.noise_var = Vector{{0.1, std::nan(""), 0.1}};
  refused(options, {"noise_var: row 1 is nan"});
  options = with_levels(2);
  options.splits = {1, 1};
  refused(options, {"splits: one child a node, expected two or more"});
  options.splits = {2};
  refused(options, {"splits: 1 row", "expected 2"});
  options.splits = {2, 0};
  refused(options, {"splits: row 1 is 0, expected at least 1"});
}

// Cut in three, a cell and its middle child have the same centre: equal resolutions would make them one query.
TEST(QueryTree, OddSplitsNeedFallingResolutions) {
  const QueryBox box(Vector::Zero(1), Vector::Ones(1));
  TreeOptions options;
  options.l_max = 2;
  options.splits = {3};
  options.resolution = Vector{{0.2, 0.1, 0.1}};
  test::expect_refusal([&] { QueryTree(box, options); }, {"resolution: level 2", "0.1", "odd splits", "same centre"});
  options.resolution = [](const Cell&) { return 0.1; };
  const QueryTree tree(box, options);
  test::expect_refusal([&] { tree.queries({{1, 1}}); }, {"resolution: level 1, cell 1", "same centre"});
  EXPECT_NO_THROW(tree.queries({{0, 0}, {1, 0}, {1, 2}}));
  options.resolution = Vector{{0.2, 0.1, 0.05}};
  const QueryTree falling(box, options);
  for (const Node& node : {Node{0, 0}, Node{1, 1}, Node{2, 4}})
    EXPECT_EQ(falling.find(falling.queries({node}).row(0)), node);
  options.splits = {};  // halves have centres of their own
  options.resolution = Vector{{0.1, 0.1, 0.1}};
  EXPECT_NO_THROW(QueryTree(box, options));
}

TEST(QueryTree, RefusesCellsBelowThePrecisionOfNumbers) {
  TreeOptions options;
  options.l_max = 40;
  test::expect_refusal([&] { QueryTree(QueryBox(Vector{{1e6}}, Vector{{1e6 + 1.0}}), options); },
                       {"l_max: 40", "axis 0", "precision"});
  EXPECT_NO_THROW(QueryTree(QueryBox(Vector{{0.0}}, Vector{{1.0}}), options));
}

TEST(QueryTree, NamesWhatACallbackGotWrong) {
  TreeOptions options = with_levels(2);
  options.cost = [](const Cell& cell) { return cell.node.level == 2 ? 1.0 : 2.0; };
  options.resolution = [](const Cell&) { return -1.0; };
  const QueryTree tree(unit(1), options);
  EXPECT_EQ(tree.cost({1, 1}), 2.0);
  test::expect_refusal(
      [&] {
        tree.cost({2, 3});
      },
      {"cost: level 2, cell 3 is 1, expected at least 2, that of its parent"});
  test::expect_refusal([&] { tree.queries({tree.root()}); }, {"resolution: level 0, cell 0 is -1"});
  test::expect_refusal(
      [&] {
        tree.children({1, 2});
      },
      {"node: level 1, cell 2, expected a cell of a level from 0 to 2"});
  test::expect_refusal([&] { tree.find(Queries{{0.5}}.row(0)); }, {"a: 1 column", "expected 2"});
}

TEST(PointTree, NamesWhatIsWrong) {
  test::expect_refusal(
      [] {
        QueryTree(Inputs{{1.0, 2.0}});
      },
      {"points: 1 point of positive weight, expected at least two"});
  test::expect_refusal(
      [] {
        QueryTree(Inputs{{1.0}, {2.0}}, Vector{{1.0, 0.0}});
      },
      {"points: 1 point of positive weight"});
  TreeOptions options;
  options.box = unit(1);
  test::expect_refusal(
      [&] {
        QueryTree(Inputs{{0.5}, {2.0}}, options);
      },
      {"points: row 1, column 0 is 2, expected a value in [0, 1]"});
  test::expect_refusal([&] { QueryTree(unit(1), options); }, {"options.box: given twice"});
  test::expect_refusal([] { QueryTree(Inputs{{1.0}, {1.0}}); }, {"points: all in one cell"});
  test::expect_refusal([] { QueryTree(Inputs{{1.0}, {2.0}}, Vector{{1.0, -1.0}}); }, {"weight: row 1 is -1"});
  test::expect_refusal([] { QueryTree(Inputs{{1.0}, {2.0}}, Vector{{1.0}}); }, {"weight: 1 row", "expected 2"});
}

}  // namespace
}  // namespace iqbo

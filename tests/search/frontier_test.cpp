// The candidate sets of [Zhang26] algorithm 2, worked out by hand.
#include "search/frontier.hpp"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <algorithm>
#include <set>

#include "iqbo/core/rng.hpp"

namespace iqbo {

using namespace internal;

namespace {

using Nodes = std::set<Node>;

QueryTree tree_of(Index d, Index l_max) {
  TreeOptions options;
  options.l_max = l_max;
  return QueryTree(QueryBox(Vector::Zero(d), Vector::Ones(d)), options);
}

Nodes set_of(const std::vector<Node>& nodes) { return {nodes.begin(), nodes.end()}; }

void expect_sets(const Frontier& frontier, const Nodes& leaves, const Nodes& ahead) {
  EXPECT_EQ(set_of(frontier.leaves()), leaves);
  EXPECT_EQ(set_of(frontier.ahead()), ahead);
}

// d = 1, l_max = 2: root (0,0); halves (1,0), (1,1); quarters (2,0) .. (2,3).
TEST(Frontier, OnALine) {
  Frontier frontier(tree_of(1, 2));
  expect_sets(frontier, {{0, 0}}, {{1, 0}, {1, 1}});

  // A child of the root, ahead of it: the root goes, unasked; (1,1) stays ahead. The quarters below (1,0) are leaves and have
  // no children of their own.
  frontier.select({1, 0});
  expect_sets(frontier, {{2, 0}, {2, 1}}, {{1, 1}});

  // Its sibling, whose parent is no longer there to go.
  frontier.select({1, 1});
  expect_sets(frontier, {{2, 0}, {2, 1}, {2, 2}, {2, 3}}, {});

  // The finest there is: it stays and may be asked again.
  frontier.select({2, 2});
  expect_sets(frontier, {{2, 0}, {2, 1}, {2, 2}, {2, 3}}, {});

  // What is not a candidate changes nothing.
  frontier.select({0, 0});
  frontier.select({1, 0});
  expect_sets(frontier, {{2, 0}, {2, 1}, {2, 2}, {2, 3}}, {});
}

// Without repeats a finest node that was asked is gone; from L' as well.
TEST(Frontier, OnALineWithoutRepeats) {
  Frontier frontier(tree_of(1, 2), false);
  frontier.select({0, 0});  // the root first: both halves are leaves, all quarters ahead
  expect_sets(frontier, {{1, 0}, {1, 1}}, {{2, 0}, {2, 1}, {2, 2}, {2, 3}});
  frontier.select({2, 1});  // passes over (1,0), which goes; (2,0) stays ahead
  expect_sets(frontier, {{1, 1}}, {{2, 0}, {2, 2}, {2, 3}});
  frontier.select({1, 1});  // its quarters move from ahead to leaves
  expect_sets(frontier, {{2, 2}, {2, 3}}, {{2, 0}});
  frontier.select({2, 0});
  frontier.select({2, 2});
  frontier.select({2, 3});
  expect_sets(frontier, {}, {});
}

// Algorithm 2 of [Zhang26], transcribed line by line.
struct Printed {
  QueryTree tree;
  Nodes l, ahead;

  explicit Printed(const QueryTree& of) : tree(of), l{of.root()} {
    for (const Node& child : tree.children(tree.root())) ahead.insert(child);
  }
  void select(const Node& a) {
    const std::vector<Node> children = tree.children(a);
    if (ahead.contains(a)) {
      l.erase(*tree.parent(a));
      l.insert(children.begin(), children.end());
      ahead.erase(a);
    } else {
      l.erase(a);
      l.insert(children.begin(), children.end());
    }
    for (const Node& i : l)
      for (const Node& child : tree.children(i)) ahead.insert(child);
  }
  std::vector<Node> candidates() const {
    Nodes all = l;
    all.insert(ahead.begin(), ahead.end());
    return {all.begin(), all.end()};
  }
};

RC_GTEST_PROP(Frontier, AsPrintedIsTheAlgorithmToTheLetter, ()) {
  const auto d = *rc::gen::inRange<Index>(1, 3);
  const auto l_max = *rc::gen::inRange<Index>(1, d == 1 ? 6 : 4);
  Frontier frontier(tree_of(d, l_max), true, true);
  Printed printed(tree_of(d, l_max));
  for (int step = 0; step < 40; ++step) {
    RC_ASSERT(set_of(frontier.leaves()) == printed.l);
    RC_ASSERT(set_of(frontier.ahead()) == printed.ahead);
    const std::vector<Node> candidates = printed.candidates();
    if (candidates.empty()) break;
    for (Index i = 0; i < frontier.size(); ++i)
      RC_ASSERT(frontier.is_candidate(i) ==
                (std::find(candidates.begin(), candidates.end(), frontier.opened()[static_cast<std::size_t>(i)]) !=
                 candidates.end()));
    const Node next =
        candidates[static_cast<std::size_t>(*rc::gen::inRange<Index>(0, static_cast<Index>(candidates.size())))];
    frontier.select(next);
    printed.select(next);
  }
}

// What the print changes: after the root both halves are in L and in L'; asked once, a half is still in L, and may be asked again.
TEST(Frontier, AsPrintedAsksTwice) {
  Frontier frontier(tree_of(1, 2), true, true);
  frontier.select({0, 0});
  expect_sets(frontier, {{1, 0}, {1, 1}}, {{1, 0}, {1, 1}, {2, 0}, {2, 1}, {2, 2}, {2, 3}});
  frontier.select({1, 0});
  expect_sets(frontier, {{1, 0}, {1, 1}, {2, 0}, {2, 1}}, {{1, 1}, {2, 0}, {2, 1}, {2, 2}, {2, 3}});
  frontier.select({1, 0});
  expect_sets(frontier, {{1, 1}, {2, 0}, {2, 1}}, {{1, 1}, {2, 0}, {2, 1}, {2, 2}, {2, 3}});
  frontier.select({1, 0});
  EXPECT_EQ(frontier.leaves().size(), 3U) << "not a third time";
}

// The same with repeats: (2,1) comes back as a leaf although its parent was passed over.
TEST(Frontier, AskedFromAheadComesBackAsALeaf) {
  Frontier frontier(tree_of(1, 2));
  frontier.select({0, 0});
  frontier.select({2, 1});
  expect_sets(frontier, {{1, 1}, {2, 1}}, {{2, 0}, {2, 2}, {2, 3}});
}

// d = 2, l_max = 3: quarters (1,0) .. (1,3); below (1,i) are (2,4i) .. (2,4i+3), below (2,j) are (3,4j) .. (3,4j+3).
TEST(Frontier, OnASquare) {
  Frontier frontier(tree_of(2, 3));
  expect_sets(frontier, {{0, 0}}, {{1, 0}, {1, 1}, {1, 2}, {1, 3}});

  frontier.select({1, 2});  // the root goes
  expect_sets(frontier, {{2, 8}, {2, 9}, {2, 10}, {2, 11}},
              {{1, 0},
               {1, 1},
               {1, 3},  // siblings stay
               {3, 32},
               {3, 33},
               {3, 34},
               {3, 35},
               {3, 36},
               {3, 37},
               {3, 38},
               {3, 39},  // below (2,8), (2,9)
               {3, 40},
               {3, 41},
               {3, 42},
               {3, 43},
               {3, 44},
               {3, 45},
               {3, 46},
               {3, 47}});  // below (2,10), (2,11)

  frontier.select({3, 41});  // below (2,10), which goes; finest, so it comes back as a leaf
  expect_sets(frontier, {{2, 8}, {2, 9}, {2, 11}, {3, 41}},
              {{1, 0},
               {1, 1},
               {1, 3},
               {3, 32},
               {3, 33},
               {3, 34},
               {3, 35},
               {3, 36},
               {3, 37},
               {3, 38},
               {3, 39},
               {3, 40},
               {3, 42},
               {3, 43},
               {3, 44},
               {3, 45},
               {3, 46},
               {3, 47}});

  frontier.select({2, 9});  // a leaf: its children become leaves
  expect_sets(frontier, {{2, 8}, {2, 11}, {3, 36}, {3, 37}, {3, 38}, {3, 39}, {3, 41}},
              {{1, 0},
               {1, 1},
               {1, 3},
               {3, 32},
               {3, 33},
               {3, 34},
               {3, 35},
               {3, 40},
               {3, 42},
               {3, 43},
               {3, 44},
               {3, 45},
               {3, 46},
               {3, 47}});

  frontier.select({1, 0});  // ahead, its parent long gone
  EXPECT_EQ(set_of(frontier.leaves()),
            (Nodes{{2, 0}, {2, 1}, {2, 2}, {2, 3}, {2, 8}, {2, 11}, {3, 36}, {3, 37}, {3, 38}, {3, 39}, {3, 41}}));
  EXPECT_EQ(frontier.ahead().size(), 2U + 4U + 7U + 16U);
}

// Word by word as design and paper say it, on sets, all of L visited each time.
class Slow {
 public:
  explicit Slow(QueryTree tree, bool requery) : tree_(std::move(tree)), requery_(requery) {
    leaves.insert(tree_.root());
    extend();
  }
  void select(const Node& a) {
    if (leaves.contains(a))
      leaves.erase(a);
    else if (const auto parent = tree_.parent(a))
      leaves.erase(*parent);
    ahead.erase(a);
    const auto children = tree_.children(a);
    leaves.insert(children.begin(), children.end());
    if (a.level == tree_.l_max() && requery_) leaves.insert(a);
    extend();
  }
  Nodes leaves, ahead;

 private:
  void extend() {
    for (const Node& leaf : leaves)
      for (const Node& child : tree_.children(leaf)) ahead.insert(child);
    for (const Node& leaf : leaves) ahead.erase(leaf);
  }
  QueryTree tree_;
  bool requery_;
};

RC_GTEST_PROP(Frontier, AgreesWithTheWordsOfTheAlgorithm, ()) {
  const bool requery = *rc::gen::arbitrary<bool>();
  const QueryTree tree = tree_of(*rc::gen::inRange<Index>(1, 3), *rc::gen::inRange<Index>(1, 4));
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  Frontier frontier(tree, requery);
  Slow slow(tree, requery);
  for (int t = 0; t < 25; ++t) {
    Nodes candidates = slow.leaves;
    candidates.insert(slow.ahead.begin(), slow.ahead.end());
    if (candidates.empty()) break;
    const Node a = *std::next(candidates.begin(), rng.below(static_cast<Index>(candidates.size())));
    frontier.select(a);
    slow.select(a);
    RC_ASSERT(set_of(frontier.leaves()) == slow.leaves);
    RC_ASSERT(set_of(frontier.ahead()) == slow.ahead);
  }
}

// Answers of a batch come in any order: a node that is not open yet is selected when it opens.
RC_GTEST_PROP(Frontier, DoesNotDependOnTheOrderOfABatch, ()) {
  const bool requery = *rc::gen::arbitrary<bool>();
  const QueryTree tree = tree_of(*rc::gen::inRange<Index>(1, 3), 3);
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<Node> path;  // from a child of the root down, each below the one before
  for (auto below = tree.children(tree.root()); !below.empty(); below = tree.children(path.back()))
    path.push_back(below[static_cast<std::size_t>(rng.below(static_cast<Index>(below.size())))]);
  Frontier down(tree, requery);
  for (auto node = path.begin(); node != path.end(); ++node) down.select(*node);
  Frontier up(tree, requery);
  for (auto node = path.rbegin(); node != path.rend(); ++node) up.select(*node);
  RC_ASSERT(set_of(up.leaves()) == set_of(down.leaves()));
  RC_ASSERT(set_of(up.ahead()) == set_of(down.ahead()));
}

// A point that is alone in its cell has no parts, at whatever level: it may be asked again like a finest cell.
TEST(Frontier, OfPoints) {
  TreeOptions options;
  options.l_max = 3;
  Frontier frontier(QueryTree(Inputs::line(Vector{{0.0, 0.1, 1.0}}), options));
  expect_sets(frontier, {{0, 0}}, {{1, 0}, {1, 1}});
  frontier.select({1, 1});
  expect_sets(frontier, {{1, 1}}, {{1, 0}});
}

}  // namespace
}  // namespace iqbo

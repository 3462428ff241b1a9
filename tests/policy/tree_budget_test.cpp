// Budgets on trees and on lists.
#include <gtest/gtest.h>

#include "tree_cases.hpp"

namespace iqbo {
namespace {

using namespace test::tree;

// Costs 1, 1.5, 2: what is asked never costs more than 7 together, and the end is a value.
TEST(PolicyTree, NeverOverspends) {
  TreeOptions tree = tree_options(2);
  tree.cost = Vector{{1.0, 1.5, 2.0}};
  const Setting setting = on_tree(tree);
  PolicyOptions options = options_for(PolicyKind::kCmes);
  options.budget = 7.0;
  Policy policy(setting, options, 1);
  double spent = 0.0;
  for (const Node& node : run(policy, 20)) spent += tree_of(tree).cost(node);
  EXPECT_LE(spent, 7.0);
  const Suggestion end = policy.suggest();
  EXPECT_TRUE(end.queries.empty());
  EXPECT_TRUE(end.nodes.empty());
  EXPECT_NEAR(end.left, 7.0 - spent, 1e-12);
  EXPECT_NE(end.why.back().find("no query is affordable"), std::string::npos);
  EXPECT_NO_THROW(policy.best());
}

TEST(PolicyTree, OverspendsWhenAskedTo) {
  TreeOptions tree = tree_options(2);
  tree.cost = Vector{{2.0, 2.0, 2.0}};
  PolicyOptions options = options_for(PolicyKind::kMaxVariance);
  options.budget = 5.0;
  Policy strict(on_tree(tree), options, 1);
  EXPECT_EQ(run(strict, 20).size(), 2U);
  options.overspend = true;
  Policy paper(on_tree(tree), options, 1);
  EXPECT_EQ(run(paper, 20).size(), 3U);  // one is left after two: B > 0
  EXPECT_NEAR(paper.suggest().left, -1.0, 1e-12);
}

TEST(PolicyTree, ABatchStopsWhereTheBudgetDoes) {
  TreeOptions tree = tree_options(2);
  tree.cost = Vector{{0.1, 0.1, 0.1}};
  PolicyOptions options = options_for(PolicyKind::kCmes);
  options.budget = 0.3;  // three times a tenth, whatever binary numbers make of it
  Policy policy(on_tree(tree), options, 1);
  const Suggestion batch = policy.suggest(5);
  EXPECT_EQ(batch.queries.size(), 3);
  EXPECT_EQ(batch.scores.size(), 3);
  EXPECT_NEAR(batch.left, 0.0, 1e-12);
  EXPECT_TRUE(policy.suggest(1, batch.queries).queries.empty());
}

TEST(PolicyTree, ATreeRunsOutWhenLeavesAreNotAskedAgain) {
  PolicyOptions options = options_for(PolicyKind::kRandom);
  options.requery_leaf = false;
  Policy policy(on_tree(tree_options(1)), options, 1);
  const std::vector<Node> asked = run(policy, 10);
  EXPECT_LE(asked.size(), 3U);
  EXPECT_NE(policy.suggest().why.back().find("every node of the tree"), std::string::npos);
  options.requery_leaf = true;
  Policy again(on_tree(tree_options(1)), options, 1);
  EXPECT_EQ(run(again, 10).size(), 10U);
}

TEST(PolicyTree, ATreeThatRunsOutIsNotABudgetThatDoes) {
  PolicyOptions options = options_for(PolicyKind::kMaxVariance);
  options.requery_leaf = false;
  options.budget = 100.0;
  Policy policy(on_tree(tree_options(1)), options, 1);
  run(policy, 10);
  const Suggestion last = policy.suggest();
  EXPECT_TRUE(last.queries.empty());
  EXPECT_NE(last.why.back().find("nothing is left to ask"), std::string::npos) << last.why.back();
}

TEST(PolicyTree, ListsHaveBudgetsToo) {
  Setting setting = test::on_lists();
  setting.queries =
      setting.queries->with({.cost = [](const Queries& a) { return Vector(1.0 + a.coordinates().col(0).array()); }});
  PolicyOptions options = options_for(PolicyKind::kCmes);
  options.budget = 4.0;
  Policy policy(setting, options, 1);
  double spent = 0.0;
  for (int t = 0; t < 9; ++t) {
    const Suggestion next = policy.suggest();
    if (next.queries.empty()) break;
    spent += setting.queries->cost(next.queries)[0];
    policy.observe(next.queries, test::answers(next.queries));
  }
  EXPECT_LE(spent, 4.0);
  EXPECT_GT(spent, 3.0);
}

}  // namespace
}  // namespace iqbo

// Policies on a tree: algorithm 2 with any score, batches, noise by level.
#include <gtest/gtest.h>

#include <cmath>
#include <memory>
#include <set>
#include <stdexcept>

#include "iqbo/conditional/cell.hpp"
#include "iqbo/policy/policy.hpp"
#include "search/frontier.hpp"
#include "support/errors.hpp"
#include "tree_cases.hpp"

namespace iqbo {

using namespace internal;

namespace {

using test::f_at;
using namespace test::tree;

// Whatever the score, every choice is a candidate of the algorithm at its time, and the peak is found.
TEST(PolicyTree, EveryPolicyAsksCandidatesOnly) {
  for (const PolicyKind kind : all_policies()) {
    const Setting setting = on_tree();
    Frontier frontier(tree_of());
    Policy policy(setting, options_for(kind), 1);
    for (const Node& node : run(policy, 20)) {
      const auto row = frontier.row(node);
      ASSERT_TRUE(row && frontier.is_candidate(*row)) << to_string(kind);
      frontier.select(node);
    }
    EXPECT_EQ(policy.size(), 20);
    if (kind == PolicyKind::kCmes || kind == PolicyKind::kCkg || kind == PolicyKind::kCjes) {
      EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.05) << to_string(kind);
    }
  }
}

TEST(PolicyTree, WorksWhereXIsAContinuum) {
  Setting setting = on_tree();
  setting.targets = test::unit_inputs();
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kCjes, PolicyKind::kCmesGumbel,
                                PolicyKind::kMesG, PolicyKind::kMfmes, PolicyKind::kRandom}) {
    Policy policy(setting, options_for(kind), 1);
    EXPECT_EQ(run(policy, 4).size(), 4U);
  }
}

// Noisy answers at two known nodes, one sample of f*: the choice is the largest score per cost over L u L', computed here
// from the exact posterior and the frontier's own sets.
TEST(PolicyTree, ChoosesTheLargestScorePerCost) {
  const Setting setting = on_tree();
  const QueryTree tree = tree_of();
  Policy policy(setting, options_for(PolicyKind::kMaxVariance), 1);
  const Queries first = tree.queries({{0, 0}, {1, 1}});
  policy.observe(first, answers(first));
  Frontier frontier(tree);
  frontier.select({0, 0});
  frontier.select({1, 1});
  const Posterior posterior = Posterior(*setting.kernel, *setting.conditional).condition(first, answers(first), 1e-4);
  Node best;
  double most = -1.0;
  for (const auto& set : {frontier.leaves(), frontier.ahead()})
    for (const Node& node : set) {
      const double worth = posterior.g(tree.queries({node})).var[0] / tree.cost(node);
      if (worth > most) best = node;
      most = std::max(most, worth);
    }
  const Suggestion next = policy.suggest();
  EXPECT_EQ(next.nodes[0], best);
  EXPECT_NEAR(next.scores[0], std::log(most), 1e-6);
}

// In one piece or many, with a fit or without: the same bits.
TEST(PolicyTree, SaysTheSameWhenToldTheSame) {
  for (const bool fitted : {false, true})
    for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kMes}) {
      Setting setting = on_tree(tree_options(4));
      if (fitted) setting.kernel = nullptr;
      Policy one(setting, options_for(kind), 7);
      Queries asked;
      for (int t = 0; t < 9; ++t) {
        const Queries a = one.suggest().queries;
        one.observe(a, answers(a));
        asked = asked.joined(a);
      }
      Policy other(setting, options_for(kind), 7);
      other.observe(asked, answers(asked));
      const Suggestion p = one.suggest(2);
      const Suggestion q = other.suggest(2);
      EXPECT_EQ(p.nodes, q.nodes) << to_string(kind) << fitted;
      EXPECT_EQ(p.scores, q.scores) << to_string(kind) << fitted;
      EXPECT_EQ(one.fit() != nullptr, fitted);
    }
}

// Also past the answers after which a belief is built anew from all of them.
TEST(PolicyTree, ALongCampaignIsTakenUpAgain) {
  Policy walking(on_tree(), options_for(PolicyKind::kMaxVariance), 1);
  Queries asked;
  for (int t = 0; t < 140; ++t) {
    const Queries next = walking.suggest().queries;
    walking.observe(next, answers(next));
    asked = asked.joined(next);
  }
  Policy resumed(on_tree(), options_for(PolicyKind::kMaxVariance), 1);
  for (Index i = 0; i < asked.size(); ++i) resumed.observe(asked.slice(i, 1), answers(asked.slice(i, 1)));
  for (int t = 0; t < 3; ++t) {
    const Suggestion one = walking.suggest(), other = resumed.suggest();
    EXPECT_EQ(one.queries.coordinates(), other.queries.coordinates());
    EXPECT_EQ(one.scores, other.scores) << "bit for bit";
    walking.observe(one.queries, answers(one.queries));
    resumed.observe(one.queries, answers(one.queries));
  }
  EXPECT_EQ(walking.best().mean, resumed.best().mean);
}

TEST(PolicyTree, BeginsAtTheTop) {
  Setting setting = on_tree();
  setting.kernel = nullptr;
  Policy policy(setting, options_for(PolicyKind::kCmes), 1);
  const Suggestion design = policy.suggest(4);  // dimension + 3
  EXPECT_EQ(design.nodes[0], (Node{0, 0}));
  EXPECT_EQ((std::set<Node>{design.nodes[1], design.nodes[2]}), (std::set<Node>{{1, 0}, {1, 1}}));
  EXPECT_EQ(design.nodes[3].level, 2);
}

// A batch opens the tree as it goes, and pending queries count as selected.
TEST(PolicyTree, BatchesAndPendingQueries) {
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kMesG, PolicyKind::kMfmes}) {
    const Setting setting = on_tree();
    Policy policy(setting, options_for(kind), 3);
    run(policy, 3);
    const Suggestion batch = policy.suggest(6);
    ASSERT_EQ(batch.nodes.size(), 6U);
    const Suggestion after = policy.suggest(1, batch.queries.slice(0, 5));
    EXPECT_EQ(after.nodes[0], batch.nodes[5]) << to_string(kind);
  }
}

TEST(PolicyTree, OfPixels) {
  TreeOptions options;
  options.l_max = 4;
  const Inputs x = test::unit_inputs().grid({40});
  const QueryTree tree(x, options);
  Setting setting{InputSet(x), tree, CellConditional(tree).clone()};
  setting.kernel = Rbf(0.5, Vector{{0.12}}).clone();
  setting.noise_var = 1e-4;
  const Vector f = x.coordinates().col(0).unaryExpr(&f_at);
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kMes}) {
    Policy policy(setting, options_for(kind), 2);
    for (int t = 0; t < 16; ++t) {
      const Queries a = policy.suggest().queries;
      policy.observe(a, setting.conditional->average(a, f).col(0));
    }
    if (kind != PolicyKind::kMes) {
      EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.06) << to_string(kind);
    }
  }
}

// Only the root is quiet: the posterior is that of an exact one with these noises.
TEST(PolicyTree, NoiseDependsOnTheLevel) {
  TreeOptions options = tree_options(2);
  options.noise_var = Vector{{1e-4, 0.1, 0.2}};
  Setting setting = on_tree(options);
  setting.noise_var.reset();
  const QueryTree tree = tree_of(options);
  Policy policy(setting, options_for(PolicyKind::kCkg), 1);
  const Queries a = tree.queries({{0, 0}, {1, 0}, {2, 1}});
  policy.observe(a, answers(a));
  const Posterior want =
      Posterior(*setting.kernel, *setting.conditional).condition(a, answers(a), Vector{{1e-4, 0.1, 0.2}});
  const Inputs x{{0.3}, {0.8}};
  EXPECT_LT((policy.belief().f(x).mean - want.f(x).mean).cwiseAbs().maxCoeff(), 1e-12);
  EXPECT_NEAR(policy.best().mean, want.f(std::get<InputSet>(setting.targets).points()).mean.maxCoeff(), 1e-7);
  EXPECT_EQ(policy.suggest().queries.size(), 1);
}

// Answers of a batch come back in any order: nothing is asked twice for that.
TEST(PolicyTree, BatchesMayBeAnsweredBackwards) {
  PolicyOptions options = options_for(PolicyKind::kRandom);
  options.requery_leaf = false;
  Policy policy(on_tree(tree_options(4)), options, 3);
  std::set<Node> asked;
  for (int batch = 0; batch < 8; ++batch) {
    const Suggestion next = policy.suggest(3);
    for (const Node& node : next.nodes) EXPECT_TRUE(asked.insert(node).second) << node.level << ' ' << node.number;
    for (Index i = next.queries.size(); i-- > 0;)
      policy.observe(next.queries.slice(i, 1), answers(next.queries.slice(i, 1)));
  }
}

// A callback that fails once spoils nothing: the next call goes on as if it had not.
TEST(PolicyTree, RecoversFromACallbackThatThrew) {
  Policy undisturbed(on_tree(), options_for(PolicyKind::kCjes), 1);
  const std::vector<Node> want = run(undisturbed, 4);
  for (int bad = 1; bad < 40; bad += 3) {
    auto countdown = std::make_shared<int>(0);
    TreeOptions tree = tree_options();
    tree.resolution = [countdown](const Cell& cell) {
      if (*countdown > 0 && --*countdown == 0) throw std::runtime_error("the map server is down");
      return 0.5 * cell.half_width[0];
    };
    Policy policy(on_tree(tree), options_for(PolicyKind::kCjes), 1);
    for (const Node& node : want) {
      *countdown = bad;
      Suggestion next;
      try {
        next = policy.suggest();
      } catch (const std::runtime_error&) {
        *countdown = 0;
        next = policy.suggest();
      }
      *countdown = 0;
      EXPECT_EQ(next.nodes.at(0), node) << bad;
      policy.observe(next.queries, answers(next.queries));
    }
  }
}

// The natural noise of an average of n points, where some cells have none.
TEST(PolicyTree, NoiseIsNotAskedOfCellsThatDoNotExist) {
  Rows disc(0, 2);
  for (int i = 0; i < 9; ++i)
    for (int j = 0; j < 9; ++j)
      if (std::hypot(i - 4.0, j - 4.0) <= 4.0) {
        disc.conservativeResize(disc.rows() + 1, 2);
        disc.row(disc.rows() - 1) << i, j;
      }
  const QueryTree bare((Inputs(disc)));
  TreeOptions options;
  options.noise_var = [bare](const Cell& cell) { return 0.01 / static_cast<double>(bare.members(cell.node).size()); };
  const QueryTree tree(Inputs(disc), options);
  Setting setting{InputSet(Inputs(disc)), tree, CellConditional(tree).clone()};
  setting.kernel = Rbf(1.0, Vector{{2.0, 2.0}}).clone();
  Policy policy(setting, options_for(PolicyKind::kCmes), 1);
  for (int t = 0; t < 6; ++t) {
    const Suggestion next = policy.suggest();
    policy.observe(next.queries, Vector::Constant(1, 0.1 * t));
  }
  EXPECT_EQ(policy.size(), 6);
}

// Leaf-level baselines: the same policies on the list of leaves.
TEST(PolicyTree, LeavesAreAListToChooseFrom) {
  Setting setting = on_tree();
  const QueryTree tree = tree_of();
  const QuerySet leaves = tree.queries_at(tree.l_max());
  setting.queries = ListedQueries{leaves, setting.queries->cost(leaves.points())};
  Policy policy(setting, options_for(PolicyKind::kCmes), 1);
  for (int t = 0; t < 12; ++t) {
    const Queries a = policy.suggest().queries;
    policy.observe(a, answers(a));
  }
  EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.05);
}

// --- misuse -----------------------------------------------------------------------------------------------------------

TEST(PolicyTree, NamesWhatIsWrong) {
  const auto refused = [](const Setting& setting, const PolicyOptions& options,
                          std::initializer_list<std::string_view> pieces) {
    test::expect_refusal([&] { Policy(setting, options, 1); }, pieces);
  };
  PolicyOptions options = options_for(PolicyKind::kCmes);
  options.budget = 0.3;
  refused(on_tree(), options, {"budget: 0.3, expected at least 0.5, the cost of the cheapest query"});
  options.budget = -1.0;
  refused(on_tree(), options, {"budget", "-1"});
  options.budget = 0.5;
  refused(test::on_continua(), options, {"budget: 0.5, expected at least 1, the cost of the cheapest query"});
  options = options_for(PolicyKind::kCmes);
  Setting setting = on_tree();
  const auto ones = [](const Queries& a) { return Vector(Vector::Ones(a.size())); };
  test::expect_refusal([&] { setting.queries->with({.cost = ones}); }, {"cost: given with a tree, expected none"});
  test::expect_refusal([&] { setting.queries->with({.noise_var = ones}); },
                       {"noise_var: given with a tree, expected none"});
  test::expect_refusal([&] { setting.queries->with({.finest = [](const Queries& a) { return a; }}); },
                       {"finest: given with a tree, expected none"});
  setting.noise_var.reset();
  refused(setting, options, {"noise_var: none, expected a number, as the kernel is given"});
  TreeOptions tree = tree_options(2);
  tree.resolution = Vector{{3.0, 0.2, 0.1}};
  refused(on_tree(tree), options,
          {"resolution: level 0 sees 3 along axis 0, expected at most 2, twice the width of x; give TreeOptions"});

  // Costs that fall where the tree has not been opened yet are found when it is.
  tree = tree_options(3);
  tree.cost = [](const Cell& cell) { return cell.node.level == 2 ? 0.5 : 1.0; };
  Policy policy(on_tree(tree), options, 1);
  test::expect_refusal([&] { run(policy, 5); },
                       {"cost: level 2, cell", "is 0.5, expected at least 1, that of its parent"});
}

}  // namespace
}  // namespace iqbo

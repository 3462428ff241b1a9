// Little to choose from, and misuse.
#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/learned/learned.hpp"
#include "iqbo/policy/policy.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

TEST(PolicyEdge, OneCandidateIsTheAnswer) {
  Setting setting = on_lists();
  setting.queries = all_finest(QuerySet(Queries{{0.4}}));
  setting.targets = InputSet(Inputs{{0.5}});
  for (const PolicyKind kind : all_policies()) {
    Policy policy = run(setting, kind, 3);
    EXPECT_EQ(policy.suggest().rows, (std::vector<Index>{0})) << to_string(kind);
    EXPECT_EQ(policy.best().row, 0);
    EXPECT_EQ(policy.best().probability, 1.0);
  }
}

// Two names for one district: neither is preferred, nothing breaks.
TEST(PolicyEdge, IdenticalCandidatesTie) {
  Setting setting = on_lists();
  const Inputs x = std::get<InputSet>(setting.targets).points();
  std::vector<BagRow> rows;
  for (Index i = 0; i < x.size(); ++i)
    for (const Index bag : {0, 1}) rows.push_back({bag, i, 1.0});
  const BagConditional bags(x, rows);
  setting.conditional = bags.clone();
  setting.queries = QuerySet(bags.queries());
  std::set<Index> chosen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PolicyOptions options;
    options.policy = PolicyKind::kCkg;
    Policy policy(setting, options, seed);
    policy.observe(bags.queries(), Vector{{0.1, 0.1}});
    chosen.insert(policy.suggest().rows[0]);
  }
  EXPECT_EQ(chosen.size(), 2U);
}

// Without noise an answered query has q(a, a) = 0 and can tell nothing more: not worth asking, and no reason to fail.
TEST(PolicyEdge, AQueryThatTellsNothingIsNotAsked) {
  Setting setting = on_lists();
  setting.noise_var = 0.0;
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kCjes, PolicyKind::kCmesNoisy}) {
    PolicyOptions options;
    options.policy = kind;
    options.initial = 1;
    Policy policy(setting, options, 1);
    std::set<Index> asked;
    for (int t = 0; t < 4; ++t) {
      const Suggestion next = policy.suggest();
      EXPECT_TRUE(asked.insert(next.rows[0]).second) << to_string(kind);  // without noise, twice is once too often
      policy.observe(next.queries, answers(next.queries));
    }
  }
}

TEST(PolicyEdge, WithoutRepeatsAListRunsOut) {
  Setting setting = on_lists();
  setting.queries = QuerySet(Queries{{0.2}, {0.5}, {0.8}});
  PolicyOptions options;
  options.repeats = false;
  Policy policy(setting, options, 1);
  const Suggestion all = policy.suggest(3);
  EXPECT_EQ(std::set<Index>(all.rows.begin(), all.rows.end()).size(), 3U);
  const Suggestion more = policy.suggest(4);
  EXPECT_EQ(more.queries.coordinates(), all.queries.coordinates()) << "what there is";
  EXPECT_NE(more.why.back().find("every query has been asked"), std::string::npos) << more.why.back();
  policy.observe(all.queries, answers(all.queries));
  EXPECT_TRUE(policy.suggest().queries.empty());
  EXPECT_NE(policy.suggest().why.at(0).find("every query has been asked"), std::string::npos);
  options.repeats = true;
  Policy repeating(setting, options, 1);
  EXPECT_EQ(repeating.suggest(7).rows.size(), 7U);
}

// What is to be avoided costs nothing, and is asked once nothing else is left.
TEST(PolicyEdge, AvoidedQueriesAreNotPaidForAndComeLast) {
  Setting setting = on_lists();
  setting.queries = QuerySet(Queries{{0.2}, {0.5}, {0.8}});
  const Queries avoid{{0.5}};
  PolicyOptions options;
  options.repeats = false;
  options.budget = 3.0;
  Policy policy(setting, options, 1);
  const Suggestion two = policy.suggest(2, {}, avoid);
  EXPECT_EQ(two.left, 1.0);
  EXPECT_EQ(std::set<Index>(two.rows.begin(), two.rows.end()), (std::set<Index>{0, 2}));
  const Suggestion all = policy.suggest(5, {}, avoid);
  ASSERT_EQ(all.rows.size(), 3U);
  EXPECT_EQ(all.rows[2], 1);
  EXPECT_EQ(all.left, 0.0);
  policy.observe(two.queries, answers(two.queries));
  EXPECT_EQ(policy.suggest(1, {}, avoid).rows.at(0), 1);
  EXPECT_TRUE(policy.suggest(1, avoid).queries.empty()) << "pending ones are not asked again";
  test::expect_refusal([&] { policy.suggest(1, {}, Queries{{0.1, 0.2}}); }, {"avoid", "2 columns"});
}

TEST(PolicyEdge, AvoidedQueriesAreLeftAsideWhereQueriesMayBeRepeated) {
  Setting setting = on_lists();
  const Queries all{{0.2}, {0.5}, {0.8}};
  setting.queries = QuerySet(all);
  Policy policy(setting, {}, 1);
  policy.observe(all, answers(all));
  for (Index failed = 0; failed < 3; ++failed) {
    const Suggestion three = policy.suggest(3, {}, all.slice(failed, 1));
    ASSERT_EQ(three.rows.size(), 3U);
    EXPECT_EQ(std::count(three.rows.begin(), three.rows.end(), failed), 0);
  }
}

TEST(PolicyEdge, ConstantAnswersAreNoReasonToFail) {
  Setting setting = on_lists();
  setting.kernel = nullptr;
  Policy policy(setting, {}, 1);
  for (int t = 0; t < 8; ++t) policy.observe(policy.suggest().queries, Vector{{2.0}});
  EXPECT_NEAR(policy.best().mean, 2.0, 0.1);
}

// As many inputs as samples of f*: the references are the sampled maximisers, not all of X. Query 3 saw the highest answers,
// and everything else is far away from it and known to be no better.
TEST(PolicyEdge, SampledMaximisersAreNotTakenForTheWholeList) {
  for (const Index n : {15, 16, 17}) {
    const Inputs x = Inputs::line(Vector::LinSpaced(n, 0.0, static_cast<double>(n - 1)));
    std::vector<BagRow> rows;
    for (Index i = 0; i < n; ++i) rows.push_back({i, i, 1.0});
    const BagConditional points(x, rows);
    Setting setting{InputSet(x), QuerySet(points.queries()), points.clone()};
    setting.kernel = Rbf(1.0, Vector{{0.02}}).clone();
    setting.noise_var = 0.01;
    PolicyOptions options;
    options.policy = PolicyKind::kCjes;
    options.samples = 16;
    Policy policy(setting, options, 1);
    policy.observe(Queries{{3.0}, {3.0}, {7.0}}, Vector{{10.0, 10.0, 0.0}});
    EXPECT_EQ(policy.suggest().rows[0], 3) << n;
  }
}

TEST(PolicyEdge, ACostAlwaysCountsAgainstAQuery) {
  for (const PolicyKind kind : {PolicyKind::kUcbG, PolicyKind::kEstG, PolicyKind::kUcb, PolicyKind::kCmes}) {
    Setting setting = on_lists();
    setting.queries = QuerySet(Queries{{0.3}, {0.7}});
    setting.queries = setting.queries->with({.cost = [](const Queries& a) {
      return Vector((a.coordinates().col(0).array() > 0.5).select(Vector::Constant(a.size(), 100.0), 1.0));
    }});
    PolicyOptions options;
    options.policy = kind;
    Policy policy(setting, options, 1);
    policy.observe(Queries{{0.3}, {0.7}}, Vector{{-5.0, -5.0}});
    EXPECT_EQ(policy.suggest().rows[0], 0) << to_string(kind);
  }
}

// The plain GP on (a, z) has no f, so looks at f do not reach it; recommendations do use them.
TEST(PolicyEdge, BaselinesIgnoreLooksAtF) {
  Policy without = run(on_lists(), PolicyKind::kUcb, 4);
  Policy with = run(on_lists(), PolicyKind::kUcb, 4);
  with.observe(Inputs{{0.05}}, Vector{{10.0}});
  EXPECT_EQ(without.suggest().rows, with.suggest().rows);
  EXPECT_NEAR(with.best().x.row(0)[0], 0.05, 0.1);
}

TEST(PolicyEdge, TheInitialDesignSkipsWhatIsAnswered) {
  PolicyOptions options;
  options.initial = 4;
  Policy policy(on_lists(), options, 2);
  const Suggestion design = policy.suggest(4);
  const Queries last = design.queries.slice(1, 3);
  policy.observe(last, answers(last));
  EXPECT_EQ(policy.suggest().rows[0], design.rows[0]);
}

// Counts that are all zero so far: nothing to fit, no reason to fail.
TEST(PolicyEdge, AllZeroAnswersWithALearnedConditional) {
  Rng rng(5);
  const Rows a = rng.uniforms(40, 1);
  Setting setting = on_lists();
  setting.kernel = nullptr;
  setting.conditional = LearnedConditional(Inputs(a), Queries(a)).clone();
  Policy policy(setting, {}, 1);
  for (int t = 0; t < 6; ++t) policy.observe(policy.suggest().queries, Vector{{0.0}});
  EXPECT_NEAR(policy.best().mean, 0.0, 0.1);
}

TEST(PolicyEdge, RefusesAtOnceWhatTheConditionalRefuses) {
  Setting setting = on_lists();
  const Inputs x = std::get<InputSet>(setting.targets).points();
  const BagConditional bags(x, {{0, 0, 1.0}, {1, 1, 1.0}, {2, 2, 1.0}});
  setting.conditional = bags.clone();
  setting.queries = QuerySet(bags.queries());
  Policy policy(setting, {}, 1);
  EXPECT_THROW(policy.observe(Queries{{7.0}}, Vector{{1.0}}), std::invalid_argument);
  EXPECT_EQ(policy.size(), 0);
  EXPECT_NO_THROW(policy.suggest());
}

// --- misuse -----------------------------------------------------------------------------------------------------------

TEST(PolicyEdge, LetsACallbacksErrorThroughAndLosesNothing) {
  Setting setting = on_lists();
  bool broken = false;
  setting.queries = setting.queries->with({.cost = [&](const Queries& a) -> Vector {
    if (broken) throw std::runtime_error("price list is missing");
    return Vector::Ones(a.size());
  }});
  Policy policy = run(setting, PolicyKind::kCkg, 4);
  const std::vector<Index> before = policy.suggest().rows;
  broken = true;
  test::expect_error<std::runtime_error>([&] { policy.suggest(); }, {"price list is missing"});
  broken = false;
  EXPECT_EQ(policy.suggest().rows, before);
}

TEST(PolicyEdge, NamesWhatIsWrong) {
  const auto policy = [](const Setting& setting, PolicyOptions options = {}) { Policy(setting, options, 1); };
  Setting setting = on_lists();
  setting.conditional = nullptr;
  test::expect_refusal([&] { policy(setting); }, {"conditional: none, expected a conditional p(x|a)"});
  setting = on_lists();
  setting.noise_var.reset();
  test::expect_refusal([&] { policy(setting); }, {"noise_var: none, expected a number, as the kernel is given"});
  setting = on_lists();
  setting.noise_var = -1.0;
  test::expect_refusal([&] { policy(setting); }, {"noise_var", "-1"});
  setting = on_lists();
  setting.targets = InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}});
  test::expect_refusal([&] { policy(setting); }, {"targets: 2 columns, expected 1"});
  setting = on_lists();
  setting.queries = unit_queries();
  PolicyOptions options;
  options.policy = PolicyKind::kMfmes;
  test::expect_refusal([&] { policy(setting, options); }, {"finest: none"});
  options = {};
  options.samples = 0;
  test::expect_refusal([&] { policy(on_lists(), options); }, {"samples: 0, expected at least 1"});
  setting = on_lists();
  setting.queries = setting.queries->with({.cost = [](const Queries& a) { return Vector(Vector::Zero(a.size())); }});
  test::expect_refusal([&] { run(setting, PolicyKind::kCmes, 3); }, {"cost: row 0 is 0"});

  Policy good(on_lists(), {}, 1);
  test::expect_refusal([&] { good.suggest(0); }, {"count: 0, expected at least 1"});
  test::expect_refusal([&] { good.observe(Queries{{0.1}}, Vector{{std::nan("")}}); }, {"z: row 0 is nan"});
  test::expect_refusal([&] { good.observe(Queries{{0.1}}, Vector{{1.0, 2.0}}); }, {"z: 2 rows, expected 1"});
  test::expect_refusal([&] { good.observe(Queries{{0.1, 0.2}}, Vector{{1.0}}); }, {"a: 2 columns, expected 1"});
  EXPECT_EQ(good.size(), 0);
}

}  // namespace
}  // namespace iqbo

#include "iqbo/experiment/entry.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "iqbo/kernel/stationary.hpp"
#include "iqbo/posterior/posterior.hpp"
#include "iqbo/problem/registry.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

using enum PolicyKind;

Entry on(const std::string& name, PolicyKind kind, Index steps = 8) {
  const Problem it = problem(name);
  Entry out{name, to_string(kind)};
  out.make = [it](std::uint64_t /*seed*/) { return it; };
  out.kind = kind;
  out.assumed.lengthscales.emplace();
  out.steps = steps;
  return out;
}

Entry on_tree(PolicyKind kind, AskedAs asking, double budget) {
  Entry out = on("branin-multires-linear", kind);
  out.asking = asking;
  out.assumed.lengthscales = std::vector<double>{3.0, 6.0};
  out.assumed.query_lengthscales = {0.2, 0.4, 1.0};
  out.budget = budget;
  return out;
}

TEST(Entry, RegretsAreThoseOfTheProblem) {
  const Problem it = problem("two-peaks");
  const ResultTable rows = replicate(on("two-peaks", kCmes), 3);
  ASSERT_EQ(rows.size(), 8U);
  double best = -1e9;
  for (std::size_t t = 0; t < rows.size(); ++t) {
    const ResultRow& row = rows[t];
    best = std::max(best, it.g(Queries({{row.query[0]}}))[0]);
    EXPECT_EQ(row.t, static_cast<std::int64_t>(t));
    EXPECT_EQ(row.instant_regret, it.optimum().max - best);
    EXPECT_GE(row.instant_regret, it.instant_floor());
    EXPECT_GE(row.simple_regret, it.listed_simple_floor());
    EXPECT_EQ(row.cost, static_cast<double>(t + 1));
  }
}

TEST(Entry, PoliciesOfASeedShareQueriesAndNoise) {
  const Problem it = problem("two-peaks");
  const auto noise = [&](const ResultRow& row) { return row.z - it.g(Queries({{row.query[0]}}))[0]; };
  const ResultTable one = replicate(on("two-peaks", kCmes), 5), other = replicate(on("two-peaks", kRandom), 5);
  for (std::size_t t = 0; t < one.size(); ++t) EXPECT_NEAR(noise(one[t]), noise(other[t]), 1e-15);
  for (std::size_t t = 0; t < 2; ++t) EXPECT_EQ(one[t].query, other[t].query);
  EXPECT_NE(one[5].query, other[5].query);
  EXPECT_NE(one[0].query, replicate(on("two-peaks", kCmes, 2), 6)[0].query);
  EXPECT_NE(noise(one[0]), noise(one[1]));
}

TEST(Entry, TreeAndLeavesStartAlikeAndKeepToTheBudget) {
  const ResultTable tree = replicate(on_tree(kCmes, AskedAs::kTree, 12.0), 1);
  const ResultTable leaves = replicate(on_tree(kMes, AskedAs::kLeaves, 12.0), 1);
  for (std::size_t t = 0; t < 2; ++t) {
    EXPECT_EQ(tree[t].query, leaves[t].query);
    EXPECT_EQ(tree[t].cost, 0.0);
  }
  EXPECT_EQ(leaves.size(), 2U + 3U) << "three leaves at 3.5";
  EXPECT_GT(tree.size(), leaves.size());
  EXPECT_LE(tree.back().cost, 12.0);
  EXPECT_EQ(leaves.back().cost, 10.5);
}

TEST(Entry, ABudgetOfAListPaysForAllButTheFirst) {
  Entry entry = on("two-peaks", kCmes);
  entry.budget = 4.0;
  const ResultTable rows = replicate(entry, 1);
  EXPECT_EQ(rows.size(), 2U + 4U);
  EXPECT_EQ(rows.back().cost, 4.0);
}

TEST(Entry, FittedAndLearned) {
  Entry entry = on("two-peaks", kAuto, 6);
  entry.assumed = {.learned = LearnedKind::kCme, .pairs = 20};
  entry.initial = 4;
  EXPECT_EQ(replicate(entry, 1), replicate(entry, 1));
  EXPECT_EQ(replicate(entry, 1).size(), 6U);
}

// Oracle: the same campaign by hand, with the embedding learned under k and a posterior without a discrepancy.
TEST(Entry, ThePapersEmbeddingIsLearnedUnderKAndHasNoDiscrepancy) {
  Entry entry = on("branin-linear", kMaxVariance, 10);
  entry.assumed = {.lengthscales = std::vector<double>{3.0, 6.0}, .learned = LearnedKind::kCme, .pairs = 60};
  entry.assumed.printed_cme = true;
  entry.assumed.discrepancy = false;
  const ResultTable rows = replicate(entry, 4);
  const Problem it = problem("branin-linear");
  Rng rng(4, {103});
  const PairLog log = it.logged(60, rng);
  const Rbf k(it.unit() * it.unit(), Vector{{3.0, 6.0}});
  LearnedOptions options{LearnedKind::kCme, *it.x_box()};
  options.yardstick = k.clone();
  Posterior posterior(k, LearnedConditional(log.x, log.a, options));
  for (const ResultRow& row : rows) {
    const Queries a(Rows(Eigen::Map<const Eigen::RowVectorXd>(row.query.data(), 2)));
    posterior = posterior.condition(a, Vector::Constant(1, row.z - it.mean()), it.noise_sd() * it.noise_sd());
    Index best = 0;
    posterior.f(it.x().points()).mean.maxCoeff(&best);
    EXPECT_NEAR(row.simple_regret, it.optimum().max - it.f(it.x().points().slice(best, 1))[0], 1e-9) << row.t;
  }
  entry.assumed.discrepancy = true;
  EXPECT_NE(replicate(entry, 4), rows);
  entry.assumed.discrepancy = false;
  entry.assumed.printed_cme = false;
  EXPECT_NE(replicate(entry, 4), rows) << "settings by our score are others";
}

TEST(Entry, FittedAfterEveryAnswer) {
  Entry entry = on("two-peaks", kCmes, 9);
  entry.assumed = {.rbf = true};
  entry.initial = 4;
  const ResultTable usual = replicate(entry, 2);
  entry.assumed.plain_evidence = true;
  EXPECT_NE(replicate(entry, 2), usual);
  EXPECT_EQ(replicate(entry, 2), replicate(entry, 2));
}

TEST(Entry, WindowsByASchedule) {
  Entry entry = on_tree(kRandom, AskedAs::kTree, 30.0);
  entry.schedule = 0.5;
  const ResultTable rows = replicate(entry, 1);
  ASSERT_GT(rows.size(), 10U);
  for (std::size_t t = 2; t < rows.size(); ++t) {
    const double answer = static_cast<double>(t + 1);
    const double delta = std::sqrt(0.5 / std::sqrt(answer) * std::log1p(answer));  // c t^-1/2 (log(1 + t))^(d/2), d = 2
    EXPECT_NEAR(rows[t].query[2], std::clamp(delta, 1.0 / 7.0, 1.0), 1e-12) << t;
  }
  EXPECT_LE(rows.back().cost, 30.0);
  Entry other = on("two-peaks", kRandom);
  other.schedule = 1.0;
  test::expect_refusal([&] { replicate(other, 1); }, {"scheduled-ucb on two-peaks", "resolution-line"});
}

TEST(Entry, NoiseByLevelFallsWithTheResolution) {
  Entry entry = on_tree(kCmes, AskedAs::kTree, 12.0);
  const ResultTable same = replicate(entry, 1);
  entry.noise_by_level = true;
  const ResultTable rows = replicate(entry, 1);
  const Problem it = problem("branin-multires-linear");
  const auto noise = [&](const ResultRow& row) {
    return row.z - it.g(Queries(Rows(Eigen::Map<const Eigen::RowVectorXd>(row.query.data(), 3))))[0];
  };
  for (std::size_t t = 0; t < std::min(rows.size(), same.size()); ++t)
    EXPECT_NEAR(noise(rows[t]), noise(same[t]) * rows[t].query[2] * 7.0, 1e-9) << "delta is 1/7 at the leaves";
}

// Also in the midst of a fit, of which this entry makes one after its first answers.
TEST(Entry, StopsWhenever) {
  Entry entry = on("two-peaks", kCmes, 6);
  entry.assumed.lengthscales.reset();
  int all = 0;
  EXPECT_EQ(replicate(entry, 1, [&] { return ++all < 0; }).size(), 6U);
  EXPECT_GT(all, 6 * 10) << "within answers too";
  for (const int most : {0, 3, all / 2, all - 1}) {
    int asked = 0;
    EXPECT_TRUE(replicate(entry, 1, [&] { return ++asked > most; }).empty());
    EXPECT_EQ(asked, most + 1);
  }
}

TEST(Entry, RefusesWhatMakesNoSense) {
  Entry entry = on("branin-linear", kCmes);
  test::expect_refusal(
      [&] { replicate(entry, 1); },
      {"lengthscales: none, and branin-linear has no kernel of its own, expected one per coordinate of X"});
  entry.assumed.lengthscales = std::vector<double>{3.0, 6.0};
  entry.asking = AskedAs::kTree;
  test::expect_refusal([&] { replicate(entry, 1); },
                       {"problem: branin-linear has one resolution, expected one with several, for a tree"});
  entry.asking = AskedAs::kList;
  entry.steps = 1;
  test::expect_refusal([&] { replicate(entry, 1); }, {"steps: 1, expected at least 2, the initial queries"});
  entry.initial = 0;
  test::expect_refusal([&] { replicate(entry, 1); }, {"initial: 0, expected at least 1"});
}

}  // namespace
}  // namespace iqbo

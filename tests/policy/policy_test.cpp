#include "iqbo/policy/policy.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/learned.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

// f has a peak at 0.7 on the unit interval; queries are windows of sd 0.06.
double f_at(double x) { return std::exp(-0.5 * std::pow((x - 0.7) / 0.1, 2)) + 0.3 * std::sin(5.0 * x); }

double g_at(double a) {
  const double wide = std::hypot(0.1, 0.06);
  return 0.1 / wide * std::exp(-0.5 * std::pow((a - 0.7) / wide, 2)) +
         0.3 * std::sin(5.0 * a) * std::exp(-0.5 * std::pow(5.0 * 0.06, 2));
}

Vector answers(const Queries& a) { return a.coordinates().col(0).unaryExpr(&g_at); }

std::shared_ptr<const Conditional> window() { return GaussianConditional(QueryMap::identity(1), 0.06).clone(); }
InputBox unit_inputs() { return {Vector{{0.0}}, Vector{{1.0}}}; }
QueryBox unit_queries() { return {Vector{{0.0}}, Vector{{1.0}}}; }

Setting on_lists() {
  Setting out{InputSet(unit_inputs().grid({60})), QuerySet(unit_queries().grid({25})), window()};
  out.kernel = Rbf(0.5, Vector{{0.12}}).clone();
  out.query_kernel = Rbf(0.5, Vector{{0.15}}).clone();
  out.noise_var = 1e-4;
  out.finest = [](const Queries& a) { return a; };
  return out;
}

Setting on_continua() {
  Setting out = on_lists();
  out.x = unit_inputs();
  out.a = unit_queries();
  return out;
}

Policy run(const Setting& setting, PolicyKind kind, int steps, std::uint64_t seed = 1) {
  PolicyOptions options;
  options.kind = kind;
  options.samples = 8;
  options.recommend_paths = 20;
  Policy policy(setting, options, seed);
  for (int t = 0; t < steps; ++t) {
    const Queries a = policy.suggest().queries;
    policy.observe(a, answers(a));
  }
  return policy;
}

// After a few queries every policy points to the peak, except the probability of improvement without a margin, which is
// known to stay where it first found something.
TEST(Policy, EveryOneFindsAnEasyPeakOnLists) {
  for (const PolicyKind kind : all_policies()) {
    if (kind == PolicyKind::kPi || kind == PolicyKind::kPiG) continue;
    Policy policy = run(on_lists(), kind, 14);
    const Recommendation best = policy.recommend();
    ASSERT_TRUE(best.row.has_value());
    EXPECT_NEAR(best.x.row(0)[0], 0.68, 0.05) << to_string(kind);
    EXPECT_LT(best.low, best.mean);
    EXPECT_LT(best.mean, best.high);
    EXPECT_GT(best.probability, 0.0);
    EXPECT_LE(best.probability, 1.0);
  }
}

TEST(Policy, EveryOneRunsOnContinua) {
  for (const PolicyKind kind : all_policies()) {
    Policy policy = run(on_continua(), kind, 3);
    const Recommendation best = policy.recommend();
    EXPECT_FALSE(best.row.has_value());
    EXPECT_NO_THROW(unit_inputs().require_inside(best.x));
    EXPECT_GT(best.tolerance, 0.0);
  }
}

TEST(Policy, FindsThePeakOfAContinuum) {
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCjes}) {
    Policy policy = run(on_continua(), kind, 10);
    EXPECT_NEAR(policy.recommend().x.row(0)[0], 0.68, 0.03) << to_string(kind);
  }
}

TEST(Policy, MixesListsAndContinua) {
  for (const bool list_of_x : {true, false}) {
    Setting setting = on_continua();
    if (list_of_x) setting.x = on_lists().x;
    if (!list_of_x) setting.a = on_lists().a;
    for (const PolicyKind kind : {PolicyKind::kCkg, PolicyKind::kCjes, PolicyKind::kMes}) {
      Policy policy = run(setting, kind, 9);
      EXPECT_NEAR(policy.recommend().x.row(0)[0], 0.68, 0.1) << to_string(kind) << list_of_x;
    }
  }
}

// Two sensors: the second looks 0.2 to the right of where it points.
TEST(Policy, ChoosesASensorAndWhereToPointIt) {
  Setting setting = on_continua();
  setting.a = MixedQueries(QuerySet(Queries{{0.0}, {1.0}}), unit_queries());
  setting.conditional = GaussianConditional(QueryMap::affine(Matrix{{0.2, 1.0}}, Vector{{0.0}}), 0.06).clone();
  setting.query_kernel = Rbf(0.5, Vector{{1.0, 0.15}}).clone();
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kMes, PolicyKind::kRandom}) {
    PolicyOptions options;
    options.kind = kind;
    Policy policy(setting, options, 3);
    for (int t = 0; t < 5; ++t) {
      const Queries a = policy.suggest().queries;
      std::get<MixedQueries>(setting.a).require_inside(a);
      policy.observe(a, Vector::Constant(1, g_at(a.row(0)[1] + 0.2 * a.row(0)[0])));
    }
    EXPECT_EQ(policy.size(), 5);
  }
}

TEST(Policy, FitsWhatIsNotGiven) {
  Setting setting = on_lists();
  setting.kernel = nullptr;
  setting.query_kernel = nullptr;
  setting.noise_var.reset();
  for (const PolicyKind kind : {PolicyKind::kAuto, PolicyKind::kEi}) {
    Policy policy = run(setting, kind, 16);
    ASSERT_NE(policy.fit(), nullptr);
    EXPECT_LT(policy.fit()->parameter("lengthscale[0]").value, 0.5);
    EXPECT_NEAR(policy.recommend().x.row(0)[0], 0.68, 0.06) << to_string(kind);
  }
}

TEST(Policy, WorksWithALearnedConditional) {
  Rng rng(5);
  const Rows a = rng.uniforms(80, 1);
  Rows x = a;
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) += 0.06 * rng.normal();
  Setting setting = on_lists();
  LearnedOptions learned;
  learned.domain = std::get<InputSet>(setting.x);
  setting.conditional = LearnedConditional(Inputs(x), Queries(a), learned).clone();
  Policy known = run(setting, PolicyKind::kCkg, 14);
  EXPECT_NEAR(known.recommend().x.row(0)[0], 0.68, 0.1);
  setting.kernel = nullptr;
  Policy fitted = run(setting, PolicyKind::kAuto, 14);
  EXPECT_NEAR(fitted.recommend().x.row(0)[0], 0.68, 0.1);
  EXPECT_NE(fitted.posterior().discrepancy(), nullptr);
}

std::vector<double> trace(const Setting& setting, PolicyKind kind, std::uint64_t seed) {
  PolicyOptions options;
  options.kind = kind;
  options.samples = 8;
  options.recommend_paths = 20;
  Policy policy(setting, options, seed);
  std::vector<double> out;
  for (int t = 0; t < 5; ++t) {
    const Queries a = policy.suggest().queries;
    out.push_back(a.row(0)[0]);
    policy.observe(a, answers(a));
  }
  out.push_back(policy.recommend().mean);
  return out;
}

TEST(Policy, TheSeedDecidesEverything) {
  for (const Setting& setting : {on_lists(), on_continua()})
    for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kMes}) {
      EXPECT_EQ(trace(setting, kind, 4), trace(setting, kind, 4)) << to_string(kind);
      EXPECT_NE(trace(setting, kind, 4), trace(setting, kind, 5)) << to_string(kind);
    }
}

TEST(Policy, TwoThreadsSayTheSameAsOne) {
  const Setting setting = on_lists();
  const std::vector<double> alone = trace(setting, PolicyKind::kCmes, 4);
  std::vector<double> first;
  std::vector<double> second;
  {
    const std::jthread one([&] { first = trace(setting, PolicyKind::kCmes, 4); });
    const std::jthread two([&] { second = trace(setting, PolicyKind::kCmes, 4); });
  }
  EXPECT_EQ(alone, first);
  EXPECT_EQ(alone, second);
}

// A policy that is told everything at once says the same as one that was told step by step.
TEST(Policy, CanBeResumed) {
  Setting fitted = on_lists();
  fitted.kernel = nullptr;
  for (const auto& [setting, kind] :
       {std::pair{on_lists(), PolicyKind::kCkg}, std::pair{on_continua(), PolicyKind::kCmes},
        std::pair{fitted, PolicyKind::kAuto}}) {
    PolicyOptions options;
    options.kind = kind;
    options.recommend_paths = 20;
    Policy first(setting, options, 9);
    Queries asked;
    for (int t = 0; t < 7; ++t) {
      const Queries a = first.suggest().queries;
      first.observe(a, answers(a));
      asked = asked.joined(a);
    }
    Policy second(setting, options, 9);
    second.observe(asked, answers(asked));
    const Suggestion one = first.suggest();
    const Suggestion two = second.suggest();
    EXPECT_EQ(one.queries.coordinates(), two.queries.coordinates());
    EXPECT_EQ(one.scores, two.scores);
    EXPECT_EQ(first.recommend().mean, second.recommend().mean);
  }
}

TEST(Policy, SharesTheInitialDesign) {
  PolicyOptions options;
  options.initial = 4;
  std::set<double> firsts;
  for (const PolicyKind kind : {PolicyKind::kCkg, PolicyKind::kMes, PolicyKind::kRandom}) {
    options.kind = kind;
    Policy policy(on_lists(), options, 3);
    const Suggestion four = policy.suggest(4);
    EXPECT_EQ(four.scores, Vector::Zero(4));
    for (Index i = 0; i < 4; ++i) firsts.insert(four.queries.row(i)[0]);
  }
  EXPECT_EQ(firsts.size(), 4U);
}

TEST(Policy, BatchesDoNotAskTheSameTwiceWithoutReason) {
  for (const Setting& setting : {on_lists(), on_continua()})
    for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kCjes}) {
      Policy policy = run(setting, kind, 3);
      const Queries batch = policy.suggest(4).queries;
      std::set<double> distinct;
      for (Index i = 0; i < 4; ++i) distinct.insert(std::round(100.0 * batch.row(i)[0]));
      EXPECT_GE(distinct.size(), 3U) << to_string(kind);
    }
}

TEST(Policy, AccountsForPendingQueries) {
  Policy policy = run(on_lists(), PolicyKind::kCmes, 5);
  const Suggestion alone = policy.suggest();
  const Suggestion after = policy.suggest(1, alone.queries);
  EXPECT_NE(alone.rows, after.rows);
  EXPECT_EQ(policy.suggest(2).rows[1], after.rows[0]);  // pending, or chosen earlier in the batch: the same
}

TEST(Policy, PrefersTheCheapOfEquals) {
  Setting setting = on_lists();
  setting.cost = [](const Queries& a) {
    return Vector(Vector::Constant(a.size(), 1.0).array() +
                  1e6 * (a.coordinates().col(0).array() > 0.5).cast<double>());
  };
  Policy policy = run(setting, PolicyKind::kMaxVariance, 2);
  for (int t = 0; t < 5; ++t) {
    const Queries a = policy.suggest().queries;
    EXPECT_LE(a.row(0)[0], 0.5);
    policy.observe(a, answers(a));
  }
}

TEST(Policy, SaysWhatItDidAndWhy) {
  Policy policy(on_lists(), {}, 1);
  EXPECT_EQ(policy.suggest().why[0], "initial design: query 1 of 2");
  policy = run(on_lists(), PolicyKind::kAuto, 4);
  const Suggestion next = policy.suggest();
  EXPECT_NE(next.used, PolicyKind::kAuto);
  EXPECT_NE(next.why[0].find("auto"), std::string::npos);
  EXPECT_NE(next.why[1].find("features"), std::string::npos) << next.why[1];
  policy = run(on_continua(), PolicyKind::kCkg, 3);
  EXPECT_NE(policy.suggest().why.back().find("approximation"), std::string::npos);
}

TEST(Policy, TakesDirectLooksToo) {
  Policy policy = run(on_lists(), PolicyKind::kCkg, 3);
  policy.observe(Inputs{{0.68}, {0.2}}, Vector{{f_at(0.68), f_at(0.2)}});
  EXPECT_EQ(policy.size(), 5);
  EXPECT_NEAR(policy.posterior().f(Inputs{{0.68}}).mean[0], f_at(0.68), 0.02);
}

// --- little to choose from --------------------------------------------------------------------------------------------

TEST(Policy, OneCandidateIsTheAnswer) {
  Setting setting = on_lists();
  setting.a = QuerySet(Queries{{0.4}});
  setting.x = InputSet(Inputs{{0.5}});
  for (const PolicyKind kind : all_policies()) {
    Policy policy = run(setting, kind, 3);
    EXPECT_EQ(policy.suggest().rows, (std::vector<Index>{0})) << to_string(kind);
    EXPECT_EQ(policy.recommend().row, 0);
    EXPECT_EQ(policy.recommend().probability, 1.0);
  }
}

// Two names for one district: neither is preferred, nothing breaks.
TEST(Policy, IdenticalCandidatesTie) {
  Setting setting = on_lists();
  const Inputs x = std::get<InputSet>(setting.x).points();
  std::vector<BagRow> rows;
  for (Index i = 0; i < x.size(); ++i)
    for (const Index bag : {0, 1}) rows.push_back({bag, i, 1.0});
  const BagConditional bags(x, rows);
  setting.conditional = bags.clone();
  setting.a = QuerySet(bags.queries());
  std::set<Index> chosen;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    PolicyOptions options;
    options.kind = PolicyKind::kCkg;
    Policy policy(setting, options, seed);
    policy.observe(bags.queries(), Vector{{0.1, 0.1}});
    chosen.insert(policy.suggest().rows[0]);
  }
  EXPECT_EQ(chosen.size(), 2U);
}

// Weights that cancel: q(a, a) = 0 and no answer can tell anything. Not worth asking, and no reason to fail.
TEST(Policy, AQueryThatTellsNothingIsNotAsked) {
  Setting setting = on_lists();
  setting.noise_var = 0.0;
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kCjes, PolicyKind::kCmesNoisy}) {
    PolicyOptions options;
    options.kind = kind;
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

TEST(Policy, WithoutRepeatsAListRunsOut) {
  Setting setting = on_lists();
  setting.a = QuerySet(Queries{{0.2}, {0.5}, {0.8}});
  PolicyOptions options;
  options.repeats = false;
  Policy policy(setting, options, 1);
  const Suggestion all = policy.suggest(3);
  EXPECT_EQ(std::set<Index>(all.rows.begin(), all.rows.end()).size(), 3U);
  test::expect_refusal([&] { policy.suggest(4); }, {"a: all 3 queries have been asked", "repeats"});
  policy.observe(all.queries, answers(all.queries));
  test::expect_refusal([&] { policy.suggest(); }, {"a: all 3 queries have been asked"});
  options.repeats = true;
  Policy repeating(setting, options, 1);
  EXPECT_EQ(repeating.suggest(7).rows.size(), 7U);
}

TEST(Policy, ConstantAnswersAreNoReasonToFail) {
  Setting setting = on_lists();
  setting.kernel = nullptr;
  Policy policy(setting, {}, 1);
  for (int t = 0; t < 8; ++t) policy.observe(policy.suggest().queries, Vector{{2.0}});
  EXPECT_NEAR(policy.recommend().mean, 2.0, 0.1);
}

// As many inputs as samples of f*: the references are the sampled maximisers, not all of X. Query 3 saw the highest answers,
// and everything else is far away from it and known to be no better.
TEST(Policy, SampledMaximisersAreNotTakenForTheWholeList) {
  for (const Index n : {15, 16, 17}) {
    const Inputs x = Inputs::line(Vector::LinSpaced(n, 0.0, static_cast<double>(n - 1)));
    std::vector<BagRow> rows;
    for (Index i = 0; i < n; ++i) rows.push_back({i, i, 1.0});
    const BagConditional points(x, rows);
    Setting setting{InputSet(x), QuerySet(points.queries()), points.clone()};
    setting.kernel = Rbf(1.0, Vector{{0.02}}).clone();
    setting.noise_var = 0.01;
    PolicyOptions options;
    options.kind = PolicyKind::kCjes;
    options.samples = 16;
    Policy policy(setting, options, 1);
    policy.observe(Queries{{3.0}, {3.0}, {7.0}}, Vector{{10.0, 10.0, 0.0}});
    EXPECT_EQ(policy.suggest().rows[0], 3) << n;
  }
}

TEST(Policy, ACostAlwaysCountsAgainstAQuery) {
  for (const PolicyKind kind : {PolicyKind::kUcbG, PolicyKind::kEstG, PolicyKind::kUcb, PolicyKind::kCmes}) {
    Setting setting = on_lists();
    setting.a = QuerySet(Queries{{0.3}, {0.7}});
    setting.cost = [](const Queries& a) {
      return Vector((a.coordinates().col(0).array() > 0.5).select(Vector::Constant(a.size(), 100.0), 1.0));
    };
    PolicyOptions options;
    options.kind = kind;
    Policy policy(setting, options, 1);
    policy.observe(Queries{{0.3}, {0.7}}, Vector{{-5.0, -5.0}});
    EXPECT_EQ(policy.suggest().rows[0], 0) << to_string(kind);
  }
}

// The plain GP on (a, z) has no f, so looks at f do not reach it; recommendations do use them.
TEST(Policy, BaselinesIgnoreLooksAtF) {
  Policy without = run(on_lists(), PolicyKind::kUcb, 4);
  Policy with = run(on_lists(), PolicyKind::kUcb, 4);
  with.observe(Inputs{{0.05}}, Vector{{10.0}});
  EXPECT_EQ(without.suggest().rows, with.suggest().rows);
  EXPECT_NEAR(with.recommend().x.row(0)[0], 0.05, 0.1);
}

TEST(Policy, TheInitialDesignSkipsWhatIsAnswered) {
  PolicyOptions options;
  options.initial = 4;
  Policy policy(on_lists(), options, 2);
  const Suggestion design = policy.suggest(4);
  const Queries last = design.queries.slice(1, 3);
  policy.observe(last, answers(last));
  EXPECT_EQ(policy.suggest().rows[0], design.rows[0]);
}

// Counts that are all zero so far: nothing to fit, no reason to fail.
TEST(Policy, AllZeroAnswersWithALearnedConditional) {
  Rng rng(5);
  const Rows a = rng.uniforms(40, 1);
  Setting setting = on_lists();
  setting.kernel = nullptr;
  setting.conditional = LearnedConditional(Inputs(a), Queries(a)).clone();
  Policy policy(setting, {}, 1);
  for (int t = 0; t < 6; ++t) policy.observe(policy.suggest().queries, Vector{{0.0}});
  EXPECT_NEAR(policy.recommend().mean, 0.0, 0.1);
}

TEST(Policy, RefusesAtOnceWhatTheConditionalRefuses) {
  Setting setting = on_lists();
  const Inputs x = std::get<InputSet>(setting.x).points();
  const BagConditional bags(x, {{0, 0, 1.0}, {1, 1, 1.0}, {2, 2, 1.0}});
  setting.conditional = bags.clone();
  setting.a = QuerySet(bags.queries());
  Policy policy(setting, {}, 1);
  EXPECT_THROW(policy.observe(Queries{{7.0}}, Vector{{1.0}}), std::invalid_argument);
  EXPECT_EQ(policy.size(), 0);
  EXPECT_NO_THROW(policy.suggest());
}

// --- misuse -----------------------------------------------------------------------------------------------------------

TEST(Policy, LetsACallbacksErrorThroughAndLosesNothing) {
  Setting setting = on_lists();
  bool broken = false;
  setting.cost = [&](const Queries& a) -> Vector {
    if (broken) throw std::runtime_error("price list is missing");
    return Vector::Ones(a.size());
  };
  Policy policy = run(setting, PolicyKind::kCkg, 4);
  const std::vector<Index> before = policy.suggest().rows;
  broken = true;
  test::expect_error<std::runtime_error>([&] { policy.suggest(); }, {"price list is missing"});
  broken = false;
  EXPECT_EQ(policy.suggest().rows, before);
}

TEST(Policy, NamesWhatIsWrong) {
  const auto policy = [](const Setting& setting, PolicyOptions options = {}) { Policy(setting, options, 1); };
  Setting setting = on_lists();
  setting.conditional = nullptr;
  test::expect_refusal([&] { policy(setting); }, {"conditional: none, expected a model of p(x|a)"});
  setting = on_lists();
  setting.noise_var.reset();
  test::expect_refusal([&] { policy(setting); }, {"noise_var: none, expected a number, as the kernel is given"});
  setting = on_lists();
  setting.noise_var = -1.0;
  test::expect_refusal([&] { policy(setting); }, {"noise_var", "-1"});
  setting = on_lists();
  setting.x = InputBox(Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}});
  test::expect_refusal([&] { policy(setting); }, {"x: 2 columns, expected 1"});
  setting = on_lists();
  setting.finest = {};
  PolicyOptions options;
  options.kind = PolicyKind::kMfmes;
  test::expect_refusal([&] { policy(setting, options); }, {"finest: none"});
  options = {};
  options.samples = 0;
  test::expect_refusal([&] { policy(on_lists(), options); }, {"samples: 0, expected at least 1"});
  setting = on_lists();
  setting.cost = [](const Queries& a) { return Vector(Vector::Zero(a.size())); };
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

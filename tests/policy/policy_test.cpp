#include "iqbo/policy/policy.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <set>
#include <stdexcept>
#include <thread>
#include <utility>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/learned/learned.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

// After a few queries every policy points to the peak, except the probability of improvement without a margin, which is
// known to stay where it first found something.
TEST(Policy, EveryOneFindsAnEasyPeakOnLists) {
  for (const PolicyKind kind : all_policies()) {
    if (kind == PolicyKind::kPi || kind == PolicyKind::kPiG) continue;
    Policy policy = run(on_lists(), kind, 14);
    const Recommendation best = policy.best();
    ASSERT_TRUE(best.row.has_value());
    EXPECT_NEAR(best.x.row(0)[0], 0.68, 0.05) << to_string(kind);
    EXPECT_LT(best.low, best.mean);
    EXPECT_LT(best.mean, best.high);
    EXPECT_GT(best.probability, 0.0);
    EXPECT_LE(best.probability, 1.0);
  }
}

// What is recommended is the top of the exact posterior mean, by a fine grid; what is chosen is worth no less than any query
// of a grid, by the policy's own score.
TEST(Policy, EveryOneSearchesContinua) {
  const Inputs grid = unit_inputs().grid({2001});
  for (const PolicyKind kind : all_policies()) {
    Policy policy = run(on_continua(), kind, 4);
    const Recommendation best = policy.best();
    EXPECT_FALSE(best.row.has_value());
    EXPECT_NO_THROW(unit_inputs().require_inside(best.x));
    EXPECT_GT(best.tolerance, 0.0);
    const Marginals there = policy.belief().f(best.x);
    EXPECT_NEAR(best.mean, there.mean[0], 1e-12);
    EXPECT_NEAR(best.sd, std::sqrt(there.var[0]), 1e-12);
    EXPECT_GE(best.mean, policy.belief().f(grid).mean.maxCoeff() - 1e-8) << to_string(kind);

    EXPECT_NO_THROW(QuerySet{policy.posterior().queries()}) << to_string(kind) << " asked a query twice";
    const Survey survey = policy.survey(unit_queries().grid({51}));
    EXPECT_NO_THROW(unit_queries().require_inside(survey.next.queries));
    if (kind == PolicyKind::kRandom) continue;  // it has no score
    ASSERT_EQ(survey.scores.size(), 51) << to_string(kind);
    EXPECT_GE(survey.next.scores[0], survey.scores.maxCoeff() - 1e-9) << to_string(kind);
    EXPECT_GT(survey.scores.maxCoeff() - survey.scores.minCoeff(), 1e-6) << to_string(kind) << " tells queries apart";
  }
}

TEST(Policy, FindsThePeakOfAContinuum) {
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCjes}) {
    Policy policy = run(on_continua(), kind, 10);
    EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.03) << to_string(kind);
  }
}

TEST(Policy, MixesListsAndContinua) {
  for (const bool list_of_x : {true, false}) {
    Setting setting = on_continua();
    if (list_of_x) setting.targets = on_lists().targets;
    if (!list_of_x) setting.queries = on_lists().queries;
    for (const PolicyKind kind : {PolicyKind::kCkg, PolicyKind::kCjes, PolicyKind::kMes}) {
      Policy policy = run(setting, kind, 9);
      EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.1) << to_string(kind) << list_of_x;
    }
  }
}

// Two sensors, each of which sees a part of X that the other cannot: the first, where it points, in [0, 0.5]; the second, 0.35 to
// the right of it, in [0.35, 0.85]. The peak, at 0.68, is the second's.
TEST(Policy, ChoosesASensorAndWhereToPointIt) {
  Setting setting = on_continua();
  setting.targets = InputBox(Vector{{0.0}}, Vector{{0.85}});
  const MixedQueries sensors(QuerySet(Queries{{0.0}, {1.0}}), QueryBox(Vector{{0.0}}, Vector{{0.5}}));
  setting.queries = sensors;
  setting.conditional = GaussianConditional(QueryMap::affine(Matrix{{0.35, 1.0}}, Vector{{0.0}}), 0.06).clone();
  setting.query_kernel = Rbf(0.5, Vector{{1.0, 0.15}}).clone();
  const Queries grid =
      sensors.with_choice(0, sensors.box().grid({201})).joined(sensors.with_choice(1, sensors.box().grid({201})));
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kMes, PolicyKind::kMaxVariance}) {
    PolicyOptions options;
    options.policy = kind;
    Policy policy(setting, options, 3);
    std::array<int, 2> chosen{};
    double nearest = 1.0;
    for (int t = 0; t < 12; ++t) {
      const Survey survey = policy.survey(grid);
      const Queries& a = survey.next.queries;
      ASSERT_TRUE(setting.queries->contains(a.row(0)));
      const double seen = a.row(0)[1] + 0.35 * a.row(0)[0];
      if (survey.scores.size() > 0) {
        EXPECT_GE(survey.next.scores[0], survey.scores.maxCoeff() - 1e-9) << to_string(kind) << " at " << t;
        ++chosen.at(static_cast<std::size_t>(a.row(0)[0]));
        nearest = std::min(nearest, std::abs(seen - 0.68));
      }
      policy.observe(a, Vector::Constant(1, g_at(seen)));
    }
    EXPECT_GT(chosen[0], 0) << to_string(kind);
    EXPECT_GT(chosen[1], 0) << to_string(kind);
    EXPECT_LT(nearest, 0.1) << to_string(kind);
    EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.05) << to_string(kind);
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
    EXPECT_NEAR(policy.best().x.row(0)[0], 0.68, 0.06) << to_string(kind);
  }
}

TEST(Policy, WorksWithALearnedConditional) {
  Rng rng(5);
  const Rows a = rng.uniforms(80, 1);
  Rows x = a;
  for (Index i = 0; i < x.rows(); ++i) x(i, 0) += 0.06 * rng.normal();
  Setting setting = on_lists();
  LearnedOptions learned;
  learned.domain = std::get<InputSet>(setting.targets);
  setting.conditional = LearnedConditional(Inputs(x), Queries(a), learned).clone();
  Policy known = run(setting, PolicyKind::kCkg, 14);
  EXPECT_NEAR(known.best().x.row(0)[0], 0.68, 0.1);
  setting.kernel = nullptr;
  Policy fitted = run(setting, PolicyKind::kAuto, 14);
  EXPECT_NEAR(fitted.best().x.row(0)[0], 0.68, 0.1);
  EXPECT_NE(fitted.posterior().discrepancy(), nullptr);
}

std::vector<double> trace(const Setting& setting, PolicyKind kind, std::uint64_t seed) {
  PolicyOptions options;
  options.policy = kind;
  options.samples = 8;
  options.recommend_paths = 20;
  Policy policy(setting, options, seed);
  std::vector<double> out;
  for (int t = 0; t < 5; ++t) {
    const Queries a = policy.suggest().queries;
    out.push_back(a.row(0)[0]);
    policy.observe(a, answers(a));
  }
  out.push_back(policy.best().mean);
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
    options.policy = kind;
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
    EXPECT_EQ(first.best().mean, second.best().mean);
  }
}

TEST(Policy, SharesTheInitialDesign) {
  PolicyOptions options;
  options.initial = 4;
  std::set<double> firsts;
  for (const PolicyKind kind : {PolicyKind::kCkg, PolicyKind::kMes, PolicyKind::kRandom}) {
    options.policy = kind;
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

// The belief is continued from choice to choice; to the last bit, that must not show.
TEST(Policy, ABatchIsOneAfterTheOtherWithTheFirstPending) {
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kCjes, PolicyKind::kMes}) {
    Policy policy = run(on_lists(), kind, 4);
    const Suggestion batch = policy.suggest(5, Queries{{0.25}});
    Queries pending{{0.25}};
    for (Index j = 0; j < 5; ++j) {
      const Suggestion next = policy.suggest(1, pending);
      EXPECT_EQ(next.queries.row(0), batch.queries.row(j)) << to_string(kind);
      EXPECT_EQ(next.scores[0], batch.scores[j]) << to_string(kind);
      pending = pending.joined(next.queries);
    }
  }
}

TEST(Policy, GivesAReasonForEachOfABatch) {
  Policy policy(on_lists(), {}, 1);
  const Suggestion batch = policy.suggest(3);
  ASSERT_EQ(batch.reasons.size(), 3U);
  EXPECT_EQ(batch.reasons[0].why, std::vector<std::string>{"initial design: query 1 of 2"});
  EXPECT_EQ(batch.reasons[1].why, std::vector<std::string>{"initial design: query 2 of 2"});
  EXPECT_EQ(batch.reasons[1].used, PolicyKind::kAuto);
  EXPECT_NE(batch.reasons[2].used, PolicyKind::kAuto);
  EXPECT_EQ(batch.reasons[2].why, batch.why);
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
  setting.queries = setting.queries->with({.cost = [](const Queries& a) {
    return Vector(Vector::Constant(a.size(), 1.0).array() +
                  1e6 * (a.coordinates().col(0).array() > 0.5).cast<double>());
  }});
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
  EXPECT_NEAR(policy.belief().f(Inputs{{0.68}}).mean[0], f_at(0.68), 0.02);
}

}  // namespace
}  // namespace iqbo

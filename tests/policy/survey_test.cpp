// What a policy shows of its choices: the scores behind them, the nodes it has come to, what it expected.
#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/policy/policy.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

Index best_open(const Survey& survey) {
  Index best = -1;
  for (Index i = 0; i < survey.scores.size(); ++i)
    if (survey.open[static_cast<std::size_t>(i)] && (best < 0 || survey.scores[i] > survey.scores[best])) best = i;
  return best;
}

TEST(Survey, ShowsTheChoiceOfSuggestOnLists) {
  for (const PolicyKind kind : all_policies()) {
    SCOPED_TRACE(to_string(kind));
    Policy policy = run(on_lists(), kind, 5);
    const Suggestion next = policy.suggest();
    const Survey survey = policy.survey();
    EXPECT_EQ(survey.next.queries.coordinates(), next.queries.coordinates());
    EXPECT_EQ(survey.next.why, next.why);
    if (kind == PolicyKind::kRandom) {
      EXPECT_TRUE(survey.queries.empty());
      continue;
    }
    ASSERT_EQ(survey.scores.size(), survey.queries.size());
    EXPECT_EQ(survey.scores[best_open(survey)], next.scores[0]);
    EXPECT_EQ(survey.queries.row(next.rows.at(0)), next.queries.row(0));
  }
}

TEST(Survey, ShowsScoresOfAContinuumWhereOneLooks) {
  const Queries shown = unit_queries().grid({31});
  for (const PolicyKind kind : {PolicyKind::kCmes, PolicyKind::kCkg, PolicyKind::kUcb}) {
    Policy policy = run(on_continua(), kind, 5);
    const Suggestion next = policy.suggest();
    const Survey survey = policy.survey(shown);
    EXPECT_EQ(survey.next.queries.coordinates(), next.queries.coordinates());
    ASSERT_EQ(survey.scores.size(), 31);
    EXPECT_LE(survey.scores.maxCoeff(), next.scores[0] + 1e-9) << "the search climbs, a grid does not";
  }
}

TEST(Survey, HasNoScoresInTheInitialDesign) {
  Policy policy(on_lists(), {}, 1);
  const Survey survey = policy.survey();
  EXPECT_EQ(survey.scores.size(), 0);
  EXPECT_EQ(survey.next.queries.size(), 1);
  EXPECT_NE(survey.next.why.at(0).find("initial design"), std::string::npos);
  EXPECT_EQ(policy.opened().queries.coordinates(), on_lists().queries->probes().coordinates()) << "all of a list";
  EXPECT_TRUE(Policy(on_continua(), {}, 1).opened().queries.empty());
}

TEST(Survey, KnowsTheFrontierOfATree) {
  Setting setting = on_lists();
  TreeOptions tree;
  tree.l_max = 3;
  setting.queries = QueryTree(unit_queries(), tree);
  setting.conditional = GaussianConditional(QueryMap::columns({0}), QueryMap::columns({1})).clone();
  setting.query_kernel = nullptr;
  Policy policy(setting, {}, 1);
  EXPECT_EQ(policy.opened().queries.size(), 3) << "the root and its two halves";
  const Queries root = setting.queries->any();
  policy.observe(root, Vector{{0.3}});
  Index candidates = 0;
  const Candidates opened = policy.opened();
  for (Index i = 0; i < opened.queries.size(); ++i) {
    const bool allowed = opened.allowed[static_cast<std::size_t>(i)];
    EXPECT_EQ(allowed, setting.queries->cell(opened.queries.row(i))->node.level > 0) << "the root was asked";
    candidates += allowed;
  }
  EXPECT_EQ(candidates, 6) << "its halves and theirs";
  const Survey survey = policy.survey();
  for (Index i = 0; i < survey.queries.size(); ++i)
    EXPECT_EQ(survey.open[static_cast<std::size_t>(i)], survey.queries.row(i) != root.row(0));
}

// Against a policy that has seen only what came before.
TEST(Forecasts, AreWhatWasBelievedBefore) {
  for (const bool fitted : {false, true}) {
    Setting setting = on_lists();
    if (fitted) setting.kernel = nullptr;
    if (fitted) setting.noise_var = {};
    Policy policy = run(setting, PolicyKind::kMaxVariance, 3);
    policy.observe(Inputs(Rows{{0.3}}), Vector{{0.2}}, {0.01, 1.0});
    const Queries a = setting.queries->probes().slice(0, 9);
    policy.observe(a, answers(a), {{}, 2.0});
    const Marginals all = policy.forecasts();
    ASSERT_EQ(all.mean.size(), 13);
    EXPECT_EQ(std::isnan(all.mean[0]), fitted);
    Policy before = run(setting, PolicyKind::kMaxVariance, 3);
    before.observe(Inputs(Rows{{0.3}}), Vector{{0.2}}, {0.01, 1.0});
    for (Index i = 0; i < 9; ++i) {
      const Queries one = a.slice(i, 1);
      const Marginals g = before.belief().g(one);
      double noise = fitted ? 0.0 : 1e-4;
      if (fitted)
        for (const Hyperparameters& member : before.hyperparameters()->members)
          noise += member.weight * member.noise_var->value;
      EXPECT_NEAR(all.mean[4 + i], g.mean[0], 1e-6) << i;
      EXPECT_NEAR(all.var[4 + i], g.var[0] + noise / 2.0, 1e-7) << i;
      before.observe(one, answers(one), {{}, 2.0});
    }
    EXPECT_EQ(policy.forecasts(12).mean.size(), 1);
    EXPECT_NEAR(policy.forecasts(12).mean[0], all.mean[12], 1e-9);
    expect_error<std::invalid_argument>([&] { policy.forecasts(14); }, {"begin", "14", "0 to 13"});
  }
}

TEST(Recommend, WithoutPathsIsTheSamePoint) {
  for (const Setting& setting : {on_lists(), on_continua()}) {
    PolicyOptions options;
    const Queries a = unit_queries().grid({9});
    options.recommend_paths = 0;
    Policy quick(setting, options, 3);
    options.recommend_paths = 20;
    Policy whole(setting, options, 3);
    const Queries at = setting.queries->is_continuum() ? a : setting.queries->probes().slice(0, 9);
    quick.observe(at, answers(at));
    whole.observe(at, answers(at));
    EXPECT_EQ(quick.best().x.coordinates(), whole.best().x.coordinates());
    EXPECT_TRUE(std::isnan(quick.best().probability));
    EXPECT_TRUE(std::isfinite(whole.best().probability));
  }
}

TEST(FitSizes, GrowByTwoFifths) {
  EXPECT_EQ(Policy::fit_sizes(30), (std::vector<Index>{2, 3, 4, 5, 7, 9, 12, 16, 22, 30}));
  EXPECT_TRUE(Policy::fit_sizes(1).empty());
}

// Surveys that find no case for a while: of equal answers no fit can tell how f varies.
TEST(FitSizes, EqualAnswersThatFirstDifferAreFittedAtOnce) {
  Setting setting = on_lists();
  setting.kernel = nullptr;
  setting.query_kernel = nullptr;
  setting.noise_var.reset();
  Policy policy(setting, {}, 1);
  const Queries a = setting.queries->probes().slice(0, 11);
  policy.observe(a.slice(0, 9), Vector::Ones(9));
  policy.best();
  EXPECT_EQ(policy.hyperparameters()->observations, 9);
  policy.observe(a.slice(9, 1), Vector::Constant(1, 3.0));
  const Recommendation best = policy.best();
  EXPECT_EQ(policy.hyperparameters()->observations, 10);
  EXPECT_GT(best.high - best.low, 0.1);
  policy.observe(a.slice(10, 1), Vector::Ones(1));
  policy.best();
  EXPECT_EQ(policy.hyperparameters()->observations, 10);
  EXPECT_EQ(policy.fit_sizes(), (std::vector<Index>{2, 3, 4, 5, 7, 9, 10}));
}

// Forecasts are compared with answers whenever somebody asks for a recommendation; what is kept of the last time changes nothing.
TEST(Survey, RecommendsTheSameHoweverOftenItIsAsked) {
  const Setting setting = on_lists();
  const Queries all = setting.queries->probes();
  Policy often(setting, {}, 1), once(setting, {}, 1);
  for (Index i = 0; i < 40; ++i) {
    const Queries a = all.slice(5 * i % all.size(), 1);
    const Vector z =
        Vector::Constant(1, static_cast<double>(20 * (7 * i % 5 - 2)));  // surprising: the interval is widened
    often.observe(a, z);
    once.observe(a, z);
    if (i != 4) often.best();
  }
  const Recommendation left = often.best(), right = once.best();
  EXPECT_GT(right.widened, 1.0);
  EXPECT_NEAR(left.widened, right.widened, 1e-9);
  EXPECT_EQ(left.row, right.row);
  EXPECT_NEAR(left.low, right.low, 1e-9);
  EXPECT_NEAR(left.high, right.high, 1e-9);
}

TEST(FitSizes, AfterEveryAnswerIfAskedFor) {
  Setting setting = on_lists();
  setting.kernel = nullptr;
  setting.query_kernel = nullptr;
  setting.noise_var.reset();
  PolicyOptions options;
  options.refit_always = true;
  options.members = 1;
  options.fit.priors = false;
  options.fit.families = {"rbf"};
  Policy policy(setting, options, 1);
  const Queries a = setting.queries->probes().slice(0, 11);
  policy.observe(a.slice(0, 10), answers(a.slice(0, 10)));
  policy.best();
  EXPECT_EQ(policy.hyperparameters()->observations, 10);
  policy.observe(a.slice(10, 1), answers(a.slice(10, 1)));
  policy.best();
  EXPECT_EQ(policy.hyperparameters()->observations, 11);
  EXPECT_EQ(policy.fit_sizes(), (std::vector<Index>{2, 3, 4, 5, 6, 7, 8, 9, 10, 11}));
  Policy step_by_step(setting, options, 1);
  for (Index i = 0; i < 11; ++i) {
    step_by_step.observe(a.slice(i, 1), answers(a.slice(i, 1)));
    if (i % 3 == 0) step_by_step.best();
  }
  step_by_step.best();
  EXPECT_EQ(*step_by_step.hyperparameters(), *policy.hyperparameters()) << "it matters when somebody asked";
  options.members = 4;
  test::expect_refusal([&] { Policy(setting, options, 1); }, {"members: 4, expected 1, as fit.priors is false"});
}

}  // namespace
}  // namespace iqbo

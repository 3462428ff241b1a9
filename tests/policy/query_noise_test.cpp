// Listed queries with costs and noises of their own; noises that vary over a box.
#include <gtest/gtest.h>

#include "iqbo/acquisition/max_value.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

const QuerySet& nine() {
  static const QuerySet list(unit_queries().grid({9}));
  return list;
}

Vector nine_noises() { return Vector{{0.1, 1e-3, 0.2, 0.0, 0.05, 0.3, 0.02, 0.4, 0.01}}; }

Setting noisy_list() {
  Setting out = on_lists();
  out.queries = ListedQueries{nine(), {}, nine_noises()};
  out.noise_var.reset();
  return out;
}

Posterior prior(const Setting& setting) { return {*setting.kernel, *setting.conditional}; }

// Against the exact posterior with the noises written beside the answers.
TEST(QueryNoise, OfAListIsThatOfItsAnswers) {
  for (const bool listed_targets : {true, false}) {
    Setting setting = noisy_list();
    if (!listed_targets) setting.targets = unit_inputs();
    Policy policy(setting, {}, 1);
    const Queries a{{0.25}, {0.75}, {0.0}, {0.25}};
    policy.observe(a, answers(a));
    policy.observe(Queries{{0.5}}, Vector{{0.3}}, {{}, 5.0});    // the mean of five
    policy.observe(Queries{{0.5}}, Vector{{0.3}}, {0.77, 1.0});  // the user knows better
    policy.observe(Queries{{0.6}}, Vector{{0.3}});               // not listed: the mean of all
    policy.observe(Inputs{{0.6}}, Vector{{0.3}});                // a value of f: likewise
    const double mean = nine_noises().mean();
    const Posterior want = prior(setting)
                               .condition(a, answers(a), Vector{{0.2, 0.02, 0.1, 0.2}})
                               .condition(Queries{{0.5}, {0.5}}, Vector{{0.3, 0.3}}, Vector{{0.01, 0.77}})
                               .condition(Queries{{0.6}}, Vector{{0.3}}, mean)
                               .condition(Inputs{{0.6}}, Vector{{0.3}}, mean);
    const Inputs x = unit_inputs().grid({7});
    EXPECT_LT((policy.belief().f(x).mean - want.f(x).mean).cwiseAbs().maxCoeff(), 1e-12);
    EXPECT_LT((policy.belief().f(x).var - want.f(x).var).cwiseAbs().maxCoeff(), 1e-12);
    if (!listed_targets) continue;
    const Inputs all = std::get<InputSet>(setting.targets).points();
    EXPECT_LT((policy.finite()->f().mean - want.f(all).mean).cwiseAbs().maxCoeff(), 1e-7);
  }
}

// cmes-noisy with a sample of f* that the test shares: the choice is the best by the exact posterior and the true noises, and
// would be another if all noises were alike.
TEST(QueryNoise, CountsInScores) {
  for (const bool listed_targets : {true, false}) {
    Setting setting = noisy_list();
    if (!listed_targets) setting.targets = unit_inputs();
    const Queries first{{0.375}, {0.625}};
    const Posterior exact = prior(setting).condition(first, answers(first), Vector{{0.0, 0.3}});
    const Marginals g = exact.g(nine().points());
    const NoisyCmes score(Vector{{1.5}}, 1e-12);
    const Vector worth = score.score({g.mean, g.var, nine_noises()}, Matrix(0, 9));
    const Vector alike = score.score({g.mean, g.var, Vector::Constant(9, nine_noises().mean())}, Matrix(0, 9));
    Index want = 0, other = 0;
    worth.maxCoeff(&want);
    alike.maxCoeff(&other);
    ASSERT_NE(want, other) << "else nothing is tested";
    PolicyOptions options;
    options.policy = PolicyKind::kCustom;
    options.custom = {.name = "noisy",
                      .make = [&](const SampledMaxima&) { return std::make_shared<NoisyCmes>(score); }};
    Policy policy(setting, options, 1);
    policy.observe(first, answers(first));
    const Suggestion next = policy.suggest();
    EXPECT_EQ(next.rows[0], want) << listed_targets;
    EXPECT_NEAR(next.scores[0], worth[want], 1e-5);
  }
}

// A pending query counts as answered with its own noise: a loud one teaches little.
TEST(QueryNoise, CountsForPendingQueries) {
  Setting setting = noisy_list();
  PolicyOptions options;
  options.policy = PolicyKind::kMaxVariance;
  Policy policy(setting, options, 1);
  const Queries first{{0.375}, {0.625}}, pending{{0.875}};
  policy.observe(first, answers(first));
  const Posterior exact =
      prior(setting).condition(first, answers(first), Vector{{0.0, 0.3}}).condition(pending, Vector{{0.0}}, 0.4);
  Index want = 0;
  const double top = exact.g(nine().points()).var.maxCoeff(&want);
  const Suggestion next = policy.suggest(1, pending);
  EXPECT_EQ(next.rows[0], want);
  EXPECT_NEAR(next.scores[0], std::log(top), 1e-5);
}

TEST(QueryNoise, IsNotFitted) {
  Setting setting = noisy_list();
  setting.kernel = nullptr;
  setting.query_kernel = nullptr;
  Policy policy(setting, {}, 1);
  policy.observe(nine().points(), answers(nine().points()));
  EXPECT_EQ(policy.posterior().noise_var(), nine_noises());
  EXPECT_EQ(policy.hyperparameters()->noise_var, nine_noises().mean());
}

TEST(QueryNoise, MayVaryOverABox) {
  const auto noise = [](const Queries& a) { return Vector(0.01 + (a.coordinates().col(0).array() - 0.37).square()); };
  Setting setting = on_continua();
  setting.queries = setting.queries->with({.noise_var = noise});
  setting.noise_var.reset();
  PolicyOptions options;
  options.policy = PolicyKind::kCustom;
  options.custom = {"quiet", [](const Outlook& g, const SampledMaxima&, const Eigen::Ref<const Matrix>&) -> Vector {
                      return -g.noise_var;
                    }};
  Policy policy(setting, options, 1);
  const Queries a{{0.1}, {0.9}};
  policy.observe(a, answers(a));
  EXPECT_NEAR(policy.suggest().queries.row(0)[0], 0.37, 1e-4);
  EXPECT_LT((policy.posterior().noise_var() - noise(a)).norm(), 1e-15);
}

TEST(QueryCost, OfAListDividesTheWorth) {
  Setting setting = on_lists();
  const Vector cost{{1.0, 3.0, 1.0, 9.0, 1.0, 2.0, 1.0, 30.0, 1.0}};
  setting.queries = ListedQueries{nine(), cost};
  PolicyOptions options;
  options.policy = PolicyKind::kMaxVariance;
  options.budget = 8.0;
  Policy policy(setting, options, 1);
  const Queries first{{0.0}, {0.25}, {1.0}};
  policy.observe(first, answers(first));
  const Vector var = prior(setting).condition(first, answers(first), 1e-4).g(nine().points()).var;
  Index want = 0;
  Vector((var.array() / cost.array())).maxCoeff(&want);
  const Suggestion next = policy.suggest();
  EXPECT_EQ(next.rows[0], want);
  EXPECT_NEAR(next.left, 8.0 - 3.0 - cost[want], 1e-12);
}

}  // namespace
}  // namespace iqbo

#include "iqbo/policy/hyperparameters.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "iqbo/conditional/bag.hpp"
#include "support/errors.hpp"
#include "support/policy_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

Setting unfitted_lists() {
  Setting out = on_lists();
  out.kernel = nullptr;
  out.query_kernel = nullptr;
  out.noise_var = {};
  return out;
}

Policy fitted(int steps, FitOptions::MeanModel mean = FitOptions::MeanModel::kConstant) {
  PolicyOptions options;
  options.fit.mean = mean;
  Policy policy(unfitted_lists(), options, 3);
  for (int t = 0; t < steps; ++t) {
    const Queries a = policy.suggest().queries;
    policy.observe(a, answers(a));
  }
  return policy;
}

TEST(Hyperparameters, RememberedChooseTheSameBitsAsFitted) {
  for (const auto mean : {FitOptions::MeanModel::kConstant, FitOptions::MeanModel::kLinear}) {
    Policy first = fitted(10, mean);
    PolicyOptions options;
    options.fit.mean = mean;
    Policy second(unfitted_lists(), options, 3);
    const auto values = first.hyperparameters();
    ASSERT_TRUE(values.has_value());
    EXPECT_EQ(values->observations, 9);  // of the schedule 2, 3, 4, 5, 7, 9, 12
    second.remember(*values);
    const Posterior& seen = first.posterior();
    second.observe(seen.queries(), seen.z());
    EXPECT_EQ(second.posterior().f(std::get<InputSet>(unfitted_lists().targets).points()).mean,
              seen.f(std::get<InputSet>(unfitted_lists().targets).points()).mean);
    EXPECT_EQ(second.fit(), nullptr) << "nothing was fitted again";
    const Suggestion one = first.suggest(3);
    const Suggestion two = second.suggest(3);
    EXPECT_EQ(one.queries.coordinates(), two.queries.coordinates());
    EXPECT_EQ(one.scores, two.scores);
  }
}

TEST(Hyperparameters, OfOtherCountsAreNotUsed) {
  Policy policy = fitted(10);
  Hyperparameters other = *policy.hyperparameters();
  other.observations = 8;
  other.noise_var = 100.0;
  Policy again(unfitted_lists(), {}, 3);
  again.remember(other);
  again.observe(policy.posterior().queries(), policy.posterior().z());
  EXPECT_NE(again.hyperparameters()->noise_var->value, 100.0);
}

TEST(Hyperparameters, WithoutWhatAPolicyNeedsAreRefused) {
  Policy policy = fitted(10);
  const auto refused = [&](auto spoil, std::initializer_list<std::string_view> pieces) {
    Hyperparameters spoilt = *policy.hyperparameters();
    spoil(spoilt);
    Policy again(unfitted_lists(), {}, 3);
    expect_error<std::invalid_argument>(
        [&] {
          again.remember(spoilt);
          again.observe(policy.posterior().queries(), policy.posterior().z());
          again.posterior();
        },
        pieces);
  };
  refused([](Hyperparameters& h) { h.family = "cubic"; }, {"family", "cubic"});
  refused([](Hyperparameters& h) { h.variance.reset(); }, {"without variance"});
  refused([](Hyperparameters& h) { h.noise_var.reset(); }, {"without noise_var"});
  refused([](Hyperparameters& h) { h.lengthscale.clear(); }, {"lengthscale"});
  refused([](Hyperparameters& h) { h.mean.clear(); }, {"mean"});
}

// Studies of a version without ensembles stored fits without members: they go on as they began.
TEST(Hyperparameters, ThatWerePointFitsGoOnAsPointFits) {
  Policy policy = fitted(10);
  ASSERT_GT(policy.hyperparameters()->members.size(), 1U);
  Hyperparameters old = *policy.hyperparameters();
  old.members.clear();
  PolicyOptions single;
  single.members = 1;
  Policy point(unfitted_lists(), single, 3);
  Policy again(unfitted_lists(), {}, 3);
  again.remember(old);
  const Queries a = unfitted_lists().queries->probes().slice(0, 16);
  again.observe(a, answers(a));
  point.observe(a, answers(a));
  EXPECT_TRUE(again.hyperparameters()->members.empty());
  EXPECT_EQ(again.suggest().queries.coordinates(), point.suggest().queries.coordinates());
  EXPECT_EQ(again.best().low, point.best().low);
}

TEST(Hyperparameters, MembersAreRefusedWithoutNoise) {
  Hyperparameters spoilt = *fitted(10).hyperparameters();
  spoilt.members.front().noise_var.reset();
  Policy again(unfitted_lists(), {}, 3);
  expect_error<std::invalid_argument>([&] { again.remember(spoilt); }, {"member without noise_var"});
}

// A point fit is surer of itself than what the answers support.
TEST(Ensembles, AdmitMoreThanAPointFit) {
  PolicyOptions single;
  single.members = 1;
  const Setting setting = unfitted_lists();
  Policy several(setting, {}, 3), one(setting, single, 3);
  const Queries a = setting.queries->probes().slice(0, 8);
  several.observe(a, answers(a));
  one.observe(a, answers(a));
  EXPECT_GT(several.finite()->f().var.mean(), one.finite()->f().var.mean());
  EXPECT_EQ(one.belief().members().size(), 1U);
  EXPECT_EQ(several.belief().members().size(), several.hyperparameters()->members.size());
  const InputSet& x = std::get<InputSet>(setting.targets);
  EXPECT_LT((several.finite()->f().mean - several.belief().f(x.points()).mean).cwiseAbs().maxCoeff(), 1e-6);
  EXPECT_LT((several.finite()->f().var - several.belief().f(x.points()).var).cwiseAbs().maxCoeff(), 1e-6);
}

// Ten answers, then another to the first query: whoever assumes no noise is contradicted.
struct Contradicted {
  Hyperparameters values = *fitted(10).hyperparameters();
  Queries a;
  Vector z;

  Contradicted() {
    Policy first = fitted(10);
    a = first.posterior().queries();
    z = first.posterior().z();
    const Queries again = a.slice(0, 1);
    a = a.joined(again);
    z.conservativeResize(a.size());
    z[a.size() - 1] = z[0] + 0.5;
  }
  static void make_exact(Hyperparameters& one) { one.noise_var = FittedNumber{0.0}; }
  static void make_noisy(Hyperparameters& one) { one.noise_var = FittedNumber{0.1}; }

  Policy told(const Hyperparameters& fit, bool asked_all_along, const Setting& setting = unfitted_lists()) const {
    Policy out(setting, {}, 3);
    out.remember(fit);
    for (Index i = 0; i < a.size(); ++i) {
      out.observe(a.slice(i, 1), z.segment(i, 1));
      if (asked_all_along && i >= 8) {
        (void)out.belief();
        (void)out.best();
      }
    }
    return out;
  }
};

TEST(Ensembles, LeaveOutMembersThatTheAnswersContradict) {
  const Contradicted it;
  ASSERT_GT(it.values.members.size(), 1U);
  Hyperparameters mixed = it.values, without = it.values;
  for (Hyperparameters& one : mixed.members) Contradicted::make_noisy(one);
  Contradicted::make_exact(mixed.members[1]);
  without.members = mixed.members;
  without.members.erase(without.members.begin() + 1);
  const Inputs x = std::get<InputSet>(unfitted_lists().targets).points();
  Policy want = it.told(without, false);
  std::optional<double> low;
  for (const bool asked_all_along : {false, true}) {
    Policy have = it.told(mixed, asked_all_along);
    EXPECT_EQ(have.belief().weights()[1], 0.0);
    EXPECT_EQ(have.finite()->weights()[1], 0.0);
    EXPECT_LT((have.belief().f(x).mean - want.belief().f(x).mean).norm(), kConditioned);
    EXPECT_LT((have.belief().f(x).var - want.belief().f(x).var).norm(), kConditioned);
    EXPECT_LT((have.finite()->f().mean - want.finite()->f().mean).norm(), kConditioned);
    EXPECT_LT((have.finite()->f().var - want.finite()->f().var).norm(), kConditioned);
    EXPECT_EQ(have.suggest(2).queries.coordinates(), want.suggest(2).queries.coordinates());
    const Recommendation best = have.best();
    EXPECT_NEAR(best.high, want.best().high, 1e-6);
    EXPECT_EQ(best.low, low.value_or(best.low)) << "whenever it was asked";
    low = best.low;
  }
}

TEST(Ensembles, ForecastsLeaveOutAMemberOnceItIsContradicted) {
  Contradicted it;
  Hyperparameters mixed = it.values, without = it.values;
  for (Hyperparameters& one : mixed.members) Contradicted::make_noisy(one);
  Contradicted::make_exact(mixed.members[1]);
  without.members = mixed.members;
  without.members.erase(without.members.begin() + 1);
  const auto forecasts = [&](const Hyperparameters& fit) { return it.told(fit, false).forecasts(9); };
  const Marginals before = forecasts(mixed);
  it.a = it.a.joined(it.a.slice(2, 1));
  it.z.conservativeResize(it.a.size());
  it.z[it.a.size() - 1] = it.z[2];
  const Marginals have = forecasts(mixed), want = forecasts(without);
  ASSERT_EQ(have.mean.size(), before.mean.size() + 1);
  EXPECT_LT((have.mean.head(before.mean.size()) - before.mean).norm(), kConditioned) << "what was expected then stays";
  EXPECT_NE(have.mean[before.mean.size() - 1], want.mean[before.mean.size() - 1]);
  EXPECT_NEAR(have.mean[before.mean.size()], want.mean[before.mean.size()], kConditioned);
  EXPECT_NEAR(have.var[before.mean.size()], want.var[before.mean.size()], kConditioned);
}

TEST(Ensembles, StopWhereAllMembersAreContradicted) {
  const Contradicted it;
  Hyperparameters exact = it.values;
  Contradicted::make_exact(exact);
  for (Hyperparameters& one : exact.members) Contradicted::make_exact(one);
  Policy policy = it.told(exact, false);
  const Inputs x = std::get<InputSet>(unfitted_lists().targets).points();
  for (int again = 0; again < 2; ++again) {
    expect_error<Contradiction>([&] { (void)policy.finite(); }, {"two answers at query"});
    expect_error<Contradiction>([&] { (void)policy.belief().f(x); }, {"two answers at query"});
  }
}

TEST(Hyperparameters, AGivenKernelHasNone) {
  Policy policy = run(on_lists(), PolicyKind::kCjes, 4);
  EXPECT_FALSE(policy.hyperparameters().has_value());
}

// n replicates of variance v are one answer of variance v / n.
TEST(AnswerNoise, ReplicatesDivideTheUsualVariance) {
  Policy one(on_lists(), {}, 1);
  Policy two(on_lists(), {}, 1);
  const Queries a({{0.5}});
  one.observe(a, Vector{{0.4}}, {{}, 4.0});
  two.observe(a, Vector{{0.4}}, {1e-4 / 4.0, 1.0});
  EXPECT_EQ(one.posterior().noise_var(), two.posterior().noise_var());
  EXPECT_EQ(one.finite()->g().mean, two.finite()->g().mean);
}

TEST(AnswerNoise, GivenForAllIsNotFitted) {
  Setting setting = unfitted_lists();
  setting.links = {Link::kIdentity};
  Policy policy(setting, {}, 1);
  const Queries a = setting.queries->probes();
  policy.observe(a, answers(a), {0.04, 1.0});
  EXPECT_EQ(policy.posterior().noise_var(), Vector::Constant(a.size(), 0.04));
  EXPECT_DOUBLE_EQ(policy.hyperparameters()->noise_var->value, 0.04);
}

TEST(AnswerNoise, LessThanCanBeComputedWithIsSaid) {
  const auto said = testing::Contains(testing::HasSubstr("smaller than the accuracy to which averages are computed"));
  for (const double var : {0.0, 0.04}) {
    Policy policy(unfitted_lists(), {}, 1);
    const Queries a = unfitted_lists().queries->probes().slice(0, 6);
    policy.observe(a, answers(a), {var, 1.0});
    if (var == 0.0)
      EXPECT_THAT(policy.best().notes, said);
    else
      EXPECT_THAT(policy.best().notes, testing::Not(said));
  }
}

TEST(AnswerNoise, RefusesNonsense) {
  Policy policy(on_lists(), {}, 1);
  const Queries a({{0.5}});
  expect_error<std::invalid_argument>([&] { policy.observe(a, Vector{{0.4}}, {-1.0, 1.0}); }, {"noise.var", "-1"});
  expect_error<std::invalid_argument>([&] { policy.observe(a, Vector{{0.4}}, {{}, 0.0}); }, {"noise.replicates", "0"});
  EXPECT_EQ(policy.size(), 0);
}

// A belief that begins anew every so many answers does not jump.
TEST(FiniteInPolicy, SettlingIsOnlyRounding) {
  Setting setting = on_lists();
  PolicyOptions options;
  Policy policy(setting, options, 1);
  Rng rng(1);
  for (int t = 0; t < 70; ++t) {
    const Queries a = setting.queries->probes().slice(rng.below(25), 1);
    policy.observe(a, answers(a));
    if (t % 23 != 0 && t != 69) continue;
    const InputSet& x = std::get<InputSet>(setting.targets);
    EXPECT_LT((policy.finite()->f().mean - policy.belief().f(x.points()).mean).cwiseAbs().maxCoeff(), 1e-7);
  }
}

}  // namespace
}  // namespace iqbo

// The finite engine against the exact posterior, which it shares no conditioning with.
#include "iqbo/finite/finite.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/errors.hpp"
#include "support/finite_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::FiniteSetting;
using test::kFinite;

double distance(const Matrix& a, const Matrix& b) { return (a - b).cwiseAbs().maxCoeff(); }

const std::vector<Index> kSome{0, 3, 17, 3};

void expect_same(FiniteBelief& belief, const Posterior& exact, double tolerance) {
  const Inputs& x = belief.x();
  const Queries& a = belief.a();
  const Inputs some_x(x.coordinates()(kSome, Eigen::all));
  const Queries some_a(a.coordinates()(kSome, Eigen::all));
  EXPECT_LT(distance(belief.f().mean, exact.f(x).mean), tolerance);
  EXPECT_LT(distance(belief.f().var, exact.f(x).var), tolerance);
  EXPECT_LT(distance(belief.g().mean, exact.g(a).mean), tolerance);
  EXPECT_LT(distance(belief.g().var, exact.g(a).var), tolerance);
  EXPECT_LT(distance(belief.f_cov(kSome), exact.f_cov(some_x, x)), tolerance);
  EXPECT_LT(distance(belief.g_cov(kSome), exact.g_cov(some_a, a)), tolerance);
  EXPECT_LT(distance(belief.fg_cov(kSome), exact.fg_cov(some_x, a)), tolerance);
  EXPECT_LT(distance(belief.fg_cov(), exact.fg_cov(x, a)), tolerance);
}

// What 120 looks would show, with many repeats, f and g being drawn from the prior: averages, and every fifth time f
// itself. After 60 of them the cross covariance is asked for, so that it is then kept.
void expect_same_after_observing(const FiniteSetting& setting, EngineKind engine, double sd) {
  SCOPED_TRACE(setting.name + ", noise sd " + readable(sd));
  Rng rng(5);
  FiniteBelief belief(setting.prior, setting.x, setting.a, {engine, sd * sd});
  EXPECT_EQ(belief.engine(), engine) << belief.description();
  const auto truth = FiniteBelief(setting.prior, setting.x, setting.a, {EngineKind::kDataSpace}).draw(1, rng);
  Posterior exact = setting.prior;
  for (int step = 0; step < 120; ++step) {
    const double noise_var = sd * sd * (1.0 + rng.uniform());
    const double noise = std::sqrt(noise_var) * rng.normal();
    if (step % 5 == 4) {
      const Index i = rng.below(10);
      const Vector z = Vector::Constant(1, truth.f(i, 0) + noise);
      belief.observe(setting.x.slice(i, 1), z, noise_var);
      exact = exact.condition(setting.x.slice(i, 1), z, noise_var);
    } else {
      const Index j = rng.below(setting.a.size() / 2);
      const double z = truth.g(j, 0) + noise;
      belief.observe(j, z, noise_var);
      exact = exact.condition(setting.a.slice(j, 1), Vector::Constant(1, z), noise_var);
    }
    if (step == 60) belief.fg_cov();
  }
  EXPECT_EQ(belief.size(), 120);
  EXPECT_EQ(belief.engine(), engine) << belief.description();
  expect_same(belief, exact, kFinite);
  FiniteBelief at_once(exact, setting.x, setting.a, {engine, sd * sd});
  expect_same(at_once, exact, kFinite);
}

TEST(FiniteBelief, LowRankEqualsTheExactPosterior) {
  Rng rng(1);
  for (const auto& setting : test::smooth_settings(rng))
    for (const double sd : {1e-3, 0.1}) expect_same_after_observing(setting, EngineKind::kLowRank, sd);
}

TEST(FiniteBelief, DataSpaceEqualsTheExactPosterior) {
  Rng rng(2);
  for (const auto& setting : test::smooth_settings(rng))
    expect_same_after_observing(setting, EngineKind::kDataSpace, 1e-3);
  for (const auto& setting : test::rough_settings(rng))
    for (const double sd : {1e-3, 0.1}) expect_same_after_observing(setting, EngineKind::kDataSpace, sd);
}

Posterior observed(const Posterior& prior, const Queries& a, const Inputs& x, double noise_var) {
  return prior.condition(a, Vector::LinSpaced(a.size(), -0.5, 0.5), noise_var)
      .condition(x, Vector::LinSpaced(x.size(), 0.3, -0.2), noise_var);
}

// Into an empty belief, then one by one on top; averages or looks, many of them twice.
// Fewer observations than features: variances come from what the observations explain.
TEST(FiniteBelief, AFewAnswersAtOnceAreAFewAnswers) {
  Rng rng(13);
  for (const auto& setting : test::smooth_settings(rng)) {
    SCOPED_TRACE(setting.name);
    const Vector z = rng.normals(9), noise_var = rng.uniforms(9, 1).col(0).array() * 0.1 + 0.01;
    FiniteBelief belief(setting.prior, setting.x, setting.a, {EngineKind::kLowRank, 0.01});
    belief.observe(setting.a.slice(2, 9), z, noise_var);
    Posterior exact = setting.prior.condition(setting.a.slice(2, 9), z, noise_var);
    expect_same(belief, exact, kFinite);
    belief.observe(Index{7}, 1.5, 0.02);
    exact = exact.condition(setting.a.slice(7, 1), Vector::Constant(1, 1.5), 0.02);
    expect_same(belief, exact, kFinite);
  }
}

TEST(FiniteBelief, ManyAnswersAtOnceAreManyAnswers) {
  constexpr Index kCount = 60;
  Rng rng(12);
  for (const auto& setting : test::rough_settings(rng))
    for (const bool averaged : {true, false}) {
      SCOPED_TRACE(setting.name + (averaged ? ", averages" : ", looks"));
      std::vector<Index> rows;
      for (Index i = 0; i < kCount; ++i) rows.push_back(rng.below(30));
      const Queries a(Rows(setting.a.coordinates()(rows, Eigen::all)));
      const Inputs x(Rows(setting.x.coordinates()(rows, Eigen::all)));
      const Vector z = rng.normals(kCount), noise_var = rng.uniforms(kCount, 1).col(0).array() * 0.1 + 0.01;
      FiniteBelief belief(setting.prior, setting.x, setting.a, {EngineKind::kDataSpace});
      Posterior exact = setting.prior;
      if (averaged) {
        belief.observe(a, z, noise_var);
        exact = exact.condition(a, z, noise_var);
      } else {
        belief.observe(x, z, noise_var);
        exact = exact.condition(x, z, noise_var);
      }
      expect_same(belief, exact, kFinite);
      belief.observe(Index{7}, 1.5, 0.02);
      exact = exact.condition(setting.a.slice(7, 1), Vector::Constant(1, 1.5), 0.02);
      expect_same(belief, exact, kFinite);
    }
}

// What is known already tells nothing new, at once as one by one.
TEST(FiniteBelief, RepeatsWithoutNoiseAtOnceTellNothingNew) {
  Rng rng(13);
  const auto setting = test::rough_settings(rng).front();
  const Queries a = setting.a.slice(0, 6).joined(setting.a.slice(0, 6));
  const Vector z = rng.normals(6).replicate(2, 1);
  FiniteBelief at_once(setting.prior, setting.x, setting.a, {EngineKind::kDataSpace}), one_by_one = at_once;
  at_once.observe(a, z, 0.0);
  for (Index i = 0; i < a.size(); ++i) one_by_one.observe(a.slice(i, 1), z.segment(i, 1), 0.0);
  const Posterior once = setting.prior.condition(a.slice(0, 6), z.head(6), 0.0);
  expect_same(at_once, once, kFinite);
  expect_same(one_by_one, once, kFinite);
}

// An exact answer leaves nothing to the noisy ones about the same query, whichever comes first.
TEST(FiniteBelief, AnExactAnswerOutweighsNoisyOnesAtOnce) {
  Rng rng(14);
  const auto setting = test::rough_settings(rng).front();
  const Queries six = setting.a.slice(0, 6);
  const Vector exact_z = rng.normals(6), noisy_z = rng.normals(6);
  const Vector exact = Vector::Zero(6), noisy = Vector::Constant(6, 0.1);
  const Posterior want = setting.prior.condition(six, exact_z, 0.0);
  for (const bool exact_first : {true, false}) {
    Vector z(12), noise_var(12);
    z << (exact_first ? exact_z : noisy_z), (exact_first ? noisy_z : exact_z);
    noise_var << (exact_first ? exact : noisy), (exact_first ? noisy : exact);
    FiniteBelief belief(setting.prior, setting.x, setting.a, {EngineKind::kDataSpace});
    belief.observe(six.joined(six), z, noise_var);
    expect_same(belief, want, kFinite);
  }
}

// Queries and inputs that are not listed, before and after the start.
TEST(FiniteBelief, KnowsWhatWasSeenElsewhere) {
  Rng rng(3);
  auto settings = test::smooth_settings(rng);
  settings.push_back(test::rough_settings(rng).back());
  for (const auto& setting : settings) {
    if (setting.name.find("bags") != std::string::npos) continue;  // know no other queries
    SCOPED_TRACE(setting.name);
    const Queries a(rng.uniforms(4, 2));
    const Inputs x(rng.uniforms(4, 2));
    const Posterior begun = observed(setting.prior, a.slice(0, 2), x.slice(0, 2), 0.01);
    FiniteBelief belief(begun, setting.x, setting.a);
    expect_same(belief, begun, kFinite);
    belief.observe(a.slice(2, 2), Vector{{0.2, -0.4}}, 0.02);
    belief.observe(x.slice(2, 2), Vector{{0.1, 0.6}}, 0.02);
    belief.observe(a.slice(0, 1), Vector{{0.1}}, 0.02);
    expect_same(belief,
                begun.condition(a.slice(2, 2), Vector{{0.2, -0.4}}, 0.02)
                    .condition(x.slice(2, 2), Vector{{0.1, 0.6}}, 0.02)
                    .condition(a.slice(0, 1), Vector{{0.1}}, 0.02),
                kFinite);
  }
}

TEST(FiniteBelief, ChoosesTheEngineThatTheProblemNeeds) {
  Rng rng(4);
  const Inputs x(test::grid(20));
  const Queries a(test::grid(10));
  const GaussianConditional windows(QueryMap::identity(2), 0.1);
  const Posterior smooth(Rbf(1.0, Vector{{0.5, 0.5}}), windows);
  const FiniteBelief features(smooth, x, a, {EngineKind::kAuto, 0.01});
  EXPECT_EQ(features.engine(), EngineKind::kLowRank);
  EXPECT_NE(features.description().find("features for 500 points"), std::string::npos) << features.description();

  const FiniteBelief quiet(smooth, x, a, {EngineKind::kAuto, 1e-7});
  EXPECT_EQ(quiet.engine(), EngineKind::kDataSpace);
  EXPECT_NE(quiet.description().find("noise sd below 1e-3"), std::string::npos) << quiet.description();

  const FiniteBelief rough(smooth.with_prior(Matern32(1.0, Vector{{0.1, 0.1}}), ConstantMean(0.0)), x, a);
  EXPECT_EQ(rough.engine(), EngineKind::kDataSpace);
  EXPECT_NE(rough.description().find("more than 166 features"), std::string::npos) << rough.description();

  // Less noise than was promised: from then on, exact.
  FiniteBelief changing = features;
  Posterior exact = smooth;
  changing.fg_cov();
  for (const double noise_var : {0.01, 1e-3, 0.02}) {
    changing.observe(7, 0.5, noise_var);
    exact = exact.condition(a.slice(7, 1), Vector{{0.5}}, noise_var);
    EXPECT_EQ(changing.engine(), changing.size() < 2 ? EngineKind::kLowRank : EngineKind::kDataSpace);
    expect_same(changing, exact, kFinite);
  }
  EXPECT_NE(changing.description().find("promised"), std::string::npos) << changing.description();
  EXPECT_EQ(features.size(), 0);
}

TEST(FiniteBelief, WithoutNoiseIsAsExactAsThePosterior) {
  Rng rng(6);
  for (const auto& setting : test::rough_settings(rng)) {
    SCOPED_TRACE(setting.name);
    FiniteBelief belief(setting.prior, setting.x, setting.a, {EngineKind::kAuto, 0.0});
    Posterior exact = setting.prior;
    for (const Index j : {3, 8, 1, 30}) {
      belief.observe(j, 0.1 * static_cast<double>(j), 0.0);
      exact = exact.condition(setting.a.slice(j, 1), Vector::Constant(1, 0.1 * static_cast<double>(j)), 0.0);
    }
    expect_same(belief, exact, kFinite);
    belief.observe(8, 0.8, 0.0);  // known already
    expect_same(belief, exact, kFinite);
    EXPECT_EQ(belief.size(), 5);
  }
}

TEST(FiniteBelief, CopiesAreIndependent) {
  Rng rng(7);
  for (const auto engine : {EngineKind::kLowRank, EngineKind::kDataSpace}) {
    const auto setting = test::smooth_settings(rng).front();
    FiniteBelief belief(setting.prior, setting.x, setting.a, {engine, 0.01});
    belief.observe(1, 0.3, 0.01);
    const Vector before = belief.f().mean;
    FiniteBelief fantasy = belief;
    fantasy.observe(2, 0.9, 0.01);
    EXPECT_EQ(belief.f().mean, before);
    EXPECT_GT(distance(fantasy.f().mean, before), 0.01);
    belief.observe(2, 0.9, 0.01);
    EXPECT_EQ(belief.f().mean, fantasy.f().mean);
    Rng one(8);
    Rng two(8);
    EXPECT_EQ(belief.draw(3, one).f, fantasy.draw(3, two).f);
  }
}

TEST(FiniteBelief, OfOneCandidateAndOfEqualCandidates) {
  const Posterior prior(Rbf(1.0, Vector{{0.5}}), GaussianConditional(QueryMap::identity(1), 0.1));
  for (const auto engine : {EngineKind::kAuto, EngineKind::kLowRank, EngineKind::kDataSpace}) {
    FiniteBelief one(prior, Inputs({{0.2}}), Queries({{0.3}}), {engine});
    one.observe(0, 1.0, 0.01);
    const Posterior exact = prior.condition(Queries({{0.3}}), Vector{{1.0}}, 0.01);
    EXPECT_NEAR(one.f().mean[0], exact.f(one.x()).mean[0], kFinite);
    EXPECT_NEAR(one.g().var[0], exact.g(one.a()).var[0], kFinite);

    FiniteBelief equal(prior, Inputs({{0.2}, {0.2}}), Queries({{0.3}, {0.3}, {0.3}}), {engine});
    equal.observe(1, 1.0, 0.01);
    EXPECT_NEAR(equal.g().mean[2], exact.g(one.a()).mean[0], kFinite);
    Rng rng(9);
    const auto paths = equal.draw(5, rng);
    EXPECT_LT(distance(paths.f.row(0), paths.f.row(1)), 1e-6);
    EXPECT_LT(distance(paths.g.row(0), paths.g.row(2)), 1e-6);
  }
}

// A query that shows nothing of f: its weights cancel where k is flat.
class Nothing final : public Conditional {
 public:
  std::shared_ptr<const Conditional> clone() const override { return std::make_shared<Nothing>(*this); }
  Index input_dimension() const override { return 1; }
  Index query_dimension() const override { return 1; }
  const Inputs* support() const override { return points_.get(); }
  Laws laws(const Queries& a) const override {
    SparseRows weight(a.size(), 2);
    for (Index i = 0; i < a.size(); ++i)
      if (a.row(i)[0] != 0.0) weight.insert(i, 0) = 1.0;
    return DiscreteLaws{points_, weight};
  }

 private:
  std::shared_ptr<const Inputs> points_ = std::make_shared<const Inputs>(Inputs({{0.0}, {1.0}}));
};

TEST(FiniteBelief, OfAQueryWithoutVarianceLearnsNothing) {
  const Posterior prior(Rbf(1.0, Vector{{0.5}}), Nothing(), ConstantMean(0.2));
  for (const auto engine : {EngineKind::kLowRank, EngineKind::kDataSpace})
    for (const double noise_var : {0.0, 0.1}) {
      FiniteBelief belief(prior, Inputs({{0.0}, {0.4}}), Queries({{0.0}, {1.0}}), {engine});
      if (noise_var == 0.0) {
        EXPECT_THROW(belief.observe(0, 3.0, noise_var), Contradiction);
      }
      belief.observe(0, noise_var == 0.0 ? 0.2 : 3.0, noise_var);
      EXPECT_EQ(belief.g().var[0], 0.0);
      EXPECT_NEAR(belief.g().mean[0], 0.2, test::kRounding);
      EXPECT_NEAR(belief.f().mean[1], 0.2, test::kRounding);
      EXPECT_NEAR(belief.f().var[1], 1.0, test::kRounding);
    }
}

TEST(FiniteBelief, RefusesMisuseAndStaysAsItWas) {
  using test::expect_refusal;
  const Posterior prior(Rbf(1.0, Vector{{0.5}}), GaussianConditional(QueryMap::identity(1), 0.1));
  const Inputs x({{0.2}, {0.4}});
  const Queries a({{0.3}, {0.5}, {0.6}});
  const double nan = std::nan("");
  expect_refusal([&] { FiniteBelief(prior, Inputs(), a); }, {"x", "empty"});
  expect_refusal([&] { FiniteBelief(prior, x, Queries()); }, {"a", "empty"});
  expect_refusal([&] { FiniteBelief(prior, Inputs({{1.0, 2.0}}), a); }, {"x", "2 columns", "1"});
  expect_refusal([&] { FiniteBelief(prior, x, Queries({{1.0, 2.0}})); }, {"a", "2 columns", "1"});
  expect_refusal([&] { FiniteBelief(prior, x, a, {EngineKind::kAuto, -1.0}); }, {"options.noise_var", "-1", ">= 0"});

  FiniteBelief belief(prior, x, a);
  expect_refusal([&] { belief.observe(3, 0.1, 0.1); }, {"query", "is 3", "0 to 2"});
  expect_refusal([&] { belief.observe(-1, 0.1, 0.1); }, {"query", "is -1"});
  expect_refusal([&] { belief.observe(0, nan, 0.1); }, {"z", "nan", "finite"});
  expect_refusal([&] { belief.observe(0, 0.1, -0.1); }, {"noise_var", "-0.1", ">= 0"});
  expect_refusal([&] { belief.observe(0, 0.1, nan); }, {"noise_var", "nan"});
  expect_refusal([&] { belief.observe(a, Vector::Zero(2), 0.1); }, {"z", "2 rows", "3"});
  expect_refusal([&] { belief.observe(a, Vector{{0.0, nan, 0.0}}, 0.1); }, {"z", "row 1", "nan"});
  expect_refusal([&] { belief.observe(a, Vector::Zero(3), Vector::Ones(2)); }, {"noise_var", "2 rows", "3"});
  expect_refusal([&] { belief.observe(Queries({{0.1, 0.2}}), Vector::Zero(1), 0.1); }, {"a", "2 columns"});
  expect_refusal([&] { belief.observe(Queries(), Vector(), 0.1); }, {"a", "empty"});
  expect_refusal([&] { belief.observe(Inputs(), Vector(), 0.1); }, {"x", "empty"});
  expect_refusal([&] { belief.observe(Inputs({{0.1, 0.2}}), Vector::Zero(1), 0.1); }, {"x", "2 columns"});
  expect_refusal([&] { belief.f_cov({0, 2}); }, {"inputs", "is 2", "0 to 1"});
  expect_refusal([&] { belief.fg_cov({-1}); }, {"inputs", "is -1"});
  expect_refusal([&] { belief.g_cov({3}); }, {"queries", "is 3", "0 to 2"});
  Rng rng(1);
  expect_refusal([&] { belief.draw(0, rng); }, {"count", "is 0", "at least 1"});
  EXPECT_EQ(belief.size(), 0);
  EXPECT_EQ(belief.f().mean, Vector::Zero(2));
}

}  // namespace
}  // namespace iqbo

// Data that are singular to double precision: noise 0 and little more, repeats, any scale, and contradictions. The oracle
// conditions in 50 digits (support/exact_posterior.hpp).
#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <functional>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/finite/finite.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "posterior/least_noise.hpp"
#include "support/errors.hpp"
#include "support/exact_posterior.hpp"
#include "support/finite_settings.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::ExactFamily;
using test::ExactPrior;
using test::ExactWindow;

std::shared_ptr<const Kernel> kernel_of(const ExactPrior& prior, double sd, double length) {
  const Vector l = Vector::Constant(1, prior.lengthscale * length);
  switch (prior.family) {
    case ExactFamily::kRbf:
      return Rbf(sd * sd, l).clone();
    case ExactFamily::kMatern12:
      return Matern12(sd * sd, l).clone();
    case ExactFamily::kMatern32:
      return Matern32(sd * sd, l).clone();
    case ExactFamily::kMatern52:
      return Matern52(sd * sd, l).clone();
  }
  return nullptr;
}

// 16 observations of f, drawn from its prior in 50 digits: averages over windows of one half-width, of which 0 means f
// itself; every `repeat`th repeats an earlier one.
struct Campaign {
  static constexpr Index kObserved = 16, kTargets = 5;

  ExactPrior prior;
  double half_width;
  double noise_var;  // of f with variance 1
  Rows a{kObserved, 1}, x{kTargets, 1};
  std::vector<ExactWindow> observed;
  test::ExactMatrix cov;  // of observations and targets
  Vector z, truth;

  Campaign(Rng& rng, const ExactPrior& assumed, double h, double noise, Index repeat)
      : prior(assumed), half_width(h), noise_var(noise) {
    for (Index i = 0; i < kObserved; ++i) {
      const bool again = repeat > 0 && i > 0 && i % repeat == 0;
      a(i, 0) = again ? a(rng.below(i), 0) : std::ldexp(std::floor(std::ldexp(rng.uniform(), 20)), -20);
      observed.push_back({a(i, 0), h});
    }
    std::vector<ExactWindow> all = observed;
    for (Index i = 0; i < kTargets; ++i) {
      x(i, 0) = static_cast<double>(i) / 8.0 + 0.25 * a(0, 0);
      all.push_back({x(i, 0), 0.0});
    }
    cov = exact_covariances(prior, all);
    const Vector drawn = test::exact_draw(cov, rng.normals(kObserved + kTargets));
    z = drawn.head(kObserved) + std::sqrt(noise_var) * rng.normals(kObserved);
    truth = drawn.tail(kTargets);
  }

  double share() const { return half_width > 0.0 ? LeastNoise::kWindows : LeastNoise::kExact; }
};

// The same in other units: f times `sd`, coordinates times `length`, plus `origin`.
struct Units {
  double sd = 1.0, length = 1.0, origin = 0.0;
};

enum class Engine { kPosterior, kDataSpace, kDataSpaceAtOnce, kLowRank, kAuto };

// What `engine` believes about f, in the units of the campaign.
Marginals believed(const Campaign& it, Engine engine, const Units& units = {}) {
  const Posterior prior(*kernel_of(it.prior, units.sd, units.length),
                        UniformConditional(QueryMap::identity(1), it.half_width * units.length));
  const Inputs x((units.origin + units.length * it.x.array()).matrix());
  const Queries a((units.origin + units.length * it.a.array()).matrix());
  const Vector z = units.sd * it.z;
  const double noise_var = units.sd * units.sd * it.noise_var;
  Marginals out;
  if (engine == Engine::kPosterior) {
    out = prior.condition(a, z, noise_var).f(x);
  } else {
    const EngineKind kind = engine == Engine::kLowRank ? EngineKind::kLowRank
                            : engine == Engine::kAuto  ? EngineKind::kAuto
                                                       : EngineKind::kDataSpace;
    FiniteBelief belief(prior, x, a, {kind, noise_var});
    if (engine == Engine::kDataSpaceAtOnce)
      belief.observe(a, z, noise_var);
    else
      for (Index i = 0; i < z.size(); ++i) belief.observe(i, z[i], noise_var);
    out = belief.f();
  }
  return {out.mean / units.sd, out.var / (units.sd * units.sd)};
}

constexpr Engine kEngines[] = {Engine::kPosterior, Engine::kDataSpace, Engine::kDataSpaceAtOnce, Engine::kLowRank,
                               Engine::kAuto};

// What 50 digits say, with the noise that is assumed and with that stated.
struct Oracle {
  test::ExactMarginals assumed, stated;

  explicit Oracle(const Campaign& it) {
    Vector noise(it.z.size());
    for (Index i = 0; i < noise.size(); ++i) {
      const auto row = static_cast<std::size_t>(i);
      noise[i] = LeastNoise::of(it.share(), static_cast<double>(it.cov[row][row]), it.z[i], it.noise_var);
    }
    assumed = test::exact_posterior(it.cov, it.z, noise);
    stated = test::exact_posterior(it.cov, it.z, Vector::Constant(it.z.size(), it.noise_var));
  }
};

void expect_honest(const Campaign& it, const Oracle& oracle, const Marginals& got) {
  const auto& [assumed, stated] = oracle;
  const Vector sd = got.var.cwiseSqrt();
  for (Index i = 0; i < sd.size(); ++i) {
    // The posterior with the noise assumed, up to the errors of covariances.
    const double var = std::max(assumed.var[i], it.share());
    RC_ASSERT(std::abs(got.var[i] - var) <= test::kSingularVar * var);
    RC_ASSERT(std::abs(got.mean[i] - assumed.mean[i]) <= test::kSingularMean * sd[i]);
    // No surer than the posterior with the noise stated, and right.
    RC_ASSERT(sd[i] > 0.0);
    RC_ASSERT(got.var[i] >= (1.0 - test::kSingularVar) * stated.var[i]);
    RC_ASSERT(std::abs(got.mean[i] - stated.mean[i]) <= 6.0 * sd[i]);
    RC_ASSERT(std::abs(got.mean[i] - it.truth[i]) <= 6.0 * sd[i]);
  }
}

Campaign any_campaign(Rng& rng) {
  const double widths[] = {0.0, 0.005, 0.05, 0.2};
  const double noises[] = {0.0, 1e-30, 1e-15, 1e-12, 1e-9, 1e-6, 1e-3, 1.0};
  const ExactPrior prior{static_cast<ExactFamily>(rng.below(4)), test::log_uniform(rng, 0.05, 3.0)};
  return {rng, prior, widths[rng.below(4)], noises[rng.below(8)], rng.below(4)};
}

RC_GTEST_PROP(NearlySingular, EveryEngineIsHonest, ()) {
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  const Campaign it = any_campaign(rng);
  RC_LOG() << "family " << static_cast<int>(it.prior.family) << ", lengthscale " << it.prior.lengthscale
           << ", half-width " << it.half_width << ", noise_var " << it.noise_var << "\n";
  const Oracle oracle(it);
  for (const Engine engine : kEngines) {
    RC_LOG() << "engine " << static_cast<int>(engine) << "\n";
    expect_honest(it, oracle, believed(it, engine));
  }
}

// Values of order 1e-12 and 1e12; coordinates of order 1e6, or far from the origin, where they have fewer digits.
RC_GTEST_PROP(NearlySingular, InAnyUnits, ()) {
  Rng rng(*rc::gen::arbitrary<std::uint64_t>());
  const Campaign it = any_campaign(rng);
  const Oracle oracle(it);
  const Units units[] = {
      {1e-12, 1.0, 0.0}, {1e12, 1.0, 0.0}, {1.0, 1e6, 0.0}, {1e12, 1e-6, 0.0}, {1.0, 1024.0, 1048576.0}};
  for (const Units& each : units)
    for (const Engine engine : kEngines) {
      RC_LOG() << "engine " << static_cast<int>(engine) << ", sd " << each.sd << ", length " << each.length << "\n";
      expect_honest(it, oracle, believed(it, engine, each));
    }
}

// Paths spread as the posterior with the noise assumed does.
TEST(NearlySingular, PathsAgreeWithTheSd) {
  Rng rng(3);
  const Campaign it(rng, {ExactFamily::kRbf, 0.3}, 0.05, 0.0, 3);
  const Posterior prior(*kernel_of(it.prior, 1.0, 1.0), UniformConditional(QueryMap::identity(1), it.half_width));
  const auto want = Oracle(it).assumed;
  for (const auto engine : {EngineKind::kDataSpace, EngineKind::kLowRank}) {
    FiniteBelief belief(prior, Inputs(it.x), Queries(it.a), {engine, 0.0});
    belief.observe(Queries(it.a), it.z, 0.0);
    constexpr Index kPaths = 4000;
    const Matrix f = belief.draw(kPaths, rng).f;
    const Matrix deviation = f.colwise() - belief.f().mean;
    const Vector var = deviation.rowwise().squaredNorm() / static_cast<double>(kPaths);
    for (Index i = 0; i < var.size(); ++i) EXPECT_NEAR(var[i] / want.var[i], 1.0, 6.0 * std::sqrt(2.0 / kPaths));
  }
}

// --- contradictions ---

struct Twice {
  Posterior prior{Rbf(1.0, Vector{{0.3}}), UniformConditional(QueryMap::identity(1), 0.1)};
  Inputs x{{0.1}, {0.5}};
  Queries a{{0.2}, {0.6}, {0.9}};

  std::vector<std::function<void(double z, double noise_var)>> ways() {
    std::vector<std::function<void(double, double)>> out;
    out.emplace_back([this](double z, double noise_var) {
      (void)prior.condition(Queries({{0.2}, {0.6}, {0.2}}), Vector{{1.0, 0.5, z}}, noise_var).f(x);
    });
    for (const auto engine : {EngineKind::kAuto, EngineKind::kDataSpace, EngineKind::kLowRank})
      out.emplace_back([this, engine](double z, double noise_var) {
        FiniteBelief belief(prior, x, a, {engine, noise_var});
        belief.observe(0, 1.0, noise_var);
        belief.observe(1, 0.5, noise_var);
        belief.observe(0, z, noise_var);
      });
    for (const auto engine : {EngineKind::kDataSpace, EngineKind::kLowRank})
      out.emplace_back([this, engine](double z, double noise_var) {
        FiniteBelief belief(prior, x, a, {engine, noise_var});
        belief.observe(Queries({{0.2}, {0.6}, {0.2}, {0.2}, {0.2}, {0.2}, {0.2}, {0.2}, {0.2}}),
                       Vector{{1.0, 0.5, z, z, z, z, z, z, z}}, noise_var);
      });
    return out;
  }
};

TEST(Contradiction, OfTwoExactAnswersToOneQueryIsNamed) {
  Twice it;
  for (const auto& way : it.ways())
    for (const double noise_var : {0.0, 1e-20}) {
      EXPECT_NO_THROW(way(1.0, noise_var));
      EXPECT_NO_THROW(way(1.0 + 1e-6, noise_var));  // less than the least noise
      for (const double z : {1.001, 1.25, -40.0})
        test::expect_error<Contradiction>([&] { way(z, noise_var); },
                                          {"two answers at query (0.2)", "contradict each other", "state the noise"});
    }
  for (const auto& way : it.ways()) EXPECT_NO_THROW(way(1.25, 0.01));
}

// What the model determines without a repeat: 16 windows of a smooth f determine the last.
TEST(Contradiction, OfTheModelIsNamed) {
  Rng rng(4);
  Campaign it(rng, {ExactFamily::kRbf, 0.5}, 0.05, 0.0, 0);
  it.z[Campaign::kObserved - 1] += 0.01;
  for (const Engine engine : kEngines)
    test::expect_error<Contradiction>([&] { (void)believed(it, engine); },
                                      {"contradicts the model", "the other observations predict", "rougher kernel"});
  it.noise_var = 1e-3;
  for (const Engine engine : kEngines) EXPECT_NO_THROW((void)believed(it, engine));
}

// An answer that was far from what the model expected, but not impossible, leaves a mean that is not quite there: the same
// answer once more is no news, however many of the least noise it is away.
TEST(Contradiction, IsNotWhatWasAcceptedBefore) {
  Index accepted = 0;
  for (const double lengthscale : {0.3, 0.4, 0.5, 0.7, 1.0, 1.5})
    for (Index windows = 3; windows <= 12; ++windows) {
      const Posterior prior{Rbf(1.0, Vector{{lengthscale}}), UniformConditional(QueryMap::identity(1), 0.1)};
      const Rows at = Vector::LinSpaced(windows, 0.0, 1.0);
      Vector z = (2.0 * at.col(0).array()).sin();
      z[windows - 1] += 0.05;
      for (const auto engine : {EngineKind::kDataSpace, EngineKind::kLowRank}) {
        FiniteBelief belief(prior, Inputs{{0.1}, {0.5}}, Queries(at), {engine, 0.0});
        try {
          belief.observe(Queries(at), z, 0.0);
        } catch (const Contradiction&) {
          continue;
        }
        ++accepted;
        for (int again = 0; again < 3; ++again) EXPECT_NO_THROW(belief.observe(windows - 1, z[windows - 1], 0.0));
        EXPECT_THROW(belief.observe(windows - 1, z[windows - 1] + 0.01, 0.0), Contradiction);
      }
      Posterior exact = prior.condition(Queries(at), z, 0.0);
      try {
        (void)exact.f(Inputs{{0.1}});
      } catch (const Contradiction&) {
        continue;
      }
      ++accepted;
      const Queries last(at.bottomRows(1));
      for (int again = 0; again < 3; ++again) exact = exact.condition(last, z.tail(1), 0.0);
      EXPECT_NO_THROW((void)exact.f(Inputs{{0.1}}));
      exact = exact.condition(last, z.tail(1).array() + 0.01, 0.0);
      EXPECT_THROW((void)exact.f(Inputs{{0.1}}), Contradiction);
    }
  EXPECT_GT(accepted, 60);
}

TEST(Contradiction, ChangesNothing) {
  const Twice it;
  for (const auto engine : {EngineKind::kAuto, EngineKind::kDataSpace, EngineKind::kLowRank}) {
    FiniteBelief belief(it.prior, it.x, it.a, {engine, 0.0});
    belief.observe(0, 1.0, 0.0);
    belief.observe(1, 0.5, 0.0);
    belief.fg_cov();
    const FiniteBelief before = belief;
    EXPECT_THROW(belief.observe(0, 2.0, 0.0), Contradiction);
    EXPECT_THROW(belief.observe(Queries({{0.9}, {0.2}}), Vector{{0.1, 2.0}}, 0.0), Contradiction);
    EXPECT_EQ(belief.size(), 2);
    EXPECT_EQ(belief.f().mean, before.f().mean);
    EXPECT_EQ(belief.g().var, before.g().var);
    EXPECT_EQ(belief.fg_cov({0, 1}), before.fg_cov({0, 1}));
    belief.observe(2, 0.1, 0.0);
    FiniteBelief other = before;
    other.observe(2, 0.1, 0.0);
    EXPECT_EQ(belief.f().mean, other.f().mean);
  }
}

// Evidence compares priors, so that it must not throw: a rougher kernel may agree with the same data.
TEST(Contradiction, LeavesTheEvidence) {
  Rng rng(5);
  Campaign it(rng, {ExactFamily::kRbf, 0.5}, 0.05, 0.0, 0);
  it.z[Campaign::kObserved - 1] += 0.01;
  const UniformConditional windows(QueryMap::identity(1), it.half_width);
  const Posterior smooth = Posterior(Rbf(1.0, Vector{{0.5}}), windows).condition(Queries(it.a), it.z, 0.0);
  EXPECT_THROW((void)smooth.f(Inputs(it.x)), Contradiction);
  EXPECT_THROW((void)smooth.g_cov(Queries(it.a)), Contradiction);
  EXPECT_THROW((void)smooth.f_pull_back(Inputs(it.x), {Vector::Ones(it.x.rows()), {}}), Contradiction);
  const Posterior rough = smooth.with_prior(Matern12(1.0, Vector{{0.5}}), ConstantMean(0.0));
  EXPECT_GT(rough.log_evidence(), smooth.log_evidence());
  EXPECT_NO_THROW((void)rough.f(Inputs(it.x)));
  EXPECT_NO_THROW((void)smooth.with_noise_var(0.01).f(Inputs(it.x)));
}

}  // namespace
}  // namespace iqbo

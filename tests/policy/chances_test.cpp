#include "policy/chances.hpp"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <cmath>

#include "support/errors.hpp"
#include "support/policy_settings.hpp"

namespace iqbo {
namespace {

using namespace test;  // NOLINT(google-build-using-namespace): the problem of policy_settings.hpp

double phi(double t) { return std::exp(-0.5 * t * t) / std::sqrt(2.0 * std::acos(-1.0)); }
double cdf(double t) { return 0.5 * std::erfc(-t / std::sqrt(2.0)); }

// A normal distribution, and what is exactly known of its largest entry.
struct Normal {
  Vector mean;
  Matrix cov;

  // P(entry i is the largest of three): the probability of a quadrant of two differences, by integrating over the first.
  double wins(Index i) const {
    const Index j = (i + 1) % 3, k = (i + 2) % 3;
    const double m1 = mean[i] - mean[j], m2 = mean[i] - mean[k];
    const double v1 = cov(i, i) + cov(j, j) - 2 * cov(i, j), v2 = cov(i, i) + cov(k, k) - 2 * cov(i, k);
    const double c = cov(i, i) - cov(i, k) - cov(i, j) + cov(j, k);
    const double s1 = std::sqrt(v1), left = std::sqrt(std::max(v2 - c * c / v1, 1e-300));
    constexpr int kSteps = 20000;
    const double from = std::max(-m1 / s1, -10.0), to = 10.0, step = (to - from) / kSteps;
    double sum = 0;
    for (int n = 0; n <= kSteps; ++n) {
      const double u = from + n * step;
      sum += (n == 0 || n == kSteps ? 0.5 : 1.0) * phi(u) * cdf((m2 + c / s1 * u) / left);
    }
    return sum * step;
  }
  Normal negated() const { return {-mean, cov}; }
};

// E max of two, [Clark61].
double expected_max(const Vector& m, const Matrix& cov) {
  const double theta = std::sqrt(cov(0, 0) + cov(1, 1) - 2 * cov(0, 1)), alpha = (m[0] - m[1]) / theta;
  return m[0] * cdf(alpha) + m[1] * cdf(-alpha) + theta * phi(alpha);
}

Policy after_some(const Setting& setting, const PolicyOptions& options = {}) {
  Policy policy(setting, options, 7);
  const Queries a{{0.2}, {0.55}, {0.9}};
  policy.observe(a, answers(a), {.var = 0.04});
  return policy;
}

Normal of(const Posterior& belief, const Inputs& x) { return {belief.f(x).mean, belief.f_cov(x)}; }

TEST(Chances, OfTwoInputsAreExact) {
  Policy policy = after_some(on_lists());
  const Inputs x{{0.6101694915254238}, {0.8135593220338984}};
  const Normal f = of(policy.posterior(), x);
  ChanceOptions options;
  options.above = 0.4;
  options.draws = 20000;
  const Chances found = policy.chances(x, options);
  const double sd = std::sqrt(f.cov(0, 0) + f.cov(1, 1) - 2 * f.cov(0, 1));
  const double first = cdf((f.mean[0] - f.mean[1]) / sd);
  EXPECT_NEAR(found.best[0], first, 4 * found.best_error[0]);
  EXPECT_NEAR(found.best.sum(), 1.0, 1e-12);
  EXPECT_NEAR(found.best_error[0], std::sqrt(first * (1 - first) / 20000), 2e-4);
  EXPECT_LT((found.mean - f.mean).norm(), 1e-9);
  EXPECT_NEAR(found.regret, expected_max(f.mean, f.cov) - f.mean.maxCoeff(), 4 * found.regret_error);
  for (Index i = 0; i < 2; ++i) EXPECT_NEAR(found.above[i], cdf((f.mean[i] - 0.4) / std::sqrt(f.cov(i, i))), 1e-9);
}

TEST(Chances, OfThreeInputsAgreeWithQuadrature) {
  Policy policy = after_some(on_lists());
  const Inputs x{{0.1}, {0.5}, {0.75}};  // none of them is listed
  const Normal f = of(policy.posterior(), x);
  ChanceOptions options;
  options.among = 2;
  options.draws = 20000;
  const Chances found = policy.chances(x, options);
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.best[i], f.wins(i), 4 * found.best_error[i]) << i;
    EXPECT_NEAR(found.among[i], 1.0 - f.negated().wins(i), 4 * found.among_error[i]) << i;
  }
  EXPECT_NEAR(found.among.sum(), 2.0, 1e-12);
}

// Averages too, and a mixture of several fits: the exact chances are those of the members, weighted.
TEST(Chances, OfQueriesUnderAnEnsemble) {
  Setting setting = on_lists();
  setting.kernel = nullptr;
  setting.query_kernel = nullptr;
  Policy policy(setting, {}, 3);
  const Queries a{{0.0}, {0.125}, {0.25}, {0.5}, {0.625}, {0.75}, {1.0}};
  policy.observe(a, answers(a), {.var = 0.01});
  const Queries compared{{0.625}, {0.6875}, {0.875}};
  ChanceOptions options;
  options.above = 0.35;
  options.draws = 20000;
  const Chances found = policy.chances(compared, options);
  const Ensemble& belief = policy.belief();
  ASSERT_GT(belief.members().size(), 1U);
  Vector best = Vector::Zero(3), above = Vector::Zero(3);
  for (std::size_t s = 0; s < belief.members().size(); ++s) {
    const Normal g{belief.members()[s].g(compared).mean, belief.members()[s].g_cov(compared)};
    for (Index i = 0; i < 3; ++i) {
      best[i] += belief.weights()[static_cast<Index>(s)] * g.wins(i);
      above[i] += belief.weights()[static_cast<Index>(s)] * cdf((g.mean[i] - 0.35) / std::sqrt(g.cov(i, i)));
    }
  }
  for (Index i = 0; i < 3; ++i) {
    EXPECT_NEAR(found.best[i], best[i], 4 * found.best_error[i] + 1e-4) << i;
    EXPECT_NEAR(found.above[i], above[i], 1e-9) << i;
  }
}

// One belief: what a 95 % interval leaves above it has a probability of 2.5 %, also where intervals are widened, and of mixtures.
TEST(Chances, AreAsSureAsIntervals) {
  const Queries a = Queries(unit_queries().grid({25}).coordinates());
  for (const bool given : {true, false}) {
    Setting setting = on_lists();
    if (!given) setting.kernel = nullptr, setting.noise_var.reset();
    Policy policy(setting, {}, 3);
    policy.observe(a, answers(a) + 5.0 * Vector::LinSpaced(25, 0, 60).array().sin().matrix());
    const Inputs x{{0.05}, {0.5}, {0.71}};
    const Marginals f = policy.f(x);
    const Vector widening = policy.f_widening(x, f);
    if (given) {
      EXPECT_GT(widening.minCoeff(), 2.0) << "the kernel that is given is far too small";
    }
    const Band band = policy.f_interval(x, 0.95, widening);
    for (Index i = 0; i < x.size(); ++i) {
      EXPECT_NEAR(policy.above(x, band.high[i])[i], 0.025, 1e-9);
      EXPECT_NEAR(policy.above(x, band.low[i])[i], 0.975, 1e-9);
    }
    ChanceOptions options;
    options.above = band.high[2];
    options.draws = 20000;
    const Chances found = policy.chances(x, options);
    EXPECT_NEAR(found.above[2], 0.025, 1e-9);
    // Draws are widened too: E max f - f(leader) grows with the widening.
    if (given) {
      const Normal wide{f.mean, Matrix(widening.asDiagonal() * policy.belief().f_cov(x) * widening.asDiagonal())};
      for (Index i = 0; i < 3; ++i) EXPECT_NEAR(found.best[i], wide.wins(i), 0.015) << i;
    }
  }
}

// "i is the best" with probabilities .5, .3, .15, .05: three of them hold the best with .95, and two with .8.
TEST(ChanceTally, FindsTheSmallestSet) {
  Matrix draws = Matrix::Zero(4, 2000);
  for (Index s = 0; s < 2000; ++s) {
    const Index at = (s / 2) % 20;
    draws(at < 10 ? 2 : at < 16 ? 0 : at < 19 ? 3 : 1, s) = 1.0;
  }
  const auto smallest = [&](double holds) {
    ChanceOptions options;
    options.holds = holds;
    ChanceTally tally(Vector::Zero(4), options);
    tally.add(draws.leftCols(700));
    tally.add(draws.rightCols(1300));
    return tally.result();
  };
  const Chances found = smallest(0.94);
  EXPECT_EQ(found.smallest, (std::vector<Index>{2, 0, 3}));
  EXPECT_DOUBLE_EQ(found.smallest_probability, 0.95);
  EXPECT_EQ(smallest(0.79).smallest, (std::vector<Index>{2, 0}));
  EXPECT_EQ(smallest(0.99).smallest.size(), 4U);
  EXPECT_DOUBLE_EQ(found.best[2], 0.5);
  EXPECT_DOUBLE_EQ(found.regret, 1.0 - found.best[found.leader]);
}

TEST(ChanceTally, SharesTies) {
  ChanceTally tally(Vector::Zero(3), {});
  tally.add(Matrix{{1.0, 0.0}, {1.0, 2.0}, {0.0, 2.0}});
  EXPECT_EQ(tally.result().best, (Vector{{0.25, 0.5, 0.25}}));
}

TEST(Chances, RefuseWhatMeansNothing) {
  Policy policy = after_some(on_lists());
  const Inputs x{{0.1}, {0.5}};
  const auto asked = [&](ChanceOptions options) { return [&policy, &x, options] { policy.chances(x, options); }; };
  expect_refusal(asked({.among = 3}), {"among: 3", "1 to 2"});
  expect_refusal(asked({.holds = 1.0}), {"holds"});
  expect_refusal(asked({.draws = 0}), {"draws"});
  expect_refusal(asked({.above = NAN}), {"above"});
  expect_refusal([&] { policy.chances(Inputs{{0.1, 0.2}}); }, {"columns"});
}

// On a list the regret is that of all its inputs; on a fine list it is that of the box.
TEST(Stopping, RegretOfListAndBoxAgree) {
  Policy list = after_some(on_lists()), box = after_some(on_continua());
  const Stopping on_list = list.stopping(), in_box = box.stopping();
  EXPECT_NEAR(on_list.regret, in_box.regret, 4 * std::hypot(on_list.regret_error, in_box.regret_error) + 0.01);
  EXPECT_GT(on_list.regret, 0.0);
  EXPECT_FALSE(on_list.reached);
}

TEST(Stopping, IsReachedByEitherRule) {
  PolicyOptions options;
  options.stop.regret = 0.02;
  Policy policy = after_some(on_lists(), options);
  EXPECT_FALSE(policy.stopping().reached);
  const Setting setting = on_lists();
  const Inputs& x = std::get<InputSet>(setting.targets).points();  // f itself, everywhere
  policy.observe(x, x.coordinates().col(0).unaryExpr(&f_at), {.var = 1e-5});
  const Stopping now = policy.stopping();
  EXPECT_TRUE(now.reached);
  EXPECT_LE(now.regret, 0.02);
  EXPECT_NE(now.why.find("expected regret"), std::string::npos) << now.why;

  PolicyOptions sure;
  sure.policy = PolicyKind::kLevelSet;
  sure.above = 0.5;
  sure.stop.probability = 0.9;
  Policy level = after_some(on_lists(), sure);
  double before = level.stopping().probability;
  for (int t = 0; t < 6 && !level.stopping().reached; ++t) {
    const Queries next = level.suggest().queries;
    level.observe(next, answers(next), {.var = 1e-4});
  }
  EXPECT_GT(level.stopping().probability, before);
  EXPECT_TRUE(level.stopping().reached) << level.stopping().probability;
}

// The answers of a level-set policy settle more inputs than those of a policy that looks for the peak.
// Of two inputs, max f - f(leader) = max(0, D), D normal: its quantile is known exactly.
TEST(Stopping, TheBoundIsTheQuantileOfTheRegret) {
  Policy policy = after_some(on_lists());
  const Inputs x{{0.6101694915254238}, {0.8135593220338984}};
  const Normal f = of(policy.posterior(), x);
  const Chances found = policy.chances(x, {.draws = 20000});
  const Index other = 1 - found.leader;
  const double mean = f.mean[other] - f.mean[found.leader];
  const double sd = std::sqrt(f.cov(0, 0) + f.cov(1, 1) - 2 * f.cov(0, 1));
  constexpr double k95 = 1.6448536269514722;
  ASSERT_GT(mean + k95 * sd, 0.0);
  EXPECT_GE(found.regret_bound, mean + k95 * sd - 0.01 * sd) << "not below, but for one draw of a hundred";
  EXPECT_LE(found.regret_bound, mean + (k95 + 0.12) * sd);
  std::vector<double> few{3.0, 1.0, 2.0};
  EXPECT_EQ(certified_regret(few), 3.0);
}

// Of two inputs f* - f(x) is at most the tolerance if D, which is normal, is; widened, D is so many times as far from its mean.
TEST(Chances, OfBeingWithinATolerance) {
  Setting setting = on_lists();
  const Inputs x{{0.6101694915254238}, {0.8135593220338984}};
  setting.targets = InputSet(x);
  Model model(setting, {}, 7);
  const Queries a{{0.2}, {0.55}, {0.9}};
  Answers told;
  for (Index i = 0; i < a.size(); ++i) told.push_back({a.slice(i, 1), answers(a)[i], 0.04, 1.0});
  model.update(told);
  const Normal f = of(model.belief().members().front(), x);
  const double sd = std::sqrt(f.cov(0, 0) + f.cov(1, 1) - 2 * f.cov(0, 1));
  for (const Index row : {0, 1})
    for (const double widened : {1.0, 2.5}) {
      Recommendation at{x.slice(row, 1), row, 0.0, 0.0, 0.0, 0.0, 0.0, 0.3 * sd, {}};
      Rng rng(3);
      const EstimatedShare found = within_tolerance(drawn_regrets(model, at, widened, 20000, rng), at.tolerance);
      const double exact = cdf((at.tolerance - (f.mean[1 - row] - f.mean[row])) / (widened * sd));
      ASSERT_GT(exact * (1.0 - exact), 0.001);
      EXPECT_NEAR(found.value, exact, 4.0 * found.error) << row << " " << widened;
      EXPECT_NEAR(found.error, std::sqrt(exact * (1.0 - exact) / 20000), 0.1 * found.error);
    }
}

// The recommendation is as sure as the widened draws of its belief: on a list, and in a box, where the maximum of a widened path is
// sought from many points and a list that is fine enough has it too.
TEST(Recommendation, IsAsSureAsItsIntervalIsWide) {
  const Queries a = Queries(unit_queries().grid({25}).coordinates());
  const Vector z = answers(a) + 5.0 * Vector::LinSpaced(25, 0, 60).array().sin().matrix();
  for (const bool listed : {true, false}) {
    Setting setting = on_lists();
    if (!listed) setting.targets = unit_inputs();
    PolicyOptions options;
    options.recommend_error = 0.005;
    options.recommend_paths = 4000;
    Policy policy(setting, options, 3);
    policy.observe(a, z);
    const Recommendation best = policy.best();
    ASSERT_GT(best.widened, 2.0) << "the kernel that is given is far too small";
    const Inputs x = listed ? std::get<InputSet>(setting.targets).points() : best.x.joined(unit_inputs().grid({401}));
    const Index row = listed ? *best.row : 0;
    const Normal f = of(policy.posterior(), x);
    Rng rng(8);
    constexpr Index kDraws = 20000;
    const Eigen::SelfAdjointEigenSolver<Matrix> factor(f.cov);
    const Matrix root = factor.eigenvectors() * factor.eigenvalues().cwiseMax(0.0).cwiseSqrt().asDiagonal();
    const Matrix draws =
        (best.widened * root * rng.normals(x.size() * kDraws).reshaped(x.size(), kDraws)).colwise() + f.mean;
    const Eigen::RowVectorXd regret = draws.colwise().maxCoeff() - draws.row(row);
    const double share = (regret.array() <= best.tolerance).cast<double>().mean();
    EXPECT_NEAR(best.probability, share, 4.0 * best.probability_error + 0.01) << listed;
    const Stopping now = policy.stopping();
    EXPECT_NEAR(now.regret, regret.mean(), 4.0 * now.regret_error + 0.02 * regret.mean()) << listed;
  }
}

// f from the prior that the policy has; the campaign ends when the certificate is small enough, so that the answers decide when.
TEST(Stopping, TheCertificateCoversAlsoWhenItStopsTheSearch) {
  Setting setting = on_lists();
  PolicyOptions options;
  options.policy = PolicyKind::kCjes;
  options.recommend_paths = 0;
  options.stop.bound = 0.3;
  const auto& list = std::get<InputSet>(setting.targets);
  const FiniteBelief prior(Posterior(*setting.kernel, *setting.conditional), list.points(), setting.queries->probes());
  constexpr int kRuns = 150, kMost = 25;
  int stopped = 0, missed = 0;
  for (int r = 0; r < kRuns; ++r) {
    Rng rng(91, {static_cast<std::uint64_t>(r)});
    const FiniteBelief::Paths truth = prior.draw(1, rng);
    Policy policy(setting, options, static_cast<std::uint64_t>(r));
    for (int t = 0; t < kMost; ++t) {
      const Suggestion next = policy.suggest();
      const double g = truth.g(next.rows[0], 0);
      policy.observe(next.queries, Vector::Constant(1, g + std::sqrt(*setting.noise_var) * rng.normal()));
      const Stopping now = policy.stopping();
      if (!now.reached && t + 1 < kMost) continue;
      stopped += now.reached ? 1 : 0;
      missed += truth.f.col(0).maxCoeff() - truth.f(*policy.best().row, 0) > now.bound ? 1 : 0;
      break;
    }
  }
  EXPECT_GT(stopped, kRuns / 4) << "otherwise this tests nothing";
  EXPECT_LE(missed, 0.05 * kRuns + 3.0 * std::sqrt(0.05 * 0.95 * kRuns));
}

TEST(LevelSetPolicy, PutsMoreInputsOnTheRightSide) {
  const double threshold = 0.1;  // far from the peak
  const auto wrong = [&](PolicyKind kind) {
    PolicyOptions options;
    options.policy = kind;
    options.above = threshold;
    Setting setting = on_lists();
    setting.noise_var = 0.01;
    Policy policy(setting, options, 5);
    for (int t = 0; t < 8; ++t) {
      const Queries a = policy.suggest().queries;
      policy.observe(a, answers(a));
    }
    const Vector p = policy.chances(unit_inputs().grid({60}), {.above = threshold, .draws = 2}).above;
    return p.cwiseMin(Vector(1.0 - p.array())).sum();
  };
  const double level = wrong(PolicyKind::kLevelSet);
  EXPECT_LT(level, wrong(PolicyKind::kCkg));
  EXPECT_LT(level, wrong(PolicyKind::kRandom));
}

TEST(LevelSetPolicy, NeedsAThreshold) {
  PolicyOptions options;
  options.policy = PolicyKind::kLevelSet;
  expect_refusal([&] { Policy(on_lists(), options, 1); }, {"above: none", "level-set"});
}

}  // namespace
}  // namespace iqbo

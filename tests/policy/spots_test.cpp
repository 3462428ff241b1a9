// The search for rare spots in a policy: when it is on, that it finds what a stationary prior misses, and that it can be
// replayed.
#include "policy/spots.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <boost/math/distributions/normal.hpp>
#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/cell.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo::test {
namespace {

constexpr Index kSide = 32;

Inputs pixels() { return InputBox(Vector::Constant(2, 0.5), Vector::Constant(2, kSide - 0.5)).grid({kSide, kSide}); }

QueryTree tiles() {
  TreeOptions options;
  options.l_max = 3;
  options.box = QueryBox(Vector::Zero(2), Vector::Constant(2, static_cast<double>(kSide)));
  options.cost = Vector{{0.5, 1.0, 2.0, 3.0}};
  return QueryTree(pixels(), options);
}

// A hill, and far from it a narrow spot that is higher.
struct Bump {
  double height, u, v, sd;
};
constexpr Bump kBumps[] = {{0.5, 8.0, 9.0, 6.0}, {1.2, 25.0, 22.0, 1.8}};

double value(const Eigen::Ref<const Eigen::RowVectorXd>& x) {
  double out = 0.0;
  for (const auto& [height, u, v, sd] : kBumps)
    out += height * std::exp(-0.5 * (std::pow(x[0] - u, 2) + std::pow(x[1] - v, 2)) / (sd * sd));
  return out;
}

Vector field() {
  const Inputs x = pixels();
  Vector out(x.size());
  for (Index i = 0; i < x.size(); ++i) out[i] = value(x.row(i));
  return out;
}

struct Campaign {
  QueryTree tree = tiles();
  CellConditional conditional{tree};
  Vector f = field();
  Setting setting{InputSet(pixels()), tree, conditional};
  PolicyOptions options;

  Campaign() {
    options.budget = 90.0;
    options.fit.families = {"rbf"};
  }
  Policy policy(std::uint64_t seed = 1) const { return {setting, options, seed}; }
  Vector answer(const Queries& a, Index t) const {
    return conditional.average(a, f).col(0) +
           Vector::Constant(1, 0.01 * Rng(7, {static_cast<std::uint64_t>(t)}).normal());
  }
  // So many steps; returns the queries.
  Queries run(Policy& policy, Index steps) const {
    Queries asked;
    for (Index t = 0; t < steps; ++t) {
      const Suggestion next = policy.suggest();
      if (next.queries.empty()) break;
      policy.observe(next.queries, answer(next.queries, t));
      asked = asked.joined(next.queries);
    }
    return asked;
  }
};

TEST(PolicySpots, FindWhatIsNarrowerThanTheBackground) {
  const Campaign campaign;
  Policy policy = campaign.policy();
  campaign.run(policy, 1000);
  const Recommendation best = policy.best();
  EXPECT_LT((best.x.row(0) - Eigen::RowVector2d(25.0, 22.0)).norm(), 3.0);
  EXPECT_GT(best.high, campaign.f[*best.row]);
  EXPECT_LT(best.low, campaign.f[*best.row]);
  EXPECT_GT(best.tolerance, 0.0);
  EXPECT_GE(best.unseen, 0.0);
  EXPECT_LT(best.unseen, 0.5);
  EXPECT_GT(best.max_high, best.mean);
  EXPECT_THAT(best.notes, testing::Contains(testing::HasSubstr("no answer has shown")));
}

// What is recommended is where the map is highest, and the map is no surer of it.
TEST(PolicySpots, MapsShowThem) {
  const Campaign campaign;
  Policy policy = campaign.policy();
  campaign.run(policy, 1000);
  const Recommendation best = policy.best();
  const Marginals stationary = policy.belief().f(pixels());
  const Marginals map = policy.f(pixels());
  Index highest = 0;
  map.mean.maxCoeff(&highest);
  EXPECT_EQ(highest, *best.row);
  EXPECT_NEAR(map.mean[highest], best.mean, 1e-9);
  EXPECT_GT(std::sqrt(map.var[highest]), 0.9 * best.sd);  // that of 4,000 draws
  EXPECT_GT((map.mean - stationary.mean).cwiseAbs().maxCoeff(), 0.05);
  const Inputs there = pixels().slice(highest, 1);
  const Band band = policy.f_interval(there, 0.95, policy.f_widening(there, policy.f(there)));
  EXPECT_LE(best.low, band.low[0] + 1e-9);
  EXPECT_GE(best.high, band.high[0] - 1e-9);
  EXPECT_LT(best.high - best.low, 1.5 * (band.high[0] - band.low[0])) << "and hardly more";
  // Of tiles: the averages of the map, and surer than its pixels.
  const Queries tiles = campaign.tree.queries_at(3).points();
  const Marginals averages = policy.g(tiles);
  EXPECT_LT((averages.mean - campaign.conditional.average(tiles, map.mean).col(0)).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_LT(averages.var.mean(), map.var.mean());
  // Off the lattice there is nothing to add.
  const Inputs between(Rows{{3.25, 4.75}});
  EXPECT_EQ(policy.f(between).mean, policy.belief().f(between).mean);
  // Who is asked for beside it does not matter.
  const Inputs both = there.joined(between);
  const Marginals of_both = policy.f(both);
  EXPECT_NEAR(of_both.mean[0], map.mean[highest], 1e-9);
  EXPECT_NEAR(of_both.var[0], map.var[highest], 1e-9);
  EXPECT_NEAR(of_both.mean[1], policy.f(between).mean[0], 1e-9);
  const Vector wide = policy.f_widening(both, of_both);
  const Band band_of_both = policy.f_interval(both, 0.95, wide);
  EXPECT_NEAR(band_of_both.high[0], band.high[0], 1e-9);
  EXPECT_NEAR(wide[1], policy.f_widening(between, policy.f(between))[0], 1e-9);
  EXPECT_NEAR(policy.above(both, 0.7)[0], policy.above(there, 0.7)[0], 1e-9);
  EXPECT_NEAR(policy.above(both, 0.7)[1], policy.above(between, 0.7)[0], 1e-9);
}

// The map, the probabilities and the recommendation are of one belief.
TEST(PolicySpots, ChancesKnowThem) {
  const Campaign campaign;
  Policy policy = campaign.policy();
  campaign.run(policy, 1000);
  const Recommendation best = policy.best();
  const Marginals map = policy.f(pixels());
  const double limit = best.mean - 2.0 * best.sd;
  ChanceOptions options;
  options.above = limit;
  options.draws = 1000;
  const Chances found = policy.chances(pixels(), options);
  EXPECT_EQ(found.leader, *best.row);
  EXPECT_NEAR(found.best.sum(), 1.0, 1e-9);
  // The stationary belief, which has flattened the spot, has half of the draws.
  double around = 0.0;
  for (Index i = 0; i < found.best.size(); ++i)
    if ((pixels().row(i) - best.x.row(0)).norm() < 4.0) around += found.best[i];
  EXPECT_GT(around, 0.5);
  // An interval, which covers those of both beliefs, leaves at most 2.5 % on either side, and the map's sd is no smaller than its.
  const Band band = policy.f_interval(pixels(), 0.95, policy.f_widening(pixels(), map));
  for (const Index i : {Index{0}, Index{300}, *best.row}) {
    EXPECT_DOUBLE_EQ(found.above[i], policy.above(pixels(), limit)[i]);
    EXPECT_LE(policy.above(pixels(), band.high[i])[i], 0.0251);
    EXPECT_GE(policy.above(pixels(), band.low[i])[i], 0.9749);
    EXPECT_GT(policy.above(pixels(), 0.5 * (band.low[i] + band.high[i]))[i], 0.0251);
  }
  const Queries tiles = campaign.tree.queries_at(3).points();
  const Chances averages = policy.chances(tiles, options);
  Index highest = 0;
  policy.g(tiles).mean.maxCoeff(&highest);
  EXPECT_EQ(averages.leader, highest);
  EXPECT_GT(averages.best[highest], 0.25);
  EXPECT_NEAR(averages.best.sum(), 1.0, 1e-9);
}

// Noise brings some answers about ore below 0, and a spot on a flat background is no skewed field; units do not matter.
TEST(PolicySpots, KnowSkewedAnswers) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    Rng rng(seed);
    const Vector ore = (1.2 * rng.normals(80)).array().exp() + 0.1 * rng.normals(80).array();
    const Vector flat = (0.35 + 0.12 * rng.normals(80).array()).max(0.01);
    Vector spot = flat;
    spot[3] = 1.2, spot[40] = 1.1, spot[41] = 0.8;
    for (const double unit : {1e-3, 1.0, 1e6}) {
      EXPECT_TRUE(PolicySpots::is_skewed(unit * ore)) << seed;
      EXPECT_FALSE(PolicySpots::is_skewed(unit * spot)) << seed;
      EXPECT_FALSE(PolicySpots::is_skewed(unit * Vector(rng.normals(80)))) << seed;
      EXPECT_FALSE(PolicySpots::is_skewed(unit * Vector(300.0 + spot.array()))) << seed;
    }
  }
  EXPECT_FALSE(PolicySpots::is_skewed(Vector()));
}

// On a skewed field with texture every high place looks like a spot, and spots alone were sure and wrong. Of several such
// fields the interval covers what the stationary belief admits.
TEST(PolicySpots, DoNotOutweighTheStationaryBeliefOnSkewedFields) {
  int searched = 0, covered = 0, both = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    Campaign campaign;
    Rng rng(seed);
    Vector eta = Vector::Zero(campaign.f.size());
    const Inputs x = pixels();
    for (int bump = 0; bump < 200; ++bump) {
      const Eigen::RowVector2d at = static_cast<double>(kSide) * rng.uniforms(1, 2);
      const double width = 1.0 + 2.0 * rng.uniform(), height = rng.normal();
      for (Index i = 0; i < x.size(); ++i)
        eta[i] += height * std::exp(-0.5 * (x.row(i) - at).squaredNorm() / (width * width));
    }
    eta *= 0.6 / std::sqrt(eta.array().square().mean());
    campaign.f = (eta + 0.6 * rng.normals(x.size())).array().exp();
    Policy policy = campaign.policy(seed);
    campaign.run(policy, 1000);
    const Recommendation best = policy.best();
    if (std::isnan(best.unseen)) continue;
    ++searched;
    covered += best.low <= campaign.f[*best.row] && campaign.f[*best.row] <= best.high ? 1 : 0;
    const Marginals there = policy.belief().f(best.x);
    const double half = 1.9 * std::sqrt(there.var[0]);
    EXPECT_THAT(best.notes, testing::Contains(testing::HasSubstr("also covers what a model without spots allows")));
    both += best.low <= there.mean[0] - half && best.high >= there.mean[0] + half ? 1 : 0;
    EXPECT_GE(best.max_high, best.mean);
  }
  ASSERT_GE(searched, 4);
  EXPECT_GE(both, searched - 1);
  EXPECT_GE(covered, searched - 1);
}

// The same scene as a continuum: X is a box, and a tile a uniform window, whose average of a bump is known.
struct BoxCampaign {
  QueryTree tree = box_tree();
  PolicyOptions options = Campaign().options;
  Setting setting{InputBox(Vector::Zero(2), Vector::Constant(2, static_cast<double>(kSide))), tree,
                  UniformConditional(QueryMap::columns({0, 1}), QueryMap::columns({2}))};

  static QueryTree box_tree() {
    TreeOptions options;
    options.l_max = 3;
    options.cost = Vector{{0.5, 1.0, 2.0, 3.0}};
    options.resolution = Vector{{16.0, 8.0, 4.0, 2.0}};
    return QueryTree(QueryBox(Vector::Zero(2), Vector::Constant(2, static_cast<double>(kSide))), options);
  }
  static double average(const Eigen::Ref<const Eigen::RowVectorXd>& a) {
    double out = 0.0;
    for (const auto& [height, u, v, sd] : kBumps) {
      const auto along = [sd = sd, half = a[2]](double from) {
        const double scale = sd * std::sqrt(2.0);
        return sd * std::sqrt(std::acos(-1.0) / 2.0) *
               (std::erf((from + half) / scale) - std::erf((from - half) / scale)) / (2.0 * half);
      };
      out += height * along(a[0] - u) * along(a[1] - v);
    }
    return out;
  }
  void run(Policy& policy) const {
    for (Index t = 0;; ++t) {
      const Suggestion next = policy.suggest();
      if (next.queries.empty()) return;
      const double noise = 0.01 * Rng(7, {static_cast<std::uint64_t>(t)}).normal();
      policy.observe(next.queries, Vector::Constant(1, average(next.queries.row(0)) + noise));
    }
  }
};

TEST(PolicySpots, FindThemThroughWindowsOnABox) {
  const BoxCampaign campaign;
  Policy policy(campaign.setting, campaign.options, 1);
  EXPECT_THAT(policy.foreseen_spots(), testing::HasSubstr("a budget of 90 can cover all of X with windows 8 wide"));
  campaign.run(policy);
  const Recommendation best = policy.best();
  EXPECT_LT((best.x.row(0) - Eigen::RowVector2d(25.0, 22.0)).norm(), 2.0);
  EXPECT_FALSE(best.row);
  EXPECT_LT(best.low, value(best.x.row(0)));
  EXPECT_GT(best.high, value(best.x.row(0)));
  EXPECT_LT(best.unseen, 0.5);
  EXPECT_GT(best.max_high, best.mean);
  const Marginals there = policy.f(best.x);
  EXPECT_NEAR(there.mean[0], best.mean, 0.05 * best.mean);  // interpolated, where the recommendation follows a parabola
}

// Variances at a few inputs, and means alone, are computed without those of all others.
TEST(PolicySpots, BelieveTheSameOfFewInputsAsOfAll) {
  const Campaign campaign;
  Policy all = campaign.policy(), some = campaign.policy();
  const Queries asked = campaign.run(all, 14);
  const Queries same = campaign.run(some, 14);
  ASSERT_EQ(asked.coordinates(), same.coordinates());
  const Inputs x = pixels(), few = x.slice(300, 5);
  const Marginals of_all = all.f(x);
  const Marginals of_few = some.f(few);
  const auto mean = some.mean_with_spots(x);
  ASSERT_TRUE(mean);
  const double size = of_all.mean.cwiseAbs().maxCoeff();
  EXPECT_LT((*mean - of_all.mean).cwiseAbs().maxCoeff(), 1e-10 * size);
  EXPECT_LT((of_few.mean - of_all.mean.segment(300, 5)).cwiseAbs().maxCoeff(), 1e-10 * size);
  EXPECT_LT((of_few.var - of_all.var.segment(300, 5)).cwiseAbs().maxCoeff(), 1e-8 * size * size);
  EXPECT_FALSE(campaign.policy().mean_with_spots(x)) << "nothing was told";
}

TEST(PolicySpots, SayWhatTheyDo) {
  const Campaign campaign;
  Policy policy = campaign.policy();
  campaign.run(policy, 8);
  EXPECT_THAT(policy.suggest().why, testing::Contains(testing::HasSubstr("rare spots")));
  EXPECT_EQ(policy.suggest().used, PolicyKind::kCkg);
  const Survey survey = policy.survey();
  EXPECT_EQ(survey.queries.size(), survey.scores.size());
  EXPECT_FALSE(survey.logarithmic);
  EXPECT_EQ(survey.next.queries.coordinates(), policy.suggest().queries.coordinates());
}

// 32 x 32 pixels; tiles of 32, 16, 8 and 4 cost 0.5, 1, 2 and 3: the first three levels cost 36.5, all of the last 192.
TEST(PolicySpots, SayBeforehandWhatTheBudgetCouldFind) {
  Campaign campaign;
  EXPECT_THAT(campaign.policy().foreseen_spots(),
              testing::HasSubstr("a budget of 90 can cover all of X with windows 8 wide"));
  campaign.options.budget = 36.5 + 0.75 * 192.0;
  EXPECT_THAT(campaign.policy().foreseen_spots(), testing::HasSubstr("75 % of X with windows 4 wide"));
  campaign.options.budget = 1.5;
  EXPECT_THAT(campaign.policy().foreseen_spots(), testing::HasSubstr("most spots will be missed"));
  campaign.options.budget.reset();
  EXPECT_EQ(campaign.policy().foreseen_spots(), "");
  campaign.options.budget = 90.0;
  campaign.options.spots = SpotSearch::kOff;
  EXPECT_EQ(campaign.policy().foreseen_spots(), "");
}

TEST(PolicySpots, CanBeReplayed) {
  const Campaign campaign;
  Policy step_by_step = campaign.policy();
  const Queries asked = campaign.run(step_by_step, 16);
  Policy at_once = campaign.policy();
  for (Index t = 0; t < asked.size(); ++t) at_once.observe(asked.slice(t, 1), campaign.answer(asked.slice(t, 1), t));
  EXPECT_EQ(at_once.suggest().queries.coordinates(), step_by_step.suggest().queries.coordinates());
  EXPECT_EQ(at_once.suggest().scores, step_by_step.suggest().scores);
  EXPECT_EQ(at_once.best().mean, step_by_step.best().mean);
  EXPECT_EQ(at_once.best().probability, step_by_step.best().probability);
}

// studies/spots.cpp asks in this way.
TEST(PolicySpots, AskWhatTheModelScoresHighestPerCost) {
  const Campaign campaign;
  Policy policy = campaign.policy();
  const Queries asked = campaign.run(policy, 16);
  auto grid = std::make_shared<SpotGrid>(
      *SpotGrid::of(InputSet(pixels()), campaign.conditional, campaign.setting.queries->overview(4096)));
  SpotModel model(grid, {}, 1);
  const auto open = campaign.setting.queries->open({});
  std::vector<SpotAnswer> answers;
  const std::vector<Index> fits = Policy::fit_sizes(16);
  for (Index t = 0; t < asked.size(); ++t) {
    const Queries a = asked.slice(t, 1);
    if (t >= 5) {
      const Candidates all = open->candidates(1.0);
      const Vector usual = Vector::Constant(all.queries.size(), std::nan(""));
      Vector score = model.belief(answers).score(*grid->rows(campaign.conditional, all.queries), usual);
      score = score.cwiseQuotient(all.cost);
      for (Index i = 0; i < score.size(); ++i)
        if (!all.allowed[static_cast<std::size_t>(i)]) score[i] = -1.0;
      Index best = 0;
      score.maxCoeff(&best);
      EXPECT_EQ(all.queries.row(best), a.row(0)) << "step " << t;
    }
    answers.push_back({(*grid->rows(campaign.conditional, a))[0], campaign.answer(a, t)[0]});
    open->select(a.row(0));
    if (t >= 4 && std::count(fits.begin(), fits.end(), t + 1) > 0) model.fit(answers);
  }
}

TEST(PolicySpots, ChooseBatchesWithoutRepeats) {
  const Campaign campaign;
  Policy policy = campaign.policy();
  campaign.run(policy, 9);
  const Suggestion batch = policy.suggest(3);
  ASSERT_EQ(batch.queries.size(), 3);
  EXPECT_NE(batch.queries.row(0), batch.queries.row(1));
  EXPECT_NE(batch.queries.row(1), batch.queries.row(2));
  EXPECT_EQ(policy.suggest(1, batch.queries.slice(0, 2)).queries.row(0), batch.queries.row(2));
}

TEST(PolicySpots, TakeValuesOfFAndKnownNoise) {
  Campaign campaign;
  campaign.setting.noise_var = 1e-4;
  Policy policy = campaign.policy();
  campaign.run(policy, 7);
  policy.observe(pixels().slice(40, 1), campaign.f.segment(40, 1));
  EXPECT_THAT(policy.suggest().why, testing::Contains(testing::HasSubstr("rare spots")));
  EXPECT_FALSE(std::isnan(policy.best().unseen));
  // A value of f between the pixels is on no grid: from then on the usual belief decides.
  policy.observe(Inputs({{3.2, 4.1}}), Vector::Constant(1, 0.3));
  EXPECT_THAT(policy.suggest().why, testing::Not(testing::Contains(testing::HasSubstr("rare spots"))));
  EXPECT_TRUE(std::isnan(policy.best().unseen));
}

// What is stored of a point fit has no members, as in studies of a version without spots: both go on without them, whoever
// opens the study.
TEST(PolicySpots, PointFitsGoOnTheSameWhenRemembered) {
  Campaign campaign;
  campaign.options.members = 1;
  Policy first = campaign.policy();
  const Queries asked = campaign.run(first, 8);
  Policy second = campaign.policy();
  second.remember(*first.hyperparameters());
  for (Index t = 0; t < asked.size(); ++t) second.observe(asked.slice(t, 1), campaign.answer(asked.slice(t, 1), t));
  EXPECT_EQ(first.suggest().queries.coordinates(), second.suggest().queries.coordinates());
  EXPECT_EQ(first.suggest().why, second.suggest().why);
}

// f varies along one axis only, which the background of spots cannot believe: the stationary belief foresees the answers better.
TEST(PolicySpots, AreOffWhereFIsStretched) {
  Campaign campaign;
  const Inputs x = pixels();
  for (Index i = 0; i < x.size(); ++i) campaign.f[i] = std::sin(0.5 * x.row(i)[0]);
  Policy policy = campaign.policy();
  campaign.run(policy, 30);
  EXPECT_THAT(policy.suggest().why, testing::Not(testing::Contains(testing::HasSubstr("rare spots"))));
  EXPECT_TRUE(std::isnan(policy.best().unseen));
}

// Values of f that repeat, and differ by far more than the noise that was given.
TEST(PolicySpots, WidenByWhatForecastsMissed) {
  Campaign campaign;
  campaign.setting.noise_var = 1e-4;
  Policy policy = campaign.policy();
  campaign.run(policy, 12);
  EXPECT_EQ(policy.best().widened, 1.0);
  for (Index t = 0; t < 12; ++t)
    policy.observe(pixels().slice(40 + 3 * (t % 4), 1), Vector::Constant(1, t < 4 ? 0.3 : 0.4));
  const Recommendation best = policy.best();
  ASSERT_FALSE(std::isnan(best.unseen));
  EXPECT_GT(best.widened, 1.5);
  EXPECT_THAT(best.notes, testing::Contains(testing::HasSubstr("too sure of itself")));
  EXPECT_LE(best.low, best.mean);
  EXPECT_GE(best.high, best.mean);
}

// The draws of the recommendation, or others if it made none: the same within their errors.
TEST(PolicySpots, ExpectTheSameRegretFromOtherDraws) {
  Campaign campaign;
  Policy one = campaign.policy();
  campaign.run(one, 16);
  campaign.options.recommend_paths = 0;
  Policy other = campaign.policy();
  campaign.run(other, 16);
  ASSERT_FALSE(std::isnan(one.best().unseen));
  const Stopping left = one.stopping(), right = other.stopping();
  EXPECT_GT(left.regret, 0.0);
  EXPECT_NE(left.regret, right.regret);
  EXPECT_NEAR(left.regret, right.regret, 4.0 * std::hypot(left.regret_error, right.regret_error));
  EXPECT_EQ(one.stopping().regret, left.regret);
}

TEST(PolicySpots, AreOffWhereTheyMakeNoSense) {
  const Campaign campaign;
  const auto on = [](const Setting& setting, const PolicyOptions& options) {
    return PolicySpots::of(setting, options, 1) != nullptr;
  };
  EXPECT_TRUE(on(campaign.setting, campaign.options));
  PolicyOptions off = campaign.options;
  off.spots = SpotSearch::kOff;
  EXPECT_FALSE(on(campaign.setting, off));
  PolicyOptions other = campaign.options;
  other.policy = PolicyKind::kCmes;
  EXPECT_FALSE(on(campaign.setting, other));
  Setting given = campaign.setting;
  given.kernel = Rbf(1.0, Vector{{3.0, 3.0}});
  given.noise_var = 1e-4;
  EXPECT_FALSE(on(given, campaign.options));
  Setting leaves = campaign.setting;  // one size
  leaves.queries = campaign.tree.queries_at(2);
  EXPECT_FALSE(on(leaves, campaign.options));
}

}  // namespace
}  // namespace iqbo::test

// The mixture against dense matrices, and what it must say about scenes with and without a spot.
#include "spot/belief.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <limits>

#include "scene.hpp"
#include "spot/model.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

constexpr double kUsual = std::numeric_limits<double>::quiet_NaN();

// Every second tile of two pixels, and all coarser ones.
std::vector<Index> many(const SpotScene& scene) {
  std::vector<Index> out;
  for (Index i = 0; i < scene.all.size(); ++i)
    if (i < 21 || i % 2 == 0) out.push_back(i);
  return out;
}

SpotTheta quiet() {
  SpotTheta out;
  out.log << std::log(3.0), std::log(0.05), std::log(0.5), std::log(1e-3), std::log(1e-4);
  return out;
}

Vector background_field(std::uint64_t seed) {
  Rng rng(seed);
  Matrix k = 0.05 * SpotScene::rbf(3.0);
  k.diagonal().array() += 1e-9;
  return Eigen::LLT<Matrix>(k).matrixL() * rng.normals(kSide * kSide);
}

Vector answers(const SpotScene& scene, const std::vector<Index>& which, const Vector& f) {
  Rng rng(8);
  return scene.weights(which) * f + 0.01 * rng.normals(static_cast<Index>(which.size()));
}

// One member, no spot settled: the mean is that of every hypothesis by dense conditioning, weighted.
TEST(SpotBelief, MixesDenseConditionalMeans) {
  const SpotScene scene;
  std::vector<Index> which;
  for (Index i = 0; i < scene.all.size(); i += 9) which.push_back(i);
  const Vector z = answers(scene, which, background_field(2));
  const SpotBelief belief(scene.grid, {some_theta()}, answers_at(scene.queries(which), z), 0.5);
  ASSERT_TRUE(belief.settled().empty());
  ASSERT_FALSE(belief.leader());
  const auto data = data_of(answers_at(scene.queries(which), z));
  const SpotHypotheses all = SpotHypotheses::everywhere(*scene.grid);
  const SpotBackground background(*scene.grid, some_theta(), *data, {constant_term(*scene.grid, *data)});
  const SpotPosterior posterior(background, all, *data, 6.0 * data->s);  // its numbers have tests of their own
  Matrix prior = 0.8 * SpotScene::rbf(2.5) + 0.05 * SpotScene::rbf(0.5);
  prior.array() += 25.0 * data->s * data->s;
  const Matrix weight = scene.weights(which);
  Matrix s = weight * prior * weight.transpose();
  s.diagonal().array() += 0.01;
  const Eigen::LDLT<Matrix> factor(s);
  const Matrix gain = prior * weight.transpose();
  Vector mean = posterior.none * (gain * factor.solve(z));
  for (std::size_t h = 0; h < all.size(); ++h) {
    const auto k = static_cast<Index>(h);
    const Vector spot = posterior.height[k] * SpotScene::bump(all[h].at, all[h].width);
    mean += posterior.probability[k] * (spot + gain * factor.solve(z - weight * spot));
  }
  EXPECT_LT((scene.listed(belief.mean_field()) - mean).cwiseAbs().maxCoeff(), 1e-8);
  const Vector of_tiles = belief.mean(scene.queries({0, 5, 40}));
  EXPECT_LT((of_tiles - scene.weights({0, 5, 40}) * mean).cwiseAbs().maxCoeff(), 1e-8);
}

// Mean and variance of a normal variable cut to positive values, by sums over its density.
std::pair<double, double> positive_moments(double m, double v) {
  double mass = 0.0, first = 0.0, second = 0.0;
  const double sd = std::sqrt(v), low = std::max(0.0, m - 12.0 * sd), high = std::max(m, 0.0) + 12.0 * sd;
  constexpr int kCells = 20000;
  for (int i = 0; i < kCells; ++i) {
    const double a = low + (high - low) * (i + 0.5) / kCells;
    const double weight = std::exp(-0.5 * (a - m) * (a - m) / v);
    mass += weight, first += weight * a, second += weight * a * a;
  }
  return {first / mass, second / mass - first * first / (mass * mass)};
}

// Two members, by dense conditioning under every hypothesis: E Var f + Var E f over hypotheses, heights and members.
TEST(SpotBelief, MixesDenseConditionalVariances) {
  const SpotScene scene;
  std::vector<Index> which;
  for (Index i = 0; i < scene.all.size(); i += 9) which.push_back(i);
  const Vector z = answers(scene, which, background_field(2));
  SpotTheta other = some_theta();
  other.log[SpotTheta::kLongScale] += 0.4;
  const SpotBelief belief(scene.grid, {some_theta(), other}, answers_at(scene.queries(which), z), 0.5);
  ASSERT_TRUE(belief.settled().empty());
  ASSERT_FALSE(belief.leader());
  const auto data = data_of(answers_at(scene.queries(which), z));
  const SpotHypotheses all = SpotHypotheses::everywhere(*scene.grid);
  const std::vector<Index> tiles{0, 5, 40};
  // Pixels, and below them tiles.
  Matrix seen(kSide * kSide + 3, kSide * kSide);
  seen << Matrix::Identity(kSide * kSide, kSide * kSide), scene.weights(tiles);
  const Matrix weight = scene.weights(which);
  Vector first = Vector::Zero(seen.rows()), second = first;
  for (const SpotTheta& theta : {some_theta(), other}) {
    const SpotBackground background(*scene.grid, theta, *data, {constant_term(*scene.grid, *data)});
    const SpotPosterior posterior(background, all, *data, 6.0 * data->s);  // its numbers have tests of their own
    Matrix prior = 0.8 * SpotScene::rbf(theta.value(SpotTheta::kLongScale)) + 0.05 * SpotScene::rbf(0.5);
    prior.array() += 25.0 * data->s * data->s;
    Matrix s = weight * prior * weight.transpose();
    s.diagonal().array() += 0.01;
    const Eigen::LDLT<Matrix> factor(s);
    const Matrix gain = prior * weight.transpose();
    const Vector var = (seen * (prior - gain * factor.solve(gain.transpose())) * seen.transpose()).diagonal();
    const auto add = [&](double probability, const Vector& mean, const Vector& more) {
      first += 0.5 * probability * mean;
      second += 0.5 * probability * (var + more + mean.cwiseAbs2());
    };
    const Vector plain = seen * gain * factor.solve(z);
    add(posterior.none, plain, Vector::Zero(seen.rows()));
    for (std::size_t h = 0; h < all.size(); ++h) {
      const auto k = static_cast<Index>(h);
      const Vector bump = SpotScene::bump(all[h].at, all[h].width);
      const Vector lift = seen * (bump - gain * factor.solve(weight * bump));
      const auto [height, spread] = positive_moments(posterior.m[k], posterior.v[k]);
      add(posterior.probability[k], plain + height * lift, spread * lift.cwiseAbs2());
    }
  }
  const Vector var = second - first.cwiseAbs2();
  const SpotField field = belief.field();
  EXPECT_LT((scene.listed(field.mean) - first.head(kSide * kSide)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((scene.listed(field.var) - var.head(kSide * kSide)).cwiseAbs().maxCoeff(), 1e-7);
  std::vector<GridCell> some;
  for (const Index row : {0, 5, 77}) some.push_back(scene.grid->cells()[static_cast<std::size_t>(row)]);
  const SpotMarginals of_cells = belief.marginals(some);
  for (const Index i : {0, 1, 2}) {
    const GridCell& cell = some[static_cast<std::size_t>(i)];
    EXPECT_NEAR(of_cells.mean[i], field.mean(cell[0], cell[1]), 1e-12);
    EXPECT_NEAR(of_cells.var[i], field.var(cell[0], cell[1]), 1e-12);
  }
  const SpotMarginals of_tiles = belief.marginals(scene.queries(tiles));
  EXPECT_LT((of_tiles.mean - first.tail(3)).cwiseAbs().maxCoeff(), 1e-7);
  EXPECT_LT((of_tiles.var - var.tail(3)).cwiseAbs().maxCoeff(), 1e-7);
}

// Each answer by dense conditioning on those before it.
TEST(SpotBelief, ForecastsAnswersFromThoseBefore) {
  const SpotScene scene;
  std::vector<Index> which;
  for (Index i = 0; i < scene.all.size(); i += 9) which.push_back(i);
  const Vector z = answers(scene, which, background_field(2));
  const SpotBelief belief(scene.grid, {some_theta()}, answers_at(scene.queries(which), z), 0.5);
  ASSERT_TRUE(belief.settled().empty());
  ASSERT_FALSE(belief.leader());
  const auto data = data_of(answers_at(scene.queries(which), z));
  Matrix prior = 0.8 * SpotScene::rbf(2.5) + 0.05 * SpotScene::rbf(0.5);
  prior.array() += 25.0 * data->s * data->s;
  Matrix s = scene.weights(which) * prior * scene.weights(which).transpose();
  s.diagonal().array() += 0.01;
  const auto ahead = belief.ahead();
  ASSERT_EQ(ahead.size(), 1U);
  for (Index i = 1; i < z.size(); ++i) {
    const Vector gain = Eigen::LDLT<Matrix>(s.topLeftCorner(i, i)).solve(Vector(s.col(i).head(i)));
    EXPECT_NEAR(ahead[0].mean[i], gain.dot(z.head(i)), 1e-8);
    EXPECT_NEAR(ahead[0].var[i], s(i, i) - gain.dot(s.col(i).head(i)), 1e-8);
  }
}

TEST(SpotBelief, FindsASpotBetweenTheTilesThatWereAsked) {
  const SpotScene scene;
  const std::vector<Index> which = many(scene);
  const Vector f = background_field(1) + 1.2 * SpotScene::bump({5.2, 2.1}, 0.5);
  const SpotBelief belief(scene.grid, {quiet()}, answers_at(scene.queries(which), answers(scene, which, f)), 0.25);
  const bool settled = !belief.settled().empty();
  ASSERT_TRUE(settled || belief.leader());
  const Spot spot = settled ? belief.settled().front() : *belief.leader();
  EXPECT_LT(spot.distance({5.2, 2.1}), 0.7);
  Rng rng(1);
  const SpotRecommendation best = belief.recommend(100, rng);
  const GridCell cell = scene.grid->cells()[static_cast<std::size_t>(best.row)];
  EXPECT_LT(spot.distance({scene.grid->points(0)[cell[0]], scene.grid->points(1)[cell[1]]}), 0.8);
  EXPECT_LT(best.low, f[best.row]);
  EXPECT_GT(best.high, f[best.row]);
  EXPECT_GT(best.max_high, f.maxCoeff());
  EXPECT_LT(best.unseen, 0.3);
}

// Nothing is owed to hindsight without a spot; one among 11 x 11 places with a prior of 1/2 costs log(242).
TEST(SpotBelief, SaysWhatKnowingThePlacesIsWorth) {
  const SpotScene scene;
  const std::vector<Index> which = many(scene);
  const auto of = [&](const Vector& f) {
    return SpotBelief(scene.grid, {quiet()}, answers_at(scene.queries(which), answers(scene, which, f)), 0.25);
  };
  const SpotBelief none = of(background_field(1));
  ASSERT_TRUE(none.settled().empty() && !none.leader());
  EXPECT_EQ(none.hindsight(), 0.0);
  const SpotBelief one = of(background_field(1) + 1.2 * SpotScene::bump({5.2, 2.1}, 0.5));
  const auto spots = static_cast<double>(one.settled().size() + (one.leader() ? 1 : 0));
  ASSERT_GE(spots, 1.0);
  EXPECT_NEAR(one.hindsight(), spots * std::log(242.0), 1e-12);  // the scene is 7.5 windows wide, in steps of 0.75
}

TEST(SpotBelief, DoubtsWhereNobodyLooked) {
  const SpotScene scene;
  const Vector f = background_field(3);
  // Coarse tiles everywhere, fine ones in one half only.
  std::vector<Index> coarse, half, all;
  for (Index i = 0; i < scene.all.size(); ++i) {
    const bool fine = i >= 21;
    if (!fine) coarse.push_back(i);
    if (!fine || scene.all.row(i)[0] < 8.0) half.push_back(i);
    all.push_back(i);
  }
  std::vector<double> unseen, sure;
  for (const auto& which : {coarse, half, all}) {
    const SpotBelief belief(scene.grid, {quiet()}, answers_at(scene.queries(which), answers(scene, which, f)), 0.25);
    Rng rng(1);
    const SpotRecommendation best = belief.recommend(200, rng);
    unseen.push_back(best.unseen);
    sure.push_back(best.probability);
    EXPECT_GE(best.unseen, 0.0);
    EXPECT_LE(best.unseen, 1.0);
  }
  EXPECT_GT(unseen[0], unseen[1]);
  EXPECT_GT(unseen[1], unseen[2]);
  EXPECT_LT(unseen[2], 0.1);
  EXPECT_GT(unseen[0], 0.1);
  EXPECT_LT(sure[0], sure[2]);
}

// The half that nobody looked at is worth more.
TEST(SpotBelief, SearchesWhereASpotCouldBe) {
  const SpotScene scene;
  const Vector f = background_field(3);
  std::vector<Index> which;
  for (Index i = 0; i < scene.all.size(); ++i)
    if (i < 21 || scene.all.row(i)[0] < 8.0) which.push_back(i);
  const SpotBelief belief(scene.grid, {quiet()}, answers_at(scene.queries(which), answers(scene, which, f)), 0.5);
  const Vector score = belief.score(scene.rows, Vector::Constant(scene.all.size(), kUsual));
  EXPECT_GE(score.minCoeff(), 0.0);
  EXPECT_TRUE(score.allFinite());
  Index best = 0;
  score.maxCoeff(&best);
  EXPECT_GE(best, 5);
  EXPECT_GT(scene.all.row(best)[0], 8.0);
  // An answer that is all noise is worth nothing.
  const Vector blind = belief.score(scene.rows, Vector::Constant(scene.all.size(), 1e6));
  EXPECT_LT(blind.maxCoeff(), 0.05 * score.maxCoeff());
}

TEST(SpotModel, DependsOnSeedAndAnswersAlone) {
  const SpotScene scene;
  const std::vector<Index> which = many(scene);
  const Vector f = background_field(5) + 1.2 * SpotScene::bump({2.0, 5.0}, 0.6);
  const auto all = answers_at(scene.queries(which), answers(scene, which, f));
  const std::vector<SpotAnswer> first(all.begin(), all.begin() + 21);
  const auto run = [&](std::uint64_t seed, bool look) {
    SpotModel model(scene.grid, {}, seed);
    model.fit(first);
    if (look) (void)model.belief(first).mean_field();
    model.fit(all);
    Rng rng(1);
    return model.stated(all).recommend(20, rng);
  };
  const SpotRecommendation one = run(1, false), again = run(1, true), other = run(2, false);
  EXPECT_EQ(one.mean, again.mean);
  EXPECT_EQ(one.low, again.low);
  EXPECT_EQ(one.probability, again.probability);
  EXPECT_NE(one.mean, other.mean);
  EXPECT_EQ(one.row, other.row);
  const GridCell cell = scene.grid->cells()[static_cast<std::size_t>(one.row)];
  const Spot truth{{2.0, 5.0}, 0.6};
  EXPECT_LT(truth.distance({scene.grid->points(0)[cell[0]], scene.grid->points(1)[cell[1]]}), 0.8);
}

// Units of f and of x change nothing but units.
TEST(SpotModel, FollowsTheUnitOfF) {
  const SpotScene scene;
  const std::vector<Index> which = many(scene);
  const Vector z = answers(scene, which, background_field(7));
  const auto best = [&](double factor, double shift) {
    SpotModel model(scene.grid, {}, 3);
    const auto all = answers_at(scene.queries(which), Vector(factor * z.array() + shift));
    model.fit(all);
    Rng rng(1);
    return model.stated(all).recommend(20, rng);
  };
  const SpotRecommendation one = best(1.0, 0.0), scaled = best(1000.0, 0.0);
  EXPECT_EQ(one.row, scaled.row);
  EXPECT_NEAR(scaled.mean, 1000.0 * one.mean, 1e-3);
  EXPECT_NEAR(scaled.unseen, one.unseen, 1e-6);
}

TEST(SpotModel, TakesEqualAnswers) {
  const SpotScene scene;
  SpotModel model(scene.grid, {}, 3);
  const auto all = answers_at(scene.queries({0, 1, 2, 3, 4}), Vector::Constant(5, 2.0));
  model.fit(all);
  Rng rng(1);
  const SpotRecommendation best = model.stated(all).recommend(10, rng);
  EXPECT_TRUE(std::isfinite(best.mean) && std::isfinite(best.low) && std::isfinite(best.high));
}

}  // namespace
}  // namespace iqbo::test

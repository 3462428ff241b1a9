// Bayes factors and heights against integrals over the height, with dense matrices.
#include "spot/hypotheses.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>

#include "scene.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

using Real = long double;

// Moments over A > 0 of  N(z; A g, S) / N(z; 0, S) times a half-normal density of A, by the trapezoidal rule.
struct Integrals {
  Real factor = 0, first = 0;
};

Integrals over_height(Real q, Real c, Real scale) {
  const Real sd = 1 / std::sqrt(1 / (scale * scale) + q);
  const Real centre = c * sd * sd;
  const Real high = std::max<Real>(centre, 0) + 14 * sd;
  constexpr int kSteps = 200000;
  Integrals out;
  for (int i = 0; i <= kSteps; ++i) {
    const Real a = high * i / kSteps;
    const Real prior = std::sqrt(2 / 3.14159265358979323846L) / scale * std::exp(-a * a / (2 * scale * scale));
    const Real value = prior * std::exp(a * c - a * a * q / 2) * (i == 0 || i == kSteps ? 0.5L : 1.0L);
    out.factor += value * high / kSteps;
    out.first += a * value * high / kSteps;
  }
  return out;
}

TEST(SpotHypotheses, HaveBayesFactorsThatEqualIntegrals) {
  const SpotScene scene;
  std::vector<Index> which;
  for (Index i = 0; i < scene.all.size(); i += 5) which.push_back(i);
  Rng rng(6);
  const Matrix weight = scene.weights(which);
  const Vector z = 0.3 * rng.normals(weight.rows()) + 1.1 * weight * SpotScene::bump({4.0, 2.0}, 0.6);
  const auto data = data_of(answers_at(scene.queries(which), z));
  const SpotBackground background(*scene.grid, some_theta(), *data, {constant_term(*scene.grid, *data)});
  Matrix prior = 0.8 * SpotScene::rbf(2.5) + 0.05 * SpotScene::rbf(0.5);
  prior.array() += 25.0 * data->s * data->s;
  Matrix s = weight * prior * weight.transpose();
  s.diagonal().array() += 0.01;
  const Eigen::LDLT<Matrix> factor(s);

  const SpotHypotheses coarse = SpotHypotheses::everywhere(*scene.grid);
  EXPECT_NEAR(coarse.prior().sum(), 0.5, kRounding);
  const double scale = 2.0;
  const SpotPosterior of_coarse(background, coarse, *data, scale);
  Index leader = 0;
  of_coarse.probability.maxCoeff(&leader);
  const SpotHypotheses fine = coarse.refined(static_cast<std::size_t>(leader));
  EXPECT_NEAR(fine.prior().sum(), 0.5, kRounding);
  const SpotPosterior posterior(background, fine, *data, scale, &of_coarse);
  EXPECT_NEAR(posterior.probability.sum() + posterior.none, 1.0, kRounding);

  double none = 0.5, total = 0.5;
  for (std::size_t h = 0; h < fine.size(); h += 1) {
    const Vector g = weight * SpotScene::bump(fine[h].at, fine[h].width);
    const auto k = static_cast<Index>(h);
    ASSERT_NEAR((fine.averages(data->query).col(k) - g).cwiseAbs().maxCoeff(), 0.0, kConditioned);
    const double q = g.dot(factor.solve(g)), c = g.dot(factor.solve(z));
    const double log_factor = posterior.log_factor[k];
    total += fine.prior()[k] * std::exp(log_factor);
    if (h % 37 != 0 && h + 10 < fine.size()) continue;  // integrals take long
    const Integrals exact = over_height(q, c, scale);
    EXPECT_NEAR(log_factor, static_cast<double>(std::log(exact.factor)), 1e-6) << "hypothesis " << h;
    EXPECT_NEAR(posterior.height[k], static_cast<double>(exact.first / exact.factor), 1e-6) << "hypothesis " << h;
  }
  EXPECT_NEAR(posterior.none, none / total, 1e-8);

  // The refined posterior is that of a fresh start.
  const SpotPosterior afresh(background, fine, *data, scale);
  EXPECT_LT((afresh.probability - posterior.probability).cwiseAbs().maxCoeff(), kConditioned);
}

TEST(SpotHypotheses, AddUpToFields) {
  const SpotScene scene;
  const SpotHypotheses all = SpotHypotheses::everywhere(*scene.grid);
  Vector weight = Vector::Zero(static_cast<Index>(all.size()));
  weight[3] = 0.7;
  weight[weight.size() - 4] = -0.2;
  const Vector expected = 0.7 * SpotScene::bump(all[3].at, all[3].width) -
                          0.2 * SpotScene::bump(all[all.size() - 4].at, all[all.size() - 4].width);
  EXPECT_LT((scene.listed(all.field(weight)) - expected).cwiseAbs().maxCoeff(), kRounding);
  const GridCell cell{3, 12};
  EXPECT_NEAR(all.values(cell)[3], SpotScene::bump(all[3].at, all[3].width)[3 * kSide + 12], kRounding);
}

TEST(Tail, EqualsIntegrals) {
  for (const double m : {-3.0, 0.4, 2.0})
    for (const double need : {0.0, 0.5, 3.0}) {
      const double v = 0.49;
      Real above = 0, first = 0, positive = 0;
      constexpr int kSteps = 400000;
      for (int i = 0; i < kSteps; ++i) {
        const Real a = 12.0L * (i + 0.5L) / kSteps;
        const Real density = std::exp(-(a - m) * (a - m) / (2 * v));
        positive += density;
        if (a <= need) continue;
        above += density;
        first += a * density;
      }
      const Tail tail = tail_above(m, v, need);
      EXPECT_NEAR(tail.probability, static_cast<double>(above / positive), 1e-4);
      EXPECT_NEAR(tail.mean, static_cast<double>(first / above), 1e-4);
    }
}

TEST(PositiveDraw, HasTheMeanOfTheTail) {
  Rng rng(5);
  for (const double m : {-4.0, -0.2, 1.5}) {
    constexpr int kDraws = 40000;
    double sum = 0.0, least = 1.0;
    for (int i = 0; i < kDraws; ++i) {
      const double a = positive_draw(m, 1.0, rng);
      sum += a;
      least = std::min(least, a);
    }
    EXPECT_GT(least, 0.0);
    EXPECT_NEAR(sum / kDraws, tail_above(m, 1.0, 0.0).mean, 4.0 / std::sqrt(kDraws));
  }
}

}  // namespace
}  // namespace iqbo::test

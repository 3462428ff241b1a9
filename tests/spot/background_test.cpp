// The background against dense matrices of all pixels.
#include "spot/background.hpp"

#include <gtest/gtest.h>

#include <Eigen/Cholesky>
#include <limits>
#include <numbers>

#include "scene.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

// Prior covariance of all pixels, the answers' covariance, and what follows from them.
struct Dense {
  Matrix prior, weight, s;
  Vector z;

  Matrix cov() const { return prior * weight.transpose(); }  // pixels x answers
  Vector mean() const { return cov() * s.ldlt().solve(z); }
  Matrix posterior() const { return prior - cov() * s.ldlt().solve(cov().transpose()); }
};

class Background : public testing::Test {
 protected:
  Background() {
    for (Index i = 0; i < scene_.all.size(); i += 7) which_.push_back(i);
    Rng rng(4);
    const auto data =
        data_of(answers_at(scene_.queries(which_), Vector(rng.normals(static_cast<Index>(which_.size())))));
    data_ = *data;
    data_.noise_share[1] = 0.5;
    data_.noise_given[2] = 0.03;
    terms_ = {constant_term(*scene_.grid, data_), bump_term(*scene_.grid, {3.0, 4.5}, 0.7, 1.3),
              bumps_term(*scene_.grid, {3.0, 4.5}, 0.7, 0.42, 0.4)};
    dense_.weight = scene_.weights(which_);
    dense_.z = data_.z;
    const Vector one = SpotScene::bump({3.0, 4.5}, 0.7);
    dense_.prior = 0.8 * SpotScene::rbf(2.5) + 0.05 * SpotScene::rbf(0.5) + 1.69 * one * one.transpose();
    dense_.prior.array() += 25.0 * data_.s * data_.s;
    for (int i = -2; i <= 2; ++i)
      for (int j = -2; j <= 2; ++j) {
        const Vector small = 0.4 * SpotScene::bump({3.0 + 0.7 * i, 4.5 + 0.7 * j}, 0.42);
        dense_.prior += small * small.transpose();
      }
    dense_.s = dense_.weight * dense_.prior * dense_.weight.transpose();
    Vector noise = Vector::Constant(data_.size(), 0.01);
    noise[1] = 0.005;
    noise[2] = 0.03;
    dense_.s.diagonal() += noise;
  }

  SpotScene scene_;
  std::vector<Index> which_;
  SpotData data_;
  SpotTerms terms_;
  Dense dense_;
};

TEST_F(Background, HasTheEvidenceOfDenseMatrices) {
  const SpotBackground background(*scene_.grid, some_theta(), data_, terms_);
  ASSERT_TRUE(background.valid());
  const Eigen::LLT<Matrix> factor(dense_.s);
  const double expected =
      -0.5 * (dense_.z.dot(factor.solve(dense_.z)) + 2.0 * Matrix(factor.matrixL()).diagonal().array().log().sum() +
              static_cast<double>(data_.size()) * std::log(2.0 * std::numbers::pi));
  EXPECT_NEAR(background.log_evidence(), expected, 1e-8 * std::abs(expected));
}

TEST_F(Background, HasTheMomentsOfDenseMatrices) {
  const SpotBackground background(*scene_.grid, some_theta(), data_, terms_);
  const Vector mean = scene_.listed(background.mean());
  EXPECT_LT((mean - dense_.mean()).cwiseAbs().maxCoeff(), 1e-8);
  const std::vector<GridCell>& cells = scene_.grid->cells();
  EXPECT_LT((background.cov(cells).transpose() - dense_.cov()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((background.var(cells) - dense_.prior.diagonal()).cwiseAbs().maxCoeff(), 1e-10);
  const Matrix all = scene_.weights([&] {
    std::vector<Index> out(static_cast<std::size_t>(scene_.all.size()));
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<Index>(i);
    return out;
  }());
  EXPECT_LT((background.cov(scene_.rows) - dense_.cov().transpose() * all.transpose()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((background.cross(cells, scene_.rows) - dense_.prior * all.transpose()).cwiseAbs().maxCoeff(), 1e-10);
  EXPECT_LT((background.var(scene_.rows) - (all * dense_.prior * all.transpose()).diagonal()).cwiseAbs().maxCoeff(),
            1e-10);
}

TEST_F(Background, DrawsFromThePosterior) {
  const SpotBackground background(*scene_.grid, some_theta(), data_, terms_);
  const SpotPaths paths(background);
  const Vector mean = dense_.mean();
  const Matrix cov = dense_.posterior();
  Rng rng(9);
  constexpr int kDraws = 2000;
  const Index one = 60, two = 77;
  double sum = 0.0, squares = 0.0, product = 0.0;
  for (int i = 0; i < kDraws; ++i) {
    const Vector f = scene_.listed(paths.draw(data_.z, rng));
    sum += f[one] - mean[one];
    squares += std::pow(f[one] - mean[one], 2);
    product += (f[one] - mean[one]) * (f[two] - mean[two]);
  }
  const double sd = std::sqrt(cov(one, one)), other = std::sqrt(cov(two, two));
  EXPECT_LT(std::abs(sum / kDraws), 4.0 * sd / std::sqrt(kDraws));
  EXPECT_NEAR(squares / kDraws, sd * sd, 4.0 * sd * sd * std::sqrt(2.0 / kDraws));
  EXPECT_NEAR(product / kDraws, cov(one, two), 4.0 * sd * other * std::sqrt(2.0 / kDraws));
}

// A chain at rest draws from prior times likelihood: without answers, from the prior.
TEST_F(Background, MovesByPriorTimesEvidence) {
  SpotData nothing;
  nothing.z.resize(0);
  nothing.noise_share.resize(0);
  nothing.noise_given.resize(0);
  const SpotPrior prior = SpotPrior::of(*scene_.grid, 1.0, 0, std::nullopt);
  SpotTheta theta = prior.median;
  theta.log[SpotTheta::kShortVar] += theta.log[SpotTheta::kLongVar];
  Rng rng(3);
  const int kSteps = 6000;
  double sum = 0.0, squares = 0.0;
  for (int i = 0; i < kSteps; ++i) {
    theta = moved(theta, *scene_.grid, prior, nothing, {}, 1, rng);
    const double deviate = (theta.log[SpotTheta::kLongVar] - prior.median.log[SpotTheta::kLongVar]) / 1.5;
    sum += deviate;
    squares += deviate * deviate;
    ASSERT_LT(theta.log[SpotTheta::kShortScale], theta.log[SpotTheta::kLongScale] - std::log(1.4) + 1e-12);
  }
  EXPECT_NEAR(sum / kSteps, 0.0, 0.25);  // about 150 independent draws
  EXPECT_NEAR(squares / kSteps, 1.0, 0.4);
}

TEST_F(Background, KeepsNoiseThatIsKnown) {
  const SpotPrior prior = SpotPrior::of(*scene_.grid, data_.s, data_.size(), 0.02);
  Rng rng(3);
  const SpotTheta theta = moved(some_theta(), *scene_.grid, prior, data_, terms_, 20, rng);
  EXPECT_NEAR(theta.value(SpotTheta::kNoise), 0.02, kRounding);
}

}  // namespace
}  // namespace iqbo::test

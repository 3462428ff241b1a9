// The covariance of laws that share their points, from a factor of their weights, against the plain averages.
#include "average/dense_gram.hpp"

#include <gtest/gtest.h>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using internal::DenseGram;

// Smooth signed weights, as those of an embedding: w_j(a) = exp(-|a - a_j|^2 / (2 0.3^2)) cos(7 a_j) / s.
DiscreteLaws embedding(Index laws, Index points) {
  Rng rng(1);
  const Vector a = rng.uniforms(laws, 1);
  const Vector logged = rng.uniforms(points, 1);
  Matrix weight(laws, points);
  for (Index i = 0; i < laws; ++i)
    weight.row(i) = (-(logged.array() - a[i]).square() / 0.18).exp() * (7.0 * logged.array()).cos();
  weight /= static_cast<double>(points);
  return {std::make_shared<const Inputs>(rng.uniforms(points, 2)), weight.sparseView()};
}

TEST(DenseGram, IsThePlainAverage) {
  const DiscreteLaws laws = embedding(60, 700);
  const DenseGram gram(laws);
  EXPECT_LT(gram.rank(), 30);
  const Matrix any = Matrix::Random(60, 60);
  const Matrix weight = any + any.transpose();
  for (const std::string_view family : {"rbf", "matern12", "matern32", "matern52"}) {
    SCOPED_TRACE(family);
    const Stationary kernel(family, 1.5, Vector{{0.2, 0.4}});
    const Matrix plain = expect(kernel, laws, laws);
    const double scale = plain.cwiseAbs().maxCoeff();
    EXPECT_LT((gram.covariance(kernel) - plain).cwiseAbs().maxCoeff(), 4.0 * DenseGram::kError * scale);
    const Vector slope = expect_pull_back(kernel, laws, laws, weight);
    EXPECT_LT((gram.pull_back(kernel, weight) - slope).cwiseAbs().maxCoeff(),
              4.0 * DenseGram::kError * scale * weight.cwiseAbs().sum());
  }
}

// Weights of full rank, more laws than points, points that no law uses, and a single law.
TEST(DenseGram, OfAnyWeights) {
  Rng rng(2);
  const Rbf kernel(1.0, Vector{{0.3}});
  for (const auto& [laws, points] : {std::pair<Index, Index>{20, 40}, {50, 10}, {1, 5}, {3, 600}}) {
    Matrix weight = rng.uniforms(laws, points).array() - 0.5;
    weight.col(points / 2).setZero();
    const DiscreteLaws some{std::make_shared<const Inputs>(rng.uniforms(points, 1)), weight.sparseView()};
    const DenseGram gram(some);
    const Matrix plain = expect(kernel, some, some);
    ASSERT_EQ(gram.size(), laws);
    EXPECT_LT((gram.covariance(kernel) - plain).cwiseAbs().maxCoeff(), test::kRounding * static_cast<double>(points));
    const Matrix ones = Matrix::Ones(laws, laws);
    EXPECT_LT((gram.pull_back(kernel, ones) - expect_pull_back(kernel, some, some, ones)).cwiseAbs().maxCoeff(),
              test::kRounding * static_cast<double>(points * points * laws));
  }
}

TEST(DenseGram, RefusesWeightsOfTheWrongSize) {
  const DenseGram gram(embedding(5, 20));
  EXPECT_THROW(gram.pull_back(Rbf(1.0, Vector{{1.0, 1.0}}), Matrix::Ones(5, 4)), std::invalid_argument);
}

}  // namespace
}  // namespace iqbo

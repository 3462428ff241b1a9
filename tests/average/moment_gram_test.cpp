// The covariance of laws of many points with themselves, from Chebyshev moments, against sums over all pairs of points.
#include "average/moment_gram.hpp"

#include <gtest/gtest.h>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using internal::MomentGram;

// Each law has points of its own around a random centre, with uneven weights that sum to one.
DiscreteLaws clouds(Rng& rng, Index n, Index points, Index d) {
  const Rows centre = rng.uniforms(n, d);
  Rows x(n * points, d);
  Matrix weight = Matrix::Zero(n, n * points);
  for (Index i = 0; i < n; ++i) {
    Vector w = rng.uniforms(points, 1).array() + 0.1;
    weight.row(i).segment(i * points, points) = w / w.sum();
    for (Index p = 0; p < points; ++p)
      for (Index c = 0; c < d; ++c) x(i * points + p, c) = centre(i, c) + 0.1 * rng.normal();
  }
  return {std::make_shared<const Inputs>(x), weight.sparseView()};
}

// Few laws of few points, for which expect() sums over all pairs.
void expect_plain(const Laws& laws, const Kernel& kernel, double weights = 1.0) {
  const auto gram = MomentGram::of(laws);
  ASSERT_TRUE(gram.has_value());
  ASSERT_TRUE(gram->suits(kernel));
  const double scale = weights * kernel.evaluate_diagonal(Rows::Zero(1, kernel.dimension()))[0];
  const Matrix plain = expect(kernel, laws, laws);
  EXPECT_LT((gram->covariance(kernel) - plain).cwiseAbs().maxCoeff(), scale * MomentGram::kError);
  const Matrix any = Matrix::Random(laws.size(), laws.size());
  const Matrix weight = any + any.transpose();
  const Vector slope = expect_pull_back(kernel, laws, laws, weight);
  ASSERT_EQ(gram->pull_back(kernel, weight).size(), slope.size());
  EXPECT_LT((gram->pull_back(kernel, weight) - slope).cwiseAbs().maxCoeff(),
            scale * MomentGram::kError * weight.cwiseAbs().sum());
}

TEST(MomentGram, IsThePlainAverage) {
  Rng rng(1);
  for (const Index d : {1, 2})
    for (const double length : {0.15, 0.4, 3.0, 100.0}) {
      SCOPED_TRACE(testing::Message() << "d " << d << ", lengthscale " << length);
      expect_plain(clouds(rng, 20, 15, d), Rbf(1.7, Vector::LinSpaced(d, length, 1.4 * length)));
    }
}

TEST(MomentGram, OfSumsAndProducts) {
  Rng rng(2);
  const DiscreteLaws laws = clouds(rng, 15, 12, 2);
  const Product product({{Rbf(1.0, Vector{{0.4}}), {1}}, {Rbf(1.5, Vector{{0.2}}), {0}}});
  expect_plain(laws, product);
  expect_plain(laws, Sum(product, Rbf(0.5, Vector{{1.0, 0.3}})));
}

TEST(MomentGram, OfPointsMixturesAndSignedWeights) {
  Rng rng(3);
  const Rbf kernel(1.0, Vector{{0.3, 0.5}});
  const Inputs x(rng.uniforms(15, 2));
  expect_plain(x, kernel);
  expect_plain(Laws::mixture(Vector{{0.4, 0.6}}, {Laws(x), Laws(clouds(rng, 15, 10, 2))}), kernel);
  const Matrix weight = rng.uniforms(12, 60).array() - 0.5;
  const double most = weight.cwiseAbs().rowwise().sum().maxCoeff();
  expect_plain(DiscreteLaws{std::make_shared<const Inputs>(rng.uniforms(60, 2)), weight.sparseView()}, kernel,
               most * most);
}

TEST(MomentGram, SuitsOnlyWhatIsSmoothOnTheBox) {
  Rng rng(4);
  const Vector length = Vector::Constant(2, 0.3);
  const auto gram = MomentGram::of(clouds(rng, 5, 5, 2));
  ASSERT_TRUE(gram.has_value());
  EXPECT_TRUE(gram->suits(Rbf(1.0, length)));
  EXPECT_FALSE(gram->suits(Rbf(1.0, 0.1 * length)));
  EXPECT_FALSE(gram->suits(Matern52(1.0, length)));
  EXPECT_FALSE(gram->suits(Sum(Rbf(1.0, length), Matern12(1.0, length))));
  EXPECT_FALSE(MomentGram::of(clouds(rng, 5, 5, 3)).has_value());
  EXPECT_FALSE(MomentGram::of(SpreadLaws{Rows::Zero(2, 1), Rows::Ones(2, 1), Rows::Zero(2, 1)}).has_value());
  EXPECT_THROW(gram->pull_back(Rbf(1.0, length), Matrix::Ones(5, 4)), std::invalid_argument);
}

}  // namespace
}  // namespace iqbo

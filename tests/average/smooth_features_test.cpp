// Features of smooth kernels, and averages under laws of many points by them, against the kernel itself and sums over
// all pairs of points.
#include "average/smooth_features.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {
namespace {

using internal::SmoothFeatures;

constexpr Index kMany = 100000;

std::optional<SmoothFeatures> features_of(const Kernel& kernel, const Laws& laws) {
  return SmoothFeatures::of(kernel, {&laws}, kMany);
}

// Each law has `points` points of its own, in a cloud around a random centre, and uneven weights that sum to one.
DiscreteLaws clouds(Rng& rng, Index n, Index points, Index d, double spread) {
  const Rows centre = rng.uniforms(n, d);
  Rows x(n * points, d);
  SparseRows weight(n, n * points);
  for (Index i = 0; i < n; ++i) {
    Vector w = rng.uniforms(points, 1).array() + 0.1;
    w /= w.sum();
    for (Index p = 0; p < points; ++p) {
      for (Index c = 0; c < d; ++c) x(i * points + p, c) = centre(i, c) + spread * rng.normal();
      weight.insert(i, i * points + p) = w[p];
    }
  }
  weight.makeCompressed();
  return {std::make_shared<const Inputs>(x), weight, true};
}

// sum_pr w_p w_r variance exp(-|x_p - x_r|^2 / (2 l^2)), in long double.
double by_pairs(const Rbf& kernel, const DiscreteLaws& left, Index i, const DiscreteLaws& right, Index j) {
  long double sum = 0.0L;
  for (SparseRows::InnerIterator p(left.weight, i); p; ++p)
    for (SparseRows::InnerIterator r(right.weight, j); r; ++r) {
      long double r2 = 0.0L;
      for (Index c = 0; c < kernel.dimension(); ++c) {
        const long double step = static_cast<long double>(left.support->coordinates()(p.col(), c)) -
                                 static_cast<long double>(right.support->coordinates()(r.col(), c));
        r2 += step * step / (static_cast<long double>(kernel.lengthscale()[c]) * kernel.lengthscale()[c]);
      }
      sum += static_cast<long double>(p.value()) * r.value() * std::exp(-r2 / 2);
    }
  return static_cast<double>(kernel.variance() * sum);
}

TEST(SmoothFeatures, MultiplyToTheKernel) {
  Rng rng(1);
  for (const Index d : {1, 2, 3})
    for (const double length : {0.15, 0.6, 5.0, 1e3}) {
      if (d == 3 && length < 0.5) continue;
      SCOPED_TRACE(testing::Message() << "d " << d << ", lengthscale " << length);
      const Rbf kernel(2.5, Vector::LinSpaced(d, length, 1.5 * length));
      const Inputs x((2.0 * rng.uniforms(300, d).array() - 7.0).matrix());
      const auto features = features_of(kernel, x);
      ASSERT_TRUE(features.has_value());
      const Matrix phi = features->average(x);
      EXPECT_LT((phi * phi.transpose() - kernel.gram(x)).cwiseAbs().maxCoeff(), 2.5 * SmoothFeatures::kError);
    }
}

TEST(SmoothFeatures, OfSumsAndProducts) {
  Rng rng(2);
  const Inputs x(rng.uniforms(200, 3));
  const Product product({{Rbf(1.0, Vector{{0.4}}), {1}}, {Rbf(1.5, Vector{{0.3, 0.9}}), {2, 0}}});
  const Sum sum(product, Rbf(0.5, Vector{{1.0, 2.0, 0.7}}));
  for (const Kernel* kernel : {static_cast<const Kernel*>(&product), static_cast<const Kernel*>(&sum)}) {
    const auto features = features_of(*kernel, x);
    ASSERT_TRUE(features.has_value());
    const Matrix phi = features->average(x);
    EXPECT_LT((phi * phi.transpose() - kernel->gram(x)).cwiseAbs().maxCoeff(), 2.0 * SmoothFeatures::kError);
  }
}

// Points that all agree in a coordinate leave an axis of length zero.
TEST(SmoothFeatures, OnAFlatBox) {
  Rng rng(3);
  Rows x = rng.uniforms(50, 2);
  x.col(1).setConstant(3.0);
  const Rbf kernel(1.0, Vector{{0.5, 0.5}});
  const auto features = features_of(kernel, Inputs(x));
  ASSERT_TRUE(features.has_value());
  const Matrix phi = features->average(Inputs(x));
  EXPECT_LT((phi * phi.transpose() - kernel.evaluate(x, x)).cwiseAbs().maxCoeff(), SmoothFeatures::kError);
}

TEST(SmoothFeatures, OnlyOfSmoothKernelsAndPoints) {
  Rng rng(4);
  const Inputs x(rng.uniforms(50, 2));
  const Vector length = Vector::Constant(2, 0.3);
  EXPECT_TRUE(features_of(Rbf(1.0, length), x));
  EXPECT_FALSE(features_of(Matern52(1.0, length), x));
  EXPECT_FALSE(features_of(RationalQuadratic(1.0, length, 1.0), x));
  EXPECT_FALSE(features_of(Sum(Rbf(1.0, length), White(0.1, 2)), x));
  EXPECT_FALSE(features_of(Rbf(1.0, Vector::Constant(2, 1e-3)), x));  // it would take too many nodes
  EXPECT_FALSE(features_of(Rbf(1.0, length), SpreadLaws{x.coordinates(), x.coordinates(), x.coordinates()}));
  const Laws laws(x);
  EXPECT_FALSE(SmoothFeatures::of(Rbf(1.0, length), {&laws}, 10));
}

class SmoothAverages : public testing::Test {
 protected:
  Rng rng{5};
  Rbf kernel{1.7, Vector{{0.3, 0.5}}};
  DiscreteLaws left = clouds(rng, 60, 100, 2, 0.2);
  DiscreteLaws right = clouds(rng, 40, 90, 2, 0.1);
};

TEST_F(SmoothAverages, AreTheSumsOverAllPairs) {
  ASSERT_TRUE(internal::smooth_expect(kernel, left, right).has_value());
  const Matrix got = expect(kernel, left, right);
  ASSERT_EQ(got.rows(), 60);
  ASSERT_EQ(got.cols(), 40);
  for (Index i = 0; i < got.rows(); i += 7)
    for (Index j = 0; j < got.cols(); j += 9)
      EXPECT_NEAR(got(i, j), by_pairs(kernel, left, i, right, j), 2.0 * SmoothFeatures::kError) << i << ", " << j;
}

TEST_F(SmoothAverages, OfALawWithItself) {
  const DiscreteLaws many = clouds(rng, 30, 400, 2, 0.2);
  ASSERT_TRUE(internal::smooth_expect_diagonal(kernel, many).has_value());
  const Vector got = expect_diagonal(kernel, many);
  for (Index i = 0; i < got.size(); i += 7)
    EXPECT_NEAR(got[i], by_pairs(kernel, many, i, many, i), 2.0 * SmoothFeatures::kError) << i;
}

// Laws that share all points: signed weights, as those of a learned embedding.
TEST_F(SmoothAverages, OfSharedPoints) {
  const Matrix weight = rng.uniforms(8, 2000).array() - 0.4;
  const DiscreteLaws shared{std::make_shared<const Inputs>(rng.uniforms(2000, 2)), weight.sparseView()};
  const double most = weight.cwiseAbs().rowwise().sum().maxCoeff();
  ASSERT_TRUE(internal::smooth_expect(kernel, shared, left).has_value());
  const Matrix got = expect(kernel, shared, left);
  for (Index i = 0; i < 8; i += 3)
    EXPECT_NEAR(got(i, 5), by_pairs(kernel, shared, i, left, 5), most * 2.0 * SmoothFeatures::kError) << i;
}

TEST_F(SmoothAverages, OfMixtures) {
  const DiscreteLaws other = clouds(rng, 60, 50, 2, 0.3);
  const Laws mixed = Laws::mixture(Vector{{0.3, 0.7}}, {Laws(left), Laws(other)});
  ASSERT_TRUE(internal::smooth_expect(kernel, mixed, right).has_value());
  const Matrix got = expect(kernel, mixed, right);
  for (Index i = 0; i < 60; i += 11)
    EXPECT_NEAR(got(i, 3), 0.3 * by_pairs(kernel, left, i, right, 3) + 0.7 * by_pairs(kernel, other, i, right, 3),
                2.0 * SmoothFeatures::kError);
}

}  // namespace
}  // namespace iqbo

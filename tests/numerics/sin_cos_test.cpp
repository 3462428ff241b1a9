#include "numerics/sin_cos.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "iqbo/core/rng.hpp"

namespace iqbo::internal {
namespace {

constexpr double kPromised = 3e-16;

void expect_right(const Matrix& x) {
  const SinCos got = sin_cos(x);
  for (Index i = 0; i < x.size(); ++i) {
    const long double at = x.data()[i];
    ASSERT_LE(std::abs(static_cast<double>(got.sin.data()[i] - std::sin(at))), kPromised) << x.data()[i];
    ASSERT_LE(std::abs(static_cast<double>(got.cos.data()[i] - std::cos(at))), kPromised) << x.data()[i];
  }
}

// The oracle is the standard library's in long double.
TEST(SinCos, AgreesWithExtendedPrecision) {
  Rng rng(1);
  for (const double scale : {1e-8, 1.0, 30.0, 1e3, 1e5})
    expect_right(scale * (2.0 * rng.uniforms(101, 41).array() - 1.0).matrix());
}

// Near multiples of pi/4, where the series change and r cancels.
TEST(SinCos, AgreesNearQuarterTurns) {
  Matrix x(3, 4001);
  for (Index k = 0; k < x.cols(); ++k) {
    const double at = 0.25 * std::numbers::pi * static_cast<double>(k - 2000);
    x.col(k) << std::nextafter(at, -1e9), at, std::nextafter(at, 1e9);
  }
  expect_right(x);
}

TEST(SinCos, OfLargeNumbersAndOfNone) {
  expect_right(Matrix{{1e5, -1e6, 1e12, 0.0}});
  EXPECT_EQ(sin_cos(Matrix(0, 3)).cos.cols(), 3);
  EXPECT_EQ(sin_cos(Matrix::Zero(1, 1)).sin(0, 0), 0.0);
  EXPECT_EQ(sin_cos(Matrix::Zero(1, 1)).cos(0, 0), 1.0);
}

}  // namespace
}  // namespace iqbo::internal

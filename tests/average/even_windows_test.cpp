// Averages of scattered windows of one size, which are interpolated along each axis, against the same pair by pair.
#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "average/even_windows.hpp"
#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo {
namespace {

SpreadLaws scattered(Rng& rng, Index n, Index d, double sd, double half_width) {
  return {2.0 * rng.uniforms(n, d), Rows::Constant(n, d, sd), Rows::Constant(n, d, half_width)};
}

SpreadLaws row(const SpreadLaws& laws, Index i) { return {laws.centre.row(i), laws.sd.row(i), laws.half_width.row(i)}; }

bool interpolated(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right) {
  return EvenWindows::of(terms_of(kernel).front().groups.front(), left, right).has_value();
}

// A pair alone is averaged exactly, as spread_matern_test.cpp shows. Some of many are looked at.
void expect_same(const Kernel& kernel, const SpreadLaws& left, const SpreadLaws& right) {
  ASSERT_TRUE(interpolated(kernel, left, right));
  const Matrix got = expect(kernel, left, right);
  const auto d = static_cast<double>(left.centre.cols());
  for (Index j = 0; j < got.cols(); j += 7)
    for (Index i = j % 11; i < got.rows(); i += 11)
      ASSERT_NEAR(got(i, j), expect(kernel, row(left, i), row(right, j))(0, 0), 2.0 * d * EvenWindows::kError)
          << i << ", " << j;
}

TEST(EvenWindows, AreTheAveragesPairByPair) {
  Rng rng(1);
  for (const std::string_view family : {"matern12", "matern32", "matern52"})
    for (const Index d : {1, 2, 3}) {
      const Stationary kernel(family, 1.0, Vector::LinSpaced(d, 0.2, 0.5));
      for (const auto& [sd, half_width] : {std::pair{0.1, 0.0}, {0.0, 0.1}, {0.05, 0.2}, {0.0, 1e-3}}) {
        SCOPED_TRACE(testing::Message() << family << ", d " << d << ", " << sd << ", " << half_width);
        const SpreadLaws left = scattered(rng, 300, d, sd, half_width);
        expect_same(kernel, left, scattered(rng, 200, d, sd, half_width));
        if (d != 2) continue;
        expect_same(kernel, left, scattered(rng, 200, d, 0.0, 0.0));
        expect_same(kernel, left, scattered(rng, 200, d, 0.2, 0.03));
      }
    }
}

// Where edges meet, and where windows coincide or are far from each other.
TEST(EvenWindows, AtTheEdges) {
  Rng rng(2);
  const Matern12 kernel(1.0, Vector{{0.3}});
  SpreadLaws left = scattered(rng, 300, 1, 0.0, 0.25), right = scattered(rng, 200, 1, 0.0, 0.125);
  const double edges[] = {0.0, 0.125, 0.375, 0.375 + 1e-12, 0.375 - 1e-9, 0.126, 1e-300, 50.0, 1e6};
  for (Index i = 0; i < 9; ++i) left.centre(11 * i, 0) = edges[i];
  for (Index j = 0; j < 200; j += 7) right.centre(j, 0) = 0.0;
  expect_same(kernel, left, right);
  left.centre.setConstant(0.5);
  right.centre.setConstant(0.5);
  expect_same(kernel, left, right);
}

TEST(EvenWindows, OnlyWhereItPays) {
  Rng rng(3);
  const SpreadLaws left = scattered(rng, 300, 2, 0.0, 0.1), few = scattered(rng, 100, 2, 0.0, 0.1);
  SpreadLaws right = scattered(rng, 200, 2, 0.0, 0.1);
  const Matern32 rough(1.0, Vector{{0.3, 0.3}});
  EXPECT_TRUE(interpolated(rough, left, right));
  EXPECT_FALSE(interpolated(Rbf(1.0, Vector{{0.3, 0.3}}), left, right));
  EXPECT_FALSE(interpolated(rough, left, few));
  EXPECT_FALSE(interpolated(rough, scattered(rng, 300, 2, 0.0, 0.0), scattered(rng, 200, 2, 0.0, 0.0)));
  right.half_width(7, 1) = 0.2;
  EXPECT_FALSE(interpolated(rough, left, right));
}

}  // namespace
}  // namespace iqbo

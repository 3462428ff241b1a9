#include "numerics/sobol.hpp"

#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace iqbo {

using namespace internal;

namespace {

// A net: each of 2^m intervals of every axis holds exactly one of 2^m points; a shift keeps that modulo one, so that no
// interval of twice the length can be empty or hold more than three.
TEST(Sobol, FillsEveryAxisEvenly) {
  Rng rng(3);
  const Rows points = sobol(256, 5, rng);
  for (Index j = 0; j < 5; ++j) {
    Eigen::VectorXi count = Eigen::VectorXi::Zero(128);
    for (Index i = 0; i < 256; ++i) ++count[static_cast<Index>(points(i, j) * 128.0)];
    EXPECT_GE(count.minCoeff(), 1) << j;
    EXPECT_LE(count.maxCoeff(), 3) << j;
  }
}

TEST(Sobol, StaysInsideTheCube) {
  Rng rng(4);
  const Rows points = sobol(1000, 3, rng);
  EXPECT_GT(points.minCoeff(), 0.0);
  EXPECT_LT(points.maxCoeff(), 1.0);
}

// E prod (1 + (u_j - 1/2)) = 1; independent points would miss it by about 0.04, these by far less.
TEST(Sobol, IntegratesBetterThanIndependentPoints) {
  for (const std::uint64_t seed : {1U, 2U, 3U, 4U}) {
    Rng rng(seed);
    const Rows points = sobol(256, 4, rng);
    EXPECT_NEAR((points.array() + 0.5).rowwise().prod().mean(), 1.0, 0.01);
  }
}

TEST(Sobol, TheSeedShiftsThePoints) {
  Rng one(1), again(1), two(2);
  const Rows points = sobol(8, 2, one);
  EXPECT_EQ(points, sobol(8, 2, again));
  EXPECT_NE(points, sobol(8, 2, two));
}

TEST(Sobol, RefusesImpossibleSizes) {
  Rng rng(1);
  test::expect_refusal([&] { sobol(0, 2, rng); }, {"points: 0, expected at least 1"});
  test::expect_refusal([&] { sobol(4, 0, rng); }, {"dimension: 0, expected 1 to 1000"});
}

}  // namespace
}  // namespace iqbo

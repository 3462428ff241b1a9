#include "iqbo/kernel/spectral.hpp"

#include <gtest/gtest.h>

#include "iqbo/kernel/product.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

// Largest |sum_r amplitude_r^2 cos(w_r.(x - y)) - k(x, y)| over pairs of points of a square.
double worst(const Kernel& kernel, Index count, std::uint64_t seed) {
  Rng rng(seed);
  const auto [frequency, amplitude, nugget] = spectral_features(kernel, count, rng);
  EXPECT_EQ(nugget, 0.0);
  const Rows x = rng.uniforms(60, kernel.dimension());
  const Inputs points(x);
  const Matrix exact = kernel.gram(points);
  double out = 0.0;
  for (Index i = 0; i < x.rows(); ++i)
    for (Index j = 0; j < i; ++j) {
      const Vector angle = frequency * (x.row(i) - x.row(j)).transpose();
      out = std::max(out, std::abs((amplitude.array().square() * angle.array().cos()).sum() - exact(i, j)));
    }
  return out;
}

TEST(Spectral, CosinesAddUpToTheKernel) {
  const Vector lengthscale{{0.3, 0.5}};
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    EXPECT_LT(worst(Rbf(2.0, lengthscale), 512, seed), 0.02 * 2.0);
    EXPECT_LT(worst(Matern52(2.0, lengthscale), 512, seed), 0.06 * 2.0);
    EXPECT_LT(worst(Matern32(2.0, lengthscale), 512, seed), 0.08 * 2.0);
    EXPECT_LT(worst(Matern12(2.0, lengthscale), 512, seed), 0.10 * 2.0);
  }
}

TEST(Spectral, MoreCosinesComeCloser) {
  const Rbf kernel(1.0, Vector{{0.3, 0.5}});
  EXPECT_LT(worst(kernel, 4096, 1), 0.3 * worst(kernel, 256, 1));
}

TEST(Spectral, ProductsAndSums) {
  const Product product({{Rbf(1.5, Vector{{0.4}}), {1}}, {Matern52(1.0, Vector{{0.7}}), {0}}});
  EXPECT_LT(worst(product, 1024, 1), 0.03 * 1.5);
  EXPECT_LT(worst(Sum(product, Rbf(0.5, Vector{{0.2, 0.2}})), 1024, 1), 0.05 * 2.0);
}

TEST(Spectral, LeavesWhitePartsOut) {
  Rng rng(1);
  const Sum kernel(Rbf(1.0, Vector{{0.2}}), White(0.3, 1));
  const auto [frequency, amplitude, nugget] = spectral_features(kernel, 64, rng);
  EXPECT_EQ(frequency.rows(), 64);
  EXPECT_NEAR(amplitude.squaredNorm(), 1.0, 1e-12);
  EXPECT_EQ(nugget, 0.3);
}

TEST(Spectral, RefusesNoFeatures) {
  Rng rng(1);
  test::expect_refusal([&] { spectral_features(Rbf(1.0, Vector{{0.2}}), 0, rng); }, {"count: 0, expected at least 1"});
}

}  // namespace
}  // namespace iqbo

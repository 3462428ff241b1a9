// Draws on lattices from kernels whose lengthscales are as long as the lattice, or longer: no torus holds them.
#include "finite/long_range.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "finite/sampler.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo {
namespace {

Inputs lattice(Index rows, Index columns) {
  Rows x(rows * columns, 2);
  for (Index i = 0; i < x.rows(); ++i)
    x.row(i) << 0.1 * static_cast<double>(i / columns), 0.2 * static_cast<double>(i % columns) + 5.0;
  return Inputs(x);
}

TEST(LongRange, DrawsHaveTheCovarianceOfTheKernel) {
  const Inputs x = lattice(18, 12);
  Rng rng(4);
  constexpr Index kDraws = 4000;
  const std::vector<Index> some{0, 5, 60, 111, 215};
  for (const double scale : {0.3, 2.0, 30.0})
    for (const char* family : {"rbf", "matern12", "matern32", "matern52"}) {
      SCOPED_TRACE(std::string(family) + " of lengthscale " + std::to_string(scale));
      const Sum kernel({Stationary(family, 1.5, Vector{{scale, 1.3 * scale}}).clone(), White(0.01, 2).clone()});
      const auto sampler = lattice_sampler(kernel, x);
      ASSERT_NE(sampler, nullptr);
      EXPECT_EQ(sampler->description().find("off by"), std::string::npos) << sampler->description();
      const Matrix f = sampler->draw(kDraws, rng)(some, Eigen::all);
      const Matrix drawn = f * f.transpose() / static_cast<double>(kDraws);
      const Matrix k = kernel.gram(x)(some, some);
      for (Index i = 0; i < k.rows(); ++i)
        for (Index j = 0; j < k.cols(); ++j)
          EXPECT_LT(std::abs(drawn(i, j) - k(i, j)),
                    5.0 * std::sqrt((k(i, i) * k(j, j) + k(i, j) * k(i, j)) / static_cast<double>(kDraws)));
      // Differences of neighbours are small where f is smooth: their variance is right, not only that of f.
      const double wanted = k(0, 0) + k(1, 1) - 2.0 * k(0, 1);
      EXPECT_NEAR((f.row(0) - f.row(1)).squaredNorm() / static_cast<double>(kDraws), wanted, 0.12 * wanted);
    }
}

TEST(LongRange, IsLeftOutOfShortKernels) {
  const auto points = internal::lattice_of(lattice(20, 20).coordinates());
  ASSERT_TRUE(points);
  EXPECT_FALSE(LongRange::of(Stationary("rbf", 1.0, Vector{{0.05, 0.05}}), *points));
  EXPECT_TRUE(LongRange::of(Stationary("rbf", 1.0, Vector{{5.0, 5.0}}), *points));
}

}  // namespace
}  // namespace iqbo

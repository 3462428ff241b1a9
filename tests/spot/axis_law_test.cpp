// Windows as weights of a lattice. Oracle: the definition, E max(0, 1 - |X - p| / step), by brute sums over X.
#include "spot/axis_law.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

constexpr AxisLattice kLattice{-1.0, 0.25, 21};

double point(Index k) { return kLattice.origin + static_cast<double>(k) * kLattice.step; }

// X = centre + sd N + half_width U, by midpoints in N and in U.
Vector by_brute_force(double centre, double sd, double half_width) {
  constexpr int kCells = 1500;
  Vector out = Vector::Zero(kLattice.size);
  double total = 0.0;
  for (int i = 0; i < kCells; ++i) {
    const double n = -8.0 + 16.0 * (i + 0.5) / kCells;
    const double density = std::exp(-0.5 * n * n);
    for (int j = 0; j < kCells; ++j) {
      const double u = -1.0 + 2.0 * (j + 0.5) / kCells;
      const double x = centre + sd * n + half_width * u;
      const auto near = static_cast<Index>(std::floor((x - kLattice.origin) / kLattice.step));
      for (const Index k : {near, near + 1})
        if (k >= 0 && k < out.size()) out[k] += density * (1.0 - std::abs(x - point(k)) / kLattice.step);
      total += density;
    }
  }
  return out / total;
}

TEST(AxisLaw, WeighsPointsByTheirHats) {
  const double cases[][3] = {{1.1, 0.3, 0.0}, {1.63, 0.0, 0.7}, {1.37, 0.2, 0.4}, {0.9, 0.0, 0.0}};
  for (const auto& [centre, sd, half_width] : cases) {
    const auto weights = hat_weights({centre, sd, half_width}, kLattice);
    ASSERT_TRUE(weights);
    const Vector expected = by_brute_force(centre, sd, half_width);
    EXPECT_LT((*weights - expected).cwiseAbs().maxCoeff(), 2e-6) << centre;
  }
}

TEST(AxisLaw, KeepsMassAndMean) {
  for (const double centre : {0.4, 1.0, 1.913}) {
    const auto weights = hat_weights({centre, 0.05, 0.6}, kLattice);
    ASSERT_TRUE(weights);
    EXPECT_NEAR(weights->sum(), 1.0, kRounding);
    double mean = 0.0;
    for (Index k = 0; k < weights->size(); ++k) mean += (*weights)[k] * point(k);
    EXPECT_NEAR(mean, centre, 1e-11);
  }
}

TEST(AxisLaw, LeavesOutWhatIsBeyondTheEnds) {
  const auto cut = hat_weights({4.0, 0.0, 1.0}, kLattice);  // the last point is at 4
  ASSERT_TRUE(cut);
  EXPECT_NEAR(cut->sum(), 1.0, kRounding);
  EXPECT_FALSE(hat_weights({5.0, 0.0, 1.0}, kLattice));
}

TEST(AxisLaw, InterpolatesNodes) {
  AxisLaw nodes;
  nodes.node = Vector{{0.1, 0.5, 1.85}};
  nodes.weight = Vector{{0.2, 0.5, 0.3}};
  Vector expected = Vector::Zero(kLattice.size);
  for (Index k = 0; k < expected.size(); ++k)
    for (Index i = 0; i < 3; ++i)
      expected[k] += nodes.weight[i] * std::max(0.0, 1.0 - std::abs(nodes.node[i] - point(k)) / kLattice.step);
  EXPECT_LT((*hat_weights(nodes, kLattice) - expected).cwiseAbs().maxCoeff(), kRounding);
  EXPECT_NEAR(nodes.mean(), 0.825, kRounding);
}

TEST(AxisLaw, IsAsWideAsTheUniformLawOfItsVariance) {
  EXPECT_NEAR((AxisLaw{3.0, 0.0, 0.7}).width(), 1.4, kRounding);
  EXPECT_NEAR((AxisLaw{3.0, 0.5, 0.0}).width(), 0.5 * std::sqrt(12.0), kRounding);
}

}  // namespace
}  // namespace iqbo::test

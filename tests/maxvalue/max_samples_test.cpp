#include "iqbo/maxvalue/max_samples.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "support/errors.hpp"

namespace iqbo {
namespace {

TEST(MaxOfPaths, TakesEachPathsMaximumAndPlace) {
  const Inputs x{{0.0}, {1.0}, {2.0}};
  const Matrix f{{1.0, 0.0}, {3.0, -1.0}, {2.0, -2.0}};
  const MaxSamples out = max_of_paths(x, f, Matrix(0, 2));
  EXPECT_EQ(out.values, (Vector{{3.0, 0.0}}));
  EXPECT_EQ(out.rows, (std::vector<Index>{1, 0}));
  EXPECT_EQ(out.arguments.coordinates(), (Rows(2, 1) << 1.0, 0.0).finished());
}

TEST(MaxOfPaths, NeverLiesBelowAnAverageOfTheSamePath) {
  const Inputs x{{0.0}, {1.0}};
  const Matrix f{{1.0, 0.0}, {0.5, -1.0}};
  const Matrix g{{2.5, -3.0}};
  const MaxSamples out = max_of_paths(x, f, g);
  EXPECT_EQ(out.values, (Vector{{2.5, 0.0}}));
  EXPECT_EQ(out.rows, (std::vector<Index>{0, 0}));
}

TEST(MaxOfPaths, RefusesPathsOfOtherPoints) {
  test::expect_refusal(
      [] {
        max_of_paths(Inputs{{0.0}, {1.0}}, Matrix::Zero(3, 2), Matrix::Zero(1, 2));
      },
      {"f: 3 rows, expected 2"});
  test::expect_refusal([] { max_of_paths(Inputs{{0.0}}, Matrix::Zero(1, 2), Matrix::Zero(1, 3)); },
                       {"g: 3 columns, expected 2"});
}

// The maximum of n independent standard normals has the quantile Phi^-1(p^(1/n)): known to all digits for n = 1000.
TEST(GumbelLaw, HasTheQuartilesOfTheMaximum) {
  const Gumbel law({Vector::Constant(1000, 2.0), Vector::Constant(1000, 9.0)});
  EXPECT_NEAR(law.quantile(0.5), 2.0 + 3.0 * 3.1975895, 1e-6);
  const double spread = law.quantile(0.75) - law.quantile(0.25);
  EXPECT_NEAR(spread, 3.0 * (3.4430084 - 2.9920986), 1e-4);
}

TEST(GumbelLaw, OfOneNormalHasItsMedian) {
  const Gumbel law({Vector{{1.5}}, Vector{{4.0}}});
  EXPECT_NEAR(law.quantile(0.5), 1.5, 1e-9);
  EXPECT_NEAR(law.quantile(0.75) - law.quantile(0.25), 2.0 * 2.0 * 0.6744897502, 1e-6);
}

TEST(GumbelLaw, CollapsesWhereNothingIsUncertain) {
  const Gumbel law({Vector{{1.0, 2.0, -1.0}}, Vector::Zero(3)});
  EXPECT_NEAR(law.quantile(0.1), 2.0, 1e-12);
  EXPECT_NEAR(law.quantile(0.9), 2.0, 1e-12);
}

// E max(N, N') = 1/sqrt(pi); of three, 3/(2 sqrt(pi)).
TEST(ExpectedMax, IsKnownForFewNormals) {
  const double root_pi = std::sqrt(std::numbers::pi);
  EXPECT_NEAR(expected_max({Vector{{0.0, 0.0}}, Vector{{1.0, 1.0}}}), 1.0 / root_pi, 1e-9);
  EXPECT_NEAR(expected_max({Vector{{2.0, 2.0, 2.0}}, Vector{{9.0, 9.0, 9.0}}}), 2.0 + 4.5 / root_pi, 1e-8);
  EXPECT_NEAR(expected_max({Vector{{1.0, -4.0}}, Vector{{1e-6, 1e-6}}}), 1.0, 1e-9);
  EXPECT_EQ(expected_max({Vector{{1.0, 3.0}}, Vector::Zero(2)}), 3.0);
}

// Kolmogorov-Smirnov against the exact law of the maximum, prod Phi: Gumbel's is an approximation, so the distance is not
// that of sampling (0.014 would be the 5 % point for 10,000 draws), yet small.
TEST(GumbelMax, IsCloseToTheLawOfTheMaximum) {
  Rng rng(5);
  Marginals f{rng.normals(50), Vector::Constant(50, 0.25)};
  const Vector sample = gumbel_max(f, -100.0, 10000, rng).values;
  double worst = 0.0;
  for (const double y : {1.5, 1.8, 2.0, 2.2, 2.5, 2.8, 3.2}) {
    double log_law = 0.0;
    for (const double mean : f.mean) log_law += std::log(0.5 * std::erfc(-(y - mean) / std::sqrt(0.5)));
    worst = std::max(worst, std::abs((sample.array() <= y).cast<double>().mean() - std::exp(log_law)));
  }
  EXPECT_LT(worst, 0.04);
}

TEST(GumbelMax, IsFlooredAtTheLargestAverage) {
  Rng rng(5);
  const Marginals f{Vector{{0.0, 0.5}}, Vector{{0.01, 0.01}}};
  EXPECT_GE(gumbel_max(f, 0.75, 100, rng).values.minCoeff(), 0.75);
}

TEST(GumbelMax, RefusesNothing) {
  Rng rng(1);
  test::expect_refusal([&] { gumbel_max({Vector(0), Vector(0)}, 0.0, 4, rng); }, {"f", "empty"});
  test::expect_refusal([&] { gumbel_max({Vector::Zero(1), Vector::Ones(1)}, 0.0, 0, rng); }, {"count: 0"});
}

}  // namespace
}  // namespace iqbo

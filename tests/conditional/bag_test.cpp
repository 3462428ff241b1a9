#include "iqbo/conditional/bag.hpp"

#include <gtest/gtest.h>
#include <sys/resource.h>

#include <limits>

#include "iqbo/kernel/stationary.hpp"
#include "support/errors.hpp"
#include "support/random.hpp"
#include "support/tolerance.hpp"

namespace iqbo {
namespace {

using test::expect_refusal;

const Inputs kPixels({{0.0}, {1.0}, {2.0}, {3.0}});

SparseRows sparse(const Matrix& dense) { return dense.sparseView(); }

TEST(Bag, WeightsAreNormalisedWithinEachBag) {
  const BagConditional bags(kPixels, sparse(Matrix{{1.0, 3.0, 0.0, 0.0}, {0.0, 0.0, 2.0, 2.0}}));
  EXPECT_EQ(Matrix(bags.weight()), (Matrix{{0.25, 0.75, 0.0, 0.0}, {0.0, 0.0, 0.5, 0.5}}));
  EXPECT_EQ(bags.queries().coordinates(), (Rows{{0.0}, {1.0}}));
  EXPECT_EQ(bags.support()->size(), 4);
}

TEST(Bag, FromRowsEqualsFromAMatrix) {
  const BagConditional rows(kPixels,
                            std::vector<BagRow>{{1, 3, 2.0}, {0, 0, 1.0}, {1, 2, 2.0}, {0, 1, 1.0}, {0, 1, 2.0}});
  EXPECT_EQ(Matrix(rows.weight()), (Matrix{{0.25, 0.75, 0.0, 0.0}, {0.0, 0.0, 0.5, 0.5}}));
}

TEST(Bag, AveragesFunctionsTabulatedOnItsPoints) {
  const BagConditional bags(kPixels, sparse(Matrix{{1.0, 3.0, 0.0, 0.0}, {0.0, 0.0, 2.0, 2.0}}));
  const Matrix h{{10.0, 1.0}, {20.0, 1.0}, {30.0, 1.0}, {50.0, 1.0}};
  EXPECT_EQ(bags.average(Queries({{1.0}, {0.0}, {1.0}}), h), (Matrix{{40.0, 1.0}, {17.5, 1.0}, {40.0, 1.0}}));
  expect_refusal([&] { bags.average(Queries({{0.0}}), Matrix::Ones(3, 1)); }, {"values_on_support", "3 rows", "4"});
}

TEST(Bag, OfOnePointIsADirectLook) {
  const BagConditional bags(kPixels, sparse(Matrix::Identity(4, 4)));
  for (const auto& kernel : {Rbf(1.0, Vector{{1.5}}).clone(), Matern12(1.0, Vector{{1.5}}).clone()}) {
    EXPECT_LT((bags.q(*kernel, bags.queries(), bags.queries()) - kernel->gram(kPixels)).cwiseAbs().maxCoeff(),
              test::kRounding);
    EXPECT_LT((bags.c(*kernel, kPixels, bags.queries()) - kernel->gram(kPixels)).cwiseAbs().maxCoeff(),
              test::kRounding);
  }
}

TEST(Bag, QueriesMayHaveCoordinatesOfTheirOwn) {
  const Queries centroids({{0.5, 9.0}, {2.5, 8.0}});
  const BagConditional bags(kPixels, sparse(Matrix{{1.0, 1.0, 0.0, 0.0}, {0.0, 0.0, 1.0, 1.0}}), centroids);
  EXPECT_EQ(bags.query_dimension(), 2);
  EXPECT_EQ(bags.average(Queries({{2.5, 8.0}}), kPixels.coordinates())(0, 0), 2.5);
  expect_refusal([&] { bags.laws(Queries({{0.5, 9.0}, {2.5, 9.0}})); }, {"a", "row 1", "2 points"});
}

TEST(Bag, RefusesWhatMakesNoAverage) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  expect_refusal(
      [&] {
        BagConditional(kPixels, sparse(Matrix{{1.0, -0.5, 0.0, 0.0}}));
      },
      {"weight", "bag 0", "point 1", "-0.5", ">= 0"});
  expect_refusal(
      [&] {
        BagConditional(kPixels, sparse(Matrix{{1.0, nan, 0.0, 0.0}}));
      },
      {"weight", "bag 0", "point 1", "nan"});
  expect_refusal(
      [&] {
        BagConditional(kPixels, sparse(Matrix{{1.0, 0.0, 0.0, 0.0}, {0.0, 0.0, 0.0, 0.0}}));
      },
      {"weight", "bag 1", "sums to 0", "positive sum"});
  expect_refusal([&] { BagConditional(kPixels, sparse(Matrix::Ones(2, 3))); }, {"weight", "3 columns", "4"});
  expect_refusal([&] { BagConditional(kPixels, SparseRows(0, 4)); }, {"weight", "empty"});
  expect_refusal([&] { BagConditional(Inputs(), SparseRows(1, 0)); }, {"points", "empty"});
  expect_refusal([&] { BagConditional(kPixels, std::vector<BagRow>{}); }, {"rows", "empty"});
  expect_refusal(
      [&] {
        BagConditional(kPixels, std::vector<BagRow>{{0, 0, 1.0}, {0, 4, 1.0}});
      },
      {"rows", "row 1", "point 4", "0 to 3"});
  expect_refusal([&] { BagConditional(kPixels, std::vector<BagRow>{{-1, 0, 1.0}}); }, {"rows", "row 0", "bag -1"});
  expect_refusal([&] { BagConditional(kPixels, std::vector<BagRow>{{0, 0, -1.0}}); }, {"rows", "row 0", "weight -1"});
  expect_refusal(
      [&] {
        BagConditional(kPixels, std::vector<BagRow>{{0, 0, 1.0}, {2, 1, 1.0}});
      },
      {"rows", "row 1", "bag 2", "each with a row"});
  expect_refusal(
      [&] {
        BagConditional(kPixels, std::vector<BagRow>{{0, 0, 1.0}, {2, 1, 1.0}, {2, 2, 1.0}});
      },
      {"bag 1", "sums to 0"});
  expect_refusal([&] { BagConditional(kPixels, std::vector<BagRow>{{INT64_MAX, 0, 1.0}}); }, {"rows", "row 0"});
  const BagConditional bags(kPixels, sparse(Matrix::Identity(4, 4)));
  expect_refusal([&] { bags.laws(Queries({{0.0}, {4.0}})); }, {"a", "row 1", "4 points"});
  expect_refusal([&] { bags.laws(Queries({{0.5}})); }, {"a", "row 0"});
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024.0;
}

// 20,000 points x 4,000 bags would be 640 MB dense; their 200,000 entries are a few.
TEST(Bag, StaysSparse) {
  Rng rng(1);
  const Index points = 20000, bags = 4000, in_each = 50;
  std::vector<BagRow> rows;
  for (Index b = 0; b < bags; ++b)
    for (Index j = 0; j < in_each; ++j) rows.push_back({b, (5 * b + j) % points, rng.uniform() + 0.1});
  const double before = peak_megabytes();
  const BagConditional conditional(test::random_inputs(rng, points, 2), rows);
  EXPECT_EQ(conditional.weight().nonZeros(), bags * in_each);
  const Rbf kernel(1.0, Vector{{0.1, 0.1}});
  EXPECT_GT(conditional.q_diagonal(kernel, conditional.queries()).minCoeff(), 0.0);
  EXPECT_EQ(conditional.q(kernel, conditional.queries().slice(0, 10), conditional.queries().slice(0, 200)).cols(), 200);
#ifdef __SANITIZE_ADDRESS__
  constexpr double kAllowed = 600.0;  // it keeps freed memory for a while
#else
  constexpr double kAllowed = 150.0;
#endif
  EXPECT_LT(peak_megabytes() - before, kAllowed);
}

}  // namespace
}  // namespace iqbo

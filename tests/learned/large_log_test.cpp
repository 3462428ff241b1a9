// Learning from more pairs than single pairs can be learned from.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/mean.hpp"
#include "iqbo/learned/learned.hpp"
#include "learned/cell_tree.hpp"
#include "learned/pair_cells.hpp"
#include "support/errors.hpp"

namespace iqbo {
namespace {

// X = sin(3 a) + (0.1 + 0.2 a) N.
struct Log {
  Rows x, a;
  explicit Log(Index n, std::uint64_t seed = 1) : x(n, 1), a(n, 1) {
    Rng rng(seed);
    a = rng.uniforms(n, 1);
    for (Index i = 0; i < n; ++i) x(i, 0) = std::sin(3.0 * a(i, 0)) + (0.1 + 0.2 * a(i, 0)) * rng.normal();
  }
};

TEST(CellTree, EveryPointHasACellAndEveryCellPoints) {
  Rng rng(3);
  const Matrix points = rng.uniforms(3000, 2);
  const Division cells = divided(points, 64);
  EXPECT_EQ(cells.count, 64);
  std::map<std::int32_t, Index> size;
  for (const std::int32_t cell : cells.cell) ++size[cell];
  EXPECT_EQ(size.size(), 64U);
  for (const auto& [cell, points_in_it] : size) EXPECT_GT(points_in_it, 10) << "uniform points, about 47 a cell";
  // The spread within cells is that of squares of side 1/8: variance 1/(12 64) along each axis, to a factor of 1.4.
  Matrix mean = Matrix::Zero(64, 2);
  for (Index i = 0; i < 3000; ++i) mean.row(cells.cell[static_cast<std::size_t>(i)]) += points.row(i);
  for (Index k = 0; k < 64; ++k) mean.row(k) /= static_cast<double>(size[static_cast<std::int32_t>(k)]);
  double squares = 0.0;
  for (Index i = 0; i < 3000; ++i)
    squares += (points.row(i) - mean.row(cells.cell[static_cast<std::size_t>(i)])).squaredNorm();
  EXPECT_LT(squares / 3000.0, 1.4 * 2.0 / (12.0 * 64.0));
}

TEST(CellTree, RepeatedPointsAreNeverDivided) {
  Matrix points(600, 1);
  for (Index i = 0; i < 600; ++i) points(i, 0) = static_cast<double>(i % 7) * 1e6;
  const Division cells = divided(points, 50);
  EXPECT_EQ(cells.count, 7);
  for (Index i = 0; i < 600; ++i)
    EXPECT_EQ(cells.cell[static_cast<std::size_t>(i)], cells.cell[static_cast<std::size_t>(i % 7)]);
  EXPECT_EQ(divided(Matrix::Constant(5, 2, 3.0), 4).count, 1);
}

TEST(PairCells, KeepCountsAndMeans) {
  const Log log(8000);
  const Inputs x(log.x);
  const Queries a(log.a);
  const auto encoding = std::make_shared<const internal::QueryEncoding>(a, std::vector<Index>());
  const Vector sd = Vector::Ones(1);
  const BinnedPairs pairs = binned(x, a, *encoding, sd, {}, 100);
  const PairCells cells = table_of(pairs, encoding, sd, {});
  EXPECT_EQ(cells.count(), 100);
  EXPECT_EQ(cells.size.sum(), 8000.0);
  const Vector shares = cells.share * Vector::Ones(cells.bins->size());
  EXPECT_LT((shares.array() - 1.0).abs().maxCoeff(), 1e-12);
  // Means over all pairs pass through cells and bins unchanged.
  EXPECT_NEAR(cells.size.dot(cells.x.col(0)) / 8000.0, log.x.mean(), 1e-12);
  const Vector by_bins = cells.share * cells.bins->coordinates().col(0);
  EXPECT_NEAR(cells.size.dot(by_bins) / 8000.0, log.x.mean(), 1e-12);
  double without = 0.0;
  for (Index fold = 0; fold < 5; ++fold) without += table_of(pairs, encoding, sd, {}, {fold, 5}).size.sum();
  EXPECT_NEAR(without, 4.0 * 8000.0, 1e-6) << "each row is left out once";
}

// 12 classes with laws of their own: averages are those of the pairs of each class, whatever the code.
TEST(LargeLog, ClassesAreNotMixed) {
  Rng rng(5);
  Rows x(9000, 1), a(9000, 1);
  Vector sum = Vector::Zero(12), count = Vector::Zero(12);
  for (Index i = 0; i < 9000; ++i) {
    const auto code = rng.below(12);
    a(i, 0) = static_cast<double>(10 * code);
    x(i, 0) = static_cast<double>((5 * code) % 12) + 0.1 * rng.normal();
    sum[code] += x(i, 0);
    count[code] += 1.0;
  }
  LearnedOptions options;
  options.model = LearnedKind::kNw;
  options.categories = {0};
  const LearnedConditional classes(Inputs(x), Queries(a), options);
  Rows asked(12, 1);
  for (Index c = 0; c < 12; ++c) asked(c, 0) = static_cast<double>(10 * c);
  const Vector mean = classes.nu(LinearMean(0.0, Vector::Ones(1)), Queries(asked));
  for (Index c = 0; c < 12; ++c) EXPECT_NEAR(mean[c], sum[c] / count[c], 1e-3) << c;
}

TEST(LargeLog, MistakesAreRefusedAsInSmallLogs) {
  Log log(6000);
  log.x(4321, 0) = 1e9;
  test::expect_refusal([&] { LearnedConditional(Inputs(log.x), Queries(log.a)); },
                       {"x: row 4321, column 0", "same units"});
}

}  // namespace
}  // namespace iqbo

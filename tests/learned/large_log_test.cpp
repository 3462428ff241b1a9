// Learning from more pairs than single pairs can be learned from.
#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <set>

#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/mean.hpp"
#include "iqbo/learned/learned.hpp"
#include "learned/cell_tree.hpp"
#include "learned/held_out.hpp"
#include "learned/models.hpp"
#include "learned/pair_cells.hpp"
#include "learned/ridge_mean.hpp"
#include "learned/trial_functions.hpp"
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

// X depends on six columns of a, on each in its own way.
LoggedPairs six_columns(Index n, Rng& rng) {
  const Rows a = rng.uniforms(n, 6);
  Rows x(n, 2);
  for (Index i = 0; i < n; ++i) {
    x(i, 0) = (a(i, 0) + a(i, 1) + a(i, 2)) / 3.0 + 0.1 * std::sin(6.0 * a(i, 5)) + 0.05 * rng.normal();
    x(i, 1) = (a(i, 3) + a(i, 4)) / 2.0 + 0.1 * std::cos(6.0 * a(i, 0)) + 0.05 * rng.normal();
  }
  const Queries queries(a);
  const auto encoding = std::make_shared<const internal::QueryEncoding>(queries, std::vector<Index>());
  return {std::make_shared<const Inputs>(x), queries, encoding, Vector::Constant(2, 0.2)};
}

// By what is known of the truth, at pairs of their own: two hundred pairs leave the scales of six columns to chance.
TEST(SelectionOfALongLog, ScalesJudgedByOtherPairsAreBetter) {
  double gain = 0.0;
  for (const std::uint64_t seed : {1U, 2U, 3U}) {
    Rng rng(seed);
    const LoggedPairs pairs = six_columns(500, rng);
    LoggedPairs others = six_columns(1500, rng), fresh = six_columns(1500, rng);
    others.encoding = fresh.encoding = pairs.encoding;
    const auto error = [&](const RidgeSettings& settings) {
      const Rows off = fresh.x().coordinates() - RidgeMean(pairs, settings)(fresh.a);
      return off.squaredNorm() / 3000.0 - 0.05 * 0.05;  // less the noise
    };
    const double before = error(choose_ridge(pairs)), after = error(choose_ridge(pairs, others));
    EXPECT_LE(after, 1.05 * before) << seed;
    gain += std::log(before / after) / 3.0;
  }
  EXPECT_GT(gain, 0.2);
}

// Scores by brute force, one judge after another; distances are those between models.
TEST(SelectionOfALongLog, ModelsAreJudgedBySinglePairs) {
  Rng rng(4);
  const LoggedPairs pairs = six_columns(300, rng);
  LoggedPairs others = six_columns(290, rng);  // more than one portion
  others.encoding = pairs.encoding;
  const TrialFunctions functions(pairs);
  const std::vector<LearnedKind> kinds{LearnedKind::kShift, LearnedKind::kPlugIn};
  const ModelSettings settings = choose_settings(pairs, kinds, functions, {});
  const HeldOut found = judged_by(others, pairs, kinds, settings, {}, functions);
  const Matrix wanted = functions.at(others);
  std::vector<Matrix> predicted;
  for (const LearnedKind kind : kinds)
    predicted.push_back(functions.average(train(kind, pairs, settings, {}, settings.trained_mean)->laws(others.a)));
  const auto n = static_cast<double>(others.size());
  for (const Index i : {0, 1})
    EXPECT_NEAR(found.scores[i], (wanted - predicted[static_cast<std::size_t>(i)]).squaredNorm() / n, 1e-9);
  EXPECT_NEAR(found.distance(0, 1), (predicted[0] - predicted[1]).squaredNorm() / n, 1e-9);
  EXPECT_GT(found.ignore, found.scores.minCoeff());
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

// Averages by lag against sums over all pairs of points.
#include "average/lattice_kernel.hpp"

#include <gtest/gtest.h>

#include "average/lag_shares.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"
#include "iqbo/kernel/sum.hpp"
#include "iqbo/kernel/white.hpp"

namespace iqbo::internal {
namespace {

struct Scene {
  std::shared_ptr<const Inputs> x;
  SparseRows weight;
};

// Points of a lattice in d dimensions in a random order, a share of them left out; bags that are boxes, weighted or not, and
// single points.
Scene scene(Index d, Index side, double holes, Rng& rng) {
  std::vector<Vector> points;
  Index cells = 1;
  for (Index c = 0; c < d; ++c) cells *= side;
  for (Index i = 0; i < cells; ++i) {
    Vector at(d);
    Index rest = i;
    for (Index c = 0; c < d; ++c) {
      at[c] = 0.3 * static_cast<double>(c + 1) * static_cast<double>(rest % side) - 1.0;
      rest /= side;
    }
    if (rng.uniform() >= holes) points.insert(points.begin() + rng.below(static_cast<Index>(points.size()) + 1), at);
  }
  Rows x(static_cast<Index>(points.size()), d);
  for (Index i = 0; i < x.rows(); ++i) x.row(i) = points[static_cast<std::size_t>(i)].transpose();
  constexpr Index kLaws = 9;
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index j = 0; j < kLaws; ++j) {
    const Vector from = x.row(rng.below(x.rows())).transpose();
    const double reach = j == 0 ? 1e3 : (j == 1 ? 0.0 : 0.3 * static_cast<double>(1 + rng.below(side)));
    for (Index i = 0; i < x.rows(); ++i)
      if ((x.row(i).transpose() - from).cwiseAbs().maxCoeff() <= reach)
        entries.emplace_back(j, i, j % 3 == 2 ? rng.uniform() - 0.2 : 0.01);
  }
  SparseRows weight(kLaws, x.rows());
  weight.setFromTriplets(entries.begin(), entries.end());
  return {std::make_shared<const Inputs>(x), weight};
}

std::vector<std::shared_ptr<const Kernel>> kernels(Index d) {
  const Vector lengthscale = Vector::LinSpaced(d, 0.4, 1.7);
  return {Stationary("rbf", 1.7, lengthscale).clone(), Stationary("matern12", 0.6, lengthscale).clone(),
          Stationary("periodic", 0.8, Vector::Ones(d), Vector::Constant(d, 0.7)).clone(),
          Sum({Stationary("matern32", 1.0, lengthscale).clone(), White(0.4, d).clone()}).clone()};
}

TEST(LatticeKernel, AveragesLikeSumsOverPoints) {
  Rng rng(3);
  for (const auto& [d, side, holes] :
       std::vector<std::tuple<Index, Index, double>>{{1, 40, 0.2}, {2, 17, 0.0}, {2, 14, 0.3}, {3, 7, 0.1}}) {
    const Scene at = scene(d, side, holes, rng);
    const auto points = LatticePoints::of(at.x);
    ASSERT_NE(points, nullptr);
    const auto runs = runs_of(*points, at.weight);
    for (const auto& kernel : kernels(d)) {
      SCOPED_TRACE(kernel->description() + " in " + std::to_string(d) + " dimensions");
      const Matrix k = kernel->gram(*at.x);
      const Matrix c = k * at.weight.transpose();
      const Matrix q = at.weight * c;
      const double total = (at.weight.cwiseAbs() * Vector::Ones(at.weight.cols())).maxCoeff();
      const double size = k.cwiseAbs().maxCoeff() * std::max(1.0, total);  // weights need not sum to one
      const LatticeKernel lattice(*kernel, points);
      EXPECT_LT((lattice.with_all(at.weight) - c).cwiseAbs().maxCoeff(), 1e-12 * size);
      const std::vector<Index> some{0, 5, at.x->size() - 1};
      EXPECT_LT((lattice.with_some(some, blocks_of(*points, runs)) - c(some, Eigen::all)).cwiseAbs().maxCoeff(),
                1e-12 * size);
      EXPECT_LT((lattice.values(some) - k(Eigen::all, some)).cwiseAbs().maxCoeff(), 1e-14 * size);
      EXPECT_LT((lattice.among(runs, runs) - q).cwiseAbs().maxCoeff(), 1e-12 * size * std::max(1.0, total));
      EXPECT_LT((lattice.variances(runs) - q.diagonal()).cwiseAbs().maxCoeff(), 1e-12 * size * std::max(1.0, total));
    }
  }
}

// A law that covers the lattice goes by FFT, a small one by runs: both in one batch, odd and even numbers of them.
TEST(LatticeKernel, ConvolutionsAndRunsAgree) {
  Rng rng(4);
  Rows x(40 * 50, 2);
  for (Index i = 0; i < x.rows(); ++i) x.row(i) << static_cast<double>(i / 50), 0.5 * static_cast<double>(i % 50);
  const auto support = std::make_shared<const Inputs>(x);
  Matrix dense = Matrix::Zero(5, x.rows());
  for (const Index j : {0, 2, 3})
    for (Index i = 0; i < x.rows(); ++i) dense(j, i) = rng.uniform() / 2000.0;
  dense(1, 77) = dense(1, 78) = 0.5;
  dense(4, 1999) = 1.0;
  const SparseRows weight = dense.sparseView();
  const auto points = LatticePoints::of(support);
  for (const char* family : {"rbf", "matern12"}) {
    const Stationary kernel(family, 2.0, Vector{{9.0, 3.0}});
    const Matrix expected = kernel.gram(*support) * dense.transpose();
    const LatticeKernel lattice(kernel, points);
    EXPECT_LT((lattice.with_all(weight) - expected).cwiseAbs().maxCoeff(), 1e-12);
    const Matrix alone = lattice.with_all(weight.middleRows(2, 1));  // not beside another law, as before
    EXPECT_LT((alone - expected.col(2)).cwiseAbs().maxCoeff(), 1e-12);
  }
}

TEST(LatticePoints, AreKnownAsLongAsTheSupportLives) {
  Rng rng(5);
  auto support = std::make_shared<const Inputs>(rng.uniforms(50, 2));
  EXPECT_EQ(LatticePoints::of(support), nullptr);
  support = std::make_shared<const Inputs>(Rows{{0.0, 0.0}, {1.0, 2.0}, {1.0, 0.0}});
  const auto points = LatticePoints::of(support);
  ASSERT_NE(points, nullptr);
  EXPECT_EQ(points, LatticePoints::of(support));
  EXPECT_EQ(points->cells(), 4);
}

// Lags of a wide scene by interpolation: the error that lag_nodes.hpp states, for every family that is a mixture, from
// lengthscales of a cell to those of the whole scene, and with very different ones along the axes.
TEST(LagNodes, InterpolateEveryLengthscale) {
  constexpr Index kCount = 700;
  const LagNodes nodes(kCount, 14);
  EXPECT_LT(nodes.size(), 110);
  Rows at(nodes.size(), 2), all(kCount, 2);
  for (const char* family : {"rbf", "matern12", "matern32", "matern52", "rational-quadratic"})
    for (const double lengthscale : {0.5, 2.0, 7.0, 30.0, 100.0, 400.0, 3000.0})
      for (const double other : {1.0, 10.0, 100.0})
        for (const double lag : {0.0, 1.0, 40.0, 300.0}) {
          const bool shaped = std::string(family) == "rational-quadratic";
          const Stationary kernel(family, 1.0, Vector{{lengthscale, other}}, Vector::Constant(shaped ? 1 : 0, 0.7));
          for (Index i = 0; i < nodes.size(); ++i) at.row(i) << nodes.at(i), lag;
          for (Index i = 0; i < kCount; ++i) all.row(i) << static_cast<double>(i), lag;
          const Vector node_value = kernel.evaluate(at, Rows::Zero(1, 2)).col(0);
          const Vector value = kernel.evaluate(all, Rows::Zero(1, 2)).col(0);
          double worst = 0.0;
          for (Index i = 0; i < kCount; ++i) {
            const Vector& weight = nodes.weights(i);
            worst = std::max(worst, std::abs(weight.dot(node_value.segment(nodes.first(i), weight.size())) - value[i]));
          }
          EXPECT_LT(worst, 1e-9) << family << ", lengthscales " << lengthscale << " and " << other << ", lag " << lag;
        }
}

TEST(LagShares, AreTheWeightsOfDistances) {
  Rng rng(6);
  constexpr Index kMany = Index{1} << 24;
  // Where all lags may be too many entries for H, distances are nodes.
  for (const auto& [d, side, holes, most, exact] :
       std::vector<std::tuple<Index, Index, double, Index, bool>>{{1, 300, 0.1, kMany, true},
                                                                  {1, 300, 0.1, 5000, false},
                                                                  {2, 50, 0.2, kMany, false},
                                                                  {3, 6, 0.1, kMany, true}}) {
    const Scene at = scene(d, side, holes, rng);
    const auto points = LatticePoints::of(at.x);
    const auto shares = LagShares::of(*points, runs_of(*points, at.weight), 14, most);
    ASSERT_TRUE(shares.has_value());
    EXPECT_EQ(shares->exact, exact);
    for (const auto& kernel : kernels(d)) {
      if (!shares->exact && kernel->description().find("eriodic") != std::string::npos) continue;
      const Vector value = shares->share * kernel->evaluate(shares->distance, Rows::Zero(1, d)).col(0);
      const Matrix q = at.weight * (kernel->gram(*at.x) * at.weight.transpose());
      Index pair = 0;
      double worst = 0.0;
      for (Index j = 0; j < q.cols(); ++j)
        for (Index i = j; i < q.rows(); ++i) worst = std::max(worst, std::abs(value[pair++] - q(i, j)));
      EXPECT_LT(worst, 1e-9 * q.cwiseAbs().maxCoeff()) << kernel->description() << " in " << d << " dimensions";
    }
  }
}

// Few values along an axis are told apart by hashes, many are sorted; both find the same lattice.
TEST(LatticePoints, AreFoundHoweverManyValuesAnAxisHas) {
  for (const Index count : {50, 8192, 8193, 20000}) {
    Rows x(2 * count, 2);
    for (Index i = 0; i < x.rows(); ++i) {
      const Index cell = i * 7 % count;  // in no order; 7 divides none of the counts
      x.row(i) << 3.0 + 0.25 * static_cast<double>(cell), i < count ? -0.0 : 2.0;
    }
    const auto found = lattice_of(x);
    ASSERT_TRUE(found);
    EXPECT_EQ(found->cells, (std::vector<Index>{count, 2}));
    EXPECT_EQ(found->origin, (Vector{{3.0, 0.0}}));
    EXPECT_DOUBLE_EQ(found->spacing[0], 0.25);
    EXPECT_EQ(found->cell(10, 0), 70 % count);
    x(5, 0) += 0.1;
    EXPECT_FALSE(lattice_of(x));
  }
}

}  // namespace
}  // namespace iqbo::internal

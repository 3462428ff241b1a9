#include "average/thinned.hpp"

#include <gtest/gtest.h>

#include "iqbo/average/expectation.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/stationary.hpp"

namespace iqbo::internal {
namespace {

// Ten laws, each with a cloud of 128 points of its own, some of them without weight.
Laws clouds(Rng& rng) {
  Rows points(1280, 2);
  std::vector<Eigen::Triplet<double, Index>> entries;
  for (Index i = 0; i < 10; ++i) {
    Vector weight = rng.uniforms(128, 1);
    weight.head(5).setZero();
    weight /= weight.sum();
    for (Index k = 0; k < 128; ++k) {
      const double along = rng.normal();
      points.row(128 * i + k) << 0.1 * static_cast<double>(i) + 0.08 * along, 0.5 + 0.05 * along + 0.01 * rng.normal();
      entries.emplace_back(i, 128 * i + k, weight[k]);
    }
  }
  SparseRows weight(10, 1280);
  weight.setFromTriplets(entries.begin(), entries.end());
  return DiscreteLaws{std::make_shared<const Inputs>(points), weight};
}

TEST(Thinned, KeepsMassAndMeans) {
  Rng rng(1);
  const Laws laws = clouds(rng);
  const Laws thin = thinned(laws, 16);
  EXPECT_EQ(points_per_law(laws), 128.0);
  EXPECT_EQ(points_per_law(thin), 16.0);
  const LinearMean mean(0.3, Vector{{2.0, -1.0}});
  EXPECT_LT((expect(mean, thin) - expect(mean, laws)).cwiseAbs().maxCoeff(), 1e-14);
}

TEST(Thinned, AveragesChangeLittle) {
  Rng rng(2);
  const Laws laws = clouds(rng);
  for (const char* family : {"rbf", "matern32", "matern12"}) {
    const Stationary k(family, 1.0, Vector{{0.3, 0.3}});
    const Matrix all = expect(k, laws, laws);
    const double coarse = (expect(k, thinned(laws, 8), thinned(laws, 8)) - all).cwiseAbs().maxCoeff();
    const double fine = (expect(k, thinned(laws, 32), thinned(laws, 32)) - all).cwiseAbs().maxCoeff();
    EXPECT_LT(fine, 0.005) << family;
    EXPECT_LT(fine, 0.5 * coarse) << family;
  }
}

TEST(Thinned, AxisLaws) {
  Rng rng(4);
  AxisLaws laws;
  for (int c = 0; c < 2; ++c) {
    Rows node(6, 40), weight(6, 40);
    for (Index i = 0; i < 6; ++i)
      for (Index k = 0; k < 40; ++k) {
        node(i, k) = 0.2 * static_cast<double>(i) + 0.01 * static_cast<double>(k);
        weight(i, k) = k < 30 || i > 2 ? rng.uniform() : 0.0;
      }
    weight.array().colwise() /= weight.rowwise().sum().array();
    laws.node.push_back(node);
    laws.weight.push_back(weight);
  }
  EXPECT_EQ(points_per_law(laws), 1600.0);
  const Laws thin = thinned(laws, 32);
  EXPECT_EQ(points_per_law(thin), 16.0);
  const LinearMean mean(0.3, Vector{{2.0, -1.0}});
  EXPECT_LT((expect(mean, thin) - expect(mean, laws)).cwiseAbs().maxCoeff(), 1e-13);
  const Stationary k("matern32", 1.0, Vector{{0.3, 0.3}});
  EXPECT_LT((expect(k, thin, thin) - expect(k, laws, laws)).cwiseAbs().maxCoeff(), 0.02);
}

TEST(Thinned, LeavesOthersAlone) {
  Rng rng(3);
  const Laws windows = SpreadLaws{rng.uniforms(3, 1), Rows::Constant(3, 1, 0.1), Rows::Zero(3, 1)};
  EXPECT_EQ(points_per_law(windows), 0.0);
  EXPECT_TRUE(std::holds_alternative<SpreadLaws>(thinned(windows, 4).parts().front().kind));
  Laws negative = clouds(rng);
  DiscreteLaws some = std::get<DiscreteLaws>(negative.parts().front().kind);
  some.weight.coeffRef(0, 20) = -0.1;
  EXPECT_EQ(points_per_law(thinned(Laws(some), 16)), 128.0);
  const Laws two = Laws::mixture(Vector{{0.3, 0.7}}, {clouds(rng), clouds(rng)});
  EXPECT_EQ(thinned(two, 16).parts().size(), 2U);
  EXPECT_EQ(thinned(two, 16).parts()[1].weight, 0.7);
}

}  // namespace
}  // namespace iqbo::internal

#include "spot/grid.hpp"

#include <gtest/gtest.h>

#include "iqbo/conditional/bag.hpp"
#include "scene.hpp"
#include "support/tolerance.hpp"

namespace iqbo::test {
namespace {

TEST(SpotGrid, AveragesAsTheConditionalDoes) {
  const SpotScene scene;
  Rng rng(1);
  const Vector f = rng.normals(kSide * kSide);
  Matrix field(kSide, kSide);
  for (std::size_t i = 0; i < scene.grid->cells().size(); ++i)
    field(scene.grid->cells()[i][0], scene.grid->cells()[i][1]) = f[static_cast<Index>(i)];
  EXPECT_EQ(scene.listed(field), f);
  const Vector expected = scene.tiles.average(scene.all, f).col(0);
  const Matrix averages = scene.grid->laws(0) * field * scene.grid->laws(1).transpose();
  for (Index j = 0; j < expected.size(); ++j) {
    const auto& row = scene.rows[static_cast<std::size_t>(j)].row;
    EXPECT_NEAR(averages(row[0], row[1]), expected[j], kRounding);
  }
  EXPECT_EQ(scene.grid->laws(0).rows(), 1 + 2 + 4 + 8);
}

TEST(SpotGrid, MeasuresInSmallestWindows) {
  const SpotScene scene;
  EXPECT_NEAR(scene.grid->unit()[0], 2.0, kRounding);
  EXPECT_NEAR(scene.grid->unit()[1], 2.0, kRounding);
  EXPECT_NEAR(scene.grid->side(), 8.0, kRounding);
  ASSERT_EQ(scene.grid->sizes().size(), 4U);
  EXPECT_NEAR(scene.grid->sizes().front(), 1.0, kRounding);
  EXPECT_NEAR(scene.grid->sizes().back(), 8.0, kRounding);
}

TEST(SpotGrid, NeedsProductsOnALatticeAndTwoSizes) {
  const SpotScene scene;
  const InputSet x{pixels()};
  EXPECT_FALSE(SpotGrid::of(x, scene.tiles, scene.tree.queries_at(2).points()));  // one size
  // An L-shaped bag is no product.
  std::vector<BagRow> bags;
  for (const Index i : {0, 1, 16}) bags.push_back({0, i, 1.0});
  for (Index i = 0; i < kSide * kSide; ++i) bags.push_back({1, i, 1.0});
  const BagConditional crooked(pixels(), bags, Queries::line(Vector{{1.0, 2.0}}));
  EXPECT_FALSE(SpotGrid::of(x, crooked, crooked.queries()));
  // Points that are on no lattice.
  Rng rng(2);
  const Inputs scattered(rng.uniforms(40, 2));
  const BagConditional anywhere(scattered, std::vector<BagRow>{{0, 0, 1.0}, {1, 1, 1.0}, {1, 2, 1.0}},
                                Queries::line(Vector{{1.0, 2.0}}));
  EXPECT_FALSE(SpotGrid::of(InputSet(scattered), anywhere, anywhere.queries()));
}

TEST(SpotGrid, TakesALine) {
  const Inputs line = Inputs::line(Vector::LinSpaced(16, 0.0, 15.0));
  std::vector<BagRow> bags;
  for (Index i = 0; i < 16; ++i) bags.push_back({0, i, 1.0});
  for (Index i = 4; i < 8; ++i) bags.push_back({1, i, 1.0});
  const BagConditional windows(line, bags, Queries::line(Vector{{1.0, 2.0}}));
  const auto grid = SpotGrid::of(InputSet(line), windows, windows.queries());
  ASSERT_TRUE(grid);
  EXPECT_NEAR(grid->unit()[0], 4.0, kRounding);
  EXPECT_NEAR(grid->side(), 4.0, kRounding);
  EXPECT_EQ(grid->points(1).size(), 1);
}

}  // namespace
}  // namespace iqbo::test

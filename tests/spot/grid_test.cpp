#include "spot/grid.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/conditional/spread.hpp"
#include "iqbo/conditional/truncated.hpp"
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

// A tree of windows on the box [0, 8] x [0, 4]: halves and quarters of it, and so on.
struct Windows {
  InputBox box{Vector::Zero(2), Vector{{8.0, 4.0}}};
  QueryTree tree{QueryBox(Vector::Zero(2), Vector{{8.0, 4.0}}), options()};
  UniformConditional conditional{QueryMap::columns({0, 1}), QueryMap::columns({2})};

  static TreeOptions options() {
    TreeOptions out;
    out.l_max = 3;
    out.resolution = Vector{{2.0, 1.0, 0.5, 0.25}};
    return out;
  }
};

TEST(SpotGrid, TakesWindowsOnABox) {
  const Windows windows;
  const Queries all = all_tiles(windows.tree);
  auto grid = SpotGrid::of(windows.box, windows.conditional, all);
  ASSERT_TRUE(grid);
  EXPECT_NEAR(grid->unit()[0], 0.5, 1e-9);
  EXPECT_NEAR(grid->unit()[1], 0.5, 1e-9);
  EXPECT_NEAR(grid->extent(0), 16.0, 1e-9);
  EXPECT_NEAR(grid->extent(1), 8.0, 1e-9);
  EXPECT_EQ(grid->sizes().size(), 4U);
  EXPECT_NEAR(grid->sizes().back(), 8.0, 1e-9);
  const auto rows = *grid->rows(windows.conditional, all);
  // f is a product of cosines, whose averages are known.
  const double wave = 0.9;
  Matrix field(grid->points(0).size(), grid->points(1).size());
  for (Index i = 0; i < field.rows(); ++i)
    for (Index j = 0; j < field.cols(); ++j)
      field(i, j) = std::cos(wave * (grid->points(0)[i] - grid->first(0)) * 0.5) *
                    std::cos(wave * (grid->points(1)[j] - grid->first(1)) * 0.5);
  const Matrix averages = grid->laws(0) * field * grid->laws(1).transpose();
  const SpreadLaws laws = windows.conditional.spread_laws(all);
  for (Index k = 0; k < all.size(); ++k) {
    const auto along = [&](Index c) {
      const double half = laws.half_width(k, c);
      return std::cos(wave * laws.centre(k, c)) * std::sin(wave * half) / (wave * half);
    };
    const auto& row = rows[static_cast<std::size_t>(k)].row;
    EXPECT_NEAR(averages(row[0], row[1]), along(0) * along(1), 2.2e-3) << k;  // wave^2 step^2 / 6 = 0.0021
  }
}

TEST(SpotGrid, TakesGaussianWindowsThatLeaveTheBox) {
  const Windows windows;
  const GaussianConditional gaussian(QueryMap::columns({0, 1}), QueryMap::columns({2}));
  const auto grid = SpotGrid::of(windows.box, gaussian, all_tiles(windows.tree));
  ASSERT_TRUE(grid);
  EXPECT_NEAR(grid->unit()[0], 0.25 * std::sqrt(12.0), 0.05);
  EXPECT_GT(grid->first(0), 0.0);  // the grid reaches beyond X, cells do not
  for (const GridCell& cell : grid->cells()) {
    EXPECT_GE(grid->points(0)[cell[0]], grid->first(0));
    EXPECT_LE(grid->points(1)[cell[1]], grid->last(1));
  }
}

TEST(SpotGrid, TakesListedTargetsUnderWindows) {
  const Windows windows;
  const InputSet x(windows.box.grid({17, 9}));  // half a unit apart, and the smallest window is half a unit wide
  const auto grid = SpotGrid::of(x, windows.conditional, all_tiles(windows.tree));
  ASSERT_TRUE(grid);
  ASSERT_EQ(static_cast<Index>(grid->cells().size()), x.size());
  for (Index i = 0; i < x.size(); ++i) {
    const GridCell& cell = grid->cells()[static_cast<std::size_t>(i)];
    EXPECT_NEAR((grid->points(0)[cell[0]] - grid->first(0)) * grid->unit()[0], x.points().row(i)[0], 1e-9);
    EXPECT_NEAR((grid->points(1)[cell[1]] - grid->first(1)) * grid->unit()[1], x.points().row(i)[1], 1e-9);
  }
}

// A plane is interpolated exactly.
TEST(SpotGrid, InterpolatesFields) {
  const Windows windows;
  const auto grid = SpotGrid::of(windows.box, windows.conditional, all_tiles(windows.tree));
  ASSERT_TRUE(grid);
  Matrix field(grid->points(0).size(), grid->points(1).size());
  for (Index i = 0; i < field.rows(); ++i)
    for (Index j = 0; j < field.cols(); ++j)
      field(i, j) = 2.0 * (grid->points(0)[i] - grid->first(0)) * grid->unit()[0] -
                    3.0 * (grid->points(1)[j] - grid->first(1)) * grid->unit()[1];
  const Inputs x(Rows{{0.0, 0.0}, {8.0, 4.0}, {3.1, 2.7}, {0.01, 3.99}});
  const auto at = grid->at(field, x);
  ASSERT_TRUE(at);
  EXPECT_LT((*at - Vector{{0.0, 4.0, -1.9, -11.95}}).cwiseAbs().maxCoeff(), 1e-9);
  EXPECT_FALSE(grid->at(field, Inputs(Rows{{8.1, 1.0}})));
}

// That the faces of X cut windows makes no second size.
TEST(SpotGrid, NeedsTwoSizesOfWindows) {
  const Windows windows;
  const Queries leaves = windows.tree.queries_at(2).points();
  EXPECT_FALSE(SpotGrid::of(windows.box, windows.conditional, leaves));
  const TruncatedConditional cut(windows.conditional, windows.box, Truncation::kRenormalise);
  Rng rng(3);
  Rows anywhere = 4.0 * rng.uniforms(50, 3);
  anywhere.col(2).setConstant(0.5);
  anywhere.row(0) << 0.0, 0.0, 0.5;
  EXPECT_FALSE(SpotGrid::of(windows.box, cut, Queries(anywhere)));
  EXPECT_TRUE(SpotGrid::of(windows.box, cut, all_tiles(windows.tree)));
}

// Along an axis a parabola is found exactly.
TEST(SpotGrid, RefinesAPeakInABox) {
  const Windows windows;
  const auto grid = SpotGrid::of(windows.box, windows.conditional, all_tiles(windows.tree));
  ASSERT_TRUE(grid);
  const Eigen::RowVector2d top(3.21, 1.47);
  Matrix field(grid->points(0).size(), grid->points(1).size());
  const auto value = [&](Index i, Index j) {
    const double u = grid->points(0)[i] * grid->unit()[0] - top[0], v = grid->points(1)[j] * grid->unit()[1] - top[1];
    return 5.0 - 0.7 * u * u - 0.3 * v * v;
  };
  for (Index i = 0; i < field.rows(); ++i)
    for (Index j = 0; j < field.cols(); ++j) field(i, j) = value(i, j);
  GridCell cell{};
  field.maxCoeff(&cell[0], &cell[1]);
  const SpotGrid::Peak peak = grid->peak(field, cell);
  EXPECT_LT((peak.x.row(0) - top).norm(), 1e-9);
  EXPECT_NEAR(field(cell[0], cell[1]) + peak.rise, 5.0, 1e-9);
}

}  // namespace
}  // namespace iqbo::test

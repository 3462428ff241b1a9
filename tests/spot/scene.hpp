// A small scene for tests of spots: 16 x 16 pixels in tiles of 16, 8, 4 and 2, and everything about it as dense matrices.
#pragma once

#include <cmath>
#include <vector>

#include "iqbo/conditional/cell.hpp"
#include "iqbo/space/box.hpp"
#include "spot/belief.hpp"

namespace iqbo::test {

inline constexpr Index kSide = 16;

inline Inputs pixels() {
  const double last = static_cast<double>(kSide) - 0.5;
  return InputBox(Vector::Constant(2, 0.5), Vector::Constant(2, last)).grid({kSide, kSide});
}

inline QueryTree tile_tree() {
  TreeOptions options;
  options.l_max = 3;
  options.box = QueryBox(Vector::Zero(2), Vector::Constant(2, static_cast<double>(kSide)));
  return QueryTree(pixels(), options);
}

inline Queries all_tiles(const QueryTree& tree) {
  Queries out;
  for (Index level = 0; level <= tree.l_max(); ++level) out = out.joined(tree.queries_at(level).points());
  return out;
}

struct SpotScene {
  QueryTree tree = tile_tree();
  CellConditional tiles{tree};
  Queries all = all_tiles(tree);
  std::shared_ptr<SpotGrid> grid = std::make_shared<SpotGrid>(*SpotGrid::of(InputSet(pixels()), tiles, all));
  std::vector<GridQuery> rows = *grid->rows(tiles, all);

  // The tiles' weights, one row each, in the order of the pixels.
  Matrix weights(const std::vector<Index>& which) const {
    const Matrix all_weights = tiles.average(all, Matrix::Identity(kSide * kSide, kSide * kSide));
    return all_weights(which, Eigen::all);
  }
  std::vector<GridQuery> queries(const std::vector<Index>& which) const {
    std::vector<GridQuery> out;
    for (const Index i : which) out.push_back(rows[static_cast<std::size_t>(i)]);
    return out;
  }
  // exp(-|x - at|^2 / (2 width^2)) at the pixels, all in units of the smallest tile, two pixels.
  static Vector bump(const std::array<double, 2>& at, double width) {
    const Inputs x = pixels();
    Vector out(x.size());
    for (Index i = 0; i < x.size(); ++i)
      out[i] = std::exp(
          -0.5 * (std::pow((x.row(i)[0] - 0.5) / 2.0 - at[0], 2) + std::pow((x.row(i)[1] - 0.5) / 2.0 - at[1], 2)) /
          (width * width));
    return out;
  }
  static Matrix rbf(double lengthscale) {
    const Inputs x = pixels();
    Matrix out(x.size(), x.size());
    for (Index i = 0; i < x.size(); ++i)
      for (Index j = 0; j < x.size(); ++j)
        out(i, j) = std::exp(-0.125 * (x.row(i) - x.row(j)).squaredNorm() / (lengthscale * lengthscale));
    return out;
  }
  // Rows of pixels as a field on the grid has them.
  Vector listed(const Matrix& field) const { return grid->at_targets(field); }
};

inline SpotTheta some_theta() {
  SpotTheta out;
  out.log << std::log(2.5), std::log(0.8), std::log(0.5), std::log(0.05), std::log(0.01);
  return out;
}

inline std::vector<SpotAnswer> answers_at(const std::vector<GridQuery>& query, const Vector& z) {
  std::vector<SpotAnswer> out;
  for (std::size_t i = 0; i < query.size(); ++i) out.push_back({query[i], z[static_cast<Index>(i)]});
  return out;
}

}  // namespace iqbo::test

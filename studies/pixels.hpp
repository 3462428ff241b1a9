// Random fields on a grid of pixels, seen through averages of blocks.
#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "iqbo/conditional/bag.hpp"
#include "iqbo/core/rng.hpp"
#include "iqbo/kernel/kernel.hpp"
#include "numerics/cholesky.hpp"

namespace iqbo::study {

// The centres of rows x columns pixels on the unit square; rows = 1: on the unit interval.
inline Inputs pixel_grid(Index rows, Index columns) {
  if (rows == 1)
    return Inputs::line((Vector::LinSpaced(columns, 0.5, static_cast<double>(columns) - 0.5)) /
                        static_cast<double>(columns));
  Rows out(rows * columns, 2);
  for (Index i = 0; i < rows; ++i)
    for (Index j = 0; j < columns; ++j)
      out.row(i * columns + j) << (static_cast<double>(i) + 0.5) / static_cast<double>(rows),
          (static_cast<double>(j) + 0.5) / static_cast<double>(columns);
  return Inputs(out);
}

// Pixels [row, row + height) x [column, column + width), as bag number `bag`.
inline void add_block(std::vector<BagRow>& out, Index columns, Index bag, Index row, Index column, Index height,
                      Index width) {
  for (Index i = row; i < row + height; ++i)
    for (Index j = column; j < column + width; ++j) out.push_back({bag, i * columns + j, 1.0});
}

// All blocks of one size that tile the grid.
inline std::vector<BagRow> tiles(Index rows, Index columns, Index height, Index width) {
  std::vector<BagRow> out;
  Index bag = 0;
  for (Index i = 0; i + height <= rows; i += height)
    for (Index j = 0; j + width <= columns; j += width) add_block(out, columns, bag++, i, j, height, width);
  return out;
}

// Draws of f ~ GP(0, kernel) at given points.
class Field {
 public:
  Field(const Kernel& kernel, const Inputs& x) {
    Matrix k = kernel.gram(x);
    k.diagonal().array() += 1e-9 * k(0, 0);
    root_ = internal::Cholesky(k).lower();
  }
  Vector draw(Rng& rng) const { return root_ * rng.normals(root_.rows()); }

 private:
  Matrix root_;
};

}  // namespace iqbo::study

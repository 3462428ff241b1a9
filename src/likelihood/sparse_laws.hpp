// Products with the few nonzero weights of laws.
#pragma once

#include <Eigen/SparseCore>

#include "iqbo/average/laws.hpp"

namespace iqbo::internal {

// left * rows', n x t for n x n: by columns, which a general product of dense and sparse matrices does not do.
inline Matrix times_transposed(const Matrix& left, const SparseRows& rows) {
  Matrix out = Matrix::Zero(left.rows(), rows.rows());
  for (Index i = 0; i < rows.outerSize(); ++i)
    for (SparseRows::InnerIterator it(rows, i); it; ++it) out.col(i) += it.value() * left.col(it.col());
  return out;
}

inline SparseRows scaled_columns(SparseRows weight, const Vector& by) {
  for (Index i = 0; i < weight.outerSize(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it) it.valueRef() *= by[it.col()];
  return weight;
}

inline SparseRows scaled_rows(SparseRows weight, const Vector& by) {
  for (Index i = 0; i < weight.outerSize(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it) it.valueRef() *= by[i];
  return weight;
}

}  // namespace iqbo::internal

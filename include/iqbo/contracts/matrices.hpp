// Functions with which the contracts compare matrices.
#pragma once

#include "iqbo/core/rng.hpp"

namespace iqbo::contracts {

inline double largest(const Matrix& a) { return a.size() == 0 ? 0.0 : a.cwiseAbs().maxCoeff(); }  // absolute entry

inline Matrix random_weight(Rng& rng, Index rows, Index columns) {
  return rng.normals(rows * columns).reshaped(rows, columns);
}

}  // namespace iqbo::contracts

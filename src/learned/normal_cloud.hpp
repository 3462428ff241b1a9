// Points with equal weights that stand for a standard normal law: in pairs z and -z, with variance 1 along each axis.
#pragma once

#include <cmath>

#include "iqbo/core/rng.hpp"

namespace iqbo {

// `count` is even.
inline Rows normal_cloud(Index count, Index dimension) {
  Rng rng(20263);
  Rows out(count, dimension);
  for (Index i = 0; i < count; i += 2) {
    out.row(i) = rng.normals(dimension).transpose();
    out.row(i + 1) = -out.row(i);
  }
  for (Index c = 0; c < dimension; ++c) out.col(c) /= std::sqrt(out.col(c).squaredNorm() / static_cast<double>(count));
  return out;
}

}  // namespace iqbo

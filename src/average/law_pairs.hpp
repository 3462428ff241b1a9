// Pairs of laws, as averages of kernels see them.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

using Array = Eigen::ArrayXd;
using Columns = Eigen::ArrayXXd;  // one coordinate a column, contiguous

// n pairs of laws, coordinate by coordinate.
struct LawPairs {
  Columns delta;            // centre - centre'
  Columns var;              // sd^2 + sd'^2
  Columns w, v;             // half-widths
  std::vector<bool> boxed;  // per coordinate: is any half-width positive?
  std::vector<bool> even;   // per coordinate: is var the same in all pairs?

  Index size() const { return delta.rows(); }
};

}  // namespace iqbo

// Pairs of laws, in the form that averages of kernels need.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

using Array = Eigen::ArrayXd;
using Columns = Eigen::ArrayXXd;  // one coordinate per column, contiguous

// n pairs of laws, coordinate by coordinate.
struct LawPairs {
  Columns delta;            // centre - centre'
  Columns var;              // sd^2 + sd'^2
  Columns w, v;             // half-widths
  std::vector<bool> boxed;  // per coordinate: whether any half-width is positive
  std::vector<bool> even;   // per coordinate: whether var is the same in all pairs

  Index size() const { return delta.rows(); }
};

}  // namespace iqbo

// Pairs of laws, in the form that averages of kernels need.
#pragma once

#include <vector>

#include "iqbo/average/laws.hpp"
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

// The columns of a covariance between two batches of laws, one at a time.
class PairColumns {
 public:
  PairColumns(const SpreadLaws& left, const SpreadLaws& right);
  const LawPairs& column(Index j);

 private:
  Columns left_centre_;
  Columns left_var_;
  const SpreadLaws& right_;
  LawPairs pairs_;
  Index current_ = -1;
};

// Each law paired with an independent copy of itself.
LawPairs diagonal_pairs(const SpreadLaws& laws);

}  // namespace iqbo

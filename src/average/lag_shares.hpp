// How much weight each pair of laws gives to every distance of a lattice: a sparse matrix H, pairs by distances.
//
//   q(a_i, a_j) = E k(X_i, X_j) = sum_lag H_(ij),lag k(lag)
//
// Distances are symmetric along each axis, since every stationary part is a function of squares or of cosines. Far ones are
// replaced by nodes (lag_nodes.hpp), of which there are some 90 along an axis of 700 cells. Two runs of a row give weight to
// their lags like a trapezoid, so that its second differences are added up, four numbers for each pair of runs.
#pragma once

#include <optional>
#include <vector>

#include "lag_nodes.hpp"
#include "lattice_laws.hpp"

namespace iqbo::internal {

struct LagShares {
  Rows distance;                                            // one row for each lag or node, in units of X
  Eigen::SparseMatrix<double, Eigen::RowMajor, int> share;  // H: a row for each pair (i, j), i >= j, column by column
  bool exact = true;                                        // all distances are lags

  // `order`: nodes of an octave. Empty if H would have more than `most` entries. On a small lattice H has all lags instead, if
  // these are few for each pair.
  static std::optional<LagShares> of(const LatticePoints& points, const std::vector<LatticeRuns>& laws, Index order,
                                     Index most);

  // Pairs of runs: what H takes to compute.
  static double work(const std::vector<LatticeRuns>& laws);
};

}  // namespace iqbo::internal

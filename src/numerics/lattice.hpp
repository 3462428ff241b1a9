// Points on a lattice, whole or with holes, as a coastline leaves it.
#pragma once

#include <optional>
#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo::internal {

inline constexpr Index kMostLatticeCells = Index{1} << 23;

// Points as cells: column c of `cell` counts spacings from the least coordinate.
struct Lattice {
  Vector spacing;
  std::vector<Index> cells;                                   // along each axis
  Eigen::Matrix<Index, Eigen::Dynamic, Eigen::Dynamic> cell;  // n x d
  Vector origin;                                              // the least coordinates
};

// Empty if the points are off a lattice by more than 1e-9 of its extent, or if it has more than 16 cells per point.
std::optional<Lattice> lattice_of(const Rows& x);

}  // namespace iqbo::internal

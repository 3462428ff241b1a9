// The listed point, or the cell of a tree, that is meant by numbers that went through a spreadsheet: 0.3 for
// 0.30000000000000004. They may be off by kSnap of the axis.
#pragma once

#include "iqbo/space/finite_set.hpp"
#include "iqbo/space/query_tree.hpp"

namespace iqbo::internal {

constexpr double kSnap = 1e-9;

// Rows that mean none are left as they are.
Rows snapped(const InputSet& list, Rows x);
Rows snapped(const QuerySet& list, Rows a);
Rows snapped(const QueryTree& tree, Rows a);
Vector snapped(const Vector& values, Vector column);  // of one coordinate

}  // namespace iqbo::internal

// Vectors and matrices as plain lists, and back: records hold lists, computations matrices.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

inline std::vector<double> list_of(const Vector& values) { return {values.begin(), values.end()}; }

inline std::vector<std::vector<double>> lists_of(const Rows& rows) {
  std::vector<std::vector<double>> out;
  for (Index i = 0; i < rows.rows(); ++i) out.emplace_back(rows.row(i).begin(), rows.row(i).end());
  return out;
}

// All lists must have the same length.
inline Rows rows_of(const std::vector<std::vector<double>>& points) {
  Rows out(static_cast<Index>(points.size()), points.empty() ? 0 : static_cast<Index>(points[0].size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points[i].size(); ++j) out(static_cast<Index>(i), static_cast<Index>(j)) = points[i][j];
  return out;
}

}  // namespace iqbo

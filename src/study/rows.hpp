// Lists of points as matrices, and back.
#pragma once

#include <vector>

#include "iqbo/core/matrix.hpp"

namespace iqbo {

inline Rows rows_of(const std::vector<std::vector<double>>& points) {
  Rows out(static_cast<Index>(points.size()), points.empty() ? 0 : static_cast<Index>(points[0].size()));
  for (std::size_t i = 0; i < points.size(); ++i)
    for (std::size_t j = 0; j < points[i].size(); ++j) out(static_cast<Index>(i), static_cast<Index>(j)) = points[i][j];
  return out;
}

inline std::vector<std::vector<double>> lists_of(const Rows& rows) {
  std::vector<std::vector<double>> out;
  for (Index i = 0; i < rows.rows(); ++i) out.emplace_back(rows.row(i).begin(), rows.row(i).end());
  return out;
}

}  // namespace iqbo

#include "query_encoding.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace iqbo::internal {
namespace {

std::string cell(Index row, Index column, double value) {
  return "row " + std::to_string(row) + ", column " + std::to_string(column) + " is " + readable(value);
}

}  // namespace

QueryEncoding::QueryEncoding(const Queries& logged, const std::vector<Index>& categories) {
  for (const Index column : categories)
    if (column < 0 || column >= logged.dimension())
      refuse("categories", "column " + std::to_string(column), "0 to " + std::to_string(logged.dimension() - 1));
  for (Index c = 0; c < logged.dimension(); ++c) {
    const Vector values = logged.coordinates().col(c);
    Column column{std::find(categories.begin(), categories.end(), c) != categories.end(),
                  values.mean(),
                  std::sqrt((values.array() - values.mean()).square().mean()),
                  values.minCoeff(),
                  values.maxCoeff(),
                  {}};
    if (column.category) {
      column.codes.assign(values.begin(), values.end());
      std::sort(column.codes.begin(), column.codes.end());
      column.codes.erase(std::unique(column.codes.begin(), column.codes.end()), column.codes.end());
    }
    const bool constant = column.lowest == column.highest;
    if (constant)
      notes_.push_back("column " + std::to_string(c) + " of the logged queries is always " + readable(column.lowest) +
                       ": nothing can be learned from it, and it is ignored");
    else
      groups_.push_back({c, column.category ? static_cast<Index>(column.codes.size()) : 1});
    columns_.push_back(std::move(column));
  }
}

std::vector<Index> QueryEncoding::categories() const {
  std::vector<Index> out;
  for (const auto& group : groups_)
    if (columns_[static_cast<std::size_t>(group.column)].category) out.push_back(group.column);
  return out;
}

Vector QueryEncoding::slopes() const {
  Vector out = Vector::Zero(query_dimension());
  for (const auto& group : groups_) {
    const auto& column = columns_[static_cast<std::size_t>(group.column)];
    if (!column.category) out[group.column] = 1.0 / column.sd;
  }
  return out;
}

Vector QueryEncoding::scales(const std::vector<double>& lengthscales) const {
  Vector out(groups());
  for (Index g = 0; g < groups(); ++g) {
    const Index at = groups_[static_cast<std::size_t>(g)].column;
    const auto& column = columns_[static_cast<std::size_t>(at)];
    out[g] = lengthscales[static_cast<std::size_t>(at)] / (column.category ? 1.0 : column.sd);
  }
  return out;
}

Vector QueryEncoding::per_coordinate(const Vector& scale) const {
  require_rows(scale.size(), groups(), "scale");
  std::vector<double> out;
  for (Index g = 0; g < groups(); ++g)
    out.insert(out.end(), static_cast<std::size_t>(groups_[static_cast<std::size_t>(g)].width), scale[g]);
  return Eigen::Map<Vector>(out.data(), static_cast<Index>(out.size()));
}

Matrix QueryEncoding::encoded(const Queries& a, const Vector& scale) const {
  require_columns(a.dimension(), query_dimension(), QuerySpace::kName);
  require_rows(scale.size(), groups(), "scale");
  Index width = 0;
  for (const auto& group : groups_) width += group.width;
  Matrix out = Matrix::Zero(a.size(), width);
  Index at = 0;
  for (Index g = 0; g < groups(); ++g) {
    const auto& group = groups_[static_cast<std::size_t>(g)];
    const auto& column = columns_[static_cast<std::size_t>(group.column)];
    for (Index i = 0; i < a.size(); ++i) {
      const double value = a.coordinates()(i, group.column);
      if (column.category) {
        const auto code = std::lower_bound(column.codes.begin(), column.codes.end(), value);
        if (code == column.codes.end() || *code != value)
          refuse(QuerySpace::kName, cell(i, group.column, value),
                 "one of the " + std::to_string(column.codes.size()) + " categories in the logged pairs");
        out(i, at + (code - column.codes.begin())) = (1.0 / std::numbers::sqrt2) / scale[g];
      } else {
        const double reach = kFarthest * (column.highest - column.lowest);
        if (value < column.lowest - reach || value > column.highest + reach)
          refuse(QuerySpace::kName, cell(i, group.column, value),
                 "a value near the logged ones, " + readable(column.lowest) + " to " + readable(column.highest) +
                     "; are the units the same?");
        out(i, at) = (value - column.mean) / (column.sd * scale[g]);
      }
    }
    at += group.width;
  }
  return out;
}

}  // namespace iqbo::internal

#include "iqbo/conditional/query_map.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

namespace iqbo {
namespace {

constexpr Index kMostColumns = 10000;

}  // namespace

QueryMap::QueryMap(Index query_dimension, Index output_dimension, Function function)
    : query_dimension_(query_dimension), output_dimension_(output_dimension), function_(std::move(function)) {}

QueryMap QueryMap::constant(Vector value) {
  require_not_empty(value.size(), "value");
  require_finite(value, "value");
  const Index size = value.size();
  return {0, size,
          [value = std::move(value)](const Queries& a) -> Rows { return value.transpose().replicate(a.size(), 1); }};
}

QueryMap QueryMap::identity(Index dimension) {
  if (dimension < 1 || dimension > kMostColumns)
    refuse("dimension", "is " + std::to_string(dimension), "at least 1 and at most " + std::to_string(kMostColumns));
  std::vector<Index> all(static_cast<std::size_t>(dimension));
  std::iota(all.begin(), all.end(), Index{0});
  return columns(std::move(all));
}

QueryMap QueryMap::columns(std::vector<Index> columns) {
  require_not_empty(static_cast<Index>(columns.size()), "columns");
  for (const Index column : columns)
    if (column < 0 || column >= kMostColumns)
      refuse("columns", "is " + std::to_string(column), "0 to " + std::to_string(kMostColumns - 1));
  const Index largest = *std::max_element(columns.begin(), columns.end());
  const auto size = static_cast<Index>(columns.size());
  return {largest + 1, size,
          [columns = std::move(columns)](const Queries& a) -> Rows { return a.coordinates()(Eigen::all, columns); }};
}

QueryMap QueryMap::affine(Matrix slope, Vector offset) {
  require_not_empty(slope.rows(), "slope");
  require_rows(offset.size(), slope.rows(), "offset");
  require_finite(Rows(slope), "slope");
  require_finite(offset, "offset");
  const Index rows = slope.rows();
  const Index columns = slope.cols();
  return {columns, rows, [slope = std::move(slope), offset = std::move(offset)](const Queries& a) -> Rows {
            return (a.coordinates().leftCols(slope.cols()) * slope.transpose()).rowwise() + offset.transpose();
          }};
}

QueryMap QueryMap::function(Index query_dimension, Index output_dimension, Function function) {
  if (query_dimension < 1) refuse("query_dimension", "is " + std::to_string(query_dimension), "at least 1");
  if (output_dimension < 1) refuse("output_dimension", "is " + std::to_string(output_dimension), "at least 1");
  if (!function) refuse("function", "is empty", "a function of Queries");
  return {query_dimension, output_dimension, std::move(function)};
}

Rows QueryMap::operator()(const Queries& a) const {
  if (a.dimension() < query_dimension_)
    refuse(QuerySpace::kName, std::to_string(a.dimension()) + " columns",
           "at least " + std::to_string(query_dimension_));
  Rows out = query_dimension_ == 0 || query_dimension_ == a.dimension()
                 ? function_(a)
                 : function_(Queries(a.coordinates().leftCols(query_dimension_)));
  require_rows(out.rows(), a.size(), "map of a");
  require_columns(out.cols(), output_dimension_, "map of a");
  require_finite(out, "map of a");
  return out;
}

}  // namespace iqbo

#include "iqbo/conditional/query_map.hpp"

#include <algorithm>
#include <numeric>
#include <string>
#include <utility>

#include "numerics/central_differences.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr Index kMostColumns = 10000;

Rows through(const std::vector<Matrix>& jacobian, const Queries& a, const Rows& weight) {
  require_rows(static_cast<Index>(jacobian.size()), a.size(), "jacobian of a");
  Rows out(a.size(), a.dimension());
  for (Index i = 0; i < a.size(); ++i) {
    const Matrix& j = jacobian[static_cast<std::size_t>(i)];
    require_rows(j.rows(), weight.cols(), "jacobian of a");
    require_columns(j.cols(), a.dimension(), "jacobian of a");
    require_finite(Rows(j), "jacobian of a");
    out.row(i) = weight.row(i) * j;
  }
  return out;
}

}  // namespace

QueryMap::QueryMap(Index query_dimension, Index output_dimension, Function function, PullBack pull_back)
    : query_dimension_(query_dimension),
      output_dimension_(output_dimension),
      function_(std::move(function)),
      pull_back_(std::move(pull_back)) {}

QueryMap QueryMap::constant(Vector value) {
  require_not_empty(value.size(), "value");
  require_finite(value, "value");
  const Index size = value.size();
  return {0, size,
          [value = std::move(value)](const Queries& a) -> Rows { return value.transpose().replicate(a.size(), 1); },
          [](const Queries& a, const Rows&) -> Rows { return Rows::Zero(a.size(), a.dimension()); }};
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
  return {largest + 1, size, [columns](const Queries& a) -> Rows { return a.coordinates()(Eigen::all, columns); },
          [columns](const Queries& a, const Rows& weight) {
            Rows out = Rows::Zero(a.size(), a.dimension());
            for (std::size_t c = 0; c < columns.size(); ++c) out.col(columns[c]) += weight.col(static_cast<Index>(c));
            return out;
          }};
}

QueryMap QueryMap::affine(Matrix slope, Vector offset) {
  require_not_empty(slope.rows(), "slope");
  require_rows(offset.size(), slope.rows(), "offset");
  require_finite(Rows(slope), "slope");
  require_finite(offset, "offset");
  const Index rows = slope.rows();
  const Index columns = slope.cols();
  PullBack pull_back = [slope](const Queries&, const Rows& weight) -> Rows { return weight * slope; };
  Function function = [slope = std::move(slope), offset = std::move(offset)](const Queries& a) -> Rows {
    return (a.coordinates().leftCols(slope.cols()) * slope.transpose()).rowwise() + offset.transpose();
  };
  return {columns, rows, std::move(function), std::move(pull_back)};
}

QueryMap QueryMap::function(Index query_dimension, Index output_dimension, Function function, Jacobian jacobian) {
  if (query_dimension < 1) refuse("query_dimension", "is " + std::to_string(query_dimension), "at least 1");
  if (output_dimension < 1) refuse("output_dimension", "is " + std::to_string(output_dimension), "at least 1");
  if (!function) refuse("function", "is empty", "a function of Queries");
  PullBack pull_back;
  if (jacobian)
    pull_back = [jacobian = std::move(jacobian)](const Queries& a, const Rows& weight) {
      return through(jacobian(a), a, weight);
    };
  return {query_dimension, output_dimension, std::move(function), std::move(pull_back)};
}

Queries QueryMap::read(const Queries& a) const {
  if (a.dimension() < query_dimension_)
    refuse(QuerySpace::kName, std::to_string(a.dimension()) + " columns",
           "at least " + std::to_string(query_dimension_));
  if (query_dimension_ == 0 || query_dimension_ == a.dimension()) return a;
  return Queries(a.coordinates().leftCols(query_dimension_));
}

Rows QueryMap::operator()(const Queries& a) const {
  Rows out = function_(read(a));
  require_rows(out.rows(), a.size(), "map of a");
  require_columns(out.cols(), output_dimension_, "map of a");
  require_finite(out, "map of a");
  return out;
}

Rows QueryMap::pull_back(const Queries& a, const Rows& weight) const {
  require_rows(weight.rows(), a.size(), "weight");
  require_columns(weight.cols(), output_dimension_, "weight");
  const Queries seen = read(a);
  const auto weighted = [&](const Queries& moved) -> Vector {
    return ((*this)(moved).array() * weight.array()).rowwise().sum();
  };
  Rows out = Rows::Zero(a.size(), a.dimension());
  out.leftCols(seen.dimension()) =
      pull_back_ ? pull_back_(seen, weight) : central_differences(seen, default_steps(seen), weighted);
  return out;
}

}  // namespace iqbo

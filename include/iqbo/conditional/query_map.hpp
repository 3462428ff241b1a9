// A map from queries to vectors, batched: the centre mu(a) of a window, or its width.
//
//   QueryMap::constant(v)         the same vector for every query; a plain number converts
//   QueryMap::identity(d)         the query itself
//   QueryMap::columns({0, 1})     some of its coordinates: a = (xi, delta) in R^2 x R+ has centre columns({0, 1}) and
//                                 width columns({2})
//   QueryMap::affine(B, c)        B a + c
//   QueryMap::function(3, 2, fn)  a user's function of a batch of queries in R^3, one row of two numbers per query
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

class QueryMap {
 public:
  using Function = std::function<Rows(const Queries&)>;

  static QueryMap constant(Vector value);
  static QueryMap identity(Index dimension);
  static QueryMap columns(std::vector<Index> columns);
  static QueryMap affine(Matrix slope, Vector offset);
  static QueryMap function(Index query_dimension, Index output_dimension, Function function);

  QueryMap(double value) : QueryMap(constant(Vector::Constant(1, value))) {}  // NOLINT(google-explicit-constructor)

  // How many coordinates the map reads: 0 for a constant, one past the last of columns().
  Index query_dimension() const { return query_dimension_; }
  Index output_dimension() const { return output_dimension_; }

  // One row per query, which may have coordinates that the map does not read. What a user's function returns is checked
  // for shape and finiteness; what it throws passes through.
  Rows operator()(const Queries& a) const;

 private:
  QueryMap(Index query_dimension, Index output_dimension, Function function);

  Index query_dimension_;
  Index output_dimension_;
  Function function_;
};

}  // namespace iqbo

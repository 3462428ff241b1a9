// A map from queries to vectors, batched: the centre mu(a) of a window, or its width.
//
//   QueryMap::constant(v)         the same vector for every query; a plain number converts
//   QueryMap::identity(d)         the query itself
//   QueryMap::columns({0, 1})     some of its coordinates: a = (xi, delta) in R^2 x R+ has centre columns({0, 1}) and
//                                 width columns({2})
//   QueryMap::affine(B, c)        B a + c
//   QueryMap::function(3, 2, fn)  a user's function of a batch of queries in R^3 that returns two numbers per query
//
// pull_back() gives gradients through the map. They are exact, except through a user's function that comes without its
// Jacobian: there they are central differences with steps of 6e-6 max(1, |a_c|), accurate to about nine digits if the
// function varies over lengths of that order, and the function must be defined that far around every query.
#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo {

class QueryMap {
 public:
  using Function = std::function<Rows(const Queries&)>;
  using Jacobian = std::function<std::vector<Matrix>(const Queries&)>;  // (d output_r / d a_c), one matrix per query

  static QueryMap constant(Vector value);
  static QueryMap identity(Index dimension);
  static QueryMap columns(std::vector<Index> columns);
  static QueryMap affine(Matrix slope, Vector offset);
  static QueryMap function(Index query_dimension, Index output_dimension, Function function, Jacobian jacobian = {});

  QueryMap(double value) : QueryMap(constant(Vector::Constant(1, value))) {}  // NOLINT(google-explicit-constructor)

  // How many coordinates the map reads: 0 for a constant, one past the last of columns().
  Index query_dimension() const { return query_dimension_; }
  Index output_dimension() const { return output_dimension_; }

  // One row per query, which may have coordinates that the map does not read. Values returned by a user's function are
  // checked for shape and finiteness; exceptions that it throws propagate.
  Rows operator()(const Queries& a) const;

  bool has_jacobian() const { return static_cast<bool>(pull_back_); }  // false: central differences

  // Row i: J(a_i)' weight_i, J = d output / d a. It has as many columns as a.
  Rows pull_back(const Queries& a, const Rows& weight) const;

 private:
  using PullBack = std::function<Rows(const Queries&, const Rows&)>;

  QueryMap(Index query_dimension, Index output_dimension, Function function, PullBack pull_back);

  Queries read(const Queries& a) const;  // only the coordinates that the map reads

  Index query_dimension_;
  Index output_dimension_;
  Function function_;
  PullBack pull_back_;  // null: central differences
};

}  // namespace iqbo

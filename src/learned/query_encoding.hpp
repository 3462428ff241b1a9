// Queries as learning uses them: numbers without units, categories without order.
//
//   numeric column      (a - mean) / sd over the logged queries; a constant column is dropped, with a note
//   categorical column  a code; two queries are at squared distance 1 if the codes differ, 0 if they agree
//
// Both become coordinates of one Euclidean space; each original column is a group of coordinates with its own scale.
#pragma once

#include <string>
#include <vector>

#include "iqbo/core/points.hpp"

namespace iqbo::internal {

class QueryEncoding {
 public:
  // `categories` are the columns that hold codes.
  QueryEncoding(const Queries& logged, const std::vector<Index>& categories);

  Index query_dimension() const { return static_cast<Index>(columns_.size()); }
  Index groups() const { return static_cast<Index>(groups_.size()); }
  const std::vector<std::string>& notes() const { return notes_; }
  std::vector<Index> categories() const;  // columns of codes that are not all alike

  // One row per query; columns of group g are divided by scale[g]. Refuses a category that was never logged, and
  // numbers so far from the logged ones (kFarthest times their range) that the units must differ.
  Matrix encoded(const Queries& a, const Vector& scale) const;

  // d (encoded coordinate) / d a at scale 1, per query column; 0 for categories and ignored columns.
  Vector slopes() const;

  // The scale of each group that stands for these lengthscales: one per query column, in its unit.
  Vector scales(const std::vector<double>& lengthscales) const;

  // The scale of each encoded coordinate.
  Vector per_coordinate(const Vector& scale) const;

  static constexpr double kFarthest = 10.0;

 private:
  struct Column {
    bool category;
    double mean, sd, lowest, highest;
    std::vector<double> codes;
  };
  struct Group {
    Index column;
    Index width;  // encoded coordinates
  };

  std::vector<Column> columns_;
  std::vector<Group> groups_;
  std::vector<std::string> notes_;
};

}  // namespace iqbo::internal

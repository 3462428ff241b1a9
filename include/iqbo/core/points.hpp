// Points that know which space they live in.
//
// Confusing an input with a query is the one mistake this problem invites, so the tag turns it into a compile error
// (tests/compile_fail proves it).
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <utility>

#include "iqbo/core/check.hpp"
#include "iqbo/core/matrix.hpp"

namespace iqbo {

// A batch of n points of dimension d, one point per row; every coordinate is finite. Immutable.
template <class Space>
class Points {
 public:
  Points() = default;

  // Refuses NaN, infinity and points without coordinates. `name` is what an error calls the argument.
  explicit Points(Rows coordinates, std::string_view name = Space::kName) : coordinates_(std::move(coordinates)) {
    if (coordinates_.rows() > 0 && coordinates_.cols() == 0) refuse(name, "0 columns", "at least one");
    require_finite(coordinates_, name);
  }

  // Points({{0.1, 2.0}, {0.4, 3.0}})
  Points(std::initializer_list<std::initializer_list<double>> rows) : Points(from_lists(rows)) {}

  // Points on a line: one coordinate each.
  static Points line(const Eigen::Ref<const Vector>& values) { return Points(Rows(values)); }

  Index size() const { return coordinates_.rows(); }
  Index dimension() const { return coordinates_.cols(); }
  bool empty() const { return size() == 0; }

  const Rows& coordinates() const { return coordinates_; }
  auto row(Index i) const { return coordinates_.row(i); }

  Points slice(Index begin, Index count) const {
    if (begin < 0 || count < 0 || begin > size() - count)
      refuse(Space::kName, "slice of " + std::to_string(count) + " from row " + std::to_string(begin),
             "rows 0 to " + std::to_string(size() - 1));
    return Points(kChecked, coordinates_.middleRows(begin, count));
  }

  // The same points in the same order, of the same dimension.
  bool operator==(const Points& other) const {
    return size() == other.size() && dimension() == other.dimension() && coordinates_ == other.coordinates_;
  }

  // These points followed by `more`, which must have the same dimension; joining to no points gives `more`.
  Points joined(const Points& more) const {
    if (empty()) return more;
    if (more.empty()) return *this;
    require_columns(more.dimension(), dimension(), Space::kName);
    return Points(kChecked, stacked(coordinates_, more.coordinates_));
  }

 private:
  enum Checked { kChecked };
  Points(Checked, Rows coordinates) : coordinates_(std::move(coordinates)) {}

  static Rows from_lists(std::initializer_list<std::initializer_list<double>> rows) {
    Rows out(static_cast<Index>(rows.size()), rows.size() == 0 ? 0 : static_cast<Index>(rows.begin()->size()));
    Index i = 0;
    for (const auto& row : rows) {
      if (static_cast<Index>(row.size()) != out.cols())
        refuse(Space::kName, "row " + std::to_string(i) + " has " + std::to_string(row.size()) + " columns",
               std::to_string(out.cols()));
      Index j = 0;
      for (const double value : row) out(i, j++) = value;
      ++i;
    }
    return out;
  }

  Rows coordinates_;
};

struct InputSpace {
  static constexpr std::string_view kName = "x";
};
struct QuerySpace {
  static constexpr std::string_view kName = "a";
};

using Inputs = Points<InputSpace>;   // x in X, where f lives
using Queries = Points<QuerySpace>;  // a in A, what we may ask

}  // namespace iqbo

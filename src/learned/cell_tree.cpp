#include "cell_tree.hpp"

#include <algorithm>
#include <numeric>
#include <queue>

#include "iqbo/core/stop.hpp"

namespace iqbo {
namespace {

struct Cell {
  Index begin, end;  // of the row numbers
  Index across = 0;  // coordinate
  double at = 0.0;
  double squares = 0.0;  // sum over all coordinates; 0: the points coincide

  bool operator<(const Cell& other) const {
    return squares != other.squares ? squares < other.squares : begin > other.begin;
  }
};

class Divider {
 public:
  explicit Divider(const Matrix& points) : points_(points), rows_(static_cast<std::size_t>(points.rows())) {
    std::iota(rows_.begin(), rows_.end(), std::int32_t{0});
  }

  Division operator()(Index count) {
    std::priority_queue<Cell> cells;
    if (points_.rows() > 0) cells.push(measured(0, points_.rows()));
    while (!cells.empty() && static_cast<Index>(cells.size()) < count && cells.top().squares > 0.0) {
      stop_point();
      const Cell whole = cells.top();
      cells.pop();
      const double* value = points_.col(whole.across).data();
      const auto middle = std::stable_partition(rows_.begin() + whole.begin, rows_.begin() + whole.end,
                                                [&](std::int32_t row) { return value[row] <= whole.at; });
      const auto between = static_cast<Index>(middle - rows_.begin());
      cells.push(measured(whole.begin, between));
      cells.push(measured(between, whole.end));
    }
    return numbered(cells);
  }

 private:
  Cell measured(Index begin, Index end) const {
    Cell out{begin, end};
    const auto n = static_cast<double>(end - begin);
    double widest = 0.0;
    for (Index c = 0; c < points_.cols(); ++c) {
      const double* value = points_.col(c).data();
      double sum = 0.0, low = value[at(begin)], high = low;
      for (Index i = begin; i < end; ++i) {
        const double here = value[at(i)];
        sum += here;
        low = std::min(low, here);
        high = std::max(high, here);
      }
      if (low == high) continue;
      const double mean = std::min(std::max(sum / n, low), std::nextafter(high, low));  // both halves have points
      double squares = 0.0;
      for (Index i = begin; i < end; ++i) squares += (value[at(i)] - mean) * (value[at(i)] - mean);
      out.squares += squares;
      if (squares > widest) {
        widest = squares;
        out.across = c;
        out.at = mean;
      }
    }
    if (widest == 0.0) out.squares = 0.0;  // differences whose squares vanish
    return out;
  }

  // Cells in the order of their rows, so that near cells have near numbers.
  Division numbered(std::priority_queue<Cell>& cells) const {
    std::vector<std::pair<Index, Index>> spans;
    for (; !cells.empty(); cells.pop()) spans.emplace_back(cells.top().begin, cells.top().end);
    std::sort(spans.begin(), spans.end());
    Division out{std::vector<std::int32_t>(rows_.size()), static_cast<Index>(spans.size())};
    for (std::size_t k = 0; k < spans.size(); ++k)
      for (Index i = spans[k].first; i < spans[k].second; ++i)
        out.cell[static_cast<std::size_t>(at(i))] = static_cast<std::int32_t>(k);
    return out;
  }

  std::int32_t at(Index i) const { return rows_[static_cast<std::size_t>(i)]; }

  const Matrix& points_;
  std::vector<std::int32_t> rows_;
};

}  // namespace

Division divided(const Matrix& points, Index count) { return Divider(points)(count); }

}  // namespace iqbo

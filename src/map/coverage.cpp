#include "coverage.hpp"

#include <algorithm>
#include <cmath>

namespace iqbo::internal {
namespace {

constexpr double kSliver = 1e-9;  // smaller shares are rounding: two borders that should coincide

struct Window {
  Index first_row, first_column;
  Index rows, columns;
};

// The cells that the bounding box of the rings meets.
Window window_of(const std::vector<MapRing>& rings, Index rows, Index columns) {
  Eigen::RowVector2d low(1e300, 1e300);
  Eigen::RowVector2d high(-1e300, -1e300);
  for (const MapRing& ring : rings)
    if (ring.points.rows() > 0) {
      low = low.cwiseMin(ring.points.colwise().minCoeff());
      high = high.cwiseMax(ring.points.colwise().maxCoeff());
    }
  const auto cell = [](double value, Index most) {
    return static_cast<Index>(std::clamp(std::floor(value), 0.0, static_cast<double>(most)));
  };
  const Index r = cell(low[1], rows);
  const Index c = cell(low[0], columns);
  return {r, c, std::max<Index>(cell(std::ceil(high[1]), rows) - r, 0),
          std::max<Index>(cell(std::ceil(high[0]), columns) - c, 0)};
}

double signed_area(const Rows& p) {
  double twice = 0;
  for (Index i = 0, j = p.rows() - 1; i < p.rows(); j = i++)  // about the first point: coordinates may be large
    twice += (p(j, 0) - p(0, 0)) * (p(i, 1) - p(0, 1)) - (p(i, 0) - p(0, 0)) * (p(j, 1) - p(0, 1));
  return twice / 2;
}

// Sums over edges. A cell is covered by inside + the sum of beyond up to its column.
class Sums {
 public:
  explicit Sums(const Window& window)
      : window_(window),
        inside_(Rows::Zero(window.rows, window.columns)),
        beyond_(Rows::Zero(window.rows, window.columns + 1)) {}

  void add(const MapRing& ring) {
    const double sign = (signed_area(ring.points) < 0) == ring.hole ? -1.0 : 1.0;
    const Index n = ring.points.rows();
    for (Index i = 0, j = n - 1; i < n; j = i++)
      add_edge(ring.points(j, 0), ring.points(j, 1), ring.points(i, 0), ring.points(i, 1), sign);
  }

  std::vector<CellShare> shares() const {
    std::vector<CellShare> out;
    for (Index r = 0; r < window_.rows; ++r) {
      double before = 0;
      for (Index c = 0; c < window_.columns; ++c) {
        before += beyond_(r, c);
        const double share = std::clamp(before + inside_(r, c), 0.0, 1.0);
        if (share > kSliver) out.push_back({window_.first_row + r, window_.first_column + c, share});
      }
    }
    return out;
  }

 private:
  void add_edge(double x0, double y0, double x1, double y1, double sign) {
    if (y0 == y1) return;
    if (y0 > y1) {
      std::swap(x0, x1);
      std::swap(y0, y1);
      sign = -sign;
    }
    const auto top = static_cast<double>(window_.first_row);
    const auto left = static_cast<double>(window_.first_column);
    const double slope = (x1 - x0) / (y1 - y0);
    const double from = std::max(y0 - top, 0.0);
    const double to = std::min(y1 - top, static_cast<double>(window_.rows));
    for (auto r = static_cast<Index>(from); r < window_.rows && static_cast<double>(r) < to; ++r) {
      const double a = std::max(from, static_cast<double>(r));
      const double b = std::min(to, static_cast<double>(r + 1));
      const auto at = [&](double y) {
        return std::clamp(x0 + slope * (y + top - y0), std::min(x0, x1), std::max(x0, x1)) - left;
      };
      if (b > a) add_in_row(r, at(a), at(b), sign * (b - a));
    }
  }

  // A piece of an edge within a row, from x to x', that rises by dy.
  void add_in_row(Index r, double x, double y, double dy) {
    const double low = std::min(x, y);
    const double high = std::max(x, y);
    const auto width = static_cast<double>(window_.columns);
    if (low >= width) return;
    if (high <= 0 || high == low) {
      add_in_cell(r, low, low, dy);
      return;
    }
    const double rise = dy / (high - low);
    if (low < 0) beyond_(r, 0) -= rise * low;
    const double end = std::min(high, width);
    for (double from = std::max(low, 0.0); from < end;) {
      const double to = std::min(std::floor(from) + 1, end);
      add_in_cell(r, from, to, rise * (to - from));
      from = to;
    }
  }

  void add_in_cell(Index r, double from, double to, double dy) {
    if (from < 0) {
      beyond_(r, 0) += dy;
      return;
    }
    const auto c = static_cast<Index>(from);
    inside_(r, c) += dy * (static_cast<double>(c + 1) - (from + to) / 2);
    beyond_(r, c + 1) += dy;
  }

  Window window_;
  Rows inside_;
  Rows beyond_;
};

}  // namespace

std::vector<CellShare> covered_cells(const std::vector<MapRing>& rings, Index rows, Index columns) {
  const Window window = window_of(rings, rows, columns);
  if (window.rows == 0 || window.columns == 0) return {};
  Sums sums(window);
  for (const MapRing& ring : rings)
    if (ring.points.rows() > 2) sums.add(ring);
  return sums.shares();
}

}  // namespace iqbo::internal

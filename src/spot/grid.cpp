#include "grid.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/lattice.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kSame = 1e-9;
// Along an axis, on a line and in the plane. X has too many places for finer windows: no budget looks through all of them,
// and a suggestion would take longer than an answer is worth.
constexpr double kMostWindows[] = {64.0, 16.0};
constexpr Index kMostPoints = 512;  // along an axis
constexpr double kSteps = 4.0;      // of the lattice to the smallest window, where f is interpolated
constexpr double kBeyond = 0.5;     // the lattice reaches so many extents of X beyond X
constexpr double kAlike = 0.05;     // sizes that differ by less are one
constexpr double kCut = 2.1;        // a corner cuts a window down to a quarter, which is half as wide

// Weights along both axes, if the law is their product.
std::optional<std::array<Vector, 2>> marginals(const SparseRows& weight, Index row, const std::vector<GridCell>& cells,
                                               Index n0, Index n1) {
  std::array<Vector, 2> out{Vector::Zero(n0), Vector::Zero(n1)};
  double total = 0.0;
  for (SparseRows::InnerIterator it(weight, row); it; ++it) {
    const auto& [i, j] = cells[static_cast<std::size_t>(it.col())];
    out[0][i] += it.value();
    out[1][j] += it.value();
    total += it.value();
  }
  if (std::abs(total - 1.0) > kSame || out[0].minCoeff() < 0.0 || out[1].minCoeff() < 0.0) return std::nullopt;
  const double largest = out[0].maxCoeff() * out[1].maxCoeff();
  Index carried = 0;
  for (SparseRows::InnerIterator it(weight, row); it; ++it) {
    const auto& [i, j] = cells[static_cast<std::size_t>(it.col())];
    if (std::abs(it.value() - out[0][i] * out[1][j]) > kSame * largest) return std::nullopt;
    if (it.value() != 0.0) ++carried;
  }
  const auto along = [](const Vector& one) { return (one.array() > 0.0).count(); };
  if (carried != along(out[0]) * along(out[1])) return std::nullopt;
  return out;
}

double spacing_of(const Vector& point) { return point.size() < 2 ? 0.0 : point[1] - point[0]; }

}  // namespace

Index SpotGrid::Axis::find_or_add(const Vector& row) {
  std::array<Index, 2> here{0, row.size() - 1};
  while (here[0] < here[1] && std::abs(row[here[0]]) < kSame) ++here[0];
  while (here[0] < here[1] && std::abs(row[here[1]]) < kSame) --here[1];
  for (Index i = 0; i < law.rows(); ++i)
    if (extent[static_cast<std::size_t>(i)] == here && (law.row(i).transpose() - row).cwiseAbs().maxCoeff() < kSame)
      return i;
  law.conservativeResize(law.rows() + 1, point.size());
  law.row(law.rows() - 1) = row.transpose();
  extent.push_back(here);
  return law.rows() - 1;
}

// Of the uniform law that has the same variance. A pixel is as wide as the spacing; interpolation adds a sixth of its square.
double SpotGrid::width(int axis, Index row) const {
  const Vector& point = points(axis);
  const auto law = laws(axis).row(row);
  const double mean = law.dot(point), spacing = spacing_of(point);
  const double var = law.dot((point.array() - mean).square().matrix());
  return std::sqrt(std::max(12.0 * var + (support_ != nullptr ? 1.0 : -2.0) * spacing * spacing, 0.0));
}

double SpotGrid::first(int axis) const { return points(axis)[axes_[static_cast<std::size_t>(axis)].inside[0]]; }
double SpotGrid::last(int axis) const { return points(axis)[axes_[static_cast<std::size_t>(axis)].inside[1]]; }
double SpotGrid::extent(int axis) const {
  return last(axis) - first(axis) + (listed_ ? spacing_of(points(axis)) : 0.0);
}

std::optional<Index> SpotGrid::row_along(const Laws& laws, Index i, std::size_t axis) {
  const auto law = AxisLaw::of(laws, i, static_cast<Index>(axis));
  if (!law) return std::nullopt;
  const std::array<double, 3> key{law->centre, law->sd, law->half_width};
  auto& known = axes_[axis].windows;
  if (!law->is_discrete())
    if (const auto found = known.find(key); found != known.end()) return found->second;
  const auto c = static_cast<Index>(axis);
  const auto weights = hat_weights(*law, {origin_[c], step_[c], axes_[axis].point.size()});
  if (!weights) return std::nullopt;
  const Index row = axes_[axis].find_or_add(*weights);
  if (!law->is_discrete()) known.emplace(key, row);
  return row;
}

std::optional<GridQuery> SpotGrid::window_row(const Laws& laws, Index i) {
  GridQuery out;
  if (dimension_ == 1) out.row[1] = axes_[1].find_or_add(Vector::Ones(1));
  for (std::size_t c = 0; c < static_cast<std::size_t>(dimension_); ++c) {
    const auto row = row_along(laws, i, c);
    if (!row) return std::nullopt;
    out.row[c] = *row;
  }
  return out;
}

std::optional<std::vector<GridQuery>> SpotGrid::rows(const Conditional& conditional, const Queries& a) {
  std::vector<GridQuery> out;
  if (a.empty()) return out;
  const Laws laws = conditional.laws(a);
  if (laws.parts().size() != 1) return std::nullopt;
  const auto* discrete = std::get_if<DiscreteLaws>(&laws.parts().front().kind);
  if ((discrete != nullptr) != (support_ != nullptr)) return std::nullopt;
  if (discrete != nullptr && *discrete->support != *support_) return std::nullopt;
  for (Index i = 0; i < a.size(); ++i) {
    GridQuery query;
    if (discrete != nullptr) {
      const auto both = marginals(discrete->weight, i, support_cells_, points(0).size(), points(1).size());
      if (!both) return std::nullopt;
      for (std::size_t c = 0; c < 2; ++c) query.row[c] = axes_[c].find_or_add((*both)[c]);
    } else {
      const auto interpolated = window_row(laws, i);
      if (!interpolated) return std::nullopt;
      query = *interpolated;
    }
    out.push_back(query);
  }
  return out;
}

std::optional<GridCell> SpotGrid::cell_of(const Eigen::Ref<const Eigen::RowVectorXd>& x) const {
  GridCell out{};
  for (Index c = 0; c < x.size(); ++c) {
    const double at = step_[c] > 0.0 ? (x[c] - origin_[c]) / step_[c] : 0.0;
    const auto nearest = static_cast<Index>(std::lround(at));
    if (std::abs(at - static_cast<double>(nearest)) > 1e-6 || nearest < 0 ||
        nearest >= points(static_cast<int>(c)).size())
      return std::nullopt;
    out[static_cast<std::size_t>(c)] = nearest;
  }
  return out;
}

std::optional<GridQuery> SpotGrid::row(const Eigen::Ref<const Eigen::RowVectorXd>& x) {
  if (support_ == nullptr) return window_row(Inputs(Rows(x)), 0);
  const auto cell = cell_of(x);
  if (!cell) return std::nullopt;
  GridQuery out;
  for (std::size_t c = 0; c < 2; ++c)
    out.row[c] = axes_[c].find_or_add(Vector::Unit(axes_[c].point.size(), (*cell)[c]));
  return out;
}

// The axes, still in units of X and from 0 on.
void SpotGrid::place(const Eigen::Ref<const Eigen::RowVectorXd>& origin, const Eigen::Ref<const Vector>& step,
                     const std::vector<Index>& cells) {
  origin_ = origin.transpose();
  step_ = step;
  for (std::size_t c = 0; c < 2; ++c) {
    const bool there = static_cast<Index>(c) < dimension_;
    const Index count = there ? cells[c] : 1;
    axes_[c].point =
        there ? Vector(Vector::LinSpaced(count, 0.0, static_cast<double>(count - 1)) * step_[static_cast<Index>(c)])
              : Vector(Vector::Zero(1));
    axes_[c].law.resize(0, count);
    axes_[c].inside = {0, count - 1};
  }
}

bool SpotGrid::place_targets(const InputSet& x) {
  for (Index i = 0; i < x.size(); ++i) {
    const auto cell = cell_of(x.points().row(i));
    if (!cell) return false;
    cells_.push_back(*cell);
  }
  return true;
}

bool SpotGrid::over_pixels(const TargetSpace& x, const Inputs& support) {
  const auto* list = std::get_if<InputSet>(&x);
  const auto lattice = list != nullptr ? lattice_of(support.coordinates()) : std::nullopt;
  if (!lattice || lattice->cell.rows() < 2) return false;
  if (*std::max_element(lattice->cells.begin(), lattice->cells.end()) > kMostPoints) return false;
  support_ = std::make_shared<const Inputs>(support);
  for (Index i = 0; i < support.size(); ++i)
    support_cells_.push_back({lattice->cell(i, 0), dimension_ == 2 ? lattice->cell(i, 1) : 0});
  place(support.coordinates().colwise().minCoeff(), lattice->spacing, lattice->cells);
  return place_targets(*list);
}

bool SpotGrid::over_windows(const TargetSpace& x, const Laws& windows) {
  const auto* list = std::get_if<InputSet>(&x);
  listed_ = list != nullptr;
  const auto lattice = listed_ ? lattice_of(list->points().coordinates()) : std::nullopt;
  if (listed_ && !lattice) return false;
  const Bounds box = bounds(x);
  Eigen::RowVectorXd origin(dimension_);
  Vector step(dimension_);
  std::vector<Index> cells, below, inside;
  for (Index c = 0; c < dimension_; ++c) {
    const double extent = box.width()[c];
    double least = std::numeric_limits<double>::infinity(), low = box.lower[c], high = box.upper[c];
    for (Index i = 0; i < windows.size(); ++i) {
      const auto law = AxisLaw::of(windows, i, c);
      if (!law) return false;
      if (law->width() > 0.0) least = std::min(least, law->width());
      low = std::min(low, law->low());
      high = std::max(high, law->high());
    }
    if (!std::isfinite(least) || !(extent > 0.0)) return false;
    const double unit = std::max(least, extent / kMostWindows[dimension_ - 1]);
    const double coarse = listed_ ? lattice->spacing[c] : extent;
    step[c] = coarse / std::ceil(kSteps * coarse / unit - kSame);
    const auto steps = [&](double length) {
      return static_cast<Index>(std::ceil(std::min(length, kBeyond * extent) / step[c] - kSame));
    };
    below.push_back(steps(box.lower[c] - low));
    inside.push_back(static_cast<Index>(std::lround(extent / step[c])) + 1);
    cells.push_back(below.back() + inside.back() + steps(high - box.upper[c]));
    if (cells.back() > kMostPoints) return false;
    origin[c] = box.lower[c] - static_cast<double>(below.back()) * step[c];
  }
  place(origin, step, cells);
  for (std::size_t c = 0; c < below.size(); ++c) axes_[c].inside = {below[c], below[c] + inside[c] - 1};
  if (listed_) return place_targets(*list);
  for (Index i = axes_[0].inside[0]; i <= axes_[0].inside[1]; ++i)
    for (Index j = axes_[1].inside[0]; j <= axes_[1].inside[1]; ++j) cells_.push_back({i, j});
  return true;
}

// Units and sizes. False if all windows have one size.
bool SpotGrid::measure(const std::vector<GridQuery>& queries) {
  unit_ = Vector::Ones(dimension_);
  for (int c = 0; c < dimension_; ++c) {
    double least = std::numeric_limits<double>::infinity();
    for (Index i = 0; i < laws(c).rows(); ++i) least = std::min(least, width(c, i));
    if (support_ != nullptr && least <= 0.0) return false;
    unit_[c] = std::max(least, extent(c) / kMostWindows[dimension_ - 1]);
  }
  for (int c = 0; c < dimension_; ++c) {
    axes_[static_cast<std::size_t>(c)].point /= unit_[c];
    spacing_ = std::max(spacing_, spacing_of(points(c)));
  }
  side_ = dimension_ == 2 ? std::sqrt(extent(0) * extent(1)) : extent(0);
  for (const GridQuery& one : queries) {
    double size = width(0, one.row[0]);
    if (dimension_ == 2) size = std::sqrt(size * width(1, one.row[1]));
    const bool known =
        std::any_of(sizes_.begin(), sizes_.end(), [&](double other) { return std::abs(other - size) < kAlike * size; });
    if (!known) sizes_.push_back(size);
  }
  std::sort(sizes_.begin(), sizes_.end());
  return sizes_.size() > 1 && sizes_.front() <= 1.5;
}

std::optional<SpotGrid> SpotGrid::of(const TargetSpace& x, const Conditional& conditional, const Queries& probes) {
  if (probes.empty() || dimension(x) > 2) return std::nullopt;
  SpotGrid out;
  out.dimension_ = dimension(x);
  const Inputs* support = conditional.support();
  bool cut = false;
  if (support != nullptr) {
    if (!out.over_pixels(x, *support)) return std::nullopt;
  } else {
    const Laws windows = conditional.laws(probes);
    if (!out.over_windows(x, windows)) return std::nullopt;
    cut = std::holds_alternative<AxisLaws>(windows.parts().front().kind);
  }
  const auto queries = out.rows(conditional, probes);
  if (!queries || !out.measure(*queries)) return std::nullopt;
  if (cut && out.sizes_.back() < kCut * out.sizes_.front()) return std::nullopt;
  return out;
}

Vector SpotGrid::at_targets(const Matrix& field) const {
  Vector out(static_cast<Index>(cells_.size()));
  for (std::size_t i = 0; i < cells_.size(); ++i) out[static_cast<Index>(i)] = field(cells_[i][0], cells_[i][1]);
  return out;
}

std::optional<std::vector<GridCell>> SpotGrid::cells_at(const Inputs& x) const {
  if (support_ == nullptr) return std::nullopt;
  std::vector<GridCell> out;
  for (Index i = 0; i < x.size(); ++i) {
    const auto cell = cell_of(x.row(i));
    if (!cell) return std::nullopt;
    out.push_back(*cell);
  }
  return out;
}

std::optional<Vector> SpotGrid::at(const Matrix& field, const Inputs& x) const {
  Vector out(x.size());
  for (Index k = 0; k < x.size(); ++k) {
    if (support_ != nullptr) {
      const auto cell = cell_of(x.row(k));
      if (!cell) return std::nullopt;
      out[k] = field((*cell)[0], (*cell)[1]);
      continue;
    }
    GridCell low{};
    std::array<double, 2> share{};  // of the next point along each axis
    for (Index c = 0; c < dimension_; ++c) {
      const auto axis = static_cast<std::size_t>(c);
      const Index last = axes_[axis].point.size() - 1;
      const double along = (x.row(k)[c] - origin_[c]) / step_[c];
      if (along < -kSame || along > static_cast<double>(last) + kSame) return std::nullopt;
      low[axis] = std::clamp<Index>(static_cast<Index>(std::floor(along)), 0, std::max<Index>(last - 1, 0));
      share[axis] = std::clamp(along - static_cast<double>(low[axis]), 0.0, 1.0);
    }
    const auto along_first = [&](Index j) {
      const double next = share[0] > 0.0 ? field(low[0] + 1, j) : 0.0;
      return (1.0 - share[0]) * field(low[0], j) + share[0] * next;
    };
    out[k] = (1.0 - share[1]) * along_first(low[1]) + (share[1] > 0.0 ? share[1] * along_first(low[1] + 1) : 0.0);
  }
  return out;
}

SpotGrid::Peak SpotGrid::peak(const Matrix& field, const GridCell& cell) const {
  Rows x(1, dimension_);
  Peak out;
  for (Index c = 0; c < dimension_; ++c) {
    const auto axis = static_cast<std::size_t>(c);
    double move = 0.0;
    if (!listed_ && cell[axis] > axes_[axis].inside[0] && cell[axis] < axes_[axis].inside[1]) {
      GridCell before = cell, after = cell;
      --before[axis], ++after[axis];
      const double slope = 0.5 * (field(after[0], after[1]) - field(before[0], before[1]));
      const double bend = 2.0 * field(cell[0], cell[1]) - field(after[0], after[1]) - field(before[0], before[1]);
      if (bend > 0.0) move = std::clamp(slope / bend, -0.5, 0.5);
      out.rise += move * slope - 0.5 * move * move * bend;
    }
    x(0, c) = origin_[c] + (static_cast<double>(cell[axis]) + move) * step_[c];
  }
  out.x = Inputs(std::move(x));
  return out;
}

}  // namespace iqbo

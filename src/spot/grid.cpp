#include "grid.hpp"

#include <algorithm>
#include <cmath>

#include "numerics/lattice.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kSame = 1e-9;
// Along an axis, on a line and in the plane. X has too many places for finer windows: no budget looks through all of them,
// and a suggestion would take longer than an answer is worth.
constexpr double kMostWindows[] = {64.0, 16.0};

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

// Of a uniform law of that variance over equally spaced points.
double width_of(const Vector& point, const Vector& law, double spacing) {
  const double mean = law.dot(point);
  const double var = law.dot((point.array() - mean).square().matrix());
  return std::sqrt(12.0 * var + spacing * spacing);
}

double least_gap(const Vector& point) {
  return point.size() < 2 ? 0.0 : (point.tail(point.size() - 1) - point.head(point.size() - 1)).minCoeff();
}

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

std::optional<std::vector<GridQuery>> SpotGrid::rows(const Conditional& conditional, const Queries& a) {
  std::vector<GridQuery> out;
  if (a.empty()) return out;
  const Laws laws = conditional.laws(a);
  if (laws.parts().size() != 1) return std::nullopt;
  const auto* discrete = std::get_if<DiscreteLaws>(&laws.parts().front().kind);
  if (discrete == nullptr || discrete->support->coordinates() != support_->coordinates()) return std::nullopt;
  for (Index i = 0; i < a.size(); ++i) {
    const auto both = marginals(discrete->weight, i, support_cells_, points(0).size(), points(1).size());
    if (!both) return std::nullopt;
    out.push_back({{axes_[0].find_or_add((*both)[0]), axes_[1].find_or_add((*both)[1])}});
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
  const auto cell = cell_of(x);
  if (!cell) return std::nullopt;
  GridQuery out;
  for (std::size_t c = 0; c < 2; ++c)
    out.row[c] = axes_[c].find_or_add(Vector::Unit(axes_[c].point.size(), (*cell)[c]));
  return out;
}

std::optional<SpotGrid> SpotGrid::of(const InputSet& x, const Conditional& conditional, const Queries& probes) {
  const Inputs* support = conditional.support();
  if (support == nullptr || probes.empty() || x.dimension() > 2) return std::nullopt;
  const auto lattice = lattice_of(support->coordinates());
  if (!lattice || lattice->cell.rows() < 2) return std::nullopt;
  const Index d = x.dimension();
  SpotGrid out;
  out.support_ = std::make_shared<const Inputs>(*support);
  const Vector origin = support->coordinates().colwise().minCoeff().transpose();
  for (Index i = 0; i < support->size(); ++i)
    out.support_cells_.push_back({lattice->cell(i, 0), d == 2 ? lattice->cell(i, 1) : 0});
  for (Index c = 0; c < 2; ++c) {
    auto& axis = out.axes_[static_cast<std::size_t>(c)];
    const Index count = c < d ? lattice->cells[static_cast<std::size_t>(c)] : 1;
    if (count > 512) return std::nullopt;
    axis.point = c < d ? Vector(Vector::LinSpaced(count, 0.0, static_cast<double>(count - 1)) * lattice->spacing[c])
                       : Vector(Vector::Zero(1));
    axis.law.resize(0, count);
  }
  out.origin_ = origin;
  out.step_ = lattice->spacing;
  for (Index i = 0; i < x.size(); ++i) {
    const auto cell = out.cell_of(x.points().row(i));
    if (!cell) return std::nullopt;
    out.cells_.push_back(*cell);
  }
  const auto queries = out.rows(conditional, probes);
  if (!queries) return std::nullopt;

  out.unit_ = Vector::Constant(d, 1.0);
  std::array<Vector, 2> width{Vector::Zero(0), Vector::Zero(0)};
  for (int c = 0; c < d; ++c) {
    const double gap = least_gap(out.points(c));
    Vector widths(out.laws(c).rows());
    for (Index i = 0; i < widths.size(); ++i) widths[i] = width_of(out.points(c), out.laws(c).row(i).transpose(), gap);
    if (widths.minCoeff() <= 0.0) return std::nullopt;
    Vector& point = out.axes_[static_cast<std::size_t>(c)].point;
    const double extent = point[point.size() - 1] - point[0] + gap;
    out.unit_[c] = std::max(widths.minCoeff(), extent / kMostWindows[d - 1]);
    width[static_cast<std::size_t>(c)] = widths / out.unit_[c];
    point /= out.unit_[c];
  }
  out.spacing_ = least_gap(out.points(0));
  if (d == 2 && out.points(1).size() > 1) out.spacing_ = std::max(out.spacing_, least_gap(out.points(1)));
  for (const GridQuery& one : *queries) {
    double area = width[0][one.row[0]];
    if (d == 2) area = std::sqrt(area * width[1][one.row[1]]);
    const bool known = std::any_of(out.sizes_.begin(), out.sizes_.end(),
                                   [&](double size) { return std::abs(size - area) < 0.05 * area; });
    if (!known) out.sizes_.push_back(area);
  }
  std::sort(out.sizes_.begin(), out.sizes_.end());
  if (out.sizes_.size() < 2 || out.sizes_.front() > 1.5) return std::nullopt;
  const auto extent = [&](int c) {
    const Vector& point = out.points(c);
    return point[point.size() - 1] - point[0] + least_gap(point);
  };
  out.side_ = d == 2 ? std::sqrt(extent(0) * extent(1)) : extent(0);
  return out;
}

Vector SpotGrid::at_targets(const Matrix& field) const {
  Vector out(static_cast<Index>(cells_.size()));
  for (std::size_t i = 0; i < cells_.size(); ++i) out[static_cast<Index>(i)] = field(cells_[i][0], cells_[i][1]);
  return out;
}

}  // namespace iqbo

#include "lattice.hpp"

#include <algorithm>
#include <cmath>
#include <functional>

namespace iqbo::internal {
namespace {

constexpr double kOnLattice = 1e-9;  // of the extent
constexpr Index kMostSparse = 16;    // cells per point

// In ascending order. Of many points on a lattice few differ along an axis, and sorting all would take most of the time.
std::vector<double> distinct_values(const Eigen::Ref<const Vector, 0, Eigen::InnerStride<>>& all) {
  constexpr std::size_t kSlots = 1U << 14U;
  std::vector<double> out;
  std::vector<int> slots(kSlots, -1);
  for (const double value : all) {
    if (!out.empty() && out.back() == value) continue;
    std::size_t at = (std::hash<double>{}(value)*0x9E3779B97F4A7C15U) >> 50U;  // 14 bits
    while (slots[at] >= 0 && out[static_cast<std::size_t>(slots[at])] != value) at = (at + 1) % kSlots;
    if (slots[at] >= 0) continue;
    if (out.size() == kSlots / 2) {  // too many to be told apart like that
      out.assign(all.begin(), all.end());
      break;
    }
    slots[at] = static_cast<int>(out.size());
    out.push_back(value);
  }
  std::sort(out.begin(), out.end());
  return out;
}

}  // namespace

std::optional<Lattice> lattice_of(const Rows& x) {
  Lattice out{
      Vector::Ones(x.cols()), std::vector<Index>(static_cast<std::size_t>(x.cols()), 1), {}, Vector::Zero(x.cols())};
  out.cell.setZero(x.rows(), x.cols());
  Index all = 1;
  for (Index c = 0; c < x.cols(); ++c) {
    const std::vector<double> values = distinct_values(x.col(c));
    out.origin[c] = values.front();
    const double range = values.back() - values.front();
    if (range == 0.0) continue;
    double spacing = range;
    for (std::size_t i = 1; i < values.size(); ++i) {
      const double gap = values[i] - values[i - 1];
      if (gap > kOnLattice * range) spacing = std::min(spacing, gap);
    }
    const double steps = std::round(range / spacing);
    if (steps >= static_cast<double>(kMostLatticeCells)) return std::nullopt;
    spacing = range / steps;
    for (Index i = 0; i < x.rows(); ++i) {
      const double at = (x(i, c) - values[0]) / spacing;
      if (std::abs(at - std::round(at)) > kOnLattice * std::max(1.0, steps)) return std::nullopt;
      out.cell(i, c) = static_cast<Index>(std::round(at));
    }
    out.spacing[c] = spacing;
    out.cells[static_cast<std::size_t>(c)] = static_cast<Index>(steps) + 1;
    all = all > kMostLatticeCells ? all : all * out.cells[static_cast<std::size_t>(c)];
  }
  if (all > kMostSparse * x.rows()) return std::nullopt;
  return out;
}

}  // namespace iqbo::internal

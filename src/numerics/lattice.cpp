#include "lattice.hpp"

#include <algorithm>
#include <cmath>

namespace iqbo::internal {
namespace {

constexpr double kOnLattice = 1e-9;  // of the extent
constexpr Index kMostSparse = 16;    // cells per point

}  // namespace

std::optional<Lattice> lattice_of(const Rows& x) {
  Lattice out{
      Vector::Ones(x.cols()), std::vector<Index>(static_cast<std::size_t>(x.cols()), 1), {}, Vector::Zero(x.cols())};
  out.cell.setZero(x.rows(), x.cols());
  Index all = 1;
  for (Index c = 0; c < x.cols(); ++c) {
    Vector values = x.col(c);
    std::sort(values.begin(), values.end());
    out.origin[c] = values[0];
    const double range = values[values.size() - 1] - values[0];
    if (range == 0.0) continue;
    double spacing = range;
    for (Index i = 1; i < values.size(); ++i) {
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

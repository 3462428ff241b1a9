#include "long_range.hpp"

#include <algorithm>
#include <cmath>

#include "average/smooth_features.hpp"
#include "engine.hpp"
#include "iqbo/kernel/stationary_part.hpp"
#include "numerics/pivoted_cholesky.hpp"

namespace iqbo {

using namespace internal;

namespace {

constexpr double kLong = 0.16;     // lengthscale over extent: exp(-(1 / 0.16)^2 / 2) = 3e-9 is left at the width of X
constexpr double kMostLong = 2.0;  // beyond, a torus would not help either
constexpr Index kMostNodes = 900;  // of all axes together
constexpr double kError = 1e-9;    // of the variance
constexpr double kRoot = 1e-10;    // likewise

// Values at cells from values at Chebyshev nodes of the axis.
Matrix basis(Index cells, Index nodes) {
  const Vector at = Vector::LinSpaced(cells, -1.0, 1.0), node = chebyshev_points(nodes);
  Matrix out(cells, nodes);
  for (Index i = 0; i < cells; ++i) {
    Index hit = -1;
    for (Index k = 0; k < nodes; ++k) {
      const double off = at[i] - node[k];
      if (off == 0.0) hit = k;
      out(i, k) = (k % 2 == 0 ? 1.0 : -1.0) * std::sqrt(1.0 - node[k] * node[k]) / off;
    }
    if (hit >= 0)
      out.row(i) = Vector::Unit(nodes, hit).transpose();
    else
      out.row(i) /= out.row(i).sum();
  }
  return out;
}

// Lengthscales along all axes of a term, times the scales of its mixture; empty if it is no mixture.
std::vector<Vector> scales_of(const KernelTerm& term, Index d) {
  if (term.kind != KernelTerm::Kind::kProduct || term.factors.size() != 1) return {};
  const auto& [part, columns] = term.factors.front();
  if (part->mixture() == nullptr || static_cast<Index>(columns.size()) != d) return {};
  Vector lengthscale(d);
  for (Index g = 0; g < d; ++g) lengthscale[columns[static_cast<std::size_t>(g)]] = part->lengthscale()[g];
  std::vector<Vector> out;
  for (const double scale : part->mixture()->scale) out.emplace_back(scale * lengthscale);
  return out;
}

}  // namespace

std::optional<LongRange> LongRange::of(const Kernel& kernel, const Lattice& lattice) {
  const auto d = static_cast<Index>(lattice.cells.size());
  if (d > 2) return std::nullopt;
  Vector extent(d);
  for (Index c = 0; c < d; ++c)
    extent[c] = lattice.spacing[c] * static_cast<double>(lattice.cells[static_cast<std::size_t>(c)] - 1);
  const auto terms = kernel.stationary_terms();
  for (double least = kLong; least < kMostLong; least *= 1.25) {
    LongRange out;
    Vector shortest = Vector::Constant(d, 1e300);
    for (const KernelTerm& term : terms) {
      const std::vector<Vector> scales = scales_of(term, d);
      for (std::size_t s = 0; s < scales.size(); ++s) {
        if (((scales[s].array() < least * extent.array()) && extent.array() > 0.0).any()) continue;
        const double weight = term.factors.front().part->mixture()->weight[static_cast<Index>(s)];
        out.bumps_.push_back({term.variance * weight, scales[s]});
        shortest = shortest.cwiseMin(scales[s]);
      }
    }
    if (out.bumps_.empty()) return std::nullopt;
    Index all = 1;
    std::vector<Vector> node;
    for (Index c = 0; c < d; ++c) {
      const Index count = std::max<Index>(2, smooth_nodes(0.5 * extent[c] / shortest[c], kError, kMostNodes));
      node.emplace_back(0.5 * extent[c] * chebyshev_points(count));
      out.basis_.push_back(basis(lattice.cells[static_cast<std::size_t>(c)], count));
      all *= count;
    }
    if (all > kMostNodes) continue;
    const Matrix k = out.of_nodes(node);
    out.root_ = pivoted_cholesky(DenseCovariance(k), kRoot * k.diagonal().maxCoeff(), all, all).factor;
    return out;
  }
  return std::nullopt;
}

Matrix LongRange::of_nodes(const std::vector<Vector>& node) const {
  const Vector one = Vector::Zero(1);
  const Vector &first = node.front(), &last = node.size() > 1 ? node.back() : one;
  const Index n = last.size(), all = first.size() * n;
  Matrix out = Matrix::Zero(all, all);
  const auto gram = [](const Vector& at, double lengthscale) -> Matrix {
    const Matrix off = (at.replicate(1, at.size()) - at.transpose().replicate(at.size(), 1)) / lengthscale;
    return (-0.5 * off.array().square()).exp();
  };
  for (const Bump& bump : bumps_) {
    const Matrix a = gram(first, bump.lengthscale[0]), b = gram(last, node.size() > 1 ? bump.lengthscale[1] : 1.0);
    for (Index j = 0; j < first.size(); ++j)
      for (Index i = 0; i < first.size(); ++i) out.block(i * n, j * n, n, n) += bump.variance * a(i, j) * b;
  }
  return out;
}

Matrix LongRange::covariance(const std::vector<Vector>& steps) const {
  const auto count = static_cast<Index>(bumps_.size());
  const bool plane = steps.size() > 1;
  Matrix first(steps[0].size(), count), last = Matrix::Ones(plane ? steps[1].size() : 1, count);
  for (Index j = 0; j < count; ++j) {
    const Bump& bump = bumps_[static_cast<std::size_t>(j)];
    first.col(j) = bump.variance * (-0.5 * (steps[0] / bump.lengthscale[0]).array().square()).exp();
    if (plane) last.col(j) = (-0.5 * (steps[1] / bump.lengthscale[1]).array().square()).exp();
  }
  return first * last.transpose();
}

Matrix LongRange::draw(Rng& rng) const {
  const Vector values = root_ * rng.normals(root_.cols());
  const Index nodes = basis_[0].cols(), other = values.size() / nodes;
  const Matrix at = values.reshaped(other, nodes).transpose();  // nodes of the first axis down the rows
  const Matrix along = basis_[0] * at;
  if (basis_.size() == 1) return along;
  return along * basis_[1].transpose();
}

}  // namespace iqbo

#include "shared_axes.hpp"

#include <array>
#include <cstdint>
#include <cstring>
#include <unordered_map>
#include <utility>

namespace iqbo {
namespace {

constexpr double kMostNumbers = 4e6;  // in all tables of a group: 32 MB
constexpr Index kLeastSharing = 2;    // pairs of laws for each pair that is tabulated

// What a law is along one axis: centre, sd, half-width.
using Side = std::array<double, 3>;

struct SideHash {
  std::size_t operator()(const Side& side) const {
    std::uint64_t hash = 0;
    for (const double value : side) {
      std::uint64_t bits = 0;
      std::memcpy(&bits, &value, sizeof bits);
      hash = (hash ^ bits ^ (bits >> 29U)) * 0x9E3779B97F4A7C15U;
    }
    return hash ^ (hash >> 32U);
  }
};

// The different laws along one axis, in order of appearance, and which of them each law has.
struct Sides {
  std::vector<Side> different;
  std::vector<Index> of;

  Index size() const { return static_cast<Index>(different.size()); }
};

// Nothing if there are more than `most`.
std::optional<Sides> sides(const SpreadLaws& laws, Index column, Index most) {
  const Index n = laws.centre.rows();
  Sides out;
  out.of.reserve(static_cast<std::size_t>(n));
  std::unordered_map<Side, Index, SideHash> known;
  for (Index i = 0; i < n; ++i) {
    const Side side{laws.centre(i, column), laws.sd(i, column), laws.half_width(i, column)};
    const auto [at, is_new] = known.try_emplace(side, out.size());
    if (is_new) {
      if (out.size() == most) return std::nullopt;
      out.different.push_back(side);
    }
    out.of.push_back(at->second);
  }
  return out;
}

SpreadLaws one_axis(const std::vector<Side>& sides) {
  const auto n = static_cast<Index>(sides.size());
  SpreadLaws out{Rows(n, 1), Rows(n, 1), Rows(n, 1)};
  for (Index i = 0; i < n; ++i) {
    const auto [centre, sd, half_width] = sides[static_cast<std::size_t>(i)];
    out.centre(i, 0) = centre;
    out.sd(i, 0) = sd;
    out.half_width(i, 0) = half_width;
  }
  return out;
}

// A row for each scale from the first that matters, a column for each pair of laws.
Matrix factors(const Group& axis, const SpreadLaws& left, const SpreadLaws& right, Index first_scale) {
  const Vector& scale = axis.scales().scale;
  const Index n = left.centre.rows();
  PairColumns columns(left, right);
  Matrix out(scale.size() - first_scale, n * right.centre.rows());
  Array values(n);
  for (Index j = 0; j < right.centre.rows(); ++j)
    for (Index s = 0; s < out.rows(); ++s) {
      axis.rbf(columns.column(j), scale[first_scale + s], values);
      out.row(s).segment(j * n, n) = values;
    }
  return out;
}

bool any_point(const Group& group, const SpreadLaws& laws) {
  Array wide = Array::Zero(laws.centre.rows());
  for (Index g = 0; g < group.size(); ++g)
    wide += laws.sd.col(group.column(g)).array() + laws.half_width.col(group.column(g)).array();
  return (wide == 0.0).any();
}

bool any_box(const Group& group, const SpreadLaws& laws) {
  for (Index g = 0; g < group.size(); ++g)
    if ((laws.half_width.col(group.column(g)).array() > 0.0).any()) return true;
  return false;
}

}  // namespace

std::optional<SharedAxes> SharedAxes::of(const Group& group, const SpreadLaws& left, const SpreadLaws& right) {
  const Index n = left.centre.rows();
  const Index m = right.centre.rows();
  const ScaleMixture& mixture = group.scales();
  const bool is_mixture = mixture.scale.size() > 1;
  if (n == 0 || m == 0) return std::nullopt;
  if (!is_mixture && !any_box(group, left) && !any_box(group, right)) return std::nullopt;
  if (is_mixture && any_point(group, left) && any_point(group, right)) return std::nullopt;

  const Index most = n * m / kLeastSharing;
  std::vector<std::pair<Sides, Sides>> found;
  Index tabulated = 0;
  Array least_var(group.size());
  for (Index g = 0; g < group.size(); ++g) {
    const Index c = group.column(g);
    auto right_sides = sides(right, c, m);
    auto left_sides = sides(left, c, (most - tabulated) / right_sides->size());
    if (!left_sides) return std::nullopt;
    tabulated += left_sides->size() * right_sides->size();
    found.emplace_back(std::move(*left_sides), std::move(*right_sides));
    least_var[g] = left.sd.col(c).array().square().minCoeff() + right.sd.col(c).array().square().minCoeff();
  }
  const Index first_scale = group.first_scale(least_var);
  const Index scales = mixture.scale.size() - first_scale;
  if (static_cast<double>(tabulated) * static_cast<double>(scales) > kMostNumbers) return std::nullopt;

  SharedAxes out;
  for (Index g = 0; g < group.size(); ++g) {
    auto& [left_sides, right_sides] = found[static_cast<std::size_t>(g)];
    Matrix factor =
        factors(group.axis(g), one_axis(left_sides.different), one_axis(right_sides.different), first_scale);
    const Index lefts = left_sides.size();
    out.axes_.push_back({std::move(left_sides.of), std::move(right_sides.of), lefts, std::move(factor)});
  }
  Matrix& first = out.axes_.front().factor;
  first.array().colwise() *= mixture.weight.tail(scales).array();
  if (group.size() == 1) first = first.colwise().sum().eval();
  return out;
}

Array SharedAxes::column(Index j) const {
  const Axis& first = axes_.front();
  const Axis& last = axes_.back();
  Array out(static_cast<Index>(first.left.size()));
  if (axes_.size() == 1) {
    for (Index i = 0; i < out.size(); ++i) out[i] = first.factors(i, j)[0];
  } else if (axes_.size() == 2) {
    for (Index i = 0; i < out.size(); ++i) out[i] = first.factors(i, j).dot(last.factors(i, j));
  } else {
    Vector product(first.factor.rows());
    for (Index i = 0; i < out.size(); ++i) {
      product = first.factors(i, j);
      for (std::size_t c = 1; c + 1 < axes_.size(); ++c) product.array() *= axes_[c].factors(i, j).array();
      out[i] = product.dot(last.factors(i, j));
    }
  }
  return out;
}

}  // namespace iqbo

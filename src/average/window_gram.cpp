#include "window_gram.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <utility>

#include "iqbo/core/stop.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kPairBlock = 1024;  // kinds of pairs at a time: their arrays fit into the cache
constexpr double kAlike = 1e-13;    // distances that differ by less, relative to the largest, are the same
constexpr Index kSharing = 2;       // kinds of pairs per kind along an axis, for a table to pay

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// What an average depends on, in whole numbers: distances in steps of kAlike (0 apart from all others), and the bits of
// the widths, the smaller half-width first.
using Key = Eigen::Matrix<std::int64_t, Eigen::Dynamic, Eigen::Dynamic>;  // one column for each pair

std::int64_t bits_of(double number) {
  std::int64_t out = 0;
  std::memcpy(&out, &number, sizeof out);
  return out;
}

Key key_of(const LawPairs& pairs) {
  Key out(4 * pairs.delta.cols(), pairs.size());
  for (Index c = 0; c < pairs.delta.cols(); ++c) {
    const double step = kAlike * std::max(pairs.delta.col(c).abs().maxCoeff(), 1e-290);
    for (Index i = 0; i < pairs.size(); ++i) {
      const double distance = std::abs(pairs.delta(i, c));
      out(4 * c, i) = distance == 0.0 ? -1 : std::llround(distance / step);
      out(4 * c + 1, i) = bits_of(pairs.var(i, c));
      out(4 * c + 2, i) = bits_of(std::min(pairs.w(i, c), pairs.v(i, c)));
      out(4 * c + 3, i) = bits_of(std::max(pairs.w(i, c), pairs.v(i, c)));
    }
  }
  return out;
}

struct Alike {
  std::vector<std::int32_t> kind;  // of each pair
  std::vector<Index> first;        // the first pair of each kind
};

Alike alike(const Key& key) {
  const auto hash = [&](Index i) {
    std::uint64_t out = 0;
    for (Index r = 0; r < key.rows(); ++r) {
      const auto bits = static_cast<std::uint64_t>(key(r, i));
      out = (out ^ bits ^ (bits >> 29U)) * 0x9E3779B97F4A7C15U;
      out ^= out >> 32U;
    }
    return out;
  };
  std::size_t slots = 16;
  while (slots < 2 * at(key.cols())) slots *= 2;
  std::vector<std::int32_t> table(slots, -1);
  Alike out;
  out.kind.reserve(at(key.cols()));
  for (Index i = 0; i < key.cols(); ++i) {
    std::size_t slot = hash(i) & (slots - 1);
    while (table[slot] >= 0 && key.col(out.first[at(table[slot])]) != key.col(i)) slot = (slot + 1) & (slots - 1);
    if (table[slot] < 0) {
      table[slot] = static_cast<std::int32_t>(out.first.size());
      out.first.push_back(i);
    }
    out.kind.push_back(table[slot]);
  }
  return out;
}

// All pairs (i, j) with i >= j, column by column.
LawPairs lower_pairs(const SpreadLaws& laws) {
  const Index n = laws.centre.rows(), d = laws.centre.cols(), count = n * (n + 1) / 2;
  const Columns zero(count, d);
  LawPairs out{zero, zero, zero, zero, {}, {}};
  for (Index c = 0; c < d; ++c) {
    Index begin = 0;
    for (Index j = 0; j < n; ++j) {
      const Index below = n - j;
      out.delta.col(c).segment(begin, below) = laws.centre.col(c).tail(below).array() - laws.centre(j, c);
      out.var.col(c).segment(begin, below) =
          laws.sd.col(c).tail(below).array().square() + laws.sd(j, c) * laws.sd(j, c);
      out.w.col(c).segment(begin, below) = laws.half_width.col(c).tail(below);
      out.v.col(c).segment(begin, below).setConstant(laws.half_width(j, c));
      begin += below;
    }
  }
  return out;
}

// Some of the pairs and some of their columns.
LawPairs chosen(const LawPairs& pairs, const std::vector<Index>& rows, const std::vector<Index>& columns) {
  LawPairs out{
      pairs.delta(rows, columns), pairs.var(rows, columns), pairs.w(rows, columns), pairs.v(rows, columns), {}, {}};
  for (Index c = 0; c < out.delta.cols(); ++c) {
    out.boxed.push_back((out.w.col(c) > 0.0).any() || (out.v.col(c) > 0.0).any());
    out.even.push_back(out.size() > 0 && (out.var.col(c) == out.var(0, c)).all());
  }
  return out;
}

std::vector<Index> range(Index begin, Index end) {
  std::vector<Index> out;
  for (Index i = begin; i < end; ++i) out.push_back(i);
  return out;
}

// A single RBF under Gaussian windows is one exponential, as cheap as interpolation.
bool pays(const Kernel& kernel, const LawPairs& pairs) {
  if (std::find(pairs.boxed.begin(), pairs.boxed.end(), true) != pairs.boxed.end()) return true;
  for (const KernelTerm& term : kernel.stationary_terms())
    for (const auto& [part, columns] : term.factors)
      if (part->mixture() == nullptr || part->mixture()->weight.size() > 1) return true;
  return false;
}

}  // namespace

// For one group: the factors of its mixture along each of its columns, one row for each kind of pair along that axis
// and one column for each component, and the slopes of their logarithms.
struct PairAverages::Table {
  Index first;  // component; those before it average out
  std::vector<Columns> factor, log_slope;

  Table(const Group& group, const std::vector<Axis>& axes, bool with_slopes) {
    Array least_var(group.size());
    for (Index g = 0; g < group.size(); ++g) least_var[g] = axes[at(group.column(g))].pairs.var.minCoeff();
    first = group.first_component(least_var);
    const Index components = group.weights().size() - first;
    Array value;
    for (Index g = 0; g < group.size(); ++g) {
      const LawPairs& pairs = axes[at(group.column(g))].pairs;
      Columns factors(pairs.size(), components);
      Columns slopes(pairs.size(), with_slopes ? components : 0);
      Columns slope(pairs.size(), 1);
      for (Index s = 0; s < components; ++s) {
        group.factor(g, pairs, first + s, value, with_slopes ? &slope : nullptr);
        factors.col(s) = value;
        if (with_slopes) slopes.col(s) = slope.col(0);
      }
      factor.push_back(std::move(factors));
      log_slope.push_back(std::move(slopes));
    }
  }

  // On a grid the sum over components of products over two axes is a product of matrices. For parts without a shape.
  Group::Averages on_grid(const Group& group, const std::vector<Axis>& axes, const PairGrid& grid) const {
    const bool with_slopes = log_slope.front().cols() > 0;
    const Vector weight = group.weights().tail(factor.front().cols());
    std::array<std::vector<Index>, 2> kind;
    for (Index i = 0; i < grid.columns; ++i) kind[0].push_back(axes[0].kind[at(grid.begin + i)]);
    for (Index j = 0; j < grid.rows; ++j) kind[1].push_back(axes[1].kind[at(grid.begin + grid.columns * j)]);
    // The group's columns may be in either order.
    const std::size_t x = group.column(0) == 0 ? 0 : 1, y = 1 - x;
    const Matrix left_factor = factor[x](kind[0], Eigen::all).matrix() * weight.asDiagonal();
    const Matrix right_factor = factor[y](kind[1], Eigen::all).matrix();
    const Index count = grid.columns * grid.rows;
    Group::Averages out{Array(count), Columns(count, with_slopes ? 2 : 0)};
    const auto set = [&](auto to, const Matrix& left, const Matrix& right) {
      Eigen::Map<Matrix>(to.data(), grid.columns, grid.rows).noalias() = left * right.transpose();
    };
    set(out.value.head(count), left_factor, right_factor);
    if (!with_slopes) return out;
    set(out.slope.col(static_cast<Index>(x)), left_factor.cwiseProduct(log_slope[x](kind[0], Eigen::all).matrix()),
        right_factor);
    set(out.slope.col(static_cast<Index>(y)), left_factor,
        right_factor.cwiseProduct(log_slope[y](kind[1], Eigen::all).matrix()));
    return out;
  }

  // Of the kinds of pairs from `begin` on.
  Group::Averages averages(const Group& group, const std::vector<Axis>& axes, Index begin, Index count) const {
    const bool with_slopes = log_slope.front().cols() > 0;
    Group::Averages out{Array::Zero(count), Columns::Zero(count, with_slopes ? group.parameters() : 0)};
    Array value(count);
    Columns slope(count, with_slopes ? group.size() : 0);
    for (Index s = 0; s < factor.front().cols(); ++s) {
      const double weight = group.weights()[first + s];
      value.setOnes();
      for (Index g = 0; g < group.size(); ++g) {
        const std::int32_t* kind = axes[at(group.column(g))].kind.data() + begin;
        const double* factors = factor[at(g)].col(s).data();
        for (Index i = 0; i < count; ++i) value[i] *= factors[kind[i]];
        if (!with_slopes) continue;
        const double* slopes = log_slope[at(g)].col(s).data();
        for (Index i = 0; i < count; ++i) slope(i, g) = slopes[kind[i]];
      }
      out.value += weight * value;
      if (!with_slopes) continue;
      for (Index g = 0; g < group.size(); ++g) out.slope.col(g) += weight * (value * slope.col(g));
      group.add_shape_slopes(first + s, value, slope, out.slope);
    }
    return out;
  }
};

PairAverages::PairAverages(const LawPairs& pairs, std::vector<PairGrid> grids)
    : size_(pairs.size()), grids_(std::move(grids)) {
  const auto columns = range(0, pairs.delta.cols());
  for (const PairGrid& grid : grids_) begin_.push_back(grid.begin);
  for (Index begin = 0; grids_.empty() && begin < size_; begin += kPairBlock) begin_.push_back(begin);
  for (std::size_t b = 0; b < begin_.size(); ++b)
    blocks_.push_back(chosen(pairs, range(begin_[b], b + 1 < begin_.size() ? begin_[b + 1] : size_), columns));
  if (grids_.empty() && !((pairs.w > 0.0).any() || (pairs.v > 0.0).any())) return;
  Index total = 0;
  for (const Index c : columns) {
    const LawPairs along = chosen(pairs, range(0, size_), {c});
    Alike own = alike(key_of(along));
    total += static_cast<Index>(own.first.size());
    axes_.push_back({chosen(along, own.first, {0}), std::move(own.kind)});
  }
  if (kSharing * total > size_) axes_.clear();
}

// Tables do not know exact points, for which a mixture is only approximate.
bool PairAverages::tabulates(const Group& group) const {
  if (axes_.empty() || group.part().mixture() == nullptr) return false;
  for (Index g = 0; g < group.size(); ++g) {
    const LawPairs& pairs = axes_[at(group.column(g))].pairs;
    if (((pairs.var + pairs.w + pairs.v) > 0.0).all()) return true;
  }
  return false;
}

PairAverages::Under PairAverages::under(const Kernel& kernel, bool with_slopes) const {
  Under out{terms_of(kernel), Array::Zero(size_), {}};
  for (const Term& term : out.terms) {
    std::vector<std::optional<Table>> tables;
    for (const Group& group : term.groups) {
      tables.emplace_back();
      if (tabulates(group)) tables.back().emplace(group, axes_, with_slopes);
    }
    out.averages.emplace_back();
    for (std::size_t b = 0; b < blocks_.size(); ++b) {
      stop_point();
      const LawPairs& pairs = blocks_[b];
      const Index begin = begin_[b];
      std::vector<Group::Averages> group;
      for (std::size_t g = 0; g < term.groups.size(); ++g) {
        const Group& each = term.groups[g];
        if (!tables[g])
          group.push_back(each.averages(pairs, with_slopes));
        else if (!grids_.empty() && each.size() == 2 && each.part().shape().size() == 0)
          group.push_back(tables[g]->on_grid(each, axes_, grids_[b]));
        else
          group.push_back(tables[g]->averages(each, axes_, begin, pairs.size()));
      }
      Term::Averages averages = term.averages(pairs, std::move(group));
      out.value.segment(begin, pairs.size()) += averages.value;
      if (with_slopes) out.averages.back().push_back(std::move(averages));
    }
  }
  return out;
}

Vector PairAverages::pull_back(const Under& at, const Array& weight) const {
  Index parameters = 0;
  for (const Term& term : at.terms) parameters += term.parameters();
  Vector gradient = Vector::Zero(parameters);
  Index begin = 0;
  for (std::size_t t = 0; t < at.terms.size(); ++t) {
    const Term& term = at.terms[t];
    for (std::size_t b = 0; b < blocks_.size(); ++b)
      gradient.segment(begin, term.parameters()) +=
          term.pull_back(blocks_[b], at.averages[t][b], weight.segment(begin_[b], blocks_[b].size()));
    begin += term.parameters();
  }
  return gradient;
}

WindowGram::WindowGram(const SpreadLaws& laws) : WindowGram(laws.centre.rows(), kinds_of(laws)) {}

WindowGram::WindowGram(Index size, Kinds kinds)
    : size_(size),
      kinds_(kinds.pairs.size()),
      kind_(std::move(kinds.kind)),
      averages_(kinds.pairs),
      interpolated_(interpolated(kinds.pairs)) {}

std::optional<WindowGram::Interpolated> WindowGram::interpolated(const LawPairs& kinds) {
  constexpr Index kFew = 256;
  if (kinds.size() < kFew) return std::nullopt;
  std::vector<Index> far, same;
  for (Index i = 0; i < kinds.size(); ++i) ((kinds.delta.row(i) == 0.0).all() ? same : far).push_back(i);
  const auto columns = range(0, kinds.delta.cols());
  auto interpolation = PairInterpolation::of(chosen(kinds, far, columns));
  if (!interpolation) return std::nullopt;
  PairAverages at_nodes(interpolation->nodes(), interpolation->grids());
  PairAverages at_same(chosen(kinds, same, columns));
  return Interpolated{std::move(far), std::move(same), std::move(*interpolation), std::move(at_nodes),
                      std::move(at_same)};
}

WindowGram::Kinds WindowGram::kinds_of(const SpreadLaws& laws) {
  const LawPairs all = lower_pairs(laws);
  Alike found = alike(key_of(all));
  return {std::move(found.kind), chosen(all, found.first, range(0, laws.centre.cols()))};
}

Matrix WindowGram::covariance(const Array& value) const {
  Matrix out(size_, size_);
  std::size_t pair = 0;
  for (Index j = 0; j < size_; ++j)
    for (Index i = j; i < size_; ++i) out(i, j) = value[kind_[pair++]];
  out.triangularView<Eigen::StrictlyUpper>() = out.transpose();
  return out;
}

Array WindowGram::totals(const Matrix& weight) const {
  Array out = Array::Zero(kinds_);
  std::size_t pair = 0;
  for (Index j = 0; j < size_; ++j) {
    out[kind_[pair++]] += weight(j, j);
    for (Index i = j + 1; i < size_; ++i) out[kind_[pair++]] += 2.0 * weight(i, j);
  }
  return out;
}

// Empty if it is not exact enough under this kernel.
std::optional<LawGram::Under> WindowGram::by_interpolation(const Kernel& kernel, bool with_gradient) const {
  const auto& [far, same, interpolation, at_nodes, at_same] = *interpolated_;
  struct Both {
    PairAverages::Under nodes, same;
  };
  const auto both =
      std::make_shared<const Both>(Both{at_nodes.under(kernel, with_gradient), at_same.under(kernel, with_gradient)});
  const Array at_far = interpolation.values(both->nodes.value);
  double variance = 0.0;
  Array checked = Array::Zero(interpolation.checks().size());
  for (const Term& term : both->nodes.terms) {
    variance += term.variance;
    checked += term.expectation(interpolation.checks());
  }
  if (!(interpolation.error(at_far, checked) <= PairInterpolation::kError * variance)) return std::nullopt;
  Array value(kinds_);
  value(far) = at_far;
  value(same) = both->same.value;
  LawGram::Under out{covariance(value), {}};
  if (with_gradient)
    out.pull_back = [this, both](const Matrix& weight) -> Vector {
      const Interpolated& by = *interpolated_;
      const Array total = totals(weight);
      return by.at_nodes.pull_back(both->nodes, by.interpolation.totals(total(by.far))) +
             by.at_same.pull_back(both->same, total(by.same));
    };
  return out;
}

LawGram::Under WindowGram::under(const Kernel& kernel, bool with_gradient) const {
  if (interpolated_ && pays(kernel, interpolated_->interpolation.nodes()))
    if (auto out = by_interpolation(kernel, with_gradient)) return std::move(*out);
  const auto at = std::make_shared<const PairAverages::Under>(averages_.under(kernel, with_gradient));
  LawGram::Under out{covariance(at->value), {}};
  if (with_gradient)
    out.pull_back = [this, at](const Matrix& weight) { return averages_.pull_back(*at, totals(weight)); };
  return out;
}

}  // namespace iqbo::internal

#include "iqbo/average/laws.hpp"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace iqbo {
namespace {

constexpr double kSumsToOne = 1e-9;

// Rows of `weight` shifted to start at (row, column) of a larger matrix.
void append_triplets(const SparseRows& weight, Index row, Index column,
                     std::vector<Eigen::Triplet<double, Index>>& out) {
  for (Index i = 0; i < weight.rows(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it) out.emplace_back(row + i, column + it.col(), it.value());
}

Index size_of(const Inputs& x) { return x.size(); }
Index size_of(const SpreadLaws& laws) { return laws.centre.rows(); }
Index size_of(const DiscreteLaws& laws) { return laws.weight.rows(); }

Index size_of(const AxisLaws& laws) { return laws.node.front().rows(); }

Index dimension_of(const Inputs& x) { return x.dimension(); }
Index dimension_of(const SpreadLaws& laws) { return laws.centre.cols(); }
Index dimension_of(const DiscreteLaws& laws) { return laws.support->dimension(); }
Index dimension_of(const AxisLaws& laws) { return static_cast<Index>(laws.node.size()); }

Inputs sliced(const Inputs& x, Index begin, Index count) { return x.slice(begin, count); }
SpreadLaws sliced(const SpreadLaws& laws, Index begin, Index count) {
  return {laws.centre.middleRows(begin, count), laws.sd.middleRows(begin, count),
          laws.half_width.middleRows(begin, count)};
}
DiscreteLaws sliced(const DiscreteLaws& laws, Index begin, Index count) {
  return {laws.support, laws.weight.middleRows(begin, count), laws.of_density, laws.exact_constant};
}

AxisLaws sliced(const AxisLaws& laws, Index begin, Index count) {
  AxisLaws out;
  for (const Rows& node : laws.node) out.node.emplace_back(node.middleRows(begin, count));
  for (const Rows& weight : laws.weight) out.weight.emplace_back(weight.middleRows(begin, count));
  return out;
}

void require_valid(const SpreadLaws& laws) {
  const auto& [centre, sd, half_width] = laws;
  require_finite(centre, "centre");
  for (const auto& [width, name] : {std::pair{&sd, "sd"}, std::pair{&half_width, "half_width"}}) {
    require_rows(width->rows(), centre.rows(), name);
    require_columns(width->cols(), centre.cols(), name);
    require_non_negative(*width, name);
  }
}

void require_valid(const DiscreteLaws& laws) {
  const auto& support = laws.support;
  const auto& weight = laws.weight;
  if (!support) refuse("support", "is missing", "at least one point");
  if (weight.rows() > 0) require_not_empty(support->size(), "support");
  require_columns(weight.cols(), support->size(), "weight");
  for (Index i = 0; i < weight.rows(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it)
      if (!std::isfinite(it.value()))
        refuse("weight",
               "row " + std::to_string(i) + ", column " + std::to_string(it.col()) + " is " + readable(it.value()),
               "a finite number");
}

void require_valid(const AxisLaws& laws) {
  require_not_empty(static_cast<Index>(laws.node.size()), "node");
  require_rows(static_cast<Index>(laws.weight.size()), static_cast<Index>(laws.node.size()), "weight");
  for (std::size_t c = 0; c < laws.node.size(); ++c) {
    const std::string axis = " of coordinate " + std::to_string(c);
    const Rows& weight = laws.weight[c];
    require_finite(laws.node[c], "node" + axis);
    require_rows(laws.node[c].rows(), laws.node.front().rows(), "node" + axis);
    require_rows(weight.rows(), laws.node[c].rows(), "weight" + axis);
    require_columns(weight.cols(), laws.node[c].cols(), "weight" + axis);
    require_non_negative(weight, "weight" + axis);
    for (Index i = 0; i < weight.rows(); ++i)
      if (std::abs(weight.row(i).sum() - 1.0) > kSumsToOne)
        refuse("weight" + axis, "row " + std::to_string(i) + " sums to " + readable(weight.row(i).sum()), "1");
  }
}

Inputs joined_laws(const Inputs& first, const Inputs& second) { return first.joined(second); }

SpreadLaws joined_laws(const SpreadLaws& first, const SpreadLaws& second) {
  return {stacked(first.centre, second.centre), stacked(first.sd, second.sd),
          stacked(first.half_width, second.half_width)};
}

// Laws that share their support, such as bags, keep sharing it; otherwise the supports are concatenated.
DiscreteLaws joined_laws(const DiscreteLaws& first, const DiscreteLaws& second) {
  if (first.exact_constant != second.exact_constant)
    refuse("laws", "treat the constant part of a mean differently", "the same treatment in both");
  const bool shared = first.support == second.support;
  const Index shift = shared ? 0 : first.support->size();
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(static_cast<std::size_t>(first.weight.nonZeros() + second.weight.nonZeros()));
  append_triplets(first.weight, 0, 0, entries);
  append_triplets(second.weight, first.weight.rows(), shift, entries);
  DiscreteLaws out{shared ? first.support : std::make_shared<const Inputs>(first.support->joined(*second.support)),
                   {},
                   first.of_density || second.of_density,
                   first.exact_constant};
  out.weight.resize(first.weight.rows() + second.weight.rows(), out.support->size());
  out.weight.setFromTriplets(entries.begin(), entries.end());
  return out;
}

// Pads the shorter rules to the length of the longest; with `repeat` by their first node, otherwise by zeros (weights).
Rows stacked_wide(const Rows& top, const Rows& bottom, bool repeat) {
  Rows out = Rows::Zero(top.rows() + bottom.rows(), std::max(top.cols(), bottom.cols()));
  if (repeat) out.topRows(top.rows()).colwise() = Vector(top.col(0));
  if (repeat) out.bottomRows(bottom.rows()).colwise() = Vector(bottom.col(0));
  out.topLeftCorner(top.rows(), top.cols()) = top;
  out.bottomLeftCorner(bottom.rows(), bottom.cols()) = bottom;
  return out;
}

AxisLaws joined_laws(const AxisLaws& first, const AxisLaws& second) {
  AxisLaws out;
  for (std::size_t c = 0; c < first.node.size(); ++c) {
    out.node.push_back(stacked_wide(first.node[c], second.node[c], true));
    out.weight.push_back(stacked_wide(first.weight[c], second.weight[c], false));
  }
  return out;
}

}  // namespace

Laws::Laws(Inputs x) : parts_{{1.0, std::move(x)}} {}

Laws::Laws(SpreadLaws laws) {
  require_valid(laws);
  parts_.push_back({1.0, std::move(laws)});
}

// Eigen 3.4 copies a sparse matrix where it could move, so that the weights are exchanged.
Laws::Laws(DiscreteLaws laws) {
  require_valid(laws);
  parts_.push_back({1.0, DiscreteLaws{laws.support, {}, laws.of_density, laws.exact_constant}});
  std::get<DiscreteLaws>(parts_.front().kind).weight.swap(laws.weight);
}

Laws::Laws(AxisLaws laws) {
  require_valid(laws);
  parts_.push_back({1.0, std::move(laws)});
}

Laws Laws::mixture(const Vector& weight, const std::vector<Laws>& laws) {
  require_not_empty(static_cast<Index>(laws.size()), "laws");
  require_rows(weight.size(), static_cast<Index>(laws.size()), "weight");
  require_finite(weight, "weight");
  Laws out;
  for (std::size_t p = 0; p < laws.size(); ++p) {
    require_rows(laws[p].size(), laws.front().size(), "laws");
    require_columns(laws[p].dimension(), laws.front().dimension(), "laws");
    for (const auto& part : laws[p].parts_)
      out.parts_.push_back({weight[static_cast<Index>(p)] * part.weight, part.kind});
  }
  return out;
}

Index Laws::size() const {
  return std::visit([](const auto& laws) { return size_of(laws); }, parts_.front().kind);
}

Index Laws::dimension() const {
  return std::visit([](const auto& laws) { return dimension_of(laws); }, parts_.front().kind);
}

Laws Laws::slice(Index begin, Index count) const {
  Laws out;
  for (const auto& [weight, kind] : parts_)
    out.parts_.push_back(
        {weight, std::visit([&](const auto& laws) { return Kind(sliced(laws, begin, count)); }, kind)});
  return out;
}

Laws Laws::joined(const Laws& more) const {
  require_columns(more.dimension(), dimension(), "laws");
  if (more.parts_.size() != parts_.size()) refuse("laws", "have a different number of parts", "the same in both");
  Laws out;
  for (std::size_t p = 0; p < parts_.size(); ++p) {
    const auto join = [&](const auto& first) -> Kind {
      const auto* second = std::get_if<std::decay_t<decltype(first)>>(&more.parts_[p].kind);
      if (second == nullptr || more.parts_[p].weight != parts_[p].weight)
        refuse("laws", "are of different kinds or weights", "the same in both");
      return joined_laws(first, *second);
    };
    out.parts_.push_back({parts_[p].weight, std::visit(join, parts_[p].kind)});
  }
  return out;
}

}  // namespace iqbo

#include "iqbo/conditional/laws.hpp"

#include <cmath>
#include <string>
#include <utility>
#include <vector>

namespace iqbo {
namespace {

Rows stacked(const Rows& top, const Rows& bottom) {
  Rows out(top.rows() + bottom.rows(), top.cols());
  out << top, bottom;
  return out;
}

// Rows of `weight` shifted to start at (row, column) of a larger matrix.
void append_triplets(const SparseRows& weight, Index row, Index column,
                     std::vector<Eigen::Triplet<double, Index>>& out) {
  for (Index i = 0; i < weight.rows(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it) out.emplace_back(row + i, column + it.col(), it.value());
}

Inputs joined_laws(const Inputs& first, const Inputs& second) { return first.joined(second); }

SpreadLaws joined_laws(const SpreadLaws& first, const SpreadLaws& second) {
  return {stacked(first.centre, second.centre), stacked(first.sd, second.sd),
          stacked(first.half_width, second.half_width)};
}

// Laws that share their support, as bags do, keep sharing it; otherwise the supports are put side by side.
DiscreteLaws joined_laws(const DiscreteLaws& first, const DiscreteLaws& second) {
  const bool shared = first.support == second.support;
  const Index shift = shared ? 0 : first.support->size();
  std::vector<Eigen::Triplet<double, Index>> entries;
  entries.reserve(static_cast<std::size_t>(first.weight.nonZeros() + second.weight.nonZeros()));
  append_triplets(first.weight, 0, 0, entries);
  append_triplets(second.weight, first.weight.rows(), shift, entries);
  DiscreteLaws out{shared ? first.support : std::make_shared<const Inputs>(first.support->joined(*second.support)), {}};
  out.weight.resize(first.weight.rows() + second.weight.rows(), out.support->size());
  out.weight.setFromTriplets(entries.begin(), entries.end());
  return out;
}

}  // namespace

Laws::Laws(SpreadLaws laws) : kind_(std::move(laws)) {
  const auto& [centre, sd, half_width] = std::get<SpreadLaws>(kind_);
  require_finite(centre, "centre");
  for (const auto& [width, name] : {std::pair{&sd, "sd"}, std::pair{&half_width, "half_width"}}) {
    require_rows(width->rows(), centre.rows(), name);
    require_columns(width->cols(), centre.cols(), name);
    require_non_negative(*width, name);
  }
}

Laws::Laws(DiscreteLaws laws) : kind_(std::move(laws)) {
  const auto& [support, weight] = std::get<DiscreteLaws>(kind_);
  if (!support) refuse("support", "is missing", "at least one point");
  require_not_empty(support->size(), "support");
  require_columns(weight.cols(), support->size(), "weight");
  for (Index i = 0; i < weight.rows(); ++i)
    for (SparseRows::InnerIterator it(weight, i); it; ++it)
      if (!std::isfinite(it.value()))
        refuse("weight",
               "row " + std::to_string(i) + ", column " + std::to_string(it.col()) + " is " + readable(it.value()),
               "a finite number");
}

Index Laws::size() const {
  struct {
    Index operator()(const Inputs& x) const { return x.size(); }
    Index operator()(const SpreadLaws& laws) const { return laws.centre.rows(); }
    Index operator()(const DiscreteLaws& laws) const { return laws.weight.rows(); }
  } visitor;
  return std::visit(visitor, kind_);
}

Index Laws::dimension() const {
  struct {
    Index operator()(const Inputs& x) const { return x.dimension(); }
    Index operator()(const SpreadLaws& laws) const { return laws.centre.cols(); }
    Index operator()(const DiscreteLaws& laws) const { return laws.support->dimension(); }
  } visitor;
  return std::visit(visitor, kind_);
}

Laws Laws::slice(Index begin, Index count) const {
  struct {
    Index begin, count;
    Laws operator()(const Inputs& x) const { return x.slice(begin, count); }
    Laws operator()(const SpreadLaws& laws) const {
      return SpreadLaws{laws.centre.middleRows(begin, count), laws.sd.middleRows(begin, count),
                        laws.half_width.middleRows(begin, count)};
    }
    Laws operator()(const DiscreteLaws& laws) const {
      return DiscreteLaws{laws.support, laws.weight.middleRows(begin, count)};
    }
  } visitor{begin, count};
  return std::visit(visitor, kind_);
}

Laws Laws::joined(const Laws& more) const {
  require_columns(more.dimension(), dimension(), "laws");
  return std::visit(
      [&](const auto& first) -> Laws {
        const auto* second = std::get_if<std::decay_t<decltype(first)>>(&more.kind_);
        if (second == nullptr) refuse("laws", "are of another kind", "the kind they are joined to");
        return joined_laws(first, *second);
      },
      kind_);
}

}  // namespace iqbo

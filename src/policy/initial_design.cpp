#include "initial_design.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "spread_points.hpp"

namespace iqbo {
namespace {

// Root, children, grandchildren, ...: from coarse to fine, those of a level in a random order.
Queries breadth_first(const QueryTree& tree, Index count, Rng& rng) {
  std::vector<Node> out{tree.root()};
  for (std::size_t begin = 0; out.size() < static_cast<std::size_t>(count) && begin < out.size();) {
    const std::size_t end = out.size();
    for (std::size_t i = begin; i < end && out.size() < static_cast<std::size_t>(count) + end; ++i)
      for (const Node& child : tree.children(out[i])) out.push_back(child);
    for (std::size_t i = out.size() - 1; i > end; --i)
      std::swap(out[i], out[end + static_cast<std::size_t>(rng.below(static_cast<Index>(i - end + 1)))]);
    begin = end;
  }
  out.resize(std::min(out.size(), static_cast<std::size_t>(count)));
  return tree.queries(out);
}

}  // namespace

Queries initial_design(const AskSpace& a, Index count, Rng rng) {
  if (const auto* box = std::get_if<QueryBox>(&a)) return spread_points(*box, count, rng);
  if (const auto* mixed = std::get_if<MixedQueries>(&a)) return spread_points(*mixed, count, rng);
  if (const auto* tree = std::get_if<QueryTree>(&a)) return count == 0 ? Queries() : breadth_first(*tree, count, rng);
  const Queries& list = std::get<QuerySet>(a).points();
  std::vector<Index> order(static_cast<std::size_t>(list.size()));
  std::iota(order.begin(), order.end(), Index{0});
  for (Index i = list.size() - 1; i > 0; --i)
    std::swap(order[static_cast<std::size_t>(i)], order[static_cast<std::size_t>(rng.below(i + 1))]);
  order.resize(static_cast<std::size_t>(std::min(count, list.size())));
  return Queries(Rows(list.coordinates()(order, Eigen::all)));
}

}  // namespace iqbo

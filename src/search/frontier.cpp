#include "frontier.hpp"

#include <utility>

namespace iqbo::internal {

Frontier::Frontier(QueryTree tree, bool requery_leaf) : tree_(std::move(tree)), requery_leaf_(requery_leaf) {
  add_leaf(tree_.root());
}

std::optional<Index> Frontier::row(const Node& node) const {
  const auto found = rows_.find(node);
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

void Frontier::put(const Node& node, Place place) {
  const auto [at, is_new] = rows_.emplace(node, size());
  if (is_new) {
    opened_.push_back(node);
    places_.push_back(place);
  } else {
    places_[static_cast<std::size_t>(at->second)] = place;
  }
}

void Frontier::add_leaf(const Node& node) {
  put(node, Place::kLeaf);
  for (const Node& child : tree_.children(node)) put(child, Place::kAhead);
}

void Frontier::select(const Node& a) {
  if (!row(a)) {
    early_.insert(a);
    return;
  }
  step(a);
  for (; settled_ < opened_.size(); ++settled_)
    if (early_.erase(opened_[settled_]) > 0) step(Node(opened_[settled_]));
}

void Frontier::step(const Node& a) {
  const auto at = row(a);
  if (!is_candidate(*at)) return;
  if (place(*at) == Place::kAhead)
    if (const auto above = row(*tree_.parent(a)); above && place(*above) == Place::kLeaf)
      put(*tree_.parent(a), Place::kGone);
  const std::vector<Node> children = tree_.children(a);
  put(a, children.empty() && requery_leaf_ ? Place::kLeaf : Place::kGone);
  for (const Node& child : children) add_leaf(child);
}

std::vector<Node> Frontier::all(Place place) const {
  std::vector<Node> out;
  for (std::size_t i = 0; i < opened_.size(); ++i)
    if (places_[i] == place) out.push_back(opened_[i]);
  return out;
}

}  // namespace iqbo::internal

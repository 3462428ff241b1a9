#include "frontier.hpp"

#include <utility>

namespace iqbo::internal {

namespace {

bool is_in(Frontier::Place place, Frontier::Place set) { return place == set || place == Frontier::Place::kBoth; }

}  // namespace

Frontier::Frontier(QueryTree tree, bool requery_leaf, bool printed)
    : tree_(std::move(tree)), requery_leaf_(requery_leaf), printed_(printed) {
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
  if (printed_) return step_as_printed(a);
  if (place(*at) == Place::kAhead)
    if (const auto above = row(*tree_.parent(a)); above && place(*above) == Place::kLeaf)
      put(*tree_.parent(a), Place::kGone);
  const std::vector<Node> children = tree_.children(a);
  put(a, children.empty() && requery_leaf_ ? Place::kLeaf : Place::kGone);
  for (const Node& child : children) add_leaf(child);
}

void Frontier::enter(const Node& node, Place set) {
  const auto at = row(node);
  const Place now = at ? place(*at) : Place::kGone;
  put(node, now == Place::kGone || now == set ? set : Place::kBoth);
}

void Frontier::leave(const Node& node, Place set) {
  const auto at = row(node);
  if (!at || !is_in(place(*at), set)) return;
  const Place other = set == Place::kLeaf ? Place::kAhead : Place::kLeaf;
  put(node, place(*at) == Place::kBoth ? other : Place::kGone);
}

void Frontier::step_as_printed(const Node& a) {
  if (is_in(place(*row(a)), Place::kAhead)) {
    leave(*tree_.parent(a), Place::kLeaf);
    leave(a, Place::kAhead);
  } else {
    leave(a, Place::kLeaf);
  }
  for (const Node& child : tree_.children(a)) enter(child, Place::kLeaf);
  for (const Node& leaf : leaves())
    for (const Node& child : tree_.children(leaf)) enter(child, Place::kAhead);
}

std::vector<Node> Frontier::leaves() const { return all(Place::kLeaf); }
std::vector<Node> Frontier::ahead() const { return all(Place::kAhead); }

std::vector<Node> Frontier::all(Place set) const {
  std::vector<Node> out;
  for (std::size_t i = 0; i < opened_.size(); ++i)
    if (is_in(places_[i], set)) out.push_back(opened_[i]);
  return out;
}

}  // namespace iqbo::internal

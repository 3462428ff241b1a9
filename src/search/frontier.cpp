#include "frontier.hpp"

#include <utility>

namespace iqbo::internal {

namespace {

bool is_in(Frontier::Membership membership, Frontier::Membership set) {
  return membership == set || membership == Frontier::Membership::kBoth;
}

}  // namespace

Frontier::Frontier(QueryTree tree, bool requery_leaf, bool printed)
    : tree_(std::move(tree)), requery_leaf_(requery_leaf), printed_(printed) {
  add_leaf(tree_.root());
}

std::optional<Index> Frontier::row(const Node& node) const {
  const auto found = rows_.find(node);
  return found == rows_.end() ? std::nullopt : std::optional(found->second);
}

void Frontier::put(const Node& node, Membership membership) {
  const auto [at, is_new] = rows_.emplace(node, size());
  if (is_new) {
    opened_.push_back(node);
    memberships_.push_back(membership);
  } else {
    memberships_[static_cast<std::size_t>(at->second)] = membership;
  }
}

void Frontier::add_leaf(const Node& node) {
  put(node, Membership::kLeaf);
  for (const Node& child : tree_.children(node)) put(child, Membership::kAhead);
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
  if (membership(*at) == Membership::kAhead)
    if (const auto above = row(*tree_.parent(a)); above && membership(*above) == Membership::kLeaf)
      put(*tree_.parent(a), Membership::kGone);
  const std::vector<Node> children = tree_.children(a);
  put(a, children.empty() && requery_leaf_ ? Membership::kLeaf : Membership::kGone);
  for (const Node& child : children) add_leaf(child);
}

void Frontier::enter(const Node& node, Membership set) {
  const auto at = row(node);
  const Membership now = at ? membership(*at) : Membership::kGone;
  put(node, now == Membership::kGone || now == set ? set : Membership::kBoth);
}

void Frontier::leave(const Node& node, Membership set) {
  const auto at = row(node);
  if (!at || !is_in(membership(*at), set)) return;
  const Membership other = set == Membership::kLeaf ? Membership::kAhead : Membership::kLeaf;
  put(node, membership(*at) == Membership::kBoth ? other : Membership::kGone);
}

void Frontier::step_as_printed(const Node& a) {
  if (is_in(membership(*row(a)), Membership::kAhead)) {
    leave(*tree_.parent(a), Membership::kLeaf);
    leave(a, Membership::kAhead);
  } else {
    leave(a, Membership::kLeaf);
  }
  for (const Node& child : tree_.children(a)) enter(child, Membership::kLeaf);
  for (const Node& leaf : leaves())
    for (const Node& child : tree_.children(leaf)) enter(child, Membership::kAhead);
}

std::vector<Node> Frontier::leaves() const { return all(Membership::kLeaf); }
std::vector<Node> Frontier::ahead() const { return all(Membership::kAhead); }

std::vector<Node> Frontier::all(Membership set) const {
  std::vector<Node> out;
  for (std::size_t i = 0; i < opened_.size(); ++i)
    if (is_in(memberships_[i], set)) out.push_back(opened_[i]);
  return out;
}

}  // namespace iqbo::internal

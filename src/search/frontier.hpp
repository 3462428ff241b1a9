// The nodes of a tree that may be asked now, as answers open it up: the sets of [Zhang26] algorithm 2.
//
//   L   the leaves of the tree so far;   L'  children of leaves, one step ahead;   candidates = L u L'
//
// At first L = {root}, L' = its children. When a is selected:
//   - a in L leaves L; else its parent leaves L, if it is there. a leaves L'. Its siblings stay where they are;
//   - its children enter L; if it has none and may be asked again, a itself does (the paper's literal form drops it);
//   - L' = (L' u children of all of L) \ L.
// To the letter of the print (`printed`) the sets may share nodes, and these differ:
//   - a in L' leaves L' and its parent leaves L; a in both stays in L, where it may be asked again. a in L alone leaves L;
//   - L' = L' u children of all of L.
// Selecting a node that is no longer a candidate changes nothing. One that is not a candidate yet is selected when it
// becomes one: answers of a batch may come in any order, some before the search reaches their nodes.
//
// So a node enters L once and its children enter L' once, and a step costs O(K^2) however large the tree is; to the letter,
// O(K |L|).
#pragma once

#include <map>
#include <optional>
#include <set>
#include <vector>

#include "iqbo/space/query_tree.hpp"

namespace iqbo::internal {

class Frontier {
 public:
  explicit Frontier(QueryTree tree, bool requery_leaf = true, bool printed = false);

  void select(const Node& a);

  // Every node that has ever been a candidate, in the order in which they became one; it only grows.
  const std::vector<Node>& opened() const { return opened_; }
  Index size() const { return static_cast<Index>(opened_.size()); }
  std::optional<Index> row(const Node& node) const;  // in opened()

  enum class Membership { kGone, kLeaf, kAhead, kBoth };  // asked or passed over; in L; in L'; in both, if `printed`
  Membership membership(Index row) const { return memberships_[static_cast<std::size_t>(row)]; }
  bool is_candidate(Index row) const { return membership(row) != Membership::kGone; }

  std::vector<Node> leaves() const;  // L
  std::vector<Node> ahead() const;   // L'

  const QueryTree& tree() const { return tree_; }

 private:
  void step(const Node& a);  // selects a, if it is a candidate
  void step_as_printed(const Node& a);
  void enter(const Node& node, Membership set);  // L or L'; as printed
  void leave(const Node& node, Membership set);
  void put(const Node& node, Membership membership);
  void add_leaf(const Node& node);
  std::vector<Node> all(Membership set) const;

  QueryTree tree_;
  bool requery_leaf_;
  bool printed_;
  std::vector<Node> opened_;
  std::vector<Membership> memberships_;
  std::map<Node, Index> rows_;
  std::set<Node> early_;     // selected, but not opened yet
  std::size_t settled_ = 0;  // the first so many of opened_ are not in early_
};

}  // namespace iqbo::internal

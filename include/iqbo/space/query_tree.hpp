// A tree of queries: cells cut into smaller ones, cheap and blurred at the top, expensive and sharp below.
//
//   root = the box (or all points), level 0;   a node of level l < l_max has K = prod_j splits_j children of level l + 1
//   a(node) = (centre of its cell, resolution): a query of dimension d + 1;   cost(node) > 0, never below its parent's
//
// Not given, cost and resolution are the paper's: (l + 1) / 2 and 1 / (l + 1), the latter in units of X and independent
// of the cell's width [Zhang26] section 5.2. The conditional decides what a resolution does:
//
//   GaussianConditional(QueryMap::columns({0, 1}), QueryMap::columns({2}))    a window of sd delta around the centre
//   CellConditional(tree)                                                     the average over the points of a cell
//
// A node is two numbers and everything else is computed from them, so a tree of 16 million leaves takes no memory.
//
// Of points (pixels, households): the box around them is cut, a node holds the points in its cell, and its answer is
// their average, weighted if weights (populations) are given; points of weight 0 belong to no cell. Cells without
// points do not exist. A child with all points of its parent would ask the same at a higher cost, so it is skipped: no
// two nodes hold the same points, a node with one point has no children.
#pragma once

#include <compare>
#include <functional>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "iqbo/core/points.hpp"
#include "iqbo/space/box.hpp"
#include "iqbo/space/finite_set.hpp"

namespace iqbo {

// `number` is the position among all cells of the level, where siblings stand next to each other in the order of their
// parents: child c of (l, i) is (l + 1, K i + c), c counting along the axes with the last running fastest.
struct Node {
  Index level = 0;
  Index number = 0;
  friend auto operator<=>(const Node&, const Node&) = default;
};

struct Cell {
  Node node;
  Vector centre;
  Vector half_width;
};

// One number for each level from 0 to l_max, or one for each cell; nothing: the default.
using PerCell = std::variant<std::monostate, Vector, std::function<double(const Cell&)>>;

struct TreeOptions {
  Index l_max = 6;                   // at least 1
  std::vector<Index> splits = {};    // of a cell along each axis, at least 1, together 2 or more; none: two along each
  PerCell cost = {};                 // positive, child >= parent
  PerCell resolution = {};           // >= 0; as a list not rising with the level, falling where all splits are odd
  std::optional<QueryBox> box = {};  // of points: what to cut; not given: the smallest box around them
  PerCell noise_var = {};            // of an answer, >= 0; not given: that of the setting
};

class QueryTree {
 public:
  explicit QueryTree(const QueryBox& box, TreeOptions options = {});
  explicit QueryTree(Inputs points, TreeOptions options = {});
  QueryTree(Inputs points, Vector weight, TreeOptions options = {});

  Index l_max() const;
  Index arity() const;      // K
  Index dimension() const;  // of a query: that of the location plus one
  Node root() const { return {}; }

  std::vector<Node> children(const Node& node) const;  // none if it cannot be cut
  std::optional<Node> parent(const Node& node) const;  // none for the root

  Cell cell(const Node& node) const;
  double cost(const Node& node) const;
  double resolution(const Node& node) const;
  std::optional<double> noise_var(const Node& node) const;
  bool has_noise_var() const;

  // One row per node; and the node whose query is exactly this.
  Queries queries(const std::vector<Node>& nodes) const;
  std::optional<Node> find(const Eigen::Ref<const Eigen::RowVectorXd>& query) const;

  // The partition at a level, as a list to choose from without a tree; with l_max, the leaves. Refuses more than
  // kMostListed nodes.
  static constexpr Index kMostListed = Index{1} << 20;
  std::vector<Node> nodes_at(Index level) const;
  QuerySet queries_at(Index level) const { return QuerySet(queries(nodes_at(level))); }
  double size_at(Index level) const;  // how many at most, even if they could not be listed

  // The same locations at the finest resolution.
  Queries finest(const Queries& a) const;

  // The box that is cut: that given, or the one around the points.
  const QueryBox& box() const;

  // Of a tree of points: all points, their weights, and the rows of those in a cell. Of a box: null, empty, empty.
  const Inputs* points() const;
  const Vector& weight() const;
  std::vector<Index> members(const Node& node) const;

 private:
  struct State;
  std::shared_ptr<const State> state_;
};

}  // namespace iqbo

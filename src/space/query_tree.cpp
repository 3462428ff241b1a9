#include "iqbo/space/query_tree.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <string>
#include <utility>

#include "iqbo/core/check.hpp"

namespace iqbo {
namespace {

constexpr Index kMostCells = Index{1} << 62;  // at one level: their numbers must fit

std::string named(const Node& node) {
  return "level " + std::to_string(node.level) + ", cell " + std::to_string(node.number);
}

// A list must have a number for every level.
const Vector* listed(const PerCell& values, Index l_max, std::string_view name) {
  const auto* list = std::get_if<Vector>(&values);
  if (list != nullptr && list->size() != l_max + 1)
    refuse(name, std::to_string(list->size()) + " levels", std::to_string(l_max + 1) + ", from 0 to l_max");
  return list;
}

using OfCell = std::function<double(const Cell&)>;

void require_callable(const PerCell& values, std::string_view name) {
  const auto* of_cell = std::get_if<OfCell>(&values);
  if (of_cell != nullptr && !*of_cell) refuse(name, "an empty function", "a list, a function, or nothing");
}

void require_options(const TreeOptions& options) {
  if (options.l_max < 1) refuse("l_max", std::to_string(options.l_max), "at least 1");
  require_callable(options.cost, "cost");
  require_callable(options.resolution, "resolution");
  require_callable(options.noise_var, "noise_var");
  if (const Vector* cost = listed(options.cost, options.l_max, "cost")) {
    require_positive(*cost, "cost");
    for (Index l = 1; l < cost->size(); ++l)
      if ((*cost)[l] < (*cost)[l - 1])
        refuse("cost", "level " + std::to_string(l) + " is " + readable((*cost)[l]),
               "at least " + readable((*cost)[l - 1]) + ", that of the level above");
  }
  if (const Vector* resolution = listed(options.resolution, options.l_max, "resolution")) {
    require_non_negative(*resolution, "resolution");
    for (Index l = 1; l < resolution->size(); ++l)
      if ((*resolution)[l] > (*resolution)[l - 1])
        refuse("resolution", "level " + std::to_string(l) + " is " + readable((*resolution)[l]),
               "at most " + readable((*resolution)[l - 1]) + ", that of the level above");
  }
  if (const Vector* noise_var = listed(options.noise_var, options.l_max, "noise_var"))
    require_non_negative(*noise_var, "noise_var");
}

Index product(const std::vector<Index>& splits) {
  return std::accumulate(splits.begin(), splits.end(), Index{1}, std::multiplies<>());
}

std::vector<Index> checked_splits(std::vector<Index> splits, Index dimension, Index l_max) {
  if (splits.empty()) splits.assign(static_cast<std::size_t>(dimension), 2);
  require_rows(static_cast<Index>(splits.size()), dimension, "splits");
  double k = 1.0;
  for (std::size_t j = 0; j < splits.size(); ++j) {
    if (splits[j] < 1) refuse("splits", "row " + std::to_string(j) + " is " + std::to_string(splits[j]), "at least 1");
    k *= static_cast<double>(splits[j]);
  }
  if (k < 2.0) refuse("splits", "one child a node", "two or more");
  if (std::pow(k, static_cast<double>(l_max)) > static_cast<double>(kMostCells))
    refuse("l_max", std::to_string(l_max),
           "at most " + std::to_string(static_cast<int>(62.0 / std::log2(k))) + " for " + readable(k) +
               " children a node");
  return splits;
}

// Cells so small that their centres can no longer be told apart would be the same query.
void require_room(const QueryBox& box, const std::vector<Index>& splits, Index l_max) {
  constexpr double kUlps = 8.0;
  for (std::size_t j = 0; j < splits.size(); ++j) {
    const auto axis = static_cast<Index>(j);
    const double half = 0.5 * (box.upper()[axis] - box.lower()[axis]) /
                        std::pow(static_cast<double>(splits[j]), static_cast<double>(l_max));
    const double largest = std::max(std::abs(box.lower()[axis]), std::abs(box.upper()[axis]));
    if (half < kUlps * std::numeric_limits<double>::epsilon() * largest)
      refuse("l_max", std::to_string(l_max),
             "less: along axis " + std::to_string(j) + " its cells, " + readable(2.0 * half) +
                 " wide, are below the precision of numbers near " + readable(largest));
  }
}

Index power(Index base, Index exponent) {
  Index out = 1;
  for (Index i = 0; i < exponent; ++i) out *= base;
  return out;
}

// The smallest box around the points of positive weight.
QueryBox around(const Inputs& points, const Vector& weight) {
  Vector lower = Vector::Constant(points.dimension(), std::numeric_limits<double>::infinity());
  Vector upper = -lower;
  for (Index i = 0; i < points.size(); ++i) {
    if (weight[i] == 0.0) continue;
    lower = lower.cwiseMin(points.row(i).transpose());
    upper = upper.cwiseMax(points.row(i).transpose());
  }
  for (Index j = 0; j < lower.size(); ++j)
    if (!(lower[j] < upper[j])) {  // all in one plane: any width will do, as no cut separates points
      lower[j] -= 0.5;
      upper[j] += 0.5;
    }
  return {std::move(lower), std::move(upper)};
}

}  // namespace

struct QueryTree::State {
  State(QueryBox whole, TreeOptions given) : box(std::move(whole)), options(std::move(given)) {
    require_options(options);
    splits = checked_splits(options.splits, box.dimension(), options.l_max);
    require_room(box, splits, options.l_max);
    k = product(splits);
    nested_centres = std::all_of(splits.begin(), splits.end(), [](Index split) { return split % 2 == 1; });
    if (const auto* list = std::get_if<Vector>(&options.resolution); list != nullptr && nested_centres)
      for (Index l = 1; l < list->size(); ++l)
        if ((*list)[l] == (*list)[l - 1]) refuse_nested(Node{l, 0}, (*list)[l]);
  }

  // With odd splits, a cell and its middle child have the same centre, and only the resolution makes them two queries.
  [[noreturn]] static void refuse_nested(const Node& node, double resolution) {
    refuse("resolution", named(node) + " is " + readable(resolution) + ", as above it",
           "a finer one, or an even split: with odd splits a cell and its middle child have the same centre");
  }

  // The position of a cell along each axis, and the cell that contains a point.
  std::vector<Index> place(const Node& node) const {
    std::vector<Index> out(splits.size(), 0);
    Index rest = node.number;
    std::vector<Index> unit(splits.size(), 1);
    for (Index l = 0; l < node.level; ++l) {
      Index digit = rest % k;
      rest /= k;
      for (std::size_t j = splits.size(); j-- > 0;) {
        out[j] += digit % splits[j] * unit[j];
        digit /= splits[j];
        unit[j] *= splits[j];
      }
    }
    return out;
  }

  Node at(Index level, const Eigen::Ref<const Eigen::RowVectorXd>& point) const {
    std::vector<Index> place;
    place.reserve(splits.size());
    for (std::size_t j = 0; j < splits.size(); ++j) {
      const auto axis = static_cast<Index>(j);
      const Index count = power(splits[j], level);
      const double share = (point[axis] - box.lower()[axis]) / (box.upper()[axis] - box.lower()[axis]);
      const double cell = std::floor(share * static_cast<double>(count));
      place.push_back(static_cast<Index>(std::clamp(cell, 0.0, static_cast<double>(count - 1))));
    }
    Node out{level, 0};
    for (Index l = 0, unit = 1; l < level; ++l, unit *= k) {
      Index digit = 0;
      for (std::size_t j = 0; j < splits.size(); ++j) {
        digit = digit * splits[j] + place[j] % splits[j];
        place[j] /= splits[j];
      }
      out.number += unit * digit;
    }
    return out;
  }

  void require(const Node& node) const {
    if (node.level < 0 || node.level > options.l_max || node.number < 0 || node.number >= power(k, node.level))
      refuse("node", named(node), "a cell of a level from 0 to " + std::to_string(options.l_max));
  }

  // The points of a cell are contiguous in `order`, as are those of its children.
  std::pair<Index, Index> range(const Node& node) const {
    const Index leaves = power(k, options.l_max - node.level);
    const auto begin = std::lower_bound(leaf.begin(), leaf.end(), node.number * leaves);
    const auto end = std::lower_bound(begin, leaf.end(), (node.number + 1) * leaves);
    return {begin - leaf.begin(), end - leaf.begin()};
  }
  Index count(const Node& node) const {
    const auto [begin, end] = range(node);
    return end - begin;
  }
  // The largest cell with the same points.
  Node topmost(Node node) const {
    while (node.level > 0 && count({node.level - 1, node.number / k}) == count(node))
      node = {node.level - 1, node.number / k};
    return node;
  }

  QueryBox box;
  TreeOptions options;
  std::vector<Index> splits;
  Index k = 0;
  bool nested_centres = false;

  std::optional<Inputs> points;
  Vector weight;
  std::vector<Index> order;  // of the points, by leaf
  std::vector<Index> leaf;   // number of the finest cell each is in, ascending
};

QueryTree::QueryTree(const QueryBox& box, TreeOptions options) {
  if (options.box) refuse("options.box", "given twice", "none: the box itself is cut");
  state_ = std::make_shared<const State>(box, std::move(options));
}

QueryTree::QueryTree(Inputs points, TreeOptions options)
    : QueryTree(points, Vector::Ones(points.size()), std::move(options)) {}

QueryTree::QueryTree(Inputs points, Vector weight, TreeOptions options) {
  require_rows(weight.size(), points.size(), "weight");
  require_non_negative(weight, "weight");
  const auto weighed = (weight.array() > 0.0).count();
  if (weighed < 2)
    refuse("points", std::to_string(weighed) + (weighed == 1 ? " point" : " points") + " of positive weight",
           "at least two: there would be nothing to divide");
  if (options.box) options.box->require_inside(Queries(points.coordinates()), "points");
  const QueryBox whole = options.box ? *options.box : around(points, weight);
  auto state = std::make_shared<State>(whole, std::move(options));
  std::vector<std::pair<Index, Index>> places;
  for (Index i = 0; i < points.size(); ++i)
    if (weight[i] > 0.0) places.emplace_back(state->at(state->options.l_max, points.row(i)).number, i);
  std::sort(places.begin(), places.end());
  if (places.front().first == places.back().first)
    refuse("points", "all in one cell of level " + std::to_string(state->options.l_max),
           "points that are told apart: by a larger l_max, a tighter box or other splits, if they differ at all");
  for (const auto& [number, row] : places) {
    state->leaf.push_back(number);
    state->order.push_back(row);
  }
  state->points = std::move(points);
  state->weight = std::move(weight);
  state_ = std::move(state);
}

Index QueryTree::l_max() const { return state_->options.l_max; }
Index QueryTree::arity() const { return state_->k; }
Index QueryTree::dimension() const { return state_->box.dimension() + 1; }
const QueryBox& QueryTree::box() const { return state_->box; }
const Inputs* QueryTree::points() const { return state_->points ? &*state_->points : nullptr; }
const Vector& QueryTree::weight() const { return state_->weight; }
bool QueryTree::has_noise_var() const { return state_->options.noise_var.index() != 0; }

std::vector<Node> QueryTree::children(const Node& node) const {
  const State& s = *state_;
  s.require(node);
  std::vector<Node> out;
  for (Node above = node; above.level < l_max(); above = out.front()) {
    out.clear();
    for (Index c = 0; c < s.k; ++c) {
      const Node child{above.level + 1, above.number * s.k + c};
      if (points() == nullptr || s.count(child) > 0) out.push_back(child);
    }
    if (out.size() > 1) return out;
  }
  return {};
}

std::optional<Node> QueryTree::parent(const Node& node) const {
  state_->require(node);
  if (node.level == 0) return std::nullopt;
  const Node above{node.level - 1, node.number / state_->k};
  return points() == nullptr ? above : state_->topmost(above);
}

Cell QueryTree::cell(const Node& node) const {
  state_->require(node);
  const std::vector<Index> place = state_->place(node);
  Cell out{node, box().lower(), 0.5 * (box().upper() - box().lower())};
  for (std::size_t j = 0; j < place.size(); ++j) {
    const auto axis = static_cast<Index>(j);
    out.half_width[axis] /= static_cast<double>(power(state_->splits[j], node.level));
    out.centre[axis] += static_cast<double>(2 * place[j] + 1) * out.half_width[axis];
  }
  return out;
}

double QueryTree::cost(const Node& node) const {
  state_->require(node);
  if (const auto* list = std::get_if<Vector>(&state_->options.cost)) return (*list)[node.level];
  const auto* price = std::get_if<OfCell>(&state_->options.cost);
  if (price == nullptr) return 0.5 * static_cast<double>(node.level + 1);
  const double out = (*price)(cell(node));
  if (!std::isfinite(out) || out <= 0.0) refuse("cost", named(node) + " is " + readable(out), "a finite number > 0");
  if (const auto above = parent(node))
    if (const double least = (*price)(cell(*above)); out < least)
      refuse("cost", named(node) + " is " + readable(out), "at least " + readable(least) + ", that of its parent");
  return out;
}

double QueryTree::resolution(const Node& node) const {
  state_->require(node);
  if (const auto* list = std::get_if<Vector>(&state_->options.resolution)) return (*list)[node.level];
  const auto* width = std::get_if<OfCell>(&state_->options.resolution);
  if (width == nullptr) return 1.0 / static_cast<double>(node.level + 1);
  const Cell here = cell(node);
  const double out = (*width)(here);
  if (!std::isfinite(out) || out < 0.0)
    refuse("resolution", named(node) + " is " + readable(out), "a finite number >= 0");
  if (!state_->nested_centres || node.level == 0) return out;
  const Cell above = cell({node.level - 1, node.number / state_->k});
  if (above.centre == here.centre && (*width)(above) == out) State::refuse_nested(node, out);
  return out;
}

std::optional<double> QueryTree::noise_var(const Node& node) const {
  state_->require(node);
  if (const auto* list = std::get_if<Vector>(&state_->options.noise_var)) return (*list)[node.level];
  const auto* noise = std::get_if<OfCell>(&state_->options.noise_var);
  if (noise == nullptr) return std::nullopt;
  const double out = (*noise)(cell(node));
  if (!std::isfinite(out) || out < 0.0)
    refuse("noise_var", named(node) + " is " + readable(out), "a finite number >= 0");
  return out;
}

Queries QueryTree::queries(const std::vector<Node>& nodes) const {
  Rows out(static_cast<Index>(nodes.size()), dimension());
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    const auto row = static_cast<Index>(i);
    out.row(row).head(dimension() - 1) = cell(nodes[i]).centre.transpose();
    out(row, dimension() - 1) = resolution(nodes[i]);
  }
  return Queries(std::move(out));
}

std::optional<Node> QueryTree::find(const Eigen::Ref<const Eigen::RowVectorXd>& query) const {
  require_columns(query.size(), dimension(), QuerySpace::kName);
  const bool by_level = !std::holds_alternative<OfCell>(state_->options.resolution);
  for (Index level = 0; level <= l_max(); ++level) {
    if (by_level && resolution({level, 0}) != query[dimension() - 1]) continue;
    const Node node = state_->at(level, query.head(dimension() - 1));
    if (cell(node).centre.transpose() != query.head(dimension() - 1)) continue;
    if (resolution(node) != query[dimension() - 1]) continue;
    if (points() == nullptr || (state_->count(node) > 0 && state_->topmost(node) == node)) return node;
  }
  return std::nullopt;
}

double QueryTree::size_at(Index level) const {
  if (level < 0 || level > l_max()) refuse("level", std::to_string(level), "0 to " + std::to_string(l_max()));
  const double cells = std::pow(static_cast<double>(arity()), static_cast<double>(level));
  return points() == nullptr ? cells : std::min(cells, static_cast<double>(state_->order.size()));
}

std::vector<Node> QueryTree::nodes_at(Index level) const {
  if (size_at(level) > static_cast<double>(kMostListed))
    refuse("level", std::to_string(level) + " has " + readable(size_at(level)) + " nodes",
           "at most " + std::to_string(kMostListed) + " to be listed");
  std::vector<Node> out;
  if (points() == nullptr) {
    for (Index i = 0; i < power(arity(), level); ++i) out.push_back({level, i});
    return out;
  }
  const Index leaves = power(arity(), l_max() - level);
  Index last = -1;
  for (const Index leaf : state_->leaf) {
    if (leaf / leaves == last) continue;
    last = leaf / leaves;
    if (const Node node = state_->topmost({level, last}); out.empty() || out.back() != node) out.push_back(node);
  }
  return out;
}

Queries QueryTree::finest(const Queries& a) const {
  require_columns(a.dimension(), dimension(), QuerySpace::kName);
  Rows out = a.coordinates();
  for (Index i = 0; i < a.size(); ++i)
    out(i, dimension() - 1) = resolution(state_->at(l_max(), a.row(i).head(dimension() - 1)));
  return Queries(std::move(out));
}

std::vector<Index> QueryTree::members(const Node& node) const {
  state_->require(node);
  if (points() == nullptr) return {};
  const auto [begin, end] = state_->range(node);
  return {state_->order.begin() + begin, state_->order.begin() + end};
}

}  // namespace iqbo

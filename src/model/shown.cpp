#include "shown.hpp"

#include "snapshot_of.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kLine = 201;  // values along the axis of a box of one dimension
constexpr Index kSide = 41;   // and along each of two

std::vector<Index> counts_of(Index dimension) {
  return dimension == 1 ? std::vector<Index>{kLine} : std::vector<Index>{kSide, kSide};
}

template <class Space>
Points<Space> shown(const FiniteSet<Space>& list) {
  return list.size() <= kSnapshotPoints ? list.points() : Points<Space>();
}

template <class Space>
Points<Space> shown(const Box<Space>& box) {
  return box.dimension() > 2 ? Points<Space>() : box.grid(counts_of(box.dimension()));
}

// Place by place, so that the choice, which the user has last, varies fastest.
Queries shown(const MixedQueries& mixed) {
  const Queries places = shown(mixed.box());
  const Index choices = mixed.choices().size();
  if (places.empty() || places.size() * choices > kSnapshotPoints) return {};
  Rows out(places.size() * choices, mixed.dimension());
  for (Index c = 0; c < choices; ++c) {
    const Queries some = mixed.with_choice(c, places);
    for (Index i = 0; i < places.size(); ++i) out.row(i * choices + c) = some.row(i);
  }
  return Queries(std::move(out));
}

// The coarse levels, and what the search has come to beyond them.
Queries shown(const QueryTree& tree, Policy& policy) {
  constexpr double kCells = 1024.0;
  std::vector<Node> nodes;
  Index level = 0;
  for (; level <= tree.l_max() && tree.size_at(level) <= kCells; ++level)
    for (const Node& node : tree.nodes_at(level)) nodes.push_back(node);
  for (const OpenedNode& each : policy.opened())
    if (each.node.level >= level) nodes.push_back(each.node);
  return tree.queries(nodes);
}

bool too_fine(const std::vector<AxisSpec>& axes) {
  double points = 1.0;
  for (const AxisSpec& axis : axes) points *= static_cast<double>(axis.grid);
  return points > static_cast<double>(kSnapshotPoints);
}

std::vector<std::int64_t> lengths(const std::vector<AxisSpec>& axes) {
  std::vector<std::int64_t> out;
  out.reserve(axes.size());
  for (const AxisSpec& axis : axes) out.push_back(axis.grid);
  if (!axes.empty() && axes.front().grid > 0 && !too_fine(axes)) return out;
  const auto counts = counts_of(static_cast<Index>(axes.size()));
  return {counts.begin(), counts.end()};
}

Inputs shown_inputs(const StudyModel& model) {
  const TargetSpec& s = model.spec().target;
  if (s.kind == TargetSpec::Kind::kBox && too_fine(s.axes)) return shown(box_of<InputSpace>(s.axes));
  return std::visit([](const auto& space) { return shown(space); }, model.setting().x);
}

Queries shown_queries(const StudyModel& model, Policy& policy) {
  if (const auto* tree = std::get_if<QueryTree>(&model.setting().a)) return shown(*tree, policy);
  if (const auto* list = std::get_if<QuerySet>(&model.setting().a)) return shown(*list);
  if (const auto* box = std::get_if<QueryBox>(&model.setting().a)) return shown(*box);
  return shown(std::get<MixedQueries>(model.setting().a));
}

}  // namespace

ShownPoints shown_points(const StudyModel& model, Policy& policy) {
  return {shown_inputs(model), shown_queries(model, policy)};
}

std::vector<std::int64_t> grid_of_inputs(const StudyModel& model) {
  const TargetSpec& s = model.spec().target;
  return s.kind == TargetSpec::Kind::kBox ? lengths(s.axes) : std::vector<std::int64_t>();
}

std::vector<std::int64_t> grid_of_queries(const StudyModel& model) {
  const QuerySpec& s = model.spec().query;
  if (s.kind != QuerySpec::Kind::kBox || s.tree) return {};
  if (s.resolutions.empty()) return lengths(s.axes);
  const auto* mixed = std::get_if<MixedQueries>(&model.setting().a);
  if (mixed == nullptr) return {};
  std::vector<std::int64_t> out = lengths(s.axes);
  out.push_back(mixed->choices().size());
  return out;
}

}  // namespace iqbo::internal

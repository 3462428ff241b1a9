#include "shown.hpp"

#include "snapshot_of.hpp"

namespace iqbo::internal {
namespace {

constexpr Index kLine = 201;  // values along the axis of a box of one dimension
constexpr Index kSide = 41;   // and along each of two

std::vector<Index> counts_of(Index dimension) {
  return dimension == 1 ? std::vector<Index>{kLine} : std::vector<Index>{kSide, kSide};
}

Inputs shown(const InputSet& list) { return list.size() <= kSnapshotPoints ? list.points() : Inputs(); }
Inputs shown(const InputBox& box) { return box.dimension() > 2 ? Inputs() : box.grid(counts_of(box.dimension())); }

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

Inputs shown_inputs(const StudySetup& setup) {
  const TargetSpec& s = setup.spec().targets;
  if (s.kind == TargetSpec::Kind::kBox && too_fine(s.axes)) return shown(box_of<InputSpace>(s.axes));
  return std::visit([](const auto& space) { return shown(space); }, setup.setting().targets);
}

// For cells: the coarse levels, and the cells beyond them that the search has opened.
Queries shown_queries(const StudySetup& setup, Policy& policy) {
  constexpr Index kCells = 1024;
  const QueryDomain& domain = *setup.setting().queries;
  const Index d = domain.continuous_dimension();
  if (d > 2) return {};
  const Queries out = domain.overview(d == 0 ? kCells : d == 1 ? kLine : kSide * kSide);
  if (!domain.cell(domain.any().row(0))) {
    const bool part = d == 0 && out.size() < domain.probes().size();  // of a list that is too long to be shown
    return part || out.size() > kSnapshotPoints ? Queries() : out;
  }
  const QuerySet coarse(out);
  const Queries opened = policy.opened().queries;
  std::vector<Index> beyond;
  for (Index i = 0; i < opened.size(); ++i)
    if (!coarse.find(opened.row(i))) beyond.push_back(i);
  return out.joined(Queries(Rows(opened.coordinates()(beyond, Eigen::all))));
}

}  // namespace

ShownPoints shown_points(const StudySetup& setup, Policy& policy) {
  return {shown_inputs(setup), shown_queries(setup, policy)};
}

std::vector<std::int64_t> grid_of_inputs(const StudySetup& setup) {
  const TargetSpec& s = setup.spec().targets;
  return s.kind == TargetSpec::Kind::kBox ? lengths(s.axes) : std::vector<std::int64_t>();
}

std::vector<std::int64_t> grid_of_queries(const StudySetup& setup) {
  const QuerySpec& s = setup.spec().queries;
  if (s.kind != QuerySpec::Kind::kBox || s.tree) return {};
  if (s.resolutions.empty()) return lengths(s.axes);
  if (!setup.resolution_first()) return {};
  std::vector<std::int64_t> out = lengths(s.axes);
  out.push_back(static_cast<std::int64_t>(s.resolutions.size()));
  return out;
}

}  // namespace iqbo::internal

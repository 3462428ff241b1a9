#include "spec_check.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/kernel/family.hpp"

namespace iqbo {

using namespace internal;

namespace {

std::string count(std::size_t n) { return std::to_string(n); }

void require_distinct(const std::vector<std::string>& names, const std::string& path) {
  std::set<std::string> seen;
  for (const std::string& name : names)
    if (!seen.insert(name).second) refuse(path, "names " + in_quotes(name) + " twice", "different names");
}

template <class T>
void require_count(const std::vector<T>& list, std::size_t expected, const std::string& path, const std::string& each) {
  if (!list.empty() && list.size() != expected)
    refuse(path, "has " + count(list.size()) + " entries", count(expected) + ", one per " + each);
}

void require_moderate(double value, const std::string& path) {
  if (!(std::abs(value) <= kLargestNumber))
    refuse(path, "is " + readable(value), "a number of size at most " + readable(kLargestNumber));
}

void require_moderate(const std::vector<double>& values, const std::string& path) {
  for (std::size_t i = 0; i < values.size(); ++i)
    require_moderate(values[i], values.size() == 1 ? path : path + "[" + count(i) + "]");
}

// Listed points are kept in memory, so their number is limited.
void check_grid(const std::vector<AxisSpec>& axes, std::size_t layers, const std::string& path) {
  double points = static_cast<double>(std::max<std::size_t>(layers, 1));
  for (const AxisSpec& axis : axes) points *= static_cast<double>(axis.grid);
  if (points > static_cast<double>(kMostGridPoints))
    refuse(path, "have a grid of " + readable(points) + " points", "at most " + std::to_string(kMostGridPoints));
}

void check_axes(const std::vector<AxisSpec>& axes, const std::string& path) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const AxisSpec& axis = axes[i];
    const std::string here = path + "[" + std::to_string(i) + "]";
    names.push_back(axis.name);
    require_moderate(axis.from, here + ".from");
    require_moderate(axis.to, here + ".to");
    if (axis.from >= axis.to) refuse(here + ".to", "is " + readable(axis.to), "more than from, " + readable(axis.from));
    const double step = (axis.to - axis.from) / static_cast<double>(std::max<std::int64_t>(axis.grid, 1));
    if (axis.grid > 1 && step < 1e-12 * std::max(std::abs(axis.from), std::abs(axis.to)))
      refuse(here + ".grid",
             "is " + std::to_string(axis.grid) + ", so many that neighbouring values are the same number", "fewer");
    if (axis.grid == 1) refuse(here + ".grid", "is 1", "0 (no grid) or at least 2");
    if ((axis.grid == 0) != (axes[0].grid == 0))
      refuse(here + ".grid", axis.grid == 0 ? "is missing" : "is given", "a grid on each axis or on none");
  }
  require_distinct(names, path);
  check_grid(axes, 1, path);
}

void check_listed(const std::vector<std::string>& coordinates, const std::vector<std::string>& units,
                  const std::string& path) {
  require_distinct(coordinates, path + ".coordinates");
  require_count(units, coordinates.size(), path + ".units", "coordinate");
}

std::size_t dimension(const TargetSpec& s) {
  return s.kind == TargetSpec::Kind::kBox ? s.axes.size() : s.coordinates.size();
}

// How many coordinates of a query a map reads: its location, without the resolution.
std::size_t location_dimension(const QuerySpec& s) {
  return s.kind == QuerySpec::Kind::kBox ? s.axes.size() : s.coordinates.size();
}

bool has_resolution(const QuerySpec& s) {
  return s.kind == QuerySpec::Kind::kBox && (s.tree || !s.resolutions.empty());
}

void check_not_falling(const std::vector<double>& costs, const std::string& path) {
  for (std::size_t l = 1; l < costs.size(); ++l)
    if (costs[l] < costs[l - 1])
      refuse(path + "[" + std::to_string(l) + "]", "is " + readable(costs[l]),
             "at least the cost of the level above, " + readable(costs[l - 1]));
}

void check_tree(const TreeSpec& tree, bool cells, std::size_t dimension) {
  const std::string path = "queries.tree";
  const auto levels = static_cast<std::size_t>(tree.levels);
  require_count(tree.splits, dimension, path + ".splits", "coordinate");
  if (!tree.splits.empty() && *std::max_element(tree.splits.begin(), tree.splits.end()) < 2)
    refuse(path + ".splits", "splits nothing", "at least one number above 1");
  require_count(tree.costs, levels, path + ".costs", "level");
  require_count(tree.noise_sds, levels, path + ".noise_sds", "level");
  require_count(tree.resolutions, levels, path + ".resolutions", "level");
  require_moderate(tree.costs, path + ".costs");
  require_moderate(tree.noise_sds, path + ".noise_sds");
  require_moderate(tree.resolutions, path + ".resolutions");
  check_not_falling(tree.costs, path + ".costs");
  for (std::size_t l = 1; l < tree.resolutions.size(); ++l)
    if (tree.resolutions[l] > tree.resolutions[l - 1])
      refuse(path + ".resolutions[" + count(l) + "]", "is " + readable(tree.resolutions[l]),
             "at most that of the level above, " + readable(tree.resolutions[l - 1]));
  if (cells && !tree.resolutions.empty()) refuse(path + ".resolutions", "is given", "none: a cell averages its points");
  if (!cells && !tree.weight.empty()) refuse(path + ".weight", "is given", "none: only cells of points have weights");
}

void check_target(const TargetSpec& s) {
  if (s.kind == TargetSpec::Kind::kBox) return check_axes(s.axes, "targets.axes");
  check_listed(s.coordinates, s.units, "targets");
}

void check_query(const QuerySpec& s, const TargetSpec& target) {
  if (s.kind == QuerySpec::Kind::kBox) {
    check_axes(s.axes, "queries.axes");
    if (!s.resolutions.empty()) check_grid(s.axes, s.resolutions.size(), "queries.axes and queries.resolutions");
    require_moderate(s.resolutions, "queries.resolutions");
    for (std::size_t l = 1; l < s.resolutions.size(); ++l)
      if (const auto first = std::find(s.resolutions.begin(), s.resolutions.end(), s.resolutions[l]);
          first != s.resolutions.begin() + static_cast<std::ptrdiff_t>(l))
        refuse("queries.resolutions[" + count(l) + "]", "is " + readable(s.resolutions[l]) + ", as one before it",
               "different ones");
    require_moderate(s.costs, "queries.costs");
    require_count(s.costs, s.resolutions.size(), "queries.costs", "resolution");
    if (!s.costs.empty() && s.resolutions.empty()) refuse("queries.costs", "is given", "queries.resolutions too");
    if (s.tree && !s.resolutions.empty()) refuse("queries.resolutions", "is given", "queries.tree.resolutions instead");
    if (!s.cost.column.empty()) refuse("queries.cost", "names a column", "a number: a box has no file");
    if (s.noise_sd && !s.noise_sd->column.empty())
      refuse("queries.noise_sd", "names a column", "a number: a box has no file");
    if (s.tree && s.axes[0].grid > 0)
      refuse("queries.axes[0].grid", "is given with queries.tree", "none: the tree says which locations are asked");
    if (s.tree) check_tree(*s.tree, false, s.axes.size());
  } else if (s.kind == QuerySpec::Kind::kPoints) {
    check_listed(s.coordinates, s.units, "queries");
    require_distinct(s.categories, "queries.categories");
    for (const std::string& name : s.categories)
      if (std::find(s.coordinates.begin(), s.coordinates.end(), name) == s.coordinates.end())
        refuse("queries.categories", "names " + in_quotes(name), "only names that queries.coordinates has");
  } else {
    if (target.kind != TargetSpec::Kind::kPoints)
      refuse("queries.kind", "is \"cells\"", "targets of kind points, whose points the cells hold");
    check_tree(*s.tree, true, dimension(target));
  }
}

void check_affine(const MapSpec& s, const std::string& path, std::size_t inputs, std::size_t queries,
                  bool one_allowed) {
  if (s.slope.size() != inputs && !(one_allowed && s.slope.size() == 1))
    refuse(path + ".slope", "has " + count(s.slope.size()) + " rows", count(inputs) + ", one per coordinate of x");
  for (std::size_t i = 0; i < s.slope.size(); ++i)
    if (s.slope[i].size() != queries)
      refuse(path + ".slope[" + count(i) + "]", "has " + count(s.slope[i].size()) + " entries",
             count(queries) + ", one per coordinate of a");
  require_count(s.offset, s.slope.size(), path + ".offset", "row of slope");
  require_moderate(s.offset, path + ".offset");
  for (std::size_t i = 0; i < s.slope.size(); ++i) require_moderate(s.slope[i], path + ".slope[" + count(i) + "]");
}

// An affine width is smallest at a corner: the lower end of axes with a positive slope, the upper end of the others.
void check_width_in_box(const MapSpec& s, const std::vector<AxisSpec>& axes) {
  for (std::size_t i = 0; i < s.slope.size(); ++i) {
    double least = s.offset.empty() ? 0.0 : s.offset[i];
    std::string where;
    for (std::size_t j = 0; j < axes.size(); ++j) {
      const double at = s.slope[i][j] < 0 ? axes[j].to : axes[j].from;
      least += s.slope[i][j] * at;
      where += (j > 0 ? ", " : "") + axes[j].name + " = " + readable(at);
    }
    if (least < 0)
      refuse("conditional.width", "is " + readable(least) + " at " + where, "at least 0 everywhere in queries.axes");
  }
}

void check_columns(const MapSpec& s, const std::string& path, std::size_t inputs, const Spec& spec, bool one_allowed) {
  if (spec.queries.kind != QuerySpec::Kind::kPoints) refuse(path + ".columns", "is given", "queries of kind points");
  if (!(one_allowed && s.columns.size() == 1)) require_count(s.columns, inputs, path + ".columns", "coordinate of x");
}

void check_mu(const Spec& spec) {
  using Kind = MapSpec::Kind;
  const MapSpec& mu = spec.conditional.mu;
  const std::string path = "conditional.mu";
  const std::size_t inputs = dimension(spec.targets);
  const std::size_t queries = location_dimension(spec.queries);
  if (mu.kind == Kind::kConstant || mu.kind == Kind::kResolution)
    refuse(path, mu.kind == Kind::kConstant ? "is the same for every query" : "is \"resolution\"",
           R"("identity", {"slope": ..., "offset": ...} or {"columns": [...]})");
  if (mu.kind == Kind::kIdentity && inputs != queries)
    refuse(path, "is \"identity\" while x has " + count(inputs) + " coordinates and a has " + count(queries),
           R"({"slope": ..., "offset": ...} or {"columns": [...]})");
  if (mu.kind == Kind::kAffine) check_affine(mu, path, inputs, queries, false);
  if (mu.kind == Kind::kColumns) check_columns(mu, path, inputs, spec, false);
}

void check_width(const Spec& spec) {
  using Kind = MapSpec::Kind;
  const MapSpec& width = spec.conditional.width;
  const std::string path = "conditional.width";
  const std::size_t inputs = dimension(spec.targets);
  if (width.kind == Kind::kIdentity)
    refuse(path, "is \"identity\"", "a number, a list, \"resolution\", slope or columns");
  if (width.kind == Kind::kResolution && !has_resolution(spec.queries))
    refuse(path, "is \"resolution\"", "queries.tree or queries.resolutions, which give the resolutions");
  if (width.kind != Kind::kResolution && has_resolution(spec.queries))
    refuse(path, "does not follow the query's resolution", "\"resolution\"");
  if (width.kind == Kind::kConstant && width.offset.size() > 1)
    require_count(width.offset, inputs, path, "coordinate of x");
  if (width.kind == Kind::kConstant) require_moderate(width.offset, path);
  if (width.kind == Kind::kAffine) {
    check_affine(width, path, inputs, location_dimension(spec.queries), true);
    if (spec.queries.kind == QuerySpec::Kind::kBox) check_width_in_box(width, spec.queries.axes);
  }
  if (width.kind == Kind::kColumns) check_columns(width, path, inputs, spec, true);
}

void check_windows(const Spec& spec) {
  if (spec.queries.kind == QuerySpec::Kind::kCells)
    refuse("conditional.kind", "is a window", "\"cells\", as queries.kind is \"cells\"");
  if (!spec.queries.categories.empty())
    refuse("queries.categories", "is given", "none: a window's centre is computed from numbers");
  check_mu(spec);
  check_width(spec);
  if (spec.conditional.truncate != ConditionalSpec::Truncate::kNone && spec.targets.kind != TargetSpec::Kind::kBox)
    refuse("conditional.truncate", "is given", "targets of kind box, at whose edge windows are truncated");
}

void check_conditional(const Spec& spec) {
  const ConditionalSpec& s = spec.conditional;
  const QuerySpec& query = spec.queries;
  switch (s.kind) {
    case ConditionalSpec::Kind::kGaussian:
    case ConditionalSpec::Kind::kUniform:
      return check_windows(spec);
    case ConditionalSpec::Kind::kBags:
      if (query.kind != QuerySpec::Kind::kPoints)
        refuse("conditional.kind", "is \"bags\"", "queries of kind points, whose ids the bags name");
      if (s.query.empty() && query.id.empty())
        refuse("conditional.query", "is missing", "the column of query numbers, as queries.id is not given");
      if (!s.point.empty() && spec.targets.kind != TargetSpec::Kind::kPoints)
        refuse("conditional.point", "is given", "targets of kind points, whose ids the column holds");
      return;
    case ConditionalSpec::Kind::kLearned:
      if (query.kind == QuerySpec::Kind::kCells) refuse("conditional.kind", "is \"learned\"", "\"cells\"");
      if (location_dimension(query) == 0)
        refuse("queries.coordinates", "is missing", "coordinates of a, from which p(x given a) is learned");
      if (has_resolution(query))
        refuse("conditional.kind", "is \"learned\"", "gaussian or uniform, whose width follows the resolution");
      return;
    case ConditionalSpec::Kind::kCells:
      if (query.kind != QuerySpec::Kind::kCells)
        refuse("conditional.kind", "is \"cells\"", "queries.kind \"cells\" too");
  }
}

void check_prior(const Spec& spec) {
  if (spec.budget) require_moderate(*spec.budget, "budget");
  require_moderate(spec.queries.cost.value, "queries.cost");
  if (spec.queries.noise_sd) require_moderate(spec.queries.noise_sd->value, "queries.noise_sd");
  if (spec.noise_sd) require_moderate(*spec.noise_sd, "noise_sd");
  require_moderate(spec.mean.value, "mean");
  if (!spec.kernel) return;
  require_moderate(spec.kernel->variance, "kernel.variance");
  require_moderate(spec.kernel->nugget, "kernel.nugget");
  require_moderate(spec.kernel->lengthscale, "kernel.lengthscale");
  const std::size_t inputs = dimension(spec.targets);
  if (spec.kernel->lengthscale.size() != 1)
    require_count(spec.kernel->lengthscale, inputs, "kernel.lengthscale", "coordinate of x");
  for (const ShapeParameter& each : family_of(spec.kernel->family).shape) {
    const auto& values = spec.kernel->shape.at(each.name);
    const std::string path = "kernel." + each.name;
    require_moderate(values, path);
    if (!each.per_column && values.size() != 1) refuse(path, "is a list", "one number");
    if (values.size() != 1) require_count(values, inputs, path, "coordinate of x");
  }
  if (!spec.noise_sd && !is_count(spec.answers))
    refuse("noise_sd", "is \"auto\"", "a number, as the kernel is given and nothing is fitted");
  if (spec.mean.kind == MeanSpec::Kind::kLinear)
    refuse("mean", "is \"linear\"", "a number, as the kernel is given and nothing is fitted");
}

}  // namespace

void check_spec(const Spec& spec, const std::vector<std::string>& policies) {
  check_target(spec.targets);
  check_query(spec.queries, spec.targets);
  check_conditional(spec);
  check_prior(spec);
  check_answers(spec);
  const std::string& policy = spec.policy.name;
  const bool custom = policy.size() > kCustomPolicy.size() && policy.starts_with(kCustomPolicy);
  if (!custom && !policies.empty() && std::find(policies.begin(), policies.end(), policy) == policies.end())
    refuse("policy", "is " + in_quotes(policy), expected_names(policy, policies));
  if (policy == "level-set" && !spec.policy.above)
    refuse("policy.above", "not given", "the limit of f that \"level-set\" seeks");
  if (spec.stop && !spec.stop->regret && !spec.stop->probability)
    refuse("stop", "is empty", "\"regret\", \"probability\" or both");
  if (spec.stop && spec.stop->probability && *spec.stop->probability >= 1.0)
    refuse("stop.probability", "is 1", "less than 1: nothing is ever certain");
}

}  // namespace iqbo

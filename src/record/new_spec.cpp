#include "new_spec.hpp"

#include <algorithm>
#include <cmath>
#include <set>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Ids and names of categories are printed on terminals, which would obey a control character.
void refuse_control_characters(const CsvTable& table, const std::vector<std::string>& columns) {
  for (const std::string& column : columns) {
    if (!table.has(column)) continue;
    const std::size_t j = table.position(column);
    for (std::size_t i = 0; i < table.size(); ++i)
      if (has_control_character(table.rows[i][j])) table.refuse_cell(i, j, "has a control character", "a name without");
  }
}

// --- names ---

// Columns of imported tables, and the additional columns of exported trials.
const std::set<std::string> kImported{"value", "noise_sd", "replicates"};
const std::set<std::string> kCounted{"count", "exposure"};  // where answers are counts
const std::set<std::string> kExported{"trial", "state", "name", "cost", "policy", "worker", "reason", "query", "json"};

void refuse_names(const std::vector<std::string>& names, const std::string& path, const std::set<std::string>& taken) {
  for (const std::string& name : names)
    if (taken.contains(name))
      refuse(path, "is called " + in_quotes(name),
             "another name: tables have a column of that name for something else");
}

void refuse_taken(const std::vector<std::string>& names, const std::string& path, bool exported) {
  refuse_names(names, path, kImported);
  if (exported) refuse_names(names, path, kExported);
}

struct Range {
  double low = 0;
  double high = 0;
};

std::vector<Range> ranges_of(const std::vector<AxisSpec>& axes, const Rows& listed) {
  std::vector<Range> out;
  for (const AxisSpec& axis : axes) out.push_back({axis.from, axis.to});
  for (Index j = 0; j < listed.cols(); ++j) out.push_back({listed.col(j).minCoeff(), listed.col(j).maxCoeff()});
  return out;
}

Range affine(const MapSpec& s, std::size_t i, const std::vector<Range>& a) {
  Range out{s.offset[i], s.offset[i]};
  for (std::size_t j = 0; j < s.slope[i].size(); ++j) {
    const auto [least, most] = std::minmax({s.slope[i][j] * a[j].low, s.slope[i][j] * a[j].high});
    out.low += least;
    out.high += most;
  }
  return out;
}

// The range of coordinate i of a map; a single number applies to all coordinates.
Range range_of(const MapSpec& s, std::size_t i, const std::vector<Range>& a, const Rows& columns) {
  const auto one_of = [i](std::size_t size) { return size == 1 ? 0 : i; };
  switch (s.kind) {
    case MapSpec::Kind::kIdentity:
      return a[i];
    case MapSpec::Kind::kConstant:
      return {s.offset[one_of(s.offset.size())], s.offset[one_of(s.offset.size())]};
    case MapSpec::Kind::kAffine:
      return affine(s, one_of(s.slope.size()), a);
    case MapSpec::Kind::kColumns:
      return ranges_of({}, columns)[one_of(static_cast<std::size_t>(columns.cols()))];
    case MapSpec::Kind::kResolution:
      break;
  }
  throw std::logic_error("a resolution is no map");
}

double largest_resolution(const QuerySpec& query) {
  const auto& given = query.tree ? query.tree->resolutions : query.resolutions;
  return given.empty() ? 1.0 : *std::max_element(given.begin(), given.end());
}

// A slip of units in conditional.mu would go unnoticed until the campaign is over. Along each coordinate of x, mu(a) -+
// reach for all a together must meet the range of X; reach is the half-width, or eight sds. Ranges over A are those of
// its bounding box, so that only maps that are certainly outside are refused.
void require_windows_reach(const SpecData& data) {
  constexpr double kSds = 8.0;
  const ConditionalSpec& s = data.spec.conditional;
  const auto x = ranges_of(data.spec.targets.axes, data.targets.coordinates);
  const auto a = ranges_of(data.spec.queries.axes, data.queries.coordinates);
  const auto names = coordinate_names(data.spec.targets);
  for (std::size_t i = 0; i < x.size(); ++i) {
    const Range mu = range_of(s.mu, i, a, data.mu);
    const double width = s.width.kind == MapSpec::Kind::kResolution ? largest_resolution(data.spec.queries)
                                                                    : range_of(s.width, i, a, data.width).high;
    const double reach = s.kind == ConditionalSpec::Kind::kGaussian ? kSds * width : width;
    if (mu.high + reach < x[i].low || mu.low - reach > x[i].high)
      refuse(
          "conditional.mu",
          "is from " + readable(mu.low) + " to " + readable(mu.high) + " in " + names[i] + ", and no window reaches X",
          "some that do: X is from " + readable(x[i].low) + " to " + readable(x[i].high));
  }
}

// Refuses bags with points beyond X (longitude and latitude exchanged, say). Around listed points, a margin as wide as
// their range is allowed.
void require_bags_inside(const SpecData& data) {
  const auto x = ranges_of(data.spec.targets.axes, data.targets.coordinates);
  const auto names = coordinate_names(data.spec.targets);
  const double room = data.spec.targets.kind == TargetSpec::Kind::kBox ? 1e-9 : 1.0;
  for (const BagEntry& entry : data.bags.entries)
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double value = data.bags.points(entry.point, static_cast<Index>(i));
      const double most = room * (x[i].high - x[i].low) + 1e-9 * std::abs(x[i].high);
      if (value < x[i].low - most || value > x[i].high + most)
        refuse("conditional.bags",
               "query " + in_quotes(data.queries.ids[static_cast<std::size_t>(entry.query)]) + " has a point with " +
                   names[i] + " " + readable(value),
               "points of X, where it is from " + readable(x[i].low) + " to " + readable(x[i].high));
    }
}

}  // namespace

void check_new(const Spec& spec) {
  if (is_count(spec.answers)) {
    refuse_names(coordinate_names(spec.targets), "targets", kCounted);
    refuse_names({spec.targets.id}, "targets.id", kCounted);
    refuse_names(spec.queries.coordinates, "queries.coordinates", kCounted);
    for (const AxisSpec& axis : spec.queries.axes) refuse_names({axis.name}, "queries.axes", kCounted);
    refuse_names({spec.queries.id}, "queries.id", kCounted);
  }
  const bool box = spec.targets.kind == TargetSpec::Kind::kBox;
  refuse_taken(coordinate_names(spec.targets), box ? "targets.axes" : "targets.coordinates", false);
  refuse_taken({spec.targets.id}, "targets.id", false);
  if (spec.queries.kind != QuerySpec::Kind::kCells)
    refuse_taken(coordinate_names(spec.queries, spec.targets),
                 spec.queries.kind == QuerySpec::Kind::kBox ? "queries.axes" : "queries.coordinates", true);
  refuse_taken({spec.queries.id}, "queries.id", false);
}

void check_new_names(const SpecData& data) {
  refuse_control_characters(data.targets.table, {data.spec.targets.id});
  refuse_control_characters(data.queries.table, {data.spec.queries.id});
  refuse_control_characters(data.queries.table, data.spec.queries.categories);
}

void check_new_places(const SpecData& data) {
  const Spec& spec = data.spec;
  const auto kind = spec.conditional.kind;
  if (kind == ConditionalSpec::Kind::kGaussian || kind == ConditionalSpec::Kind::kUniform) require_windows_reach(data);
  if (kind == ConditionalSpec::Kind::kBags && spec.conditional.point.empty()) require_bags_inside(data);
}

}  // namespace iqbo

// The contents of the files of a spec, checked row by row.
#include <algorithm>
#include <functional>
#include <optional>
#include <set>
#include <unordered_map>

#include "cells.hpp"
#include "fields.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "new_spec.hpp"

namespace iqbo {

using namespace internal;

namespace {

using namespace cells;

CsvTable table_of(const SpecBundle& bundle, const std::string& path, const std::string& name) {
  const auto found = bundle.files.find(name);
  if (found == bundle.files.end()) refuse(path, in_quotes(name) + " is not in the bundle", "its contents");
  CsvTable table = parse_csv(found->second, path + " (" + name + ")");
  if (table.size() == 0) refuse(table.name, "has no rows of data", "at least one");
  return table;
}

std::vector<std::string> distinct_ids(const CsvTable& table, const std::string& column, const std::string& wanted_by) {
  std::vector<std::string> ids(table.size());
  for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::to_string(i + 1);
  if (column.empty()) return ids;
  const std::size_t j = table.position(column, wanted_by);
  Lookup seen;
  seen.reserve(ids.size());
  for (std::size_t i = 0; i < ids.size(); ++i) {
    ids[i] = table.rows[i][j];
    if (ids[i].empty()) table.refuse_cell(i, j, "is empty", "an id");
    const auto [before, fresh] = seen.emplace(ids[i], index(i));
    if (!fresh)
      table.refuse_cell(i, j, "is " + in_quotes(ids[i]) + ", as in row " + std::to_string(before->second + 2),
                        "different ids");
  }
  return ids;
}

std::vector<std::string> category_names(const CsvTable& table, std::size_t column) {
  std::set<std::string> names;
  for (const auto& row : table.rows) names.insert(row[column]);
  return {names.begin(), names.end()};
}

// The first row that repeats an earlier one, after that one; empty if all differ. same(i, j) compares, and equal rows have
// equal hashes: sorted by these, a million rows take a tenth of a second.
template <class Hash, class Same>
std::optional<std::pair<Index, Index>> first_repeat(Index rows, const Hash& hash, const Same& same) {
  std::vector<std::pair<std::size_t, Index>> order;
  order.reserve(static_cast<std::size_t>(rows));
  for (Index i = 0; i < rows; ++i) order.emplace_back(hash(i), i);
  std::sort(order.begin(), order.end());
  std::optional<std::pair<Index, Index>> out;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    while (end < order.size() && order[end].first == order[begin].first) ++end;
    bool found = false;  // rows of a hash are in order: the first repeat of them will do
    for (std::size_t k = begin + 1; k < end && !found; ++k)
      for (std::size_t j = begin; j < k && !found; ++j) {
        found = same(order[j].second, order[k].second);
        if (found && (!out || order[k].second < out->second)) out.emplace(order[j].second, order[k].second);
      }
  }
  return out;
}

std::size_t mixed(std::size_t hash, std::size_t more) {
  constexpr std::size_t kOdd = 0x9E3779B97F4A7C15U;
  hash = (hash ^ more) * kOdd;
  return hash ^ (hash >> 29U);
}

// Two equal points in a list would be one point with two names.
void require_distinct_points(const PointTable& points) {
  const Rows& x = points.coordinates;
  const auto hash = [&](Index i) {
    std::size_t out = 0;
    for (const double value : x.row(i)) out = mixed(out, std::hash<double>{}(value + 0.0));  // -0 is 0
    return out;
  };
  const auto twice = first_repeat(x.rows(), hash, [&](Index i, Index j) { return x.row(i) == x.row(j); });
  if (twice)
    refuse(points.table.name,
           "rows " + std::to_string(twice->first + 2) + " and " + std::to_string(twice->second + 2) +
               " have equal coordinates",
           "distinct points: name further columns as coordinates, or no coordinates at all");
}

PointTable target_points(const SpecBundle& bundle, const TargetSpec& s) {
  PointTable out;
  out.table = table_of(bundle, "targets.points", s.points);
  out.ids = distinct_ids(out.table, s.id, "targets.id");
  out.coordinates = number_columns(out.table, s.coordinates, "targets.coordinates");
  out.codes.resize(s.coordinates.size());
  require_distinct_points(out);
  return out;
}

PointTable query_points(const SpecBundle& bundle, const QuerySpec& s) {
  PointTable out;
  out.table = table_of(bundle, "queries.points", s.points);
  out.ids = distinct_ids(out.table, s.id, "queries.id");
  const Index n = index(out.table.size());
  if (s.coordinates.empty()) {
    out.coordinates = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
    if (n == 1) out.coordinates.setZero();
    out.codes.resize(1);
    return out;
  }
  out.coordinates.resize(n, index(s.coordinates.size()));
  for (std::size_t j = 0; j < s.coordinates.size(); ++j) {
    const std::size_t column = out.table.position(s.coordinates[j], "queries.coordinates");
    const bool category = std::find(s.categories.begin(), s.categories.end(), s.coordinates[j]) != s.categories.end();
    out.codes.push_back(category ? category_names(out.table, column) : std::vector<std::string>{});
    for (std::size_t i = 0; i < out.table.size(); ++i)
      out.coordinates(index(i), index(j)) =
          category ? code(out.table, i, column, out.codes[j]) : moderate_number(out.table, i, column);
  }
  require_distinct_points(out);
  return out;
}

Vector positive_column(const CsvTable& table, const std::string& column, const std::string& wanted_by,
                       bool zero_allowed) {
  const std::size_t j = table.position(column, wanted_by);
  Vector out(index(table.size()));
  for (std::size_t i = 0; i < table.size(); ++i) {
    out[index(i)] = moderate_number(table, i, j);
    if (out[index(i)] < 0 || (out[index(i)] == 0 && !zero_allowed))
      table.refuse_cell(i, j, "is " + in_quotes(table.rows[i][j]), zero_allowed ? "a number >= 0" : "a number > 0");
  }
  return out;
}

Vector per_query(const PointTable& query, const PerQuerySpec& s, const std::string& path, bool zero_allowed) {
  return s.column.empty() ? Vector::Constant(index(query.ids.size()), s.value)
                          : positive_column(query.table, s.column, path, zero_allowed);
}

// Finds the point of each row of a bag file, and the distinct points.
std::vector<Index> bag_points(const CsvTable& table, const SpecData& data, Rows& points) {
  const ConditionalSpec& s = data.spec.conditional;
  std::vector<Index> out(table.size());
  if (!s.point.empty()) {
    const std::size_t column = table.position(s.point, "conditional.point");
    const Lookup ids = lookup(data.targets.ids);
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = known_id(table, i, column, ids, data.targets.ids, "targets.points");
    points = data.targets.coordinates;
    return out;
  }
  const Rows all = number_columns(table, coordinate_names(data.spec.targets), "targets");
  Lookup seen;
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i) {
    std::string key;
    for (const double value : all.row(i)) key += readable(value + 0.0) + " ";
    const auto [found, fresh] = seen.emplace(key, index(rows.size()));
    if (fresh) rows.push_back(i);
    out[static_cast<std::size_t>(i)] = found->second;
  }
  points.resize(index(rows.size()), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) points.row(index(i)) = all.row(rows[i]);
  return out;
}

void require_distinct_entries(const std::vector<BagEntry>& entries, const CsvTable& table) {
  const auto at = [&](Index i) -> const BagEntry& { return entries[static_cast<std::size_t>(i)]; };
  const auto hash = [&](Index i) {
    return mixed(static_cast<std::size_t>(at(i).query) + 1, static_cast<std::size_t>(at(i).point));
  };
  const auto twice = first_repeat(index(entries.size()), hash, [&](Index i, Index j) {
    return at(i).query == at(j).query && at(i).point == at(j).point;
  });
  if (twice)
    refuse(table.name,
           "rows " + std::to_string(twice->first + 2) + " and " + std::to_string(twice->second + 2) +
               " have the same query and point",
           "each pair once, its weights added up");
}

BagTable load_bags(const SpecBundle& bundle, const SpecData& data, SpecAge age) {
  const ConditionalSpec& s = data.spec.conditional;
  const CsvTable table = table_of(bundle, "conditional.bags", s.bags);
  const std::size_t query = table.position(s.query.empty() ? data.spec.queries.id : s.query, "conditional.query");
  const Vector weight = s.weight.empty() ? Vector::Ones(index(table.size()))
                                         : positive_column(table, s.weight, "conditional.weight", true);
  const Lookup queries = lookup(data.queries.ids);
  BagTable out;
  const std::vector<Index> points = bag_points(table, data, out.points);
  Vector total = Vector::Zero(index(data.queries.ids.size()));
  out.entries.reserve(table.size());
  for (std::size_t i = 0; i < table.size(); ++i) {
    const Index bag = known_id(table, i, query, queries, data.queries.ids, "queries.points");
    out.entries.push_back({bag, points[i], weight[index(i)]});
    total[bag] += weight[index(i)];
  }
  if (age == SpecAge::kNew) require_distinct_entries(out.entries, table);
  for (Index bag = 0; bag < total.size(); ++bag)
    if (!(total[bag] > 0))
      refuse(table.name, "query " + in_quotes(data.queries.ids[static_cast<std::size_t>(bag)]) + " has no weight",
             "a row with a positive weight for each query");
  require_finite(total, table.name);
  return out;
}

void require_listed_widths(const MapSpec& s, const PointTable& query) {
  for (Index i = 0; i < query.coordinates.rows(); ++i)
    for (std::size_t k = 0; k < s.slope.size(); ++k) {
      double width = s.offset.empty() ? 0.0 : s.offset[k];
      for (std::size_t j = 0; j < s.slope[k].size(); ++j) width += s.slope[k][j] * query.coordinates(i, index(j));
      if (width < 0)
        refuse("conditional.width", "is " + readable(width) + " in row " + std::to_string(i + 2) + " of queries.points",
               "at least 0 for each query");
    }
}

// Positions consist of numbers at any depth of nesting.
void require_numbers(const fields::Json& coordinates, const std::string& name, const std::string& feature) {
  if (coordinates.is_number()) return;
  if (!coordinates.is_array())
    refuse(name, "feature " + in_quotes(feature) + " has the coordinate " + fields::shown(coordinates), "a number");
  for (const fields::Json& each : coordinates) require_numbers(each, name, feature);
}

void check_geojson(const SpecBundle& bundle, const GeoJsonSpec& s, const PointTable& query, SpecAge age) {
  const std::string path = "queries.geojson";
  const auto file = bundle.files.find(s.file);
  if (file == bundle.files.end()) refuse(path, in_quotes(s.file) + " is not in the bundle", "its contents");
  const std::string name = path + " (" + s.file + ")";
  const fields::Json json = fields::parse_strict(file->second, name);
  if (!json.is_object() || !json.contains("features") || !json["features"].is_array())
    refuse(name, "has no list of features", "a FeatureCollection");
  std::set<std::string> known;
  for (const fields::Json& feature : json["features"]) {
    if (!feature.is_object()) refuse(name, "feature " + fields::shown(feature), "an object {...}");
    const fields::Json none;
    const fields::Json& of = s.id.empty() ? feature : feature.contains("properties") ? feature["properties"] : none;
    const std::string key = s.id.empty() ? "id" : s.id;
    if (!of.is_object() || !of.contains(key)) refuse(name, "a feature has no " + in_quotes(key), "one in each");
    const std::string id = of[key].is_string() ? of[key].get<std::string>() : fields::dump(of[key]);
    const bool fresh = known.insert(id).second;
    if (age == SpecAge::kStored) continue;
    if (!fresh) refuse(name, "has two features " + in_quotes(id), "each id once");
    const auto geometry = feature.find("geometry");
    if (geometry != feature.end() && geometry->is_object() && geometry->contains("coordinates"))
      require_numbers((*geometry)["coordinates"], name, id);
  }
  for (const std::string& id : query.ids)
    if (!known.contains(id)) refuse(name, "has no feature " + in_quotes(id), "one for each query");
}

}  // namespace

const std::string* category_name(const PointTable& list, std::size_t j, double value) {
  if (j >= list.codes.size() || list.codes[j].empty()) return nullptr;
  return &list.codes[j].at(static_cast<std::size_t>(value));
}

SpecData load_names(const SpecBundle& bundle, const std::vector<std::string>& policies, SpecAge age) {
  SpecData data;
  data.spec = parse_spec(bundle.text, policies, age);
  if (!data.spec.queries.categories.empty()) data.queries = query_points(bundle, data.spec.queries);
  return data;
}

SpecData load(const SpecBundle& bundle, const std::vector<std::string>& policies, SpecAge age) {
  SpecData data;
  data.spec = parse_spec(bundle.text, policies, age);
  const Spec& spec = data.spec;
  if (spec.targets.kind == TargetSpec::Kind::kPoints) data.targets = target_points(bundle, spec.targets);
  if (spec.queries.kind == QuerySpec::Kind::kPoints) {
    data.queries = query_points(bundle, spec.queries);
    data.cost = per_query(data.queries, spec.queries.cost, "queries.cost", false);
    if (spec.queries.noise_sd)
      data.noise_sd = per_query(data.queries, *spec.queries.noise_sd, "queries.noise_sd", true);
    if (spec.queries.exposure && !spec.queries.exposure->column.empty())
      data.exposure = positive_column(data.queries.table, spec.queries.exposure->column, "exposure", false);
    if (spec.queries.geojson) check_geojson(bundle, *spec.queries.geojson, data.queries, age);
  }
  if (spec.queries.kind == QuerySpec::Kind::kCells) {
    const std::string& column = spec.queries.tree->weight;
    data.target_weight = column.empty() ? Vector::Ones(index(data.targets.ids.size()))
                                        : positive_column(data.targets.table, column, "queries.tree.weight", true);
    if (!(data.target_weight.sum() > 0)) refuse("queries.tree.weight", "is 0 everywhere", "a positive weight");
    if (spec.queries.exposure && !spec.queries.exposure->column.empty())
      data.exposure = positive_column(data.targets.table, spec.queries.exposure->column, "exposure", true);
  }
  if (age == SpecAge::kNew) check_new_names(data);
  const ConditionalSpec& conditional = spec.conditional;
  const bool window =
      conditional.kind == ConditionalSpec::Kind::kGaussian || conditional.kind == ConditionalSpec::Kind::kUniform;
  if (window && conditional.mu.kind == MapSpec::Kind::kColumns)
    data.mu = number_columns(data.queries.table, conditional.mu.columns, "conditional.mu");
  if (window && conditional.width.kind == MapSpec::Kind::kColumns) {
    data.width = number_columns(data.queries.table, conditional.width.columns, "conditional.width");
    for (const std::string& column : conditional.width.columns)
      positive_column(data.queries.table, column, "conditional.width", true);
  }
  if (window && conditional.width.kind == MapSpec::Kind::kAffine && spec.queries.kind == QuerySpec::Kind::kPoints)
    require_listed_widths(conditional.width, data.queries);
  if (conditional.kind == ConditionalSpec::Kind::kBags) data.bags = load_bags(bundle, data, age);
  if (conditional.kind == ConditionalSpec::Kind::kLearned) {
    const CsvTable table = table_of(bundle, "conditional.pairs", conditional.pairs);
    data.pairs = load_pairs(data, table);
    if (table.size() < 2) refuse(table.name, "has one pair", "at least two");
  }
  if (age == SpecAge::kNew) check_new_places(data);
  return data;
}

}  // namespace iqbo

// The contents of the files of a spec, checked row by row.
#include <algorithm>
#include <bit>
#include <functional>
#include <map>
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
  CsvTable table = parse_rows(found->second, path + " (" + name + ")");
  if (table.size() == 0) refuse(table.name, "has no rows of data", "at least one");
  return table;
}

std::vector<std::string> distinct_ids(const CsvTable& table, const std::string& column, const std::string& wanted_by,
                                      Mistakes& mistakes) {
  std::vector<std::string> ids(table.size());
  if (column.empty()) {
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = std::to_string(i + 1);
    return ids;
  }
  const std::size_t j = table.position(column, wanted_by);
  Lookup seen(ids);
  mistakes.each_row(table, [&](std::size_t i) {
    ids[i] = table.rows[i][j];
    if (ids[i].empty()) table.refuse_cell(i, j, "is empty", "an id");
    if (const Index before = seen.add(index(i)); before != index(i))
      table.refuse_cell(i, j, "is " + in_quotes(ids[i]) + ", as in row " + std::to_string(before + 2), "different ids");
  });
  return ids;
}

std::vector<std::string> category_names(const CsvTable& table, std::size_t column) {
  std::set<std::string> names;
  for (const CsvRow row : table.rows)
    if (column < row.size()) names.emplace(row[column]);
  return {names.begin(), names.end()};
}

// The rows so far, by the hash of what is compared; same(i, j) compares. Equal rows have equal hashes.
template <class Hash, class Same>
class SeenRows {
 public:
  SeenRows(Index rows, Hash hash, Same same)
      : hash_(std::move(hash)),
        same_(std::move(same)),
        slots_(std::bit_ceil(2 * static_cast<std::size_t>(rows) + 2), -1) {}

  // Adds row i unless it equals one that was added before, which is returned; else i.
  Index add(Index i) {
    const std::size_t last = slots_.size() - 1;
    std::size_t at = hash_(i) & last;
    while (slots_[at] >= 0 && !same_(slots_[at], i)) at = (at + 1) & last;
    if (slots_[at] < 0) slots_[at] = i;
    return slots_[at];
  }

 private:
  Hash hash_;
  Same same_;
  std::vector<Index> slots_;  // -1: free
};

// Whether any row repeats an earlier one. Which rows they are is looked for only then.
template <class Hash, class Same>
bool any_repeat(Index rows, const Hash& hash, const Same& same) {
  SeenRows<Hash, Same> seen(rows, hash, same);
  for (Index i = 0; i < rows; ++i)
    if (seen.add(i) != i) return true;
  return false;
}

std::size_t mixed(std::size_t hash, std::size_t more) {
  constexpr std::size_t kOdd = 0x9E3779B97F4A7C15U;
  hash = (hash ^ more) * kOdd;
  return hash ^ (hash >> 29U);
}

std::size_t hash_of_row(const Rows& x, Index i) {
  std::size_t out = 0;
  for (const double value : x.row(i)) out = mixed(out, std::hash<double>{}(value + 0.0));  // -0 is 0
  return out;
}

bool any_repeated_point(const Rows& x) {
  return any_repeat(
      x.rows(), [&](Index i) { return hash_of_row(x, i); }, [&](Index i, Index j) { return x.row(i) == x.row(j); });
}

// Two equal points in a list would be one point with two names. Looked at only where all numbers are as they should be.
void check_distinct_points(const PointTable& points, Mistakes& mistakes) {
  if (!mistakes.none() || !any_repeated_point(points.coordinates)) return;
  std::unordered_map<std::string, std::size_t> seen;
  mistakes.each_row(points.table, [&](std::size_t i) {
    std::string key;
    for (const double value : points.coordinates.row(index(i))) key += readable(value + 0.0) + " ";  // -0 is 0
    const auto [before, fresh] = seen.emplace(key, i);
    if (!fresh)
      refuse(points.table.name,
             "rows " + std::to_string(before->second + 2) + " and " + std::to_string(i + 2) + " have equal coordinates",
             "distinct points: name further columns as coordinates, or no coordinates at all");
  });
}

// A column of words is one mistake, and not one in each row.
void require_numbers(const CsvTable& table, const std::string& name, const char* key, const std::string& remedy) {
  const std::size_t column = table.position(name, key);
  std::set<std::string> words;
  for (const auto& row : table.rows) {
    if (column >= row.size() || row[column].empty()) continue;
    if (row[column].find_first_of("0123456789+-.,") == 0) return;  // a number, or a try at one
    words.insert(std::string(row[column]));
  }
  if (words.empty()) return;
  constexpr std::size_t kShown = 3;
  std::string shown;
  std::size_t i = 0;
  for (auto word = words.begin(); word != words.end() && i < kShown; ++word, ++i)
    shown += (i == 0 ? "" : ", ") + in_quotes(*word);
  refuse(table.name,
         "column " + in_quotes(name) + " holds words (" + shown + (words.size() > kShown ? ", ..." : "") + ")",
         "numbers" + remedy);
}

PointTable target_points(CsvTable table, const TargetSpec& s, Mistakes& mistakes) {
  PointTable out;
  out.table = std::move(table);
  out.ids = distinct_ids(out.table, s.id, "targets.id", mistakes);
  for (const std::string& name : s.coordinates)
    require_numbers(
        out.table, name, "targets.coordinates",
        ": the coordinates of targets say how near they are to each other; only queries may have categories");
  out.coordinates = number_columns(out.table, s.coordinates, "targets.coordinates", mistakes);
  out.codes.resize(s.coordinates.size());
  check_distinct_points(out, mistakes);
  return out;
}

PointTable query_points(CsvTable table, const QuerySpec& s, Mistakes& mistakes) {
  PointTable out;
  out.table = std::move(table);
  out.ids = distinct_ids(out.table, s.id, "queries.id", mistakes);
  const Index n = index(out.table.size());
  if (s.coordinates.empty()) {
    out.coordinates = Vector::LinSpaced(n, 0, static_cast<double>(n - 1));
    if (n == 1) out.coordinates.setZero();
    out.codes.resize(1);
    return out;
  }
  out.coordinates = Rows::Zero(n, index(s.coordinates.size()));
  for (std::size_t j = 0; j < s.coordinates.size(); ++j) {
    const std::size_t column = out.table.position(s.coordinates[j], "queries.coordinates");
    const bool category = std::find(s.categories.begin(), s.categories.end(), s.coordinates[j]) != s.categories.end();
    out.codes.push_back(category ? category_names(out.table, column) : std::vector<std::string>{});
    if (!category)
      require_numbers(out.table, s.coordinates[j], "queries.coordinates",
                      R"(; if these are categories, add "categories": [")" + s.coordinates[j] + R"("] to queries)");
    mistakes.each_row(out.table, [&](std::size_t i) {
      out.coordinates(index(i), index(j)) =
          category ? code(out.table, i, column, out.codes[j]) : moderate_number(out.table, i, column);
    });
  }
  check_distinct_points(out, mistakes);
  return out;
}

Vector positive_column(const CsvTable& table, const std::string& column, const std::string& wanted_by,
                       bool zero_allowed, Mistakes& mistakes) {
  const std::size_t j = table.position(column, wanted_by);
  Vector out = Vector::Zero(index(table.size()));
  mistakes.each_row(table, [&](std::size_t i) {
    out[index(i)] = moderate_number(table, i, j);
    if (out[index(i)] < 0 || (out[index(i)] == 0 && !zero_allowed))
      table.refuse_cell(i, j, "is " + in_quotes(table.rows[i][j]), zero_allowed ? "a number >= 0" : "a number > 0");
  });
  return out;
}

Vector per_query(const PointTable& query, const PerQuerySpec& s, const std::string& path, bool zero_allowed,
                 Mistakes& mistakes) {
  return s.column.empty() ? Vector::Constant(index(query.ids.size()), s.value)
                          : positive_column(query.table, s.column, path, zero_allowed, mistakes);
}

// The rows of a bag file that have distinct points, and for each row the number of its point.
std::vector<Index> distinct_points(const Rows& all, Rows& points) {
  std::vector<Index> out;
  out.reserve(static_cast<std::size_t>(all.rows()));
  SeenRows seen(
      all.rows(), [&](Index i) { return hash_of_row(all, i); },
      [&](Index i, Index j) { return all.row(i) == all.row(j); });
  std::vector<Index> rows;
  for (Index i = 0; i < all.rows(); ++i) {
    const Index before = seen.add(i);
    if (before == i) rows.push_back(i);
    out.push_back(before == i ? index(rows.size()) - 1 : out[static_cast<std::size_t>(before)]);
  }
  points.resize(index(rows.size()), all.cols());
  for (std::size_t i = 0; i < rows.size(); ++i) points.row(index(i)) = all.row(rows[i]);
  return out;
}

bool any_repeated_entry(const std::vector<BagEntry>& entries) {
  const auto at = [&](Index i) -> const BagEntry& { return entries[static_cast<std::size_t>(i)]; };
  const auto hash = [&](Index i) {
    return mixed(static_cast<std::size_t>(at(i).query) + 1, static_cast<std::size_t>(at(i).point));
  };
  return any_repeat(index(entries.size()), hash,
                    [&](Index i, Index j) { return at(i).query == at(j).query && at(i).point == at(j).point; });
}

// Finds the point of each row of a bag file, and the distinct points.
std::vector<Index> bag_points(const CsvTable& table, const SpecData& data, Rows& points, Mistakes& mistakes) {
  const ConditionalSpec& s = data.spec.conditional;
  if (s.point.empty())
    return distinct_points(number_columns(table, coordinate_names(data.spec.targets), "targets", mistakes), points);
  std::vector<Index> out(table.size());
  const std::size_t column = table.position(s.point, "conditional.point");
  const Lookup ids = Lookup::of(data.targets.ids);
  Index last = 0;
  mistakes.each_row(table, [&](std::size_t i) {
    last = known_id(table, i, column, ids, "targets.points", last);
    out[i] = last;
  });
  points = data.targets.coordinates;
  return out;
}

// What can only be seen once all cells are as they should be.
void check_bags(const BagTable& bags, const SpecData& data, const CsvTable& table, SpecAge age) {
  Mistakes mistakes(table);
  Vector total = Vector::Zero(index(data.queries.ids.size()));
  for (const BagEntry& entry : bags.entries) total[entry.query] += entry.weight;
  if (age == SpecAge::kNew && any_repeated_entry(bags.entries)) {
    std::map<std::pair<Index, Index>, std::size_t> seen;
    mistakes.each_row(table, [&](std::size_t i) {
      const auto [before, fresh] = seen.emplace(std::pair(bags.entries[i].query, bags.entries[i].point), i);
      if (!fresh)
        refuse(table.name,
               "rows " + std::to_string(before->second + 2) + " and " + std::to_string(i + 2) +
                   " have the same query and point",
               "each pair once, its weights added up");
    });
    mistakes.refuse_any();
  }
  for (Index bag = 0; bag < total.size() && !mistakes.enough(Mistakes::kNoRow); ++bag)
    if (!(total[bag] > 0))
      mistakes.add(Mistakes::kNoRow, "query " + in_quotes(data.queries.ids[static_cast<std::size_t>(bag)]) +
                                         " has no weight, expected a row with a positive weight for each query");
  mistakes.refuse_any();
  require_finite(total, table.name);
}

BagTable load_bags(const SpecBundle& bundle, const SpecData& data, SpecAge age) {
  const ConditionalSpec& s = data.spec.conditional;
  const CsvTable table = table_of(bundle, "conditional.bags", s.bags);
  Mistakes mistakes(table);
  const std::size_t query = table.position(s.query.empty() ? data.spec.queries.id : s.query, "conditional.query");
  const Vector weight =
      s.weight.empty() ? Vector() : positive_column(table, s.weight, "conditional.weight", true, mistakes);
  const Lookup queries = Lookup::of(data.queries.ids);
  BagTable out;
  const std::vector<Index> points = bag_points(table, data, out.points, mistakes);
  out.entries.reserve(table.size());
  Index last = 0;
  mistakes.each_row(table, [&](std::size_t i) {
    last = known_id(table, i, query, queries, "queries.points", last);
    out.entries.push_back({last, points[i], s.weight.empty() ? 1.0 : weight[index(i)]});
  });
  mistakes.refuse_any();
  check_bags(out, data, table, age);
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
  const bool known = value >= 0 && value < static_cast<double>(list.codes[j].size());
  return known ? &list.codes[j][static_cast<std::size_t>(value)] : nullptr;
}

SpecData load_names(const SpecBundle& bundle, const std::vector<std::string>& policies, SpecAge age) {
  SpecData data;
  data.spec = parse_spec(bundle.text, policies, age);
  const QuerySpec& query = data.spec.queries;
  if (query.categories.empty()) return data;
  CsvTable table = table_of(bundle, "queries.points", query.points);
  Mistakes mistakes(table);
  data.queries = query_points(std::move(table), query, mistakes);
  mistakes.refuse_any();
  return data;
}

namespace {

bool is_window(const ConditionalSpec& s) {
  return s.kind == ConditionalSpec::Kind::kGaussian || s.kind == ConditionalSpec::Kind::kUniform;
}

// Whatever the spec names in the table of targets, so that its mistakes come together.
void load_targets(const SpecBundle& bundle, SpecData& data) {
  const Spec& spec = data.spec;
  CsvTable table = table_of(bundle, "targets.points", spec.targets.points);
  Mistakes mistakes(table);
  data.targets = target_points(std::move(table), spec.targets, mistakes);
  if (spec.queries.kind == QuerySpec::Kind::kCells) {
    const std::string& column = spec.queries.tree->weight;
    data.target_weight = column.empty()
                             ? Vector::Ones(index(data.targets.ids.size()))
                             : positive_column(data.targets.table, column, "queries.tree.weight", true, mistakes);
    if (spec.queries.exposure && !spec.queries.exposure->column.empty())
      data.exposure = positive_column(data.targets.table, spec.queries.exposure->column, "exposure", true, mistakes);
  }
  mistakes.refuse_any();
  if (spec.queries.kind == QuerySpec::Kind::kCells && !(data.target_weight.sum() > 0))
    refuse("queries.tree.weight", "is 0 everywhere", "a positive weight");
}

// Likewise of queries.
void load_queries(const SpecBundle& bundle, SpecData& data, SpecAge age) {
  const QuerySpec& s = data.spec.queries;
  const ConditionalSpec& conditional = data.spec.conditional;
  CsvTable table = table_of(bundle, "queries.points", s.points);
  Mistakes mistakes(table);
  data.queries = query_points(std::move(table), s, mistakes);
  data.cost = per_query(data.queries, s.cost, "queries.cost", false, mistakes);
  if (s.noise_sd) data.noise_sd = per_query(data.queries, *s.noise_sd, "queries.noise_sd", true, mistakes);
  if (s.exposure && !s.exposure->column.empty())
    data.exposure = positive_column(data.queries.table, s.exposure->column, "exposure", false, mistakes);
  if (is_window(conditional) && conditional.mu.kind == MapSpec::Kind::kColumns)
    data.mu = number_columns(data.queries.table, conditional.mu.columns, "conditional.mu", mistakes);
  if (is_window(conditional) && conditional.width.kind == MapSpec::Kind::kColumns) {
    const auto& columns = conditional.width.columns;
    data.width.resize(index(data.queries.table.size()), index(columns.size()));
    for (std::size_t j = 0; j < columns.size(); ++j)
      data.width.col(index(j)) = positive_column(data.queries.table, columns[j], "conditional.width", true, mistakes);
  }
  mistakes.refuse_any();
  if (s.geojson) check_geojson(bundle, *s.geojson, data.queries, age);
}

}  // namespace

SpecData load(const SpecBundle& bundle, const std::vector<std::string>& policies, SpecAge age) {
  SpecData data;
  data.spec = parse_spec(bundle.text, policies, age);
  const Spec& spec = data.spec;
  const ConditionalSpec& conditional = spec.conditional;
  if (spec.targets.kind == TargetSpec::Kind::kPoints) load_targets(bundle, data);
  if (spec.queries.kind == QuerySpec::Kind::kPoints) load_queries(bundle, data, age);
  if (age == SpecAge::kNew) check_new_names(data);
  if (is_window(conditional) && conditional.width.kind == MapSpec::Kind::kAffine &&
      spec.queries.kind == QuerySpec::Kind::kPoints)
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

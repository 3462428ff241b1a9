// Tables that arrive after the spec: past answers, values of f, logged pairs.
#include <algorithm>
#include <cmath>

#include "answer_columns.hpp"
#include "cells.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/spec_bundle.hpp"
#include "mistakes.hpp"

namespace iqbo {

using namespace internal;

namespace {

using namespace cells;

// The column of a coordinate in a table that may hold x and a.
std::size_t pair_column(const CsvTable& table, const std::string& space, const std::string& name, bool shared) {
  const std::string prefixed = space + "." + name;
  if (table.has(prefixed)) return table.position(prefixed);
  if (shared)
    refuse(table.name, "no column " + in_quotes(prefixed),
           "it: x and a both have a coordinate " + in_quotes(name) + ", written x." + name + " and a." + name);
  return table.position(name, space == "x" ? "targets" : "queries");
}

std::vector<std::string> location_names(const SpecData& data) {
  const QuerySpec& query = data.spec.queries;
  return query.kind == QuerySpec::Kind::kPoints ? query.coordinates : coordinate_names(query, data.spec.targets);
}

double query_number(const SpecData& data, const CsvTable& table, std::size_t row, std::size_t column, std::size_t j) {
  const bool category = j < data.queries.codes.size() && !data.queries.codes[j].empty();
  return category ? code(table, row, column, data.queries.codes[j]) : moderate_number(table, row, column);
}

// Coordinates that stand beside an id must be those of the point with that id, up to rounding to a few digits.
constexpr double kRounded = 1e-3;  // share of the range of an axis
void require_same_place(const CsvTable& table, std::size_t row, const std::string& id, const PointTable& points,
                        Index point, const std::vector<std::string>& coordinates) {
  for (std::size_t j = 0; j < coordinates.size(); ++j) {
    if (!table.has(coordinates[j]) || coordinates[j] == id) continue;
    const std::size_t column = table.position(coordinates[j]);
    if (is_missing(table.rows[row][column])) continue;
    const double listed = points.coordinates(point, index(j));
    const bool category = !points.codes[j].empty();
    const double given = category ? code(table, row, column, points.codes[j]) : moderate_number(table, row, column);
    const auto all = points.coordinates.col(index(j)).array();
    const double range = all.maxCoeff() - all.minCoeff();
    if (std::abs(given - listed) > kRounded * (range > 0 ? range : std::abs(listed)))
      table.refuse_cell(row, column, "is " + in_quotes(table.rows[row][column]),
                        (category ? in_quotes(points.codes[j][static_cast<std::size_t>(listed)]) : readable(listed)) +
                            ", as that of " + in_quotes(points.ids[static_cast<std::size_t>(point)]) + " is");
  }
}

// Rows of a table that name listed points by id.
std::vector<Observation> named(const Spec& spec, const CsvTable& table, const std::string& column,
                               const PointTable& points, const std::string& where,
                               const std::vector<std::string>& coordinates) {
  std::vector<std::string> read = coordinates;
  read.push_back(column);
  const AnswerColumns answers(spec, table, read);
  const std::size_t j = table.position(column);
  const Lookup ids = Lookup::of(points.ids);
  std::vector<Observation> out(table.size());
  Mistakes mistakes(table);
  mistakes.each_row(table, [&](std::size_t i) {
    out[i].name = table.rows[i][j];
    out[i].answer = answers.at(i, mistakes);
    const Index row = known_id(table, i, j, ids, where);
    const auto point = points.coordinates.row(row);
    out[i].point.assign(point.begin(), point.end());
    require_same_place(table, i, column, points, row, coordinates);
  });
  mistakes.refuse_any();
  return out;
}

// Past counts were made with exposures of their own; as queries they are those with the nearest exposure that may be chosen.
void add_nearest_choice(const CsvTable& table, const std::vector<double>& choices, std::vector<Observation>& all) {
  Mistakes mistakes(table);
  mistakes.each_row(table, [&](std::size_t i) {
    const auto& exposure = all[i].answer.exposure;
    if (!exposure) refuse(table.name, "row " + std::to_string(i + 2) + " has no exposure", "a number > 0");
    const auto off = [&](double choice) { return std::abs(std::log(choice / *exposure)); };
    all[i].point.push_back(*std::min_element(choices.begin(), choices.end(),
                                             [&](double one, double other) { return off(one) < off(other); }));
  });
  mistakes.refuse_any();
}

std::vector<Observation> at_coordinates(const SpecData& data, const CsvTable& table,
                                        const std::vector<std::string>& names) {
  const AnswerColumns answers(data.spec, table, names);
  std::vector<std::size_t> columns;
  for (const std::string& name : names) columns.push_back(table.position(name, "queries"));
  std::vector<Observation> out(table.size());
  Mistakes mistakes(table);
  mistakes.each_row(table, [&](std::size_t i) {
    for (std::size_t j = 0; j < names.size(); ++j)
      mistakes.check(i, [&] { out[i].point.push_back(query_number(data, table, i, columns[j], j)); });
    out[i].answer = answers.at(i, mistakes);
  });
  mistakes.refuse_any();
  return out;
}

}  // namespace

bool goes_by_id(const CsvTable& table, const std::string& id, const std::vector<std::string>& coordinates) {
  const auto here = [&](const std::string& name) { return table.has(name); };
  return !id.empty() && (table.has(id) || std::none_of(coordinates.begin(), coordinates.end(), here));
}

PairTable load_pairs(const SpecData& data, const CsvTable& table) {
  const std::vector<std::string> x = coordinate_names(data.spec.targets);
  const std::vector<std::string> a = location_names(data);
  if (a.empty()) refuse(table.name, "is given", "queries with coordinates");
  PairTable out{Rows::Zero(index(table.size()), index(x.size())), Rows::Zero(index(table.size()), index(a.size()))};
  Mistakes mistakes(table);
  for (std::size_t j = 0; j < x.size(); ++j) {
    const std::size_t column = pair_column(table, "x", x[j], std::find(a.begin(), a.end(), x[j]) != a.end());
    mistakes.each_row(table, [&](std::size_t i) { out.x(index(i), index(j)) = moderate_number(table, i, column); });
  }
  for (std::size_t j = 0; j < a.size(); ++j) {
    const std::size_t column = pair_column(table, "a", a[j], std::find(x.begin(), x.end(), a[j]) != x.end());
    mistakes.each_row(table,
                      [&](std::size_t i) { out.a(index(i), index(j)) = query_number(data, table, i, column, j); });
  }
  mistakes.refuse_any();
  return out;
}

std::vector<std::string> unread_columns(const SpecData& data, const CsvTable& table, bool values) {
  const TargetSpec& target = data.spec.targets;
  const QuerySpec& query = data.spec.queries;
  std::vector<std::string> read = values ? coordinate_names(target) : coordinate_names(query, target);
  if (values ? target.kind == TargetSpec::Kind::kPoints : query.kind == QuerySpec::Kind::kPoints)
    read.push_back(values ? target.id : query.id);
  return AnswerColumns(data.spec, table, read).unread(read);
}

std::vector<Observation> load_observations(const SpecData& data, const CsvTable& table) {
  const QuerySpec& query = data.spec.queries;
  std::vector<std::string> names = coordinate_names(query, data.spec.targets);
  const bool chooses = chooses_exposure(query);
  if (chooses) names.pop_back();
  const bool by_id = query.kind == QuerySpec::Kind::kPoints && goes_by_id(table, query.id, names);
  std::vector<Observation> out =
      by_id ? named(data.spec, table, query.id, data.queries, "queries.points", query.coordinates)
            : at_coordinates(data, table, names);
  if (chooses) add_nearest_choice(table, query.exposure->choices, out);
  return out;
}

std::vector<Observation> load_values(const SpecData& data, const CsvTable& table) {
  const TargetSpec& target = data.spec.targets;
  if (target.kind == TargetSpec::Kind::kPoints && goes_by_id(table, target.id, coordinate_names(target)))
    return named(data.spec, table, target.id, data.targets, "targets.points", target.coordinates);
  const AnswerColumns answers(data.spec, table, coordinate_names(target));
  Mistakes mistakes(table);
  const Rows points = number_columns(table, coordinate_names(target), "targets", mistakes);
  std::vector<Observation> out(table.size());
  mistakes.each_row(table, [&](std::size_t i) {
    const auto point = points.row(index(i));
    out[i].point.assign(point.begin(), point.end());
    out[i].answer = answers.at(i, mistakes);
  });
  mistakes.refuse_any();
  return out;
}

}  // namespace iqbo

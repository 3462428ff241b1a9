// iqbo predict: what is believed at inputs or queries.
#include <algorithm>
#include <iostream>
#include <numeric>
#include <unordered_map>

#include "chance_options.hpp"
#include "commands.hpp"
#include "common_options.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/core/lists.hpp"
#include "iqbo/record/text_file.hpp"
#include "limits.hpp"
#include "prediction_file.hpp"
#include "record/mistakes.hpp"
#include "setup/study_setup.hpp"
#include "show.hpp"
#include "told.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kPredictExample =
    "Examples:\n"
    "  iqbo predict -s campaign.db                        # f at the 10 best points of X\n"
    "  iqbo predict -s campaign.db --inputs some.csv      # f at the points of a file: their ids or coordinates\n"
    "  iqbo predict -s campaign.db --queries some.csv     # the averages that queries would return\n"
    "  iqbo predict -s campaign.db --above 3.5 --among 5  # P(f > 3.5), and P(among the five best)\n"
    "  iqbo predict -s campaign.db --format gpkg --out map.gpkg --above 3.5   # cells and areas, for QGIS\n"
    "  iqbo predict -s campaign.db --format tif --out map.tif                 # cells, a band for each column\n"
    "  iqbo predict -s campaign.db --of queries --format csv > areas.csv\n"
    "  iqbo predict -s campaign.db --queries some.csv --exposure 2000 --per 1000\n"
    "                                                     # counts: rates per 1,000, and counts among 2,000\n"
    "sd and the 95 % interval from low to high are those of f or of the average, without the noise of a measurement. "
    "Those "
    "of\n"
    "counts include it. Their exposure is that of --exposure, of a column \"exposure\" in the file, of the spec, or "
    "the "
    "median of\n"
    "those told.";

struct PredictCommand {
  CommonOptions common;
  ChanceCommand chances;
  std::string inputs;
  std::string queries;
  std::int64_t top = 10;
  std::optional<double> exposure;
  std::optional<double> per;
  PredictionFile file;
  std::string of;
};

// A coordinate as a number; a category is given by its name, as in the query file.
double coordinate(const CsvTable& table, std::size_t row, const std::string& name, const PointTable& list,
                  std::size_t j) {
  if (j >= list.codes.size() || list.codes[j].empty()) return table.number(row, table.position(name));
  const std::vector<std::string>& names = list.codes[j];
  const std::string_view cell = table.rows[row][table.position(name)];
  const auto found = std::find(names.begin(), names.end(), cell);
  if (found == names.end())
    table.refuse_cell(row, table.position(name), "is " + in_quotes(cell), expected_names(cell, names));
  return static_cast<double>(found - names.begin());
}

Asked read_points(const CsvTable& table, const std::string& id, const PointTable& list,
                  const std::vector<std::string>& coordinates) {
  Asked out{Rows(static_cast<Index>(table.size()), static_cast<Index>(coordinates.size())), {}};
  const bool by_id = goes_by_id(table, id, coordinates);
  for (const std::string& name : coordinates)
    if (!by_id) table.position(name);  // refuses a column that is missing, once
  std::unordered_map<std::string, Index> row_of;
  for (std::size_t i = 0; by_id && i < list.ids.size(); ++i) row_of.emplace(list.ids[i], static_cast<Index>(i));
  Mistakes mistakes(table);
  mistakes.each_row(table, [&](std::size_t i) {
    const auto row = static_cast<Index>(i);
    if (!by_id) {
      for (std::size_t j = 0; j < coordinates.size(); ++j)
        mistakes.check(i,
                       [&] { out.points(row, static_cast<Index>(j)) = coordinate(table, i, coordinates[j], list, j); });
      out.names.emplace_back();
      return;
    }
    const std::string name(table.rows[i][table.position(id)]);
    const auto found = row_of.find(name);
    if (found == row_of.end())
      table.refuse_cell(i, table.position(id), "is " + in_quotes(name), expected_names(name, list.ids));
    out.points.row(row) = list.coordinates.row(found->second);
    out.names.push_back(name);
  });
  mistakes.refuse_any();
  return out;
}

constexpr double kRounding = 1e-9;  // share of an axis, for rounding by spreadsheets; the same as for imports

// The study says nothing about points beyond X and A, so predictions there are refused.
void require_in_box(const CsvTable& table, const std::vector<AxisSpec>& axes, const Rows& points) {
  Mistakes mistakes(table);
  for (std::size_t j = 0; j < axes.size(); ++j)
    mistakes.each_row(table, [&](std::size_t i) {
      const double value = points(static_cast<Index>(i), static_cast<Index>(j));
      const double most = kRounding * (axes[j].to - axes[j].from);
      if (value < axes[j].from - most || value > axes[j].to + most)
        table.refuse_cell(i, table.position(axes[j].name), "is " + readable(value),
                          readable(axes[j].from) + " to " + readable(axes[j].to));
    });
  mistakes.refuse_any();
}

void require_listed(const CsvTable& table, const Rows& list, const Rows& points, const char* where) {
  const InputSet all{Inputs(list)};
  const Inputs meant = all.snapped(Inputs(points), kRounding);
  Mistakes mistakes(table);
  mistakes.each_row(table, [&](std::size_t i) {
    if (!all.find(meant.row(static_cast<Index>(i))))
      refuse(table.name, "row " + std::to_string(i + 2) + " is not in " + where, "the coordinates of one of its rows");
  });
  mistakes.refuse_any();
}

Asked asked_in(const CsvTable& table, const SpecData& data, bool of_g) {
  const QuerySpec& query = data.spec.queries;
  const TargetSpec& target = data.spec.targets;
  if (table.size() == 0) refuse(table.name, "has no rows of data", "at least one");
  if (!of_g) {
    Asked out = read_points(table, target.id, data.targets, coordinate_names(target));
    if (target.kind == TargetSpec::Kind::kBox)
      require_in_box(table, target.axes, out.points);
    else
      require_listed(table, data.targets.coordinates, out.points, "targets.points");
    return out;
  }
  std::vector<std::string> names = coordinate_names(query, target);
  if (chooses_exposure(query)) names.pop_back();
  Asked out = read_points(table, query.id, data.queries, names);
  if (query.kind == QuerySpec::Kind::kBox) require_in_box(table, query.axes, out.points);
  if (query.kind == QuerySpec::Kind::kPoints)
    require_listed(table, data.queries.coordinates, out.points, "queries.points");
  return out;
}

// The exposures that counts are predicted for; none: as the study says.
Vector exposures(const PredictCommand& options, const CsvTable* table, Index rows) {
  if (options.exposure) return Vector::Constant(rows, *options.exposure);
  if (table == nullptr || !table->has("exposure")) return {};
  const std::size_t column = table->position("exposure");
  Vector out(rows);
  Mistakes mistakes(*table);
  mistakes.each_row(*table, [&](std::size_t i) {
    const double value = table->number(i, column);
    if (!(value > 0.0)) table->refuse_cell(i, column, "is not positive", "a number > 0");
    out[static_cast<Index>(i)] = value;
  });
  mistakes.refuse_any();
  return out;
}

// Where exposures are chosen they are a coordinate of the query, on which averages do not depend.
Rows with_exposures(const Rows& points, const Vector& exposure, const QuerySpec& query) {
  if (!chooses_exposure(query)) return points;
  Rows out(points.rows(), points.cols() + 1);
  out.leftCols(points.cols()) = points;
  out.col(points.cols()).setConstant(query.exposure->choices.front());
  if (exposure.size() > 0) out.col(points.cols()) = exposure;
  return out;
}

// All points of X where it is a list, else those that a snapshot shows.
Asked all_inputs(Study& study) {
  const SpecData& data = study.data();
  const TargetSpec& targets = data.spec.targets;
  if (targets.kind == TargetSpec::Kind::kPoints) return {data.targets.coordinates, data.targets.ids};
  if (!targets.axes.empty() && targets.axes.front().grid > 0) {
    std::vector<Index> counts;
    for (const AxisSpec& axis : targets.axes) counts.push_back(axis.grid);
    Asked out{internal::box_of<InputSpace>(targets.axes).grid(counts).coordinates(), {}};
    out.names.resize(static_cast<std::size_t>(out.points.rows()));
    return out;
  }
  const Snapshot snapshot = study.snapshot(false);
  if (snapshot.x.points.empty()) refuse("inputs", "not given", "--inputs FILE: X is too large to be listed");
  Asked out{rows_of(snapshot.x.points), snapshot.x.names};
  out.names.resize(snapshot.x.points.size());
  return out;
}

// All queries that have a name, or all cells of a tree.
Asked all_queries(Study& study) {
  const SpecData& data = study.data();
  const QuerySpec& query = data.spec.queries;
  if (query.kind == QuerySpec::Kind::kPoints) return {data.queries.coordinates, data.queries.ids};
  if (query.kind == QuerySpec::Kind::kBox && !query.tree)
    refuse("queries", "not given", "--queries FILE: there are infinitely many of them");
  const Snapshot snapshot = study.snapshot(false);
  Asked out{rows_of(snapshot.a.points), snapshot.a.names};
  out.names.resize(snapshot.a.points.size());
  return out;
}

std::vector<Index> best_first(const Vector& mean, Goal goal, std::size_t most) {
  const double sign = goal == Goal::kMaximize ? 1.0 : -1.0;
  std::vector<Index> out(static_cast<std::size_t>(mean.size()));
  std::iota(out.begin(), out.end(), Index{0});
  std::stable_sort(out.begin(), out.end(), [&](Index i, Index j) { return sign * mean[i] > sign * mean[j]; });
  out.resize(std::min(out.size(), most));
  return out;
}

Asked top_of(const Asked& all, const Vector& mean, Goal goal, std::size_t most) {
  const std::vector<Index> rows = best_first(mean, goal, most);
  Asked out{all.points(rows, Eigen::all), {}};
  for (const Index row : rows) out.names.push_back(all.names[static_cast<std::size_t>(row)]);
  return out;
}

Said predicted(const PredictCommand& options, Study& study, const CsvTable* table, Asked& asked, bool of_g) {
  const Spec& spec = study.names().spec;
  const bool counts = of_g && is_count(spec.answers);
  if (!counts && options.exposure)
    refuse("exposure", "given", is_count(spec.answers) ? "--queries FILE: queries are counted" : "a study of counts");
  if (!is_count(spec.answers) && options.per) refuse("per", "given", "a study of counts, whose f is a rate");
  const Vector exposure = counts ? exposures(options, table, asked.points.rows()) : Vector();
  if (of_g) asked.points = with_exposures(asked.points, exposure, spec.queries);
  Said out{of_g ? study.predict_g(asked.points) : study.predict_f(asked.points), std::nullopt, std::nullopt};
  if (options.chances.given()) {
    const ChanceOptions wanted = options.chances.options(asked.points.rows());
    out.chances = of_g ? study.chances_g(asked.points, wanted) : study.chances_f(asked.points, wanted);
  }
  if (counts) out.counts = study.predict_counts(asked.points, exposure);
  if (options.per)
    for (Vector* each : {&out.belief.mean, &out.belief.sd, &out.belief.low, &out.belief.high})
      *each *= *options.per / spec.value.per;
  return out;
}

void print_json(const SpecData& data, const Asked& asked, const Said& said, bool of_g, Index i) {
  const std::string& name = asked.names[static_cast<std::size_t>(i)];
  const std::vector<double> point(asked.points.row(i).begin(), asked.points.row(i).end());
  Json out = of_g ? Json{{"query", Json::parse(query_json(data, point))}} : Json{{"x", input_json(data, point)}};
  if (!name.empty()) out["name"] = name;
  out["mean"] = said.belief.mean[i];
  out["sd"] = said.belief.sd[i];
  out["low"] = said.belief.low[i];
  out["high"] = said.belief.high[i];
  if (const auto& counts = said.counts) {
    out["exposure"] = counts->exposure[i];
    out["count"] = counts->mean[i];
    out["count_low"] = counts->low[i];
    out["count_high"] = counts->high[i];
  }
  if (const auto& chances = said.chances) {
    out["best"] = chances->best[i];
    out["best_error"] = chances->best_error[i];
    out["among"] = chances->among[i];
    out["among_error"] = chances->among_error[i];
    if (chances->above.size() > 0) out["above"] = chances->above[i];
  }
  std::cout << line_of(out);
}

std::vector<std::string> printed_row(const SpecData& data, const Asked& asked, const Said& said, bool of_g, Index i) {
  const std::string& name = asked.names[static_cast<std::size_t>(i)];
  std::vector<double> point(asked.points.row(i).begin(), asked.points.row(i).end());
  if (of_g && chooses_exposure(data.spec.queries)) point.pop_back();  // that of the counts is shown
  std::vector<std::string> out{name.empty() ? "-" : name};
  std::vector<std::string> values;
  if (of_g)
    values = query_texts(data, point);
  else
    for (const double value : point) values.push_back(coordinate_number(value));
  out.insert(out.end(), values.begin(), values.end());
  const double width = said.belief.high[i] - said.belief.low[i];
  for (const Vector* each : {&said.belief.mean, &said.belief.sd, &said.belief.low, &said.belief.high})
    out.push_back(number_within((*each)[i], each == &said.belief.sd ? 0.0 : width));
  if (const auto& counts = said.counts) {
    out.push_back(with_thousands(counts->exposure[i]));
    out.push_back(short_number(counts->mean[i]));
    out.push_back(with_thousands(counts->low[i]) + " to " + with_thousands(counts->high[i]));
  }
  if (const auto& chances = said.chances) {
    if (chances->above.size() > 0) out.push_back(short_number(chances->above[i]));
    out.push_back(short_number(chances->among[i]));
  }
  return out;
}

// --format: whatever is asked for, in the order of the tables.
void write_file(const PredictCommand& options) {
  const bool both = options.of == "all" || (options.of.empty() && options.inputs.empty() && options.queries.empty() &&
                                            options.file.holds_layers());
  const bool of_g = options.of == "queries" || !options.queries.empty();
  const std::string& file = of_g ? options.queries : options.inputs;
  options.file.check(both);
  if (!options.of.empty() && !(options.inputs.empty() && options.queries.empty()))
    refuse("--of", "is given with a file", "one of them: a file says what it asks for");
  Study study = options.common.open(Access::kReadOnly);
  std::optional<CsvTable> given;
  if (!file.empty()) given = parse_rows(read_text(file), file);
  std::vector<Predicted> all;
  for (const bool g : {false, true}) {
    if (!both && g != of_g) continue;
    Asked asked = given ? asked_in(*given, study.data(), g) : g ? all_queries(study) : all_inputs(study);
    Said said = predicted(options, study, given ? &*given : nullptr, asked, g);
    all.push_back({g, std::move(asked), std::move(said)});
  }
  options.file.write(study, all, options.common);
}

void run_predict(const PredictCommand& options) {
  if (!options.inputs.empty() && !options.queries.empty()) refuse("predict", "--inputs and --queries", "one of them");
  if (!options.file.format.empty()) return write_file(options);
  if (!options.file.out.empty()) refuse("--out", "is given", "--format csv, geojson, gpkg or tif with it");
  if (!options.of.empty()) refuse("--of", "is given", "--format csv, geojson, gpkg or tif with it");
  Study study = options.common.open(Access::kReadOnly);
  const SpecData& data = study.data();
  const bool of_g = !options.queries.empty();
  const std::string& file = of_g ? options.queries : options.inputs;
  std::optional<CsvTable> given;
  if (!file.empty()) given = parse_rows(read_text(file), file);
  Asked asked = given ? asked_in(*given, data, of_g) : all_inputs(study);
  const bool drawn = options.chances.given();  // then all are compared
  const auto most = static_cast<std::size_t>(options.top);
  if (file.empty() && !drawn) asked = top_of(asked, study.mean_f(asked.points), data.spec.goal, most);
  const Said said = predicted(options, study, given ? &*given : nullptr, asked, of_g);
  std::vector<Index> order(asked.names.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (file.empty() && drawn) order = best_first(said.belief.mean, data.spec.goal, most);
  if (options.common.json) {
    for (const Index i : order) print_json(data, asked, said, of_g, i);
    return;
  }
  std::vector<std::vector<std::string>> rows{{"name"}};
  std::vector<std::string> names =
      of_g ? coordinate_names(data.spec.queries, data.spec.targets) : coordinate_names(data.spec.targets);
  if (of_g && chooses_exposure(data.spec.queries)) names.pop_back();
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  rows[0].insert(rows[0].end(), {"mean", "sd", "low", "high"});
  if (said.counts) rows[0].insert(rows[0].end(), {"exposure", "count", "95 %"});
  if (said.chances) {
    if (options.chances.above) rows[0].push_back("P(> " + short_number(*options.chances.above) + ")");
    rows[0].push_back(options.chances.among ? "P(" + std::to_string(*options.chances.among) + " best)" : "P(best)");
  }
  for (const Index i : order) rows.push_back(printed_row(data, asked, said, of_g, i));
  std::cout << table(rows);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto options = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand("predict", "Predict f, or the averages that queries would return");
  command->add_option("--inputs", options->inputs, "CSV file of points x");
  command->add_option("--queries", options->queries, "CSV file of queries a");
  command->add_option("--top", options->top, "Without a file: show this many of the best")
      ->capture_default_str()
      ->check(whole(1));
  command
      ->add_option("--exposure", options->exposure, "Where answers are counts: also predict counts for this exposure")
      ->check(positive());
  command
      ->add_option("--per", options->per,
                   "Where answers are counts: give rates per this number (default: as the spec says)")
      ->check(positive());
  add_chances(*command, options->chances);
  options->file.add_options(*command);
  command->add_option("--of", options->of, "What --format writes: inputs (cells), queries (areas), or all")
      ->check(CLI::IsMember({"inputs", "queries", "all"}));
  add_common_options(*command, options->common);
  add_limits(*command);
  command->footer(kPredictExample);
  command->callback([options] { run_predict(*options); });
}

}  // namespace iqbo::cli

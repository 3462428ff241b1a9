// iqbo predict: what is believed at inputs or queries.
#include <algorithm>
#include <iostream>
#include <numeric>

#include "commands.hpp"
#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/text_file.hpp"
#include "place.hpp"
#include "show.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

constexpr const char* kExample =
    "Examples:\n"
    "  iqbo predict -s campaign.db                        # f at all points of X, the 10 best\n"
    "  iqbo predict -s campaign.db --inputs some.csv      # f there: the id or the coordinates of x\n"
    "  iqbo predict -s campaign.db --queries some.csv     # what queries would show on average\n"
    "sd is that of f or of the average, without the noise of a measurement.";

struct PredictCommand {
  Place place;
  std::string inputs;
  std::string queries;
  std::int64_t top = 10;
};

struct Asked {
  Rows points;
  std::vector<std::string> names;
};

// A coordinate as a number; a category is given by its name, as in the query file.
double coordinate(const CsvTable& table, std::size_t row, const std::string& name, const PointTable& list,
                  std::size_t j) {
  if (j >= list.codes.size() || list.codes[j].empty()) return table.number(row, table.position(name));
  const std::vector<std::string>& names = list.codes[j];
  const std::string& cell = table.rows[row][table.position(name)];
  const auto found = std::find(names.begin(), names.end(), cell);
  if (found == names.end())
    table.refuse_cell(row, table.position(name), "is \"" + cell + "\"", expected_names(cell, names));
  return static_cast<double>(found - names.begin());
}

Asked read_points(const CsvTable& table, const std::string& id, const PointTable& list,
                  const std::vector<std::string>& coordinates) {
  Asked out{Rows(static_cast<Index>(table.size()), static_cast<Index>(coordinates.size())), {}};
  const bool by_id = goes_by_id(table, id, coordinates);
  for (std::size_t i = 0; i < table.size(); ++i) {
    const auto row = static_cast<Index>(i);
    if (!by_id) {
      for (std::size_t j = 0; j < coordinates.size(); ++j)
        out.points(row, static_cast<Index>(j)) = coordinate(table, i, coordinates[j], list, j);
      out.names.emplace_back();
      continue;
    }
    const std::string& name = table.rows[i][table.position(id)];
    const auto found = std::find(list.ids.begin(), list.ids.end(), name);
    if (found == list.ids.end())
      table.refuse_cell(i, table.position(id), "is \"" + name + "\"", expected_names(name, list.ids));
    out.points.row(row) = list.coordinates.row(found - list.ids.begin());
    out.names.push_back(name);
  }
  return out;
}

constexpr double kRounding = 1e-9;  // share of an axis, for rounding by spreadsheets; the same as for imports

// The study says nothing about points beyond X and A, so predictions there are refused.
void require_in_box(const CsvTable& table, const std::vector<AxisSpec>& axes, const Rows& points) {
  for (std::size_t j = 0; j < axes.size(); ++j)
    for (Index i = 0; i < points.rows(); ++i) {
      const double value = points(i, static_cast<Index>(j));
      const double most = kRounding * (axes[j].to - axes[j].from);
      if (value < axes[j].from - most || value > axes[j].to + most)
        table.refuse_cell(static_cast<std::size_t>(i), table.position(axes[j].name), "is " + readable(value),
                          readable(axes[j].from) + " to " + readable(axes[j].to));
    }
}

void require_listed(const CsvTable& table, const Rows& list, const Rows& points, const char* where) {
  const Eigen::RowVectorXd most = kRounding * (list.colwise().maxCoeff() - list.colwise().minCoeff());
  for (Index i = 0; i < points.rows(); ++i) {
    const auto off = (list.rowwise() - points.row(i)).cwiseAbs().eval();
    if (!((off.array() <= most.replicate(list.rows(), 1).array()).rowwise().all()).any())
      refuse(table.name, "row " + std::to_string(i + 2) + " is not in " + where, "the coordinates of one of its rows");
  }
}

Asked asked_in(const CsvTable& table, const SpecData& data, bool of_g) {
  const QuerySpec& query = data.spec.query;
  const TargetSpec& target = data.spec.target;
  if (table.size() == 0) refuse(table.name, "has no rows of data", "at least one");
  if (!of_g) {
    Asked out = read_points(table, target.id, data.target, coordinate_names(target));
    if (target.kind == TargetSpec::Kind::kBox)
      require_in_box(table, target.axes, out.points);
    else
      require_listed(table, data.target.coordinates, out.points, "target.points");
    return out;
  }
  Asked out = read_points(table, query.id, data.query, coordinate_names(query, target));
  if (query.kind == QuerySpec::Kind::kBox) require_in_box(table, query.axes, out.points);
  if (query.kind == QuerySpec::Kind::kPoints) require_listed(table, data.query.coordinates, out.points, "query.points");
  return out;
}

// All points of X that a snapshot shows.
Asked all_inputs(Study& study) {
  const Snapshot snapshot = study.snapshot(false);
  if (snapshot.x.points.empty()) refuse("inputs", "not given", "--inputs FILE: X is too large to be listed");
  Asked out{Rows(static_cast<Index>(snapshot.x.points.size()), static_cast<Index>(snapshot.x.points[0].size())),
            snapshot.x.names};
  out.names.resize(snapshot.x.points.size());
  for (std::size_t i = 0; i < snapshot.x.points.size(); ++i)
    for (std::size_t j = 0; j < snapshot.x.points[i].size(); ++j)
      out.points(static_cast<Index>(i), static_cast<Index>(j)) = snapshot.x.points[i][j];
  return out;
}

void run_predict(const PredictCommand& options) {
  if (!options.inputs.empty() && !options.queries.empty()) refuse("predict", "--inputs and --queries", "one of them");
  Study study = options.place.open(Access::kReadOnly);
  const SpecData& data = study.data();
  const bool of_g = !options.queries.empty();
  const std::string& file = of_g ? options.queries : options.inputs;
  const auto names = of_g ? coordinate_names(data.spec.query, data.spec.target) : coordinate_names(data.spec.target);
  const Asked asked = file.empty() ? all_inputs(study) : asked_in(parse_csv(read_text(file), file), data, of_g);
  const Prediction said = of_g ? study.predict_g(asked.points) : study.predict_f(asked.points);
  std::vector<Index> order(asked.names.size());
  std::iota(order.begin(), order.end(), Index{0});
  if (file.empty()) {
    const double sign = data.spec.goal == Goal::kMaximize ? 1.0 : -1.0;
    std::stable_sort(order.begin(), order.end(),
                     [&](Index i, Index j) { return sign * said.mean[i] > sign * said.mean[j]; });
    order.resize(std::min(order.size(), static_cast<std::size_t>(options.top)));
  }
  std::vector<std::vector<std::string>> rows{{"name"}};
  rows[0].insert(rows[0].end(), names.begin(), names.end());
  rows[0].insert(rows[0].end(), {"mean", "sd"});
  for (const Index i : order) {
    const std::string& name = asked.names[static_cast<std::size_t>(i)];
    const std::vector<double> point(asked.points.row(i).begin(), asked.points.row(i).end());
    if (options.place.json) {
      Json out = of_g ? Json{{"query", Json::parse(query_json(data, point))}} : Json{{"x", input_json(data, point)}};
      if (!name.empty()) out["name"] = name;
      out["mean"] = said.mean[i];
      out["sd"] = said.sd[i];
      std::cout << line_of(out);
      continue;
    }
    rows.push_back({name.empty() ? "-" : name});
    std::vector<std::string> values;
    if (of_g)
      values = query_texts(data, point);
    else
      for (const double value : point) values.push_back(short_number(value));
    rows.back().insert(rows.back().end(), values.begin(), values.end());
    rows.back().insert(rows.back().end(), {short_number(said.mean[i]), short_number(said.sd[i])});
  }
  if (!options.place.json) std::cout << table(rows);
}

}  // namespace

void add_predict(CLI::App& app) {
  auto options = std::make_shared<PredictCommand>();
  CLI::App* command = app.add_subcommand("predict", "Say what is believed about f, or about what queries would show");
  command->add_option("--inputs", options->inputs, "CSV file of points x");
  command->add_option("--queries", options->queries, "CSV file of queries a");
  command->add_option("--top", options->top, "Without a file: how many of the best")
      ->capture_default_str()
      ->check(whole(1));
  add_place(*command, options->place);
  command->footer(kExample);
  command->callback([options] { run_predict(*options); });
}

}  // namespace iqbo::cli

#include "show.hpp"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <cstdio>

#include "iqbo/core/check.hpp"
#include "iqbo/record/json.hpp"
#include "told.hpp"

namespace iqbo::cli {
namespace {

struct Labels {
  std::vector<std::string> names;
  std::vector<std::string> units;
};

Labels labels_of(const std::vector<AxisSpec>& axes, const std::vector<std::string>& units, bool box,
                 std::vector<std::string> names) {
  Labels out{std::move(names), units};
  if (box) {
    out.units.clear();
    for (const AxisSpec& axis : axes) out.units.push_back(axis.unit);
  }
  out.units.resize(out.names.size());
  return out;
}

Labels labels_of(const TargetSpec& s) {
  return labels_of(s.axes, s.units, s.kind == TargetSpec::Kind::kBox, coordinate_names(s));
}
Labels labels_of(const QuerySpec& s, const TargetSpec& target) {
  return labels_of(s.axes, s.units, s.kind == QuerySpec::Kind::kBox, coordinate_names(s, target));
}

// Studies of version 1 have no digests, so a damaged log may hold a point with more coordinates than the spec has. It
// must still be shown; the extra coordinates are called "?".
std::string described(Labels labels, const PointTable& list, const std::vector<double>& point) {
  std::string out;
  labels.names.resize(std::max(labels.names.size(), point.size()), "?");
  labels.units.resize(labels.names.size());
  for (std::size_t j = 0; j < point.size(); ++j) {
    const std::string* name = category_name(list, j, point[j]);
    out += (j == 0 ? "" : ", ") + labels.names[j] + " " + (name != nullptr ? *name : coordinate_number(point[j])) +
           (labels.units[j].empty() ? "" : " " + labels.units[j]);
  }
  return out;
}

// Counts letters, not bytes: names may have accents.
std::size_t width_of(const std::string& text) {
  return static_cast<std::size_t>(
      std::count_if(text.begin(), text.end(), [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

bool named_only(const QuerySpec& query) { return query.kind == QuerySpec::Kind::kPoints && query.coordinates.empty(); }

}  // namespace

// A cell with a line end, such as the reason of a failure told by another program, would look like a row of its own.
std::string table(const std::vector<std::vector<std::string>>& cells) {
  std::vector<std::vector<std::string>> rows = cells;
  for (auto& row : rows)
    for (std::string& cell : row) cell = clean_text(cell, std::string::npos);
  std::vector<std::size_t> width;
  for (const auto& row : rows)
    for (std::size_t j = 0; j < row.size(); ++j) {
      if (j == width.size()) width.push_back(0);
      width[j] = std::max(width[j], width_of(row[j]));
    }
  std::string out;
  for (const auto& row : rows) {
    std::string line;
    for (std::size_t j = 0; j < row.size(); ++j) {
      line += row[j];
      if (j + 1 < row.size()) line.append(width[j] - width_of(row[j]) + 2, ' ');
    }
    out += line.substr(0, line.find_last_not_of(' ') + 1) + "\n";
  }
  return out;
}

std::string line_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n"; }

std::string clean_text(const std::string& text, std::size_t most) {
  std::string out = Json::parse(line_of(Json(text))).get<std::string>();  // replaces bytes that are not UTF-8
  for (char& c : out)
    if (std::isspace(static_cast<unsigned char>(c)) != 0) c = ' ';
  out = without_control_characters(out);
  if (out.size() > most) {
    while ((static_cast<unsigned char>(out[most]) & 0xC0U) == 0x80U) --most;  // do not cut a letter in two
    out.resize(most);
  }
  return out;
}

std::string short_number(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.4g", value + 0.0);
  return text;
}

namespace {

// "%.*g" without an exponent up to 1e9: 101300, not 1.013e+05.
std::string significant_text(double value, int digits) {
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", digits, value + 0.0);
  std::string out = text;
  if (out.find("e+0") == std::string::npos) return out;
  std::snprintf(text, sizeof text, "%.0f", std::stod(out));
  return text;
}

}  // namespace

std::string number_within(double value, double width) {
  constexpr int kFewest = 4, kMost = 15;
  if (!std::isfinite(value) || !(width > 0.0) || value == 0.0) return significant_text(value, kFewest);
  const double digits = std::floor(std::log10(std::abs(value))) - std::floor(std::log10(width)) + 3.0;
  return significant_text(value, static_cast<int>(std::clamp(digits, 1.0 * kFewest, 1.0 * kMost)));
}

std::string coordinate_number(double value) {
  constexpr int kAll = 10, kUsual = 6;
  char text[40];
  std::snprintf(text, sizeof text, "%.*g", kAll, value + 0.0);
  if (std::stod(text) == value) return significant_text(value, kAll);
  const double whole = value == 0.0 ? 0.0 : std::floor(std::log10(std::abs(value))) + 1.0;
  return significant_text(value, static_cast<int>(std::clamp(whole, 1.0 * kUsual, 1.0 * kAll)));
}

std::string with_unit(double value, const Spec& spec) {
  return short_number(value) + (spec.value.unit.empty() ? "" : " " + spec.value.unit);
}

std::vector<std::string> query_texts(const SpecData& data, const std::vector<double>& query) {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < query.size(); ++j) {
    const std::string* name = category_name(data.queries, j, query[j]);
    out.push_back(name != nullptr ? *name : coordinate_number(query[j]));
  }
  return out;
}

std::string precision_text(const Answer& told) {
  std::string out;
  if (told.noise_sd) out = "sd " + short_number(*told.noise_sd);
  if (told.replicates > 1) out += (out.empty() ? "" : ", ") + std::to_string(told.replicates) + " replicates";
  return out.empty() ? out : " (" + out + ")";
}

std::string describe_query(const SpecData& data, const Trial& trial) {
  const QuerySpec& query = data.spec.queries;
  if (named_only(query) && !trial.query.empty()) {
    const std::string name = trial.name.empty() ? std::to_string(static_cast<long>(trial.query[0])) : trial.name;
    return name + (chooses_exposure(query) ? " among " + with_thousands(trial.query.back()) : "");
  }
  const std::string coordinates = described(labels_of(query, data.spec.targets), data.queries, trial.query);
  return trial.name.empty() ? coordinates : trial.name + " (" + coordinates + ")";
}

std::string describe_query(const SpecData& data, const Trial& trial, const std::optional<TileRecord>& tile) {
  if (!tile) return describe_query(data, trial);
  const Labels labels = labels_of(data.spec.targets);
  std::string bounds;
  for (std::size_t j = 0; j < tile->lower.size(); ++j)
    bounds += (j == 0 ? "" : ", ") + labels.names[j] + " " + coordinate_number(tile->lower[j]) + " to " +
              coordinate_number(tile->upper[j]) + (labels.units[j].empty() ? "" : " " + labels.units[j]);
  if (trial.level) bounds += ", level " + std::to_string(*trial.level);
  return trial.name.empty() ? bounds : trial.name + " (" + bounds + ")";
}

Json bounds_json(const SpecData& data, const TileRecord& tile) {
  const auto names = coordinate_names(data.spec.targets);
  Json out = Json::object();
  for (std::size_t j = 0; j < tile.lower.size(); ++j) out[names[j]] = Json::array({tile.lower[j], tile.upper[j]});
  return out;
}

std::vector<std::string> bound_names(const SpecData& data) {
  std::vector<std::string> out;
  for (const std::string& name : coordinate_names(data.spec.targets)) {
    out.push_back(name + "_from");
    out.push_back(name + "_to");
  }
  return out;
}

std::vector<std::string> bound_texts(const TileRecord& tile) {
  std::vector<std::string> out;
  for (std::size_t j = 0; j < tile.lower.size(); ++j) {
    out.push_back(csv_number(tile.lower[j]));
    out.push_back(csv_number(tile.upper[j]));
  }
  return out;
}

Json with_bounds(Json trial, const SpecData& data, const std::optional<TileRecord>& tile) {
  if (tile) trial["bounds"] = bounds_json(data, *tile);
  return trial;
}

std::string describe_input(const SpecData& data, const std::vector<double>& x, const std::string& name) {
  const std::string coordinates = described(labels_of(data.spec.targets), data.targets, x);
  return name.empty() ? coordinates : name + " (" + coordinates + ")";
}

std::string coordinate_text(const SpecData& data, std::size_t j, double value) {
  const std::string* name = category_name(data.queries, j, value);
  return name != nullptr ? *name : csv_number(value);
}

Json input_json(const SpecData& data, const std::vector<double>& x) {
  const auto names = coordinate_names(data.spec.targets);
  Json out = Json::object();
  for (std::size_t j = 0; j < x.size(); ++j) out[names[j]] = x[j];
  return out;
}

Json best_json(const SpecData& data, const RecommendationRecord& best) {
  Json out = Json::object();
  if (!best.name.empty()) out["name"] = best.name;
  out["x"] = input_json(data, best.x);
  out["mean"] = best.mean;
  out["sd"] = best.sd;
  out["low"] = best.low;
  out["high"] = best.high;
  out["probability"] = best.probability;
  if (best.probability_error) out["probability_error"] = *best.probability_error;
  out["tolerance"] = best.tolerance;
  if (best.widened) out["widened"] = *best.widened;
  if (best.unseen) out["unseen"] = *best.unseen;
  if (best.optimum_low && best.optimum_high) {
    out["optimum_low"] = *best.optimum_low;
    out["optimum_high"] = *best.optimum_high;
  }
  out["notes"] = best.notes;
  return out;
}

// The same keys as `export --what snapshot`.
Json posterior_json(const Snapshot& now) {
  const Json all = Json::parse(to_json(now));
  return {{"last_event", now.seq},
          {"events", now.seq},  // its former name
          {"observations", now.observations},
          {"x", all["x"]},
          {"a", all["a"]}};
}

Json acquisition_json(const Snapshot& now) {
  Json scores = Json::array();
  for (const double score : now.scores) scores.push_back(std::isfinite(score) ? Json(score) : Json());
  return {{"last_event", now.seq},
          {"events", now.seq},  // its former name
          {"policy", now.policy},
          {"queries", now.a.points},
          {"names", now.a.names},
          {"scores", std::move(scores)},
          {"logarithms", now.logarithms},
          {"next", now.next ? Json(*now.next) : Json()},
          {"query", now.next_query.empty() ? Json() : Json(now.next_query)},
          {"why", now.why}};
}

std::string best_text(const SpecData& data, const RecommendationRecord& best) {
  const double width = best.high - best.low;
  return describe_input(data, best.x, best.name) + ": " + number_within(best.mean, width) + " [" +
         number_within(best.low, width) + ", " + number_within(best.high, width) + "]" +
         (data.spec.value.unit.empty() ? "" : " " + data.spec.value.unit);
}

}  // namespace iqbo::cli

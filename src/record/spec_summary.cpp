#include "iqbo/record/spec_summary.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

#include "core/nearest.hpp"
#include "fields.hpp"
#include "iqbo/core/check.hpp"

namespace iqbo {

using namespace internal;

namespace {

// Bags of points in the plane are nearly always areas of a map; other words would only be more abstract.
struct Words {
  std::string query, queries, points;
};
Words words_of(const Spec& spec) {
  const bool map = spec.conditional.kind == ConditionalSpec::Kind::kBags && coordinate_names(spec.targets).size() == 2;
  return map ? Words{"area", "areas", "cells"} : Words{"query", "queries", "points"};
}

std::string many(std::size_t count, const std::string& one, const std::string& more) {
  return grouped(static_cast<double>(count)) + " " + (count == 1 ? one : more);
}

std::string range(const std::string& name, const std::string& unit, double low, double high) {
  return name + " " + grouped(low) + " to " + grouped(high) + (unit.empty() ? "" : " " + unit);
}

// --- coordinates ---

std::string ranges(const std::vector<std::string>& names, const std::vector<std::string>& units,
                   const PointTable& list) {
  std::string out;
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto column = list.coordinates.col(static_cast<Index>(j));
    const bool category = j < list.codes.size() && !list.codes[j].empty();
    out += (j == 0 ? "" : ", ") +
           (category ? names[j] + " one of " + some_of(list.codes[j])
                     : range(names[j], j < units.size() ? units[j] : "", column.minCoeff(), column.maxCoeff()));
  }
  return out;
}

std::string axes_text(const std::vector<AxisSpec>& axes) {
  std::string out;
  for (const AxisSpec& axis : axes)
    out += (out.empty() ? "" : ", ") + range(axis.name, axis.unit, axis.from, axis.to) +
           (axis.grid > 0 ? " in " + std::to_string(axis.grid) + " values" : "");
  return out;
}

// --- bags ---

std::vector<std::string> points_in_no_bag(const SpecData& data) {
  if (data.spec.conditional.point.empty()) return {};
  std::vector<char> seen(data.targets.ids.size(), 0);
  for (const BagEntry& entry : data.bags.entries)
    if (entry.weight > 0) seen[static_cast<std::size_t>(entry.point)] = 1;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < seen.size(); ++i)
    if (seen[i] == 0) out.push_back(data.targets.ids[i]);
  return out;
}

double total_weight(const SpecData& data) {
  double sum = 0;
  for (const BagEntry& entry : data.bags.entries) sum += entry.weight;
  return sum;
}

// Whether points count in several bags with their whole weight, so that the sum is more than there is. A point that is divided
// among bags has a part of it in each.
bool overlap(const SpecData& data) {
  std::vector<double> largest;
  for (const BagEntry& entry : data.bags.entries) {
    const auto at = static_cast<std::size_t>(entry.point);
    if (at >= largest.size()) largest.resize(at + 1, 0.0);
    largest[at] = std::max(largest[at], entry.weight);
  }
  const double once = std::accumulate(largest.begin(), largest.end(), 0.0);
  return total_weight(data) > 1.5 * once;
}

// Whether the weights are percentages, or shares of 1: they add up to that in nearly every bag, or many are just that much
// and none is more.
bool look_like_shares(const SpecData& data, double whole) {
  constexpr double kNearly = 0.01;
  std::vector<double> sums(data.queries.ids.size(), 0.0);
  std::vector<int> sizes(sums.size(), 0);
  std::size_t full = 0;
  bool more = false;
  for (const BagEntry& entry : data.bags.entries) {
    sums[static_cast<std::size_t>(entry.query)] += entry.weight;
    ++sizes[static_cast<std::size_t>(entry.query)];
    if (entry.weight == whole) ++full;
    more = more || entry.weight > whole;
  }
  std::size_t complete = 0;
  std::size_t several = 0;
  for (std::size_t i = 0; i < sums.size(); ++i) {
    if (sizes[i] < 2) continue;
    ++several;
    if (std::abs(sums[i] / whole - 1) < kNearly) ++complete;
  }
  const std::size_t entries = data.bags.entries.size();
  const bool parts = !more && full < entries && 5 * full >= entries && entries >= 10;
  return (several >= 3 && 10 * complete >= 9 * several) || parts;
}

// --- shapes ---

struct Bounds {
  std::array<double, 2> low{1e300, 1e300};
  std::array<double, 2> high{-1e300, -1e300};
  bool holds(double x, double y) const {
    const double room = 0.05 * std::max(high[0] - low[0], high[1] - low[1]);
    return x >= low[0] - room && x <= high[0] + room && y >= low[1] - room && y <= high[1] + room;
  }
};

void add_positions(const fields::Json& json, Bounds& bounds) {
  if (!json.is_array()) return;
  if (json.size() >= 2 && json[0].is_number() && json[1].is_number()) {
    for (std::size_t j = 0; j < 2; ++j) {
      bounds.low[j] = std::min(bounds.low[j], json[j].get<double>());
      bounds.high[j] = std::max(bounds.high[j], json[j].get<double>());
    }
    return;
  }
  for (const fields::Json& each : json) add_positions(each, bounds);
}

std::string shapes_warning(const SpecData& data, const SpecBundle& bundle, const Words& words) {
  const Rows& points = data.bags.points.rows() > 0 ? data.bags.points : data.targets.coordinates;
  if (!data.spec.queries.geojson || points.rows() == 0 || points.cols() != 2) return "";
  const std::string& file = data.spec.queries.geojson->file;
  const fields::Json json = fields::Json::parse(bundle.files.at(file), nullptr, false);
  Bounds bounds;
  for (const fields::Json& feature : json["features"])
    if (const auto geometry = feature.find("geometry"); geometry != feature.end() && geometry->is_object())
      add_positions(geometry->value("coordinates", fields::Json()), bounds);
  Index inside = 0;
  Index exchanged = 0;
  for (Index i = 0; i < points.rows(); ++i) {
    inside += bounds.holds(points(i, 0), points(i, 1)) ? 1 : 0;
    exchanged += bounds.holds(points(i, 1), points(i, 0)) ? 1 : 0;
  }
  if (2 * inside >= points.rows() || bounds.low[0] > bounds.high[0]) return "";
  const std::string found = "the shapes of " + file + " lie between (" + grouped(bounds.low[0]) + ", " +
                            grouped(bounds.low[1]) + ") and (" + grouped(bounds.high[0]) + ", " +
                            grouped(bounds.high[1]) + "), the " + words.points + " between (" +
                            grouped(points.col(0).minCoeff()) + ", " + grouped(points.col(1).minCoeff()) + ") and (" +
                            grouped(points.col(0).maxCoeff()) + ", " + grouped(points.col(1).maxCoeff()) + "): ";
  return found + (2 * exchanged >= points.rows() ? "are the two coordinates exchanged?"
                                                 : "are they in different coordinate systems? The map will not fit");
}

// --- the lines ---

std::string bag_line(const SpecData& data, const Words& words, SpecSummary& out) {
  const auto outside = points_in_no_bag(data);
  const bool listed = data.spec.targets.kind == TargetSpec::Kind::kPoints;
  const std::size_t points = listed ? data.targets.ids.size() : static_cast<std::size_t>(data.bags.points.rows());
  std::string line = many(data.queries.ids.size(), words.query, words.queries) + ", " +
                     grouped(static_cast<double>(points)) + " " + words.points;
  if (!outside.empty())
    line += ", of which " + grouped(static_cast<double>(outside.size())) + " are in no " + words.query;
  if (!data.spec.conditional.weight.empty())
    line += "; " + data.spec.conditional.weight + " " + grouped(total_weight(data)) +
            (overlap(data) ? ", summed over all " + words.queries : " in all");
  if (!outside.empty())
    out.warnings.push_back(words.points + " in no " + words.query + ": " + some_of(outside) +
                           "; no answer includes them, so little will be learned about them");
  for (const double whole : {100.0, 1.0})
    if (!data.spec.conditional.weight.empty() && look_like_shares(data, whole)) {
      out.warnings.push_back("the column \"" + data.spec.conditional.weight + "\" of " + data.spec.conditional.bags +
                             " looks like " + (whole == 1 ? "shares" : "percentages") +
                             ". That is right if they say how one " + words.query + " is divided among its " +
                             words.points + "; if they say how much of each lies in the " + words.query +
                             ", multiply them by the weight of each, such as its population");
      break;
    }
  return line;
}

}  // namespace

std::string grouped(double value) {
  std::array<char, 64> text{};
  const double size = std::abs(value);
  const bool small = size < 1e-4 && size > 0;
  const int decimals = size >= 1000 ? 0 : size >= 1 ? 3 : 5;
  const auto [end, error] =
      small || size >= 1e15
          ? std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 4)
          : std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::fixed, decimals);
  std::string out(text.data(), end);
  if (out.find_first_of("en") != std::string::npos) return out;
  if (out.find('.') != std::string::npos) {
    out.erase(out.find_last_not_of('0') + 1);
    if (out.back() == '.') out.pop_back();
  }
  const std::size_t first = out[0] == '-' ? 1 : 0;
  const std::size_t point = std::min(out.find('.'), out.size());
  std::string marked;
  for (std::size_t i = 0; i < out.size(); ++i) {
    if (i > first && i < point && (point - i) % 3 == 0) marked += ',';
    marked += out[i];
  }
  return marked == "-0" ? "0" : marked;
}

std::string some_of(const std::vector<std::string>& names) {
  constexpr std::size_t kShown = 5;
  std::string out;
  for (std::size_t i = 0; i < std::min(names.size(), kShown); ++i) out += (i == 0 ? "" : ", ") + names[i];
  return names.size() > kShown ? out + " and " + grouped(static_cast<double>(names.size() - kShown)) + " more" : out;
}

SpecSummary summary_of(const SpecData& data, const SpecBundle& bundle) {
  const Spec& spec = data.spec;
  const Words words = words_of(spec);
  SpecSummary out;
  out.warnings = bundle.notes;
  const bool bags = spec.conditional.kind == ConditionalSpec::Kind::kBags;
  const bool listed = spec.targets.kind == TargetSpec::Kind::kPoints;
  std::string line = bags ? bag_line(data, words, out) : "";
  if (!bags && spec.queries.kind == QuerySpec::Kind::kPoints)
    line = many(data.queries.ids.size(), words.query, words.queries);
  if (!bags && listed) line += (line.empty() ? "" : ", ") + many(data.targets.ids.size(), "point", "points");
  if (data.pairs.x.rows() > 0)
    line +=
        (line.empty() ? "" : ", ") + many(static_cast<std::size_t>(data.pairs.x.rows()), "logged pair", "logged pairs");
  const std::string where =
      listed ? ranges(spec.targets.coordinates, spec.targets.units, data.targets) : axes_text(spec.targets.axes);
  out.lines.push_back(line + (line.empty() ? "" : "; ") + (bags ? "coordinates: " : "X: ") + where);
  if (spec.queries.kind == QuerySpec::Kind::kBox) out.lines.push_back("queries: " + axes_text(spec.queries.axes));
  if (!spec.queries.coordinates.empty())
    out.lines.push_back("queries: " + ranges(spec.queries.coordinates, spec.queries.units, data.queries));
  if (const std::string off = shapes_warning(data, bundle, words); !off.empty()) out.warnings.push_back(off);
  return out;
}

}  // namespace iqbo

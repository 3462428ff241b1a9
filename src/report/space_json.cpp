#include "space_json.hpp"

#include <algorithm>

#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

Json axis_json(const std::string& name, const std::string& unit, double from, double to) {
  return {{"name", name}, {"unit", unit}, {"from", exact(from)}, {"to", exact(to)}};
}

void add_box(const std::vector<AxisSpec>& axes, Json& out) {
  for (const AxisSpec& axis : axes) out.push_back(axis_json(axis.name, axis.unit, axis.from, axis.to));
}

void add_list(const std::vector<std::string>& names, const std::vector<std::string>& units, const PointTable& list,
              Json& out) {
  for (std::size_t j = 0; j < names.size(); ++j) {
    const auto column = list.coordinates.col(static_cast<Index>(j));
    out.push_back(axis_json(names[j], j < units.size() ? units[j] : "", column.minCoeff(), column.maxCoeff()));
    if (j < list.codes.size() && !list.codes[j].empty()) out.back()["categories"] = list.codes[j];
  }
}

// The axis of resolutions; smaller is finer.
void add_resolution(const QuerySpec& query, Json& out) {
  std::vector<double> all = query.tree ? query.tree->resolutions : query.resolutions;
  if (all.empty() && query.tree)
    for (std::int64_t l = 0; l < query.tree->levels; ++l) all.push_back(1.0 / static_cast<double>(l + 1));
  if (all.empty()) return;
  out.push_back(axis_json("resolution", "", *std::min_element(all.begin(), all.end()),
                          *std::max_element(all.begin(), all.end())));
}

std::string numbers(const std::vector<double>& values) {
  std::string out;
  for (const double value : values) out += (out.empty() ? "" : ", ") + readable(value);
  return out;
}

std::string map_in_words(const MapSpec& map) {
  switch (map.kind) {
    case MapSpec::Kind::kIdentity:
      return "the query itself";
    case MapSpec::Kind::kConstant:
      return numbers(map.offset);
    case MapSpec::Kind::kAffine:
      return "a linear map of the query";
    case MapSpec::Kind::kColumns:
      return "columns of the query table";
    case MapSpec::Kind::kResolution:
      return "the resolution";
  }
  return "";
}

std::string window_in_words(const ConditionalSpec& s, const char* name, const char* width) {
  std::string out =
      std::string(name) + " window; centre: " + map_in_words(s.mu) + "; " + width + ": " + map_in_words(s.width);
  if (s.truncate == ConditionalSpec::Truncate::kClip) out += "; clipped at the edge of the domain";
  if (s.truncate == ConditionalSpec::Truncate::kRenormalise) out += "; cut off at the edge of the domain";
  return out;
}

}  // namespace

Json target_space_json(const SpecData& data) {
  const TargetSpec& s = data.spec.targets;
  Json axes = Json::array();
  if (s.kind == TargetSpec::Kind::kBox)
    add_box(s.axes, axes);
  else
    add_list(s.coordinates, s.units, data.targets, axes);
  return {{"kind", s.kind == TargetSpec::Kind::kBox ? "box" : "points"}, {"axes", std::move(axes)}};
}

Json query_space_json(const SpecData& data) {
  const QuerySpec& s = data.spec.queries;
  Json axes = Json::array();
  if (s.kind == QuerySpec::Kind::kBox) {
    add_box(s.axes, axes);
    add_resolution(s, axes);
  } else if (s.kind == QuerySpec::Kind::kPoints) {
    std::vector<std::string> names = coordinate_names(s, data.spec.targets);
    if (chooses_exposure(s)) names.pop_back();
    add_list(names, s.units, data.queries, axes);
    if (chooses_exposure(s))
      axes.push_back(axis_json("exposure", "", s.exposure->choices.front(), s.exposure->choices.back()));
  } else {
    axes = target_space_json(data)["axes"];
    axes.push_back(axis_json("level", "", 0.0, static_cast<double>(s.tree->levels - 1)));
  }
  const char* kind = s.tree ? "tree" : s.kind == QuerySpec::Kind::kPoints ? "points" : "box";
  return {{"kind", kind}, {"axes", std::move(axes)}};
}

Json conditional_json(const SpecData& data) {
  const ConditionalSpec& s = data.spec.conditional;
  switch (s.kind) {
    case ConditionalSpec::Kind::kGaussian:
      return {{"kind", "gaussian"}, {"summary", window_in_words(s, "Gaussian", "standard deviation")}};
    case ConditionalSpec::Kind::kUniform:
      return {{"kind", "uniform"}, {"summary", window_in_words(s, "uniform", "half-width")}};
    case ConditionalSpec::Kind::kBags:
      return {{"kind", "bags"},
              {"summary", std::to_string(data.queries.ids.size()) + " regions of listed points, " +
                              std::to_string(data.bags.entries.size()) + " memberships" +
                              (s.weight.empty() ? "" : ", weighted by " + s.weight)}};
    case ConditionalSpec::Kind::kLearned:
      return {{"kind", "learned"},
              {"summary", "learned from " + std::to_string(data.pairs.x.rows()) + " logged pairs of the spec"}};
    case ConditionalSpec::Kind::kCells:
      return {{"kind", "cells"}, {"summary", "the points in a cell, averaged"}};
  }
  return {};
}

}  // namespace iqbo::internal

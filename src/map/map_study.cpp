#include "map_study.hpp"

#include <Eigen/LU>
#include <algorithm>
#include <charconv>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numbers>
#include <set>

#include "core/nearest.hpp"
#include "iqbo/core/check.hpp"
#include "iqbo/record/spec_summary.hpp"

namespace iqbo::internal {
namespace {

using Json = nlohmann::ordered_json;

constexpr double kKmPerDegree = 111.195;  // along a meridian of a sphere with the earth's mean radius, 6371 km
constexpr double kMostCells = 1'000'000;
constexpr const char* kFrameKey = "iqbo_frame";

struct AreaCell {
  std::size_t area;
  Index cell;  // row x columns + column
  double weight;
};

double usable(double weight) { return weight > 0 && std::isfinite(weight) ? weight : 0.0; }

Eigen::Matrix2d linear_part(const GeoTransform& t) {
  Eigen::Matrix2d out;
  out << t[1], t[2], t[4], t[5];
  return out;
}

// Rings in columns and rows of the raster.
std::vector<MapRing> in_cells(const std::vector<MapRing>& rings, const GeoTransform& t) {
  const Eigen::Matrix2d inverse = linear_part(t).inverse();
  std::vector<MapRing> out = rings;
  for (MapRing& ring : out)
    ring.points = ((ring.points.rowwise() - Eigen::RowVector2d(t[0], t[3])) * inverse.transpose()).eval();
  return out;
}

void require_map(const MapData& data) {
  if (data.areas.empty()) refuse("areas", "there are none", "at least one");
  if (data.raster.weights.size() == 0) refuse("cells", "the raster is empty", "at least one cell");
  if (!(std::abs(linear_part(data.raster.transform).determinant()) > 0))
    refuse("cells", "the raster does not state the size of its cells", "a georeferenced raster");
  std::map<std::string, int> seen;
  for (const MapArea& area : data.areas) ++seen[area.name];
  std::string twice;
  int count = 0;
  for (const auto& [name, times] : seen) {
    if (times == 1) continue;
    if (++count <= 5) twice += (twice.empty() ? "" : ", ") + in_quotes(name);
  }
  if (count > 0)
    refuse("areas", std::to_string(count) + " names occur more than once: " + twice + (count > 5 ? ", ..." : ""),
           "a field with a different name for each area (--name-field, or name_field= in Python), or areas merged by "
           "name");
  if (seen.contains("")) refuse("areas", "an area has no name", "a name for each");
}

// --- the tables -------------------------------------------------------------------------------------------------------

struct Tables {
  MapFrame frame;
  std::vector<AreaCell> entries;
  std::vector<double> people;   // of each area
  std::vector<double> of_cell;  // weight of each cell of the raster in some area, counted once
  double outside = 0;           // weight in no area
  Index cells_outside = 0;
};

std::array<double, 2> km_per_unit(const MapData& data, const MapRaster& raster) {
  if (!data.degrees) return {data.unit_km, data.unit_km};
  const GeoTransform& t = raster.transform;
  const double middle = t[3] + t[4] * static_cast<double>(raster.weights.cols()) / 2 +
                        t[5] * static_cast<double>(raster.weights.rows()) / 2;
  return {kKmPerDegree * std::cos(middle * std::numbers::pi / 180), kKmPerDegree};
}

Tables tables_of(const MapData& data, const MapRaster& raster) {
  const Index rows = raster.weights.rows();
  const Index columns = raster.weights.cols();
  Tables out;
  out.frame = {data.system, km_per_unit(data, raster), raster.transform, rows, columns};
  out.people.assign(data.areas.size(), 0.0);
  std::vector<char> covered(static_cast<std::size_t>(rows * columns), 0);
  for (std::size_t a = 0; a < data.areas.size(); ++a)
    for (const CellShare& cell : covered_cells(in_cells(data.areas[a].rings, raster.transform), rows, columns)) {
      const double weight = usable(raster.weights(cell.row, cell.column)) * cell.share;
      if (!(weight > 0)) continue;
      out.entries.push_back({a, cell.row * columns + cell.column, weight});
      out.people[a] += weight;
      covered[static_cast<std::size_t>(cell.row * columns + cell.column)] = 1;
    }
  out.of_cell.assign(covered.size(), 0.0);
  for (Index i = 0; i < rows * columns; ++i) {
    const double weight = usable(raster.weights(i / columns, i % columns));
    if (covered[static_cast<std::size_t>(i)] != 0)
      out.of_cell[static_cast<std::size_t>(i)] = weight;
    else if (weight > 0) {
      out.outside += weight;
      ++out.cells_outside;
    }
  }
  return out;
}

std::string short_csv(double value) {  // 9 digits are more than a raster of floats has
  std::array<char, 32> text{};
  const auto [end, error] = std::to_chars(text.data(), text.data() + text.size(), value, std::chars_format::general, 9);
  return {text.data(), end};
}

std::string cells_csv(const Tables& tables, const std::string& weight) {
  std::string out = csv_line({"cell", "east", "north", weight});
  const MapFrame& f = tables.frame;
  for (Index i = 0; i < f.rows * f.columns; ++i) {
    const double w = tables.of_cell[static_cast<std::size_t>(i)];
    if (!(w > 0)) continue;
    const double row = static_cast<double>(i / f.columns) + 0.5;
    const double column = static_cast<double>(i % f.columns) + 0.5;
    const double x = f.transform[0] + f.transform[1] * column + f.transform[2] * row;
    const double y = f.transform[3] + f.transform[4] * column + f.transform[5] * row;
    // All digits: rounded centres would no longer be a lattice.
    out += csv_line({cell_id(i / f.columns, i % f.columns), csv_number(x * f.km_per_unit[0]),
                     csv_number(y * f.km_per_unit[1]), short_csv(w)});
  }
  return out;
}

// Names of columns that the tables or imports have already get an underscore.
std::vector<std::string> column_names(const std::vector<std::string>& fields, const std::string& weight) {
  std::set<std::string> taken{"area", weight, "value", "noise_sd", "replicates", "count", "exposure"};
  std::vector<std::string> out;
  for (std::string name : fields) {
    if (name.empty()) name = "field";
    while (!taken.insert(name).second) name += "_";
    out.push_back(name);
  }
  return out;
}

std::string areas_csv(const MapData& data, const Tables& tables, const std::string& weight) {
  std::vector<std::string> header{"area", weight};
  for (const std::string& name : column_names(data.fields, weight)) header.push_back(name);
  std::string out = csv_line(header);
  for (std::size_t a = 0; a < data.areas.size(); ++a) {
    if (!(tables.people[a] > 0)) continue;
    std::vector<std::string> row{data.areas[a].name, short_csv(tables.people[a])};
    row.insert(row.end(), data.areas[a].attributes.begin(), data.areas[a].attributes.end());
    row.resize(header.size());
    out += csv_line(row);
  }
  return out;
}

std::string members_csv(const MapData& data, const Tables& tables, const std::string& weight) {
  std::string out = csv_line({"area", "cell", weight});
  for (const AreaCell& e : tables.entries)
    out += csv_line({data.areas[e.area].name, cell_id(e.cell / tables.frame.columns, e.cell % tables.frame.columns),
                     short_csv(e.weight)});
  return out;
}

// --- the boundaries ---------------------------------------------------------------------------------------------------

// Points of a ring that lie within `tolerance` of the line through those kept are dropped (Douglas, Peucker 1973).
void keep_between(const Rows& p, Index first, Index last, double tolerance, std::vector<char>& kept) {
  std::vector<std::pair<Index, Index>> open{{first, last}};
  while (!open.empty()) {
    const auto [from, to] = open.back();
    open.pop_back();
    const Eigen::RowVector2d along = p.row(to) - p.row(from);
    const double length = along.norm();
    double most = tolerance;
    Index at = -1;
    for (Index i = from + 1; i < to; ++i) {
      const Eigen::RowVector2d off = p.row(i) - p.row(from);
      const double distance = length > 0 ? std::abs(along[0] * off[1] - along[1] * off[0]) / length : off.norm();
      if (distance > most) most = distance, at = i;
    }
    if (at < 0) continue;
    kept[static_cast<std::size_t>(at)] = 1;
    open.emplace_back(from, at);
    open.emplace_back(at, to);
  }
}

Json ring_json(const MapRing& ring, const MapFrame& frame, double tolerance) {
  Rows p = ring.points;
  p.col(0) *= frame.km_per_unit[0];
  p.col(1) *= frame.km_per_unit[1];
  const Index n = p.rows();
  std::vector<char> kept(static_cast<std::size_t>(n), 0);
  const Index half = n / 2;
  for (const Index i : {Index{0}, half, n - 1}) kept[static_cast<std::size_t>(i)] = 1;
  keep_between(p, 0, half, tolerance, kept);
  keep_between(p, half, n - 1, tolerance, kept);
  Json out = Json::array();
  const auto point = [&](Index i) {
    return Json::array({std::round(p(i, 0) * 1000) / 1000, std::round(p(i, 1) * 1000) / 1000});
  };
  for (Index i = 0; i < n; ++i)
    if (kept[static_cast<std::size_t>(i)] != 0) out.push_back(point(i));
  if (out.front() != out.back()) out.push_back(out.front());
  return out;
}

Json frame_json(const MapFrame& frame) {
  return {{"about", "east and north are coordinates of this system times km_per_unit"},
          {"system", frame.system},
          {"km_per_unit", frame.km_per_unit},
          {"transform", frame.transform},
          {"size", {frame.rows, frame.columns}}};
}

// Each outer ring begins a polygon, to which the holes behind it belong.
std::string boundaries(const MapData& data, const Tables& tables) {
  const MapFrame& frame = tables.frame;
  const double side =
      std::sqrt(std::abs(linear_part(frame.transform).determinant()) * frame.km_per_unit[0] * frame.km_per_unit[1]);
  std::string out = "{\"type\": \"FeatureCollection\",\n\"" + std::string(kFrameKey) +
                    "\": " + frame_json(frame).dump() + ",\n\"features\": [\n";
  for (std::size_t a = 0; a < data.areas.size(); ++a) {
    Json polygons = Json::array();
    for (const MapRing& ring : data.areas[a].rings) {
      if (ring.points.rows() < 3) continue;
      if (!ring.hole || polygons.empty()) polygons.push_back(Json::array());
      polygons.back().push_back(ring_json(ring, frame, 0.05 * side));
    }
    const Json feature{{"type", "Feature"},
                       {"properties", {{"area", data.areas[a].name}}},
                       {"geometry", {{"type", "MultiPolygon"}, {"coordinates", polygons}}}};
    out += feature.dump() + (a + 1 < data.areas.size() ? ",\n" : "\n");
  }
  return out + "]}\n";
}

// --- the spec ---------------------------------------------------------------------------------------------------------

std::string spec_text(const MapData& data, const MapOptions& options, const std::string& weight) {
  const auto quoted = [](const std::string& text) { return Json(text).dump(); };
  std::string out = "// Which cell is best, when only areas can be asked? Made from " + data.source +
                    ". docs/spec.md explains every key.\n{\n  \"version\": 2,\n  \"name\": " + quoted(options.name) +
                    ",\n  \"goal\": " + (options.minimize ? "\"minimize\"" : "\"maximize\"") +
                    ",\n  \"seed\": 1,\n  \"value\": {\"name\": " + quoted(options.value) + "},\n";
  out += R"(
  // X: the cells of the raster that have a weight and lie in some area.
  "targets": {
    "kind": "points", "points": "cells.csv", "id": "cell",
    "coordinates": ["east", "north"], "units": ["km", "km"]
  },

  // A: the areas, with their boundaries.
  "queries": {
    "kind": "points", "points": "areas.csv", "id": "area",
    "geojson": {"file": "areas.geojson", "id": "area"}
  },

  // p(x given a): the weight of the part of a cell that lies in the area.
  "conditional": {"kind": "bags", "bags": "members.csv", "point": "cell", "weight": )";
  out += quoted(weight) + "},\n\n";
  if (options.counts)
    out +=
        "  // An answer is a count. Without an exposure of its own, it is among all people of the area.\n  "
        "\"answers\": "
        "\"auto\",\n"
        "  \"exposure\": " +
        quoted(weight) + ",\n  \"link\": \"auto\",\n";
  else
    out += "  \"noise_sd\": \"auto\",\n";
  return out + "  \"kernel\": \"auto\",\n  \"policy\": \"auto\"\n}\n";
}

void require_size(const Tables& tables, Index block) {
  const auto cells = static_cast<double>(
      std::count_if(tables.of_cell.begin(), tables.of_cell.end(), [](double weight) { return weight > 0; }));
  if (cells == 0) refuse("cells", "no cell with a weight lies in an area", "a raster and areas of the same region");
  if (cells <= kMostCells) return;
  const auto times = static_cast<Index>(std::ceil(std::sqrt(cells / (0.1 * kMostCells))));
  refuse("cells", grouped(cells) + " of them lie in areas",
         "at most " + grouped(kMostCells) + ": merge them into larger ones, with --coarsen " +
             std::to_string(times * block));
}

// Local km are right at one latitude only.
std::string distortion(const MapData& data) {
  constexpr double kMost = 0.05;
  if (!data.degrees) return "";
  const GeoTransform& t = data.raster.transform;
  const auto cosine = [](double degrees) { return std::cos(degrees * std::numbers::pi / 180); };
  const double span = t[5] * static_cast<double>(data.raster.weights.rows());
  const double middle = cosine(t[3] + span / 2);
  const double off = std::max(std::abs(cosine(t[3]) - middle), std::abs(cosine(t[3] + span) - middle)) / middle;
  if (off < kMost) return "";
  return "the raster is in degrees over " + std::to_string(std::lround(std::abs(span))) +
         " of latitude: distances east are off by up to " + std::to_string(std::lround(100 * off)) +
         " % at its edges; gdalwarp -t_srs can project it to km";
}

}  // namespace

std::string cell_id(Index row, Index column) { return "r" + std::to_string(row) + "c" + std::to_string(column); }

bool parse_cell_id(const std::string& id, Index& row, Index& column) {
  const std::size_t c = id.find('c');
  if (id.empty() || id[0] != 'r' || c == std::string::npos) return false;
  const auto whole = [&](std::size_t from, std::size_t to, Index& out) {
    const auto [end, error] = std::from_chars(id.data() + from, id.data() + to, out);
    return error == std::errc() && end == id.data() + to;
  };
  return whole(1, c, row) && whole(c + 1, id.size(), column);
}

std::optional<MapFrame> frame_of(const std::string& geojson) {
  const Json json = Json::parse(geojson, nullptr, false);
  if (!json.is_object() || !json.contains(kFrameKey)) return std::nullopt;
  try {
    const Json& frame = json[kFrameKey];
    return MapFrame{frame.at("system"), frame.at("km_per_unit"), frame.at("transform"), frame.at("size").at(0),
                    frame.at("size").at(1)};
  } catch (const Json::exception&) {
    return std::nullopt;
  }
}

SpecBundle study_of_map(const MapData& data, const MapOptions& options) {
  require_map(data);
  const std::string weight = "population";
  Tables tables = tables_of(data, data.raster);
  require_size(tables, data.raster.block);
  SpecBundle out;
  std::vector<std::string> empty;
  for (std::size_t a = 0; a < data.areas.size(); ++a)
    if (!(tables.people[a] > 0)) empty.push_back(data.areas[a].name);
  if (!empty.empty())
    out.notes.push_back(std::to_string(empty.size()) +
                        " areas have no cells with a weight and cannot be asked: " + some_of(empty));
  if (tables.cells_outside > 0)
    out.notes.push_back(grouped(static_cast<double>(tables.cells_outside)) + " cells with a weight of " +
                        grouped(tables.outside) + " in all lie in no area and are left out");
  if (const std::string off = distortion(data); !off.empty()) out.notes.push_back(off);
  out.text = spec_text(data, options, weight);
  out.files = {{"cells.csv", cells_csv(tables, weight)},
               {"areas.csv", areas_csv(data, tables, weight)},
               {"members.csv", members_csv(data, tables, weight)},
               {"areas.geojson", boundaries(data, tables)}};
  return out;
}

}  // namespace iqbo::internal

#include "study_map.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <unordered_map>

#include "iqbo/core/check.hpp"

namespace iqbo::internal {
namespace {

constexpr double kMostRasterCells = 25e6;  // of a raster

// The corners of a cell, the first repeated.
MapRing square(const MapGrid& grid, Index cell) {
  constexpr std::array<std::array<int, 2>, 5> kCorners{{{0, 0}, {0, 1}, {1, 1}, {1, 0}, {0, 0}}};  // row, column
  const GeoTransform& t = grid.transform;
  Rows points(5, 2);
  for (Index i = 0; i < 5; ++i) {
    const auto [down, right] = kCorners[static_cast<std::size_t>(i)];
    const auto row = static_cast<double>(cell / grid.columns + down);
    const auto column = static_cast<double>(cell % grid.columns + right);
    points(i, 0) = t[0] + t[1] * column + t[2] * row;
    points(i, 1) = t[3] + t[4] * column + t[5] * row;
  }
  return {points, false};
}

// --- lattices ---

// The spacing of values that are multiples of it from the smallest, up to rounding; 0: there is none. Of a single value: unknown, 1.
double spacing_of(const Vector& values) {
  constexpr double kRounded = 0.02;  // of the spacing: thirds of a km, written to the metre, are a lattice
  std::set<double> sorted(values.begin(), values.end());
  const double range = *sorted.rbegin() - *sorted.begin();
  double least = 0;
  for (auto each = std::next(sorted.begin()); each != sorted.end(); ++each)
    if (const double step = *each - *std::prev(each); step > 1e-9 * range && (least == 0 || step < least)) least = step;
  if (least == 0) return range == 0 ? 1 : 0;
  const double steps = std::round(range / least);
  const double spacing = range / steps;  // the mean of many steps has less rounding than one
  for (const double value : sorted) {
    const double at = (value - *sorted.begin()) / spacing;
    if (std::abs(at - std::round(at)) > kRounded) return 0;
  }
  return spacing;
}

// --- boundaries ---

void add_polygon(const nlohmann::json& polygon, std::vector<MapRing>& out) {
  for (const nlohmann::json& ring : polygon) {
    Rows points(static_cast<Index>(ring.size()), 2);
    for (std::size_t i = 0; i < ring.size(); ++i)
      points.row(static_cast<Index>(i)) << ring[i].at(0).get<double>(), ring[i].at(1).get<double>();
    out.push_back({points, &ring != &polygon.front()});
  }
}

// The polygons of a GeoJSON file by their ids; features that are no polygons are left out.
std::unordered_map<std::string, std::vector<MapRing>> polygons_of(const std::string& text, const std::string& id) {
  std::unordered_map<std::string, std::vector<MapRing>> out;
  const nlohmann::json json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object() || !json.contains("features")) return out;
  for (const nlohmann::json& feature : json["features"]) try {
      const nlohmann::json& name = id.empty() ? feature.at("id") : feature.at("properties").at(id);
      const nlohmann::json& geometry = feature.at("geometry");
      std::vector<MapRing> rings;
      if (geometry.at("type") == "Polygon") add_polygon(geometry.at("coordinates"), rings);
      if (geometry.at("type") == "MultiPolygon")
        for (const nlohmann::json& polygon : geometry.at("coordinates")) add_polygon(polygon, rings);
      if (!rings.empty()) out.emplace(name.is_string() ? name.get<std::string>() : name.dump(), std::move(rings));
    } catch (const nlohmann::json::exception&) {
      continue;
    }
  return out;
}

std::vector<MapRing> rectangle(const TileRecord& tile) {
  Rows points(5, 2);
  points << tile.lower[0], tile.lower[1], tile.upper[0], tile.lower[1], tile.upper[0], tile.upper[1], tile.lower[0],
      tile.upper[1], tile.lower[0], tile.lower[1];
  return {{points, false}};
}

}  // namespace

StudyMap::StudyMap(const SpecData& data, const SpecBundle& bundle, const std::string& system)
    : data_(data), bundle_(bundle), system_(system) {
  const std::size_t d = coordinate_names(data.spec.targets).size();
  if (d != 2)
    refuse("map", "inputs have " + std::to_string(d) + (d == 1 ? " coordinate" : " coordinates"),
           "two, to be drawn on a map; tables may have any number (--format csv)");
  const auto& shapes = data.spec.queries.geojson;
  if (!shapes || !bundle.files.contains(shapes->file)) return;
  frame_ = frame_of(bundle.files.at(shapes->file));
  if (!frame_) return;
  if (!system.empty()) refuse("--crs", "is given", "none: the study knows the coordinate reference system of its maps");
  system_ = frame_->system;
}

Rows StudyMap::on_map(const Rows& points) const {
  Rows out = points.leftCols(2);
  if (frame_)
    for (Index j = 0; j < 2; ++j) out.col(j) /= frame_->km_per_unit[static_cast<std::size_t>(j)];
  return out;
}

std::optional<StudyMap::Placed> StudyMap::lattice_of(const Rows& points) {
  if (points.rows() == 0) return std::nullopt;
  double dx = spacing_of(points.col(0));
  double dy = spacing_of(points.col(1));
  if (dx == 0 || dy == 0) return std::nullopt;
  const double low_x = points.col(0).minCoeff();
  const double high_y = points.col(1).maxCoeff();
  if (points.col(0).maxCoeff() == low_x) dx = dy;
  if (points.col(1).minCoeff() == high_y) dy = dx;
  Placed out;
  out.grid.transform = {low_x - dx / 2, dx, 0, high_y + dy / 2, 0, -dy};
  const double columns = std::round((points.col(0).maxCoeff() - low_x) / dx) + 1;
  const double rows = std::round((high_y - points.col(1).minCoeff()) / dy) + 1;
  if (rows * columns > kMostRasterCells || rows * columns > 1000.0 * static_cast<double>(points.rows()) + 1e4)
    return std::nullopt;
  out.grid.rows = static_cast<Index>(rows);
  out.grid.columns = static_cast<Index>(columns);
  for (Index i = 0; i < points.rows(); ++i)
    out.cells.push_back(std::lround((high_y - points(i, 1)) / dy) * out.grid.columns +
                        std::lround((points(i, 0) - low_x) / dx));
  return out;
}

std::optional<StudyMap::Placed> StudyMap::placed(const Rows& points, const std::vector<std::string>& names) const {
  if (!frame_) return lattice_of(points.leftCols(2));
  Placed out{{frame_->transform, frame_->rows, frame_->columns, {}}, {}};
  for (const std::string& name : names) {
    Index row = 0;
    Index column = 0;
    const bool known = parse_cell_id(name, row, column);
    if (!known || row < 0 || column < 0 || row >= out.grid.rows || column >= out.grid.columns) return std::nullopt;
    out.cells.push_back(row * out.grid.columns + column);
  }
  return out;
}

MapShapes StudyMap::inputs(const Rows& points, const std::vector<std::string>& names) const {
  MapShapes out;
  std::optional<Placed> found = placed(points, names);
  if (!found) {
    out.points = on_map(points);
    return out;
  }
  MapGrid& grid = found->grid;
  grid.features.assign(static_cast<std::size_t>(grid.rows * grid.columns), -1);
  for (const Index cell : found->cells) {
    grid.features[static_cast<std::size_t>(cell)] = static_cast<Index>(out.polygons.size());
    out.polygons.push_back({square(grid, cell)});
  }
  out.grid = std::move(grid);
  return out;
}

bool StudyMap::with_boundaries(const std::vector<std::string>& names, MapShapes& out) const {
  const auto& spec = data_.spec.queries.geojson;
  if (!spec || !bundle_.files.contains(spec->file)) return false;
  const auto polygons = polygons_of(bundle_.files.at(spec->file), spec->id);
  std::vector<std::vector<MapRing>> all;
  for (const std::string& name : names) {
    const auto found = polygons.find(name);
    if (found == polygons.end()) return false;
    all.push_back(found->second);
    for (MapRing& ring : all.back()) ring.points = on_map(ring.points);
  }
  out.polygons = std::move(all);
  return true;
}

// The cells of each bag; whoever writes them merges those that touch.
bool StudyMap::with_bags(const std::vector<std::string>& names, MapShapes& out) const {
  if (data_.spec.conditional.kind != ConditionalSpec::Kind::kBags || data_.bags.points.cols() != 2) return false;
  const std::optional<Placed> found = placed(data_.bags.points, data_.targets.ids);
  if (!found || found->cells.size() != static_cast<std::size_t>(data_.bags.points.rows())) return false;
  std::unordered_map<std::string, std::vector<MapRing>> cells;
  for (const BagEntry& entry : data_.bags.entries)
    if (entry.weight > 0)
      cells[data_.queries.ids[static_cast<std::size_t>(entry.query)]].push_back(
          square(found->grid, found->cells[static_cast<std::size_t>(entry.point)]));
  for (const std::string& name : names) {
    if (!cells.contains(name)) return false;
    out.polygons.push_back(cells.at(name));
  }
  return true;
}

// For rasters: each cell shows the query that has most of its weight there.
void StudyMap::add_largest(const std::vector<std::string>& names, MapShapes& out) const {
  const Rows& points = data_.bags.points;
  if (points.rows() == 0 || points.cols() != 2) return;
  std::optional<Placed> found = placed(points, data_.targets.ids);
  if (!found || found->cells.size() != static_cast<std::size_t>(points.rows())) return;
  std::unordered_map<std::string, Index> position;
  for (std::size_t i = 0; i < names.size(); ++i) position.emplace(names[i], static_cast<Index>(i));
  Vector most = Vector::Zero(points.rows());
  MapGrid& grid = found->grid;
  grid.features.assign(static_cast<std::size_t>(grid.rows * grid.columns), -1);
  for (const BagEntry& entry : data_.bags.entries) {
    const auto query = position.find(data_.queries.ids[static_cast<std::size_t>(entry.query)]);
    if (query == position.end() || !(entry.weight > most[entry.point])) continue;
    most[entry.point] = entry.weight;
    grid.features[static_cast<std::size_t>(found->cells[static_cast<std::size_t>(entry.point)])] = query->second;
  }
  out.grid = std::move(grid);
}

MapShapes StudyMap::queries(const Rows& points, const std::vector<std::string>& names,
                            const std::vector<TileRecord>& tiles) const {
  MapShapes out;
  const bool two = points.cols() == 2 && !data_.spec.queries.coordinates.empty();
  if (with_boundaries(names, out) || (tiles.empty() && with_bags(names, out))) {
    add_largest(names, out);
  } else if (!tiles.empty()) {
    for (const TileRecord& tile : tiles) out.polygons.push_back(rectangle(tile));
    add_largest(names, out);
  } else if (two) {
    out.points = on_map(points);
  } else {
    refuse("map", "queries have no boundaries", R"("geojson" in the spec's queries; --format csv needs none)");
  }
  return out;
}

Vector ranks_of(const Vector& values, bool ascending) {
  std::vector<double> sorted(values.begin(), values.end());
  std::sort(sorted.begin(), sorted.end());
  Vector out(values.size());
  for (Index i = 0; i < values.size(); ++i)
    out[i] = ascending
                 ? 1.0 + static_cast<double>(std::lower_bound(sorted.begin(), sorted.end(), values[i]) - sorted.begin())
                 : 1.0 + static_cast<double>(sorted.end() - std::upper_bound(sorted.begin(), sorted.end(), values[i]));
  return out;
}

}  // namespace iqbo::internal

// The inputs and queries of a study as shapes on a map, for GIS programs.
//
// A study that was made from maps (map_study.hpp) knows its reference system and its raster. Any other has coordinates of
// its own: cells are squares where its inputs lie on a lattice, and points where they do not; the system is what the caller says.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "iqbo/record/history.hpp"
#include "map_study.hpp"

namespace iqbo::internal {

// A raster whose cells show features.
struct MapGrid {
  GeoTransform transform{};
  Index rows = 0;
  Index columns = 0;
  std::vector<Index> features;  // of each cell, row by row: the position of the feature; -1: none
};

struct MapShapes {
  std::vector<std::vector<MapRing>> polygons;  // one list per feature; empty: they are points
  Rows points;                                 // one row (x, y) per feature, where they are points
  std::optional<MapGrid> grid;                 // where they are the cells of a raster, or consist of such
};

struct MapColumn {
  std::string name;
  Vector values;       // one per feature
  bool whole = false;  // they are whole numbers
};

struct MapLayer {
  std::string name;  // "inputs", "queries"
  std::string id;    // what names are called: the column of ids
  std::vector<std::string> names;
  MapShapes shapes;
  std::vector<MapColumn> columns;
};

enum class MapFormat { kGeoJson, kGeoPackage, kGeoTiff };

struct MapResult {
  MapFormat format = MapFormat::kGeoPackage;
  std::string system;  // WKT, or whatever names a reference system; "": unknown
  std::vector<MapLayer> layers;
};

class StudyMap {
 public:
  // `system`: of a study that does not know its own; given to one that does, it is refused. Refuses studies whose inputs do not
  // have two coordinates.
  StudyMap(const SpecData& data, const SpecBundle& bundle, const std::string& system = "");

  const std::string& system() const { return system_; }

  // Points of X. `names`: their ids, or "".
  MapShapes inputs(const Rows& points, const std::vector<std::string>& names) const;

  // Queries: by their boundaries, their tiles, the cells of their bags or their two coordinates; refused if they have none of these.
  // `tiles`: one per query, if all are rectangles; else empty.
  MapShapes queries(const Rows& points, const std::vector<std::string>& names,
                    const std::vector<TileRecord>& tiles) const;

 private:
  struct Placed {
    MapGrid grid;
    std::vector<Index> cells;  // of each point: row x columns + column
  };
  static std::optional<Placed> lattice_of(const Rows& points);
  std::optional<Placed> placed(const Rows& points, const std::vector<std::string>& names) const;
  Rows on_map(const Rows& points) const;
  bool with_boundaries(const std::vector<std::string>& names, MapShapes& out) const;
  bool with_bags(const std::vector<std::string>& names, MapShapes& out) const;
  void add_largest(const std::vector<std::string>& names, MapShapes& out) const;

  const SpecData& data_;
  const SpecBundle& bundle_;
  std::optional<MapFrame> frame_;
  std::string system_;
};

// Ranks from 1, by descending values or, if `ascending`, by ascending ones; equal values have the same rank.
Vector ranks_of(const Vector& values, bool ascending);

}  // namespace iqbo::internal

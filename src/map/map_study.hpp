// A study from areas and a raster of weights: which cell is best, when only areas can be asked?
//
//   X     the cells that have a weight and lie in some area; coordinates in km
//   A     the areas
//   p(x given a)   proportional to the weight of the part of the cell that lies in the area: weight x share of overlap
//
// The raster may be in any reference system. If it is in degrees, km are local ones: degrees times constants, right at the middle
// latitude, so that the cells stay a lattice. MapFrame says how to go back, and is kept in the file of boundaries.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "coverage.hpp"
#include "iqbo/record/spec_bundle.hpp"

namespace iqbo::internal {

// The raster's place on the earth: (x, y) = (t0 + t1 column + t2 row, t3 + t4 column + t5 row), as in GDAL.
using GeoTransform = std::array<double, 6>;

struct MapRaster {
  Rows weights;  // one row per line, the first line first; not a number, or below 0: no data
  GeoTransform transform{};
  Index block = 1;  // each is the sum of so many cells of the file a side
};

struct MapArea {
  std::string name;
  std::vector<MapRing> rings;             // in the coordinates of the raster's system
  std::vector<std::string> attributes{};  // as MapData::fields
};

struct MapData {
  std::vector<MapArea> areas;
  std::vector<std::string> fields{};  // names of the attributes of areas
  MapRaster raster;
  std::string system;         // the raster's reference system, as WKT; "": unknown
  std::string system_name{};  // for people: "WGS 84 / UTM zone 32N"
  bool degrees = false;       // it has longitudes and latitudes
  double unit_km = 0.001;     // otherwise: the length of its unit
  std::string source{};       // for people: the files
};

// What is needed to bring results back to the map.
struct MapFrame {
  std::string system;
  std::array<double, 2> km_per_unit{1, 1};  // east = x km_per_unit[0], north = y km_per_unit[1]
  GeoTransform transform{};
  Index rows = 0;
  Index columns = 0;
};

struct MapOptions {
  std::string name;  // of the study
  bool minimize = false;
  bool counts = false;  // answers are counts among the people of an area
  std::string value = "value";
};

// A spec with its tables and boundaries, and what was noticed (SpecBundle::notes). Areas without weight are left out.
SpecBundle study_of_map(const MapData& data, const MapOptions& options = {});

// The id of the cell in a row and column of the raster, both from 0; and back.
std::string cell_id(Index row, Index column);
bool parse_cell_id(const std::string& id, Index& row, Index& column);

// The frame that study_of_map has put into the file of boundaries; none: another made that file.
std::optional<MapFrame> frame_of(const std::string& geojson);

}  // namespace iqbo::internal

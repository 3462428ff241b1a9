// Maps in files. What reads and writes them (GDAL) is a library of its own, apps/maps, which a program loads when it is needed: GDAL
// needs 70 ms to start, and may be absent.
#pragma once

#include <string>

#include "study_map.hpp"

namespace iqbo::internal {

struct MapRequest {
  std::string areas;       // polygons: GeoPackage, Shapefile, GeoJSON
  std::string layer;       // "": the only one
  std::string name_field;  // whose values name the areas
  std::string cells;       // a raster: GeoTIFF; its first band are the weights
  std::string system;      // of files that do not say theirs; "": they are refused
  Index block = 1;         // sum up so many cells a side
};

class MapFiles {
 public:
  virtual ~MapFiles() = default;
  virtual MapData read(const MapRequest& request) const = 0;
  // The bytes of a file. GeoJSON has one layer, in longitudes and latitudes if the system is known; GeoTIFF has one, with a band for each column.
  virtual std::string write(const MapResult& result) const = 0;
};

// The library exports this function; its result lives as long as the program.
using MapFilesFunction = const MapFiles* (*)();
constexpr const char* kMapFilesFunction = "iqbo_map_files_2";

}  // namespace iqbo::internal

// Maps in files. What reads them (GDAL) is a library of its own, apps/maps, which a program loads when it is needed: GDAL
// needs 70 ms to start, and may be absent.
#pragma once

#include <string>

#include "map_study.hpp"

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
};

// The library exports this function; its result lives as long as the program.
using MapFilesFunction = const MapFiles* (*)();
constexpr const char* kMapFilesFunction = "iqbo_map_files";

}  // namespace iqbo::internal

// Errors of GDAL as refusals, reference systems, handles that close themselves.
#pragma once

#include <gdal_priv.h>
#include <ogr_spatialref.h>
#include <ogrsf_frmts.h>

#include <memory>
#include <string>

#include "iqbo/core/check.hpp"
#include "iqbo/record/spec_summary.hpp"
#include "map/map_files.hpp"

namespace iqbo::maps {

using namespace internal;

struct CloseDataset {
  void operator()(GDALDataset* dataset) const { GDALClose(dataset); }
};
using Dataset = std::unique_ptr<GDALDataset, CloseDataset>;

// Registers the formats, once, and keeps GDAL from printing.
void start_gdal();

// " (what GDAL said)", or "".
std::string gdal_reason();

// A reference system by its code, name or WKT, with x before y.
OGRSpatialReference system_of(const std::string& text, const std::string& asked_by);

MapData read_map(const MapRequest& request);
std::string write_map(const MapResult& result);

}  // namespace iqbo::maps

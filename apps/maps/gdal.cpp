#include "gdal.hpp"

namespace iqbo::maps {

void start_gdal() {
  static const bool started = [] {
    GDALAllRegister();
    CPLSetErrorHandler(CPLQuietErrorHandler);
    OSRSetPROJEnableNetwork(0);
    return true;
  }();
  static_cast<void>(started);
  CPLErrorReset();
}

std::string gdal_reason() {
  const std::string reason = CPLGetLastErrorMsg();
  return reason.empty() ? "" : " (" + reason + ")";
}

OGRSpatialReference system_of(const std::string& text, const std::string& asked_by) {
  OGRSpatialReference out;
  if (out.SetFromUserInput(text.c_str()) != OGRERR_NONE)
    refuse(asked_by, "is \"" + text + "\"", "a coordinate reference system, such as EPSG:25832");
  out.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return out;
}

namespace {

class GdalFiles final : public MapFiles {
 public:
  MapData read(const MapRequest& request) const override {
    start_gdal();
    return read_map(request);
  }
  std::string write(const MapResult& result) const override {
    start_gdal();
    return write_map(result);
  }
};

}  // namespace
}  // namespace iqbo::maps

extern "C" __attribute__((visibility("default"))) const iqbo::internal::MapFiles* iqbo_map_files_2() {
  static const iqbo::maps::GdalFiles files;
  return &files;
}

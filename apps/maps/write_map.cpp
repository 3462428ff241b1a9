// Beliefs to files that GIS programs open: GeoJSON, GeoPackage, GeoTIFF. They are made in memory, so that the caller can write them
// whole or not at all.
#include <cmath>
#include <limits>

#include "gdal.hpp"

namespace iqbo::maps {
namespace {

// A file in GDAL's memory, which is gone afterwards.
class MemoryFile {
 public:
  explicit MemoryFile(const std::string& suffix) : name_("/vsimem/iqbo_result" + suffix) {}
  ~MemoryFile() { VSIUnlink(name_.c_str()); }
  MemoryFile(const MemoryFile&) = delete;
  MemoryFile& operator=(const MemoryFile&) = delete;

  const std::string& name() const { return name_; }
  std::string bytes() const {
    vsi_l_offset size = 0;
    const GByte* data = VSIGetMemFileBuffer(name_.c_str(), &size, FALSE);
    if (data == nullptr) refuse("map", "GDAL wrote nothing" + gdal_reason(), "a file");
    return {reinterpret_cast<const char*>(data), static_cast<std::size_t>(size)};
  }

 private:
  std::string name_;
};

[[noreturn]] void fail(const std::string& what) { refuse("map", what + gdal_reason(), "a file that GDAL can write"); }

Dataset created(const char* driver, const std::string& name, int columns, int rows, int bands, CSLConstList options) {
  GDALDriver* maker = GetGDALDriverManager()->GetDriverByName(driver);
  if (maker == nullptr) refuse("map", "this GDAL has no " + std::string(driver), "a GDAL with it");
  Dataset out(maker->Create(name.c_str(), columns, rows, bands, bands > 0 ? GDT_Float64 : GDT_Unknown, options));
  if (!out) fail("cannot be made");
  return out;
}

// --- polygons and points ---

void add_ring(OGRPolygon& polygon, const MapRing& ring) {
  OGRLinearRing line;
  for (Index i = 0; i < ring.points.rows(); ++i) line.addPoint(ring.points(i, 0), ring.points(i, 1));
  line.closeRings();
  polygon.addRing(&line);
}

// Each outer ring begins a polygon, to which the holes behind it belong. Cells that touch become one polygon.
std::unique_ptr<OGRGeometry> polygons(const std::vector<MapRing>& rings) {
  auto out = std::make_unique<OGRMultiPolygon>();
  OGRPolygon polygon;
  const auto finish = [&] {
    if (polygon.getExteriorRing() != nullptr) out->addGeometry(&polygon);
    polygon.empty();
  };
  for (const MapRing& ring : rings) {
    if (!ring.hole) finish();
    add_ring(polygon, ring);
  }
  finish();
  if (out->IsValid()) return out;
  std::unique_ptr<OGRGeometry> merged(out->UnionCascaded());
  if (!merged) return out;
  return std::unique_ptr<OGRGeometry>(OGRGeometryFactory::forceToMultiPolygon(merged.release()));
}

std::unique_ptr<OGRGeometry> shape(const MapShapes& shapes, Index i) {
  if (!shapes.polygons.empty()) return polygons(shapes.polygons[static_cast<std::size_t>(i)]);
  return std::make_unique<OGRPoint>(shapes.points(i, 0), shapes.points(i, 1));
}

void write_layer(GDALDataset& file, const MapLayer& layer, OGRSpatialReference* system, CSLConstList options) {
  const OGRwkbGeometryType type = layer.shapes.polygons.empty() ? wkbPoint : wkbMultiPolygon;
  OGRLayer* out = file.CreateLayer(layer.name.c_str(), system, type, const_cast<char**>(options));
  if (out == nullptr) fail("layer " + layer.name + " cannot be made");
  OGRFieldDefn id(layer.id.c_str(), OFTString);
  out->CreateField(&id);
  for (const MapColumn& column : layer.columns) {
    OGRFieldDefn field(column.name.c_str(), column.whole ? OFTInteger64 : OFTReal);
    if (out->CreateField(&field) != OGRERR_NONE) fail("column " + column.name + " cannot be made");
  }
  for (std::size_t i = 0; i < layer.names.size(); ++i) {
    const auto row = static_cast<Index>(i);
    OGRFeature feature(out->GetLayerDefn());
    feature.SetField(0, layer.names[i].c_str());
    for (std::size_t j = 0; j < layer.columns.size(); ++j) {
      const auto field = static_cast<int>(j + 1);
      const double value = layer.columns[j].values[row];
      if (layer.columns[j].whole)
        feature.SetField(field, static_cast<GIntBig>(std::llround(value)));
      else
        feature.SetField(field, value);
    }
    feature.SetGeometryDirectly(shape(layer.shapes, row).release());
    if (out->CreateFeature(&feature) != OGRERR_NONE) fail("feature " + layer.names[i] + " cannot be written");
  }
}

std::string vector_file(const MapResult& result, OGRSpatialReference* system) {
  const bool json = result.format == MapFormat::kGeoJson;
  const MemoryFile file(json ? ".geojson" : ".gpkg");
  CPLStringList options;
  if (json && system != nullptr) options.SetNameValue("RFC7946", "YES");
  {
    const Dataset out = created(json ? "GeoJSON" : "GPKG", file.name(), 0, 0, 0, nullptr);
    if (!json) out->StartTransaction();
    for (const MapLayer& layer : result.layers) write_layer(*out, layer, system, options.List());
    if (!json && out->CommitTransaction() != OGRERR_NONE) fail("cannot be written");
  }
  return file.bytes();
}

// --- rasters ---

void write_band(GDALRasterBand& band, const MapColumn& column, const MapGrid& grid) {
  band.SetDescription(column.name.c_str());
  band.SetNoDataValue(std::numeric_limits<double>::quiet_NaN());
  std::vector<double> line(static_cast<std::size_t>(grid.columns));
  for (Index r = 0; r < grid.rows; ++r) {
    for (Index c = 0; c < grid.columns; ++c) {
      const Index feature = grid.features[static_cast<std::size_t>(r * grid.columns + c)];
      line[static_cast<std::size_t>(c)] =
          feature < 0 ? std::numeric_limits<double>::quiet_NaN() : column.values[feature];
    }
    if (band.RasterIO(GF_Write, 0, static_cast<int>(r), static_cast<int>(grid.columns), 1, line.data(),
                      static_cast<int>(grid.columns), 1, GDT_Float64, 0, 0, nullptr) != CE_None)
      fail("cannot be written");
  }
}

std::string raster_file(const MapLayer& layer, OGRSpatialReference* system) {
  if (!layer.shapes.grid)
    refuse("map", "the " + layer.name + " are not the cells of a raster", "--format gpkg or geojson");
  MapGrid grid = *layer.shapes.grid;
  const MemoryFile file(".tif");
  CPLStringList options;
  options.SetNameValue("COMPRESS", "DEFLATE");
  {
    const Dataset out = created("GTiff", file.name(), static_cast<int>(grid.columns), static_cast<int>(grid.rows),
                                static_cast<int>(layer.columns.size()), options.List());
    out->SetGeoTransform(grid.transform.data());
    if (system != nullptr) out->SetSpatialRef(system);
    for (std::size_t j = 0; j < layer.columns.size(); ++j)
      write_band(*out->GetRasterBand(static_cast<int>(j + 1)), layer.columns[j], grid);
  }
  return file.bytes();
}

}  // namespace

std::string write_map(const MapResult& result) {
  std::optional<OGRSpatialReference> system;
  if (!result.system.empty()) system.emplace(system_of(result.system, "--crs"));
  OGRSpatialReference* known = system ? &*system : nullptr;
  return result.format == MapFormat::kGeoTiff ? raster_file(result.layers.front(), known) : vector_file(result, known);
}

}  // namespace iqbo::maps

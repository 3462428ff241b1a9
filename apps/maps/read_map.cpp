// Areas and a raster from files.
#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>

#include "core/nearest.hpp"
#include "gdal.hpp"

namespace iqbo::maps {
namespace {

constexpr double kMostBlocks = 25e6;

using Transformation = std::unique_ptr<OGRCoordinateTransformation>;

// The system of a file, or that of the request if it says none.
OGRSpatialReference system_or(const OGRSpatialReference* found, const std::string& file, const MapRequest& request,
                              const std::string& remedy) {
  if (found == nullptr || found->IsEmpty()) {
    if (request.system.empty())
      refuse(file, "does not state its coordinate reference system",
             "one: give it by --crs EPSG:<code>, or write it into the file with " + remedy);
    return system_of(request.system, "--crs");
  }
  OGRSpatialReference out = *found;
  out.SetAxisMappingStrategy(OAMS_TRADITIONAL_GIS_ORDER);
  return out;
}

// --- areas ------------------------------------------------------------------------------------------------------------

OGRLayer* layer_of(GDALDataset& file, const MapRequest& request) {
  std::vector<std::string> names;
  for (int i = 0; i < file.GetLayerCount(); ++i) names.emplace_back(file.GetLayer(i)->GetName());
  if (names.empty()) refuse(request.areas, "has no layers", "one with the areas");
  if (request.layer.empty() && names.size() == 1) return file.GetLayer(0);
  if (request.layer.empty())
    refuse(request.areas, "has " + std::to_string(names.size()) + " layers", "--layer with one of " + some_of(names));
  if (OGRLayer* layer = file.GetLayerByName(request.layer.c_str())) return layer;
  refuse("--layer", "is " + in_quotes(request.layer), expected_names(request.layer, names));
}

// The fields, each with the value of the first feature: enough to recognise the one with the names.
std::string fields_with_examples(OGRLayer& layer) {
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  layer.ResetReading();
  const OGRFeatureUniquePtr first(layer.GetNextFeature());
  std::string out;
  for (int i = 0; i < std::min(definition.GetFieldCount(), 20); ++i) {
    out += (i == 0 ? "" : ", ") + std::string(definition.GetFieldDefn(i)->GetNameRef());
    if (first != nullptr) out += " (" + in_quotes(first->GetFieldAsString(i)) + ")";
  }
  return out;
}

int name_field(OGRLayer& layer, const MapRequest& request) {
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  if (definition.GetFieldCount() == 0) refuse(request.areas, "has no fields", "one that names the areas");
  if (request.name_field.empty())
    refuse("--name-field", "is not given", "the field that names the areas, one of " + fields_with_examples(layer));
  const int field = definition.GetFieldIndex(request.name_field.c_str());
  if (field < 0)
    refuse("--name-field", "is " + in_quotes(request.name_field),
           "a field of the areas: " + fields_with_examples(layer));
  return field;
}

// Brings points from the areas' system to the raster's. An edge that is straight in one is not in the other, so long ones are cut
// into pieces of about one cell; neighbours are cut alike.
class ToRaster {
 public:
  ToRaster(const OGRSpatialReference& from, const OGRSpatialReference& to, const GeoTransform& t, std::string file)
      : t_(t), file_(std::move(file)) {
    if (from.IsSame(&to) != 0) return;
    transformation_.reset(OGRCreateCoordinateTransformation(&from, &to));
    if (!transformation_)
      refuse(file_, "cannot be brought into the raster's system" + gdal_reason(), "one that PROJ knows");
  }

  Rows ring(const OGRLinearRing& ring) const {
    const int n = ring.getNumPoints();
    Rows points(n, 2);
    for (int i = 0; i < n; ++i) points.row(i) << ring.getX(i), ring.getY(i);
    if (!transformation_) return points;
    const Rows moved = transformed(points);
    std::vector<double> xy;
    for (Index i = 0; i + 1 < n; ++i) {
      const Index pieces =
          std::clamp<Index>(static_cast<Index>(std::ceil(length(moved.row(i), moved.row(i + 1)))), 1, 64);
      for (Index k = 0; k < pieces; ++k) {
        const Eigen::RowVector2d p = points.row(i) + (points.row(i + 1) - points.row(i)) *
                                                         (static_cast<double>(k) / static_cast<double>(pieces));
        xy.insert(xy.end(), {p[0], p[1]});
      }
    }
    if (xy.empty()) return moved;
    return transformed(Eigen::Map<const Rows>(xy.data(), static_cast<Index>(xy.size() / 2), 2));
  }

 private:
  // In cells.
  double length(const Eigen::RowVector2d& a, const Eigen::RowVector2d& b) const {
    Eigen::Matrix2d linear;
    linear << t_[1], t_[2], t_[4], t_[5];
    return (linear.inverse() * (b - a).transpose()).norm();
  }

  Rows transformed(const Rows& points) const {
    Vector x = points.col(0);
    Vector y = points.col(1);
    if (transformation_->Transform(static_cast<int>(points.rows()), x.data(), y.data()) == 0 || !x.allFinite() ||
        !y.allFinite())
      refuse(file_, "has coordinates that the raster's system does not reach" + gdal_reason(),
             "areas and a raster of the same region");
    Rows out(points.rows(), 2);
    out << x, y;
    return out;
  }

  GeoTransform t_;
  std::string file_;
  Transformation transformation_;
};

void add_polygon(const OGRPolygon& polygon, const ToRaster& to, std::vector<MapRing>& rings) {
  if (polygon.getExteriorRing() == nullptr) return;
  rings.push_back({to.ring(*polygon.getExteriorRing()), false});
  for (int i = 0; i < polygon.getNumInteriorRings(); ++i) rings.push_back({to.ring(*polygon.getInteriorRing(i)), true});
}

void add_rings(const OGRGeometry& geometry, const ToRaster& to, const std::string& area, std::vector<MapRing>& rings) {
  const auto type = wkbFlatten(geometry.getGeometryType());
  if (type == wkbPolygon) {
    add_polygon(*geometry.toPolygon(), to, rings);
  } else if (type == wkbMultiPolygon || type == wkbGeometryCollection) {
    for (const OGRGeometry* part : *geometry.toGeometryCollection()) add_rings(*part, to, area, rings);
  } else if (type != wkbPoint && type != wkbLineString && type != wkbMultiLineString && type != wkbMultiPoint) {
    refuse("areas", in_quotes(area) + " is a " + geometry.getGeometryName(), "polygons");
  }
}

// The rings of a feature. Lines and points among them are what is left where an invalid polygon was mended.
std::vector<MapRing> rings_of(const OGRFeature& feature, const ToRaster& to, const std::string& area,
                              const std::string& file) {
  std::vector<MapRing> out;
  const OGRGeometry* geometry = feature.GetGeometryRef();
  if (geometry == nullptr || geometry->IsEmpty()) return out;
  if (geometry->getDimension() < 2) refuse(file, in_quotes(area) + " is a " + geometry->getGeometryName(), "polygons");
  std::unique_ptr<OGRGeometry> own(geometry->hasCurveGeometry() ? geometry->getLinearGeometry() : geometry->clone());
  if (!own->IsValid()) {
    std::unique_ptr<OGRGeometry> mended(own->MakeValid());
    if (mended) own = std::move(mended);
  }
  add_rings(*own, to, area, out);
  return out;
}

void read_areas(OGRLayer& layer, const MapRequest& request, const ToRaster& to, MapData& data) {
  const int field = name_field(layer, request);
  OGRFeatureDefn& definition = *layer.GetLayerDefn();
  for (int i = 0; i < definition.GetFieldCount(); ++i)
    if (i != field) data.fields.emplace_back(definition.GetFieldDefn(i)->GetNameRef());
  layer.ResetReading();
  while (const OGRFeatureUniquePtr feature{layer.GetNextFeature()}) {
    MapArea area;
    area.name = feature->GetFieldAsString(field);
    area.rings = rings_of(*feature, to, area.name, request.areas);
    for (int i = 0; i < definition.GetFieldCount(); ++i)
      if (i != field)
        area.attributes.emplace_back(feature->IsFieldSetAndNotNull(i) ? feature->GetFieldAsString(i) : "");
    data.areas.push_back(std::move(area));
  }
  if (data.areas.empty()) refuse(request.areas, "has no areas", "at least one");
}

// --- the raster -------------------------------------------------------------------------------------------------------

struct Window {
  int column = 0;
  int row = 0;
  int columns = 0;
  int rows = 0;
};

// The part of the raster that the areas reach, in whole blocks from its first cell.
Window window_of(const MapData& data, const GeoTransform& t, int columns, int rows, int block,
                 const MapRequest& request) {
  Eigen::Matrix2d linear;
  linear << t[1], t[2], t[4], t[5];
  const Eigen::Matrix2d inverse = linear.inverse();
  Eigen::RowVector2d low = Eigen::RowVector2d::Constant(std::numeric_limits<double>::infinity());
  Eigen::RowVector2d high = -low;
  for (const MapArea& area : data.areas)
    for (const MapRing& ring : area.rings) {
      const Rows cells = (ring.points.rowwise() - Eigen::RowVector2d(t[0], t[3])) * inverse.transpose();
      low = low.cwiseMin(cells.colwise().minCoeff());
      high = high.cwiseMax(cells.colwise().maxCoeff());
    }
  const auto first = [block](double value, int most) {
    return static_cast<int>(std::clamp(std::floor(value), 0.0, static_cast<double>(most))) / block * block;
  };
  const auto last = [](double value, int most) {
    return static_cast<int>(std::clamp(std::ceil(value), 0.0, static_cast<double>(most)));
  };
  Window out{first(low[0], columns), first(low[1], rows), 0, 0};
  out.columns = last(high[0], columns) - out.column;
  out.rows = last(high[1], rows) - out.row;
  if (out.columns <= 0 || out.rows <= 0)
    refuse(request.areas, "lies nowhere on " + request.cells, "areas and a raster of the same region");
  return out;
}

void read_weights(GDALRasterBand& band, const Window& window, const GeoTransform& t, const MapRequest& request,
                  MapRaster& raster) {
  const auto block = static_cast<int>(request.block);
  const int rows = (window.rows + block - 1) / block;
  const int columns = (window.columns + block - 1) / block;
  if (const double blocks = static_cast<double>(rows) * columns; blocks > kMostBlocks)
    refuse(request.cells, grouped(blocks) + " cells",
           "fewer: merge them into larger ones, with --coarsen " +
               std::to_string(std::lround(std::ceil(block * std::sqrt(blocks / 1e6)))));
  int has_none = 0;
  const double none = band.GetNoDataValue(&has_none);
  raster.block = block;
  raster.weights = Rows::Zero(rows, columns);
  std::vector<double> line(static_cast<std::size_t>(window.columns));
  for (int r = 0; r < window.rows; ++r) {
    if (band.RasterIO(GF_Read, window.column, window.row + r, window.columns, 1, line.data(), window.columns, 1,
                      GDT_Float64, 0, 0, nullptr) != CE_None)
      refuse(request.cells, "cannot be read" + gdal_reason(), "a whole raster");
    for (int c = 0; c < window.columns; ++c) {
      const double weight = line[static_cast<std::size_t>(c)];
      const bool given = std::isfinite(weight) && weight > 0 && !(has_none != 0 && weight == none);
      if (given) raster.weights(r / block, c / block) += weight;
    }
  }
  raster.transform = {t[0] + t[1] * window.column + t[2] * window.row, t[1] * block, t[2] * block,
                      t[3] + t[4] * window.column + t[5] * window.row, t[4] * block, t[5] * block};
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

}  // namespace

MapData read_map(const MapRequest& request) {
  const auto open = [](const std::string& file, unsigned kind, const char* expected) {
    Dataset out(
        static_cast<GDALDataset*>(GDALOpenEx(file.c_str(), kind | GDAL_OF_READONLY, nullptr, nullptr, nullptr)));
    // GDAL also opens what is no file, such as /vsizip/ and databases; only then does the name alone mean nothing.
    if (!out && !std::filesystem::exists(file) && file.find(':') == std::string::npos && !file.starts_with("/vsi"))
      refuse(file, "cannot be read: there is no such file", expected);
    if (!out) refuse(file, "cannot be read" + gdal_reason(), expected);
    return out;
  };
  const Dataset areas = open(request.areas, GDAL_OF_VECTOR, "a map of areas: GeoPackage, Shapefile or GeoJSON");
  const Dataset cells = open(request.cells, GDAL_OF_RASTER, "a raster, such as a GeoTIFF");
  if (cells->GetRasterCount() == 0) refuse(request.cells, "has no bands", "one with the weights of cells");
  GeoTransform t{};
  if (cells->GetGeoTransform(t.data()) != CE_None)
    refuse(request.cells, "does not say where its cells lie", "a georeferenced raster");
  OGRLayer& layer = *layer_of(*areas, request);
  const OGRSpatialReference to = system_or(cells->GetSpatialRef(), request.cells, request, "gdal_edit.py -a_srs");
  const OGRSpatialReference from = system_or(layer.GetSpatialRef(), request.areas, request, "ogr2ogr -a_srs");
  MapData data;
  read_areas(layer, request, ToRaster(from, to, t, request.areas), data);
  const Window window =
      window_of(data, t, cells->GetRasterXSize(), cells->GetRasterYSize(), static_cast<int>(request.block), request);
  read_weights(*cells->GetRasterBand(1), window, t, request, data.raster);
  char* wkt = nullptr;
  to.exportToWkt(&wkt);
  data.system = wkt == nullptr ? "" : wkt;
  CPLFree(wkt);
  data.system_name = to.GetName() == nullptr ? "" : to.GetName();
  data.degrees = to.IsGeographic() != 0;
  if (!data.degrees) data.unit_km = to.GetLinearUnits() / 1000;
  data.source = file_name(request.areas) + " and " + file_name(request.cells);
  return data;
}

}  // namespace iqbo::maps

#include "prediction_file.hpp"

#include <iostream>

#include "iqbo/core/check.hpp"
#include "iqbo/record/text_file.hpp"
#include "map/study_map.hpp"
#include "map_files.hpp"
#include "show.hpp"
#include "tiles.hpp"

namespace iqbo::cli {

using namespace internal;

namespace {

std::vector<MapColumn> columns_of(const Said& said, Goal goal) {
  const Prediction& belief = said.belief;
  std::vector<MapColumn> out{{"mean", belief.mean, false},
                             {"sd", belief.sd, false},
                             {"low", belief.low, false},
                             {"high", belief.high, false},
                             {"rank", ranks_of(belief.mean, goal == Goal::kMinimize), true}};
  if (const auto& counts = said.counts) {
    out.push_back({"exposure", counts->exposure, false});
    out.push_back({"count", counts->mean, false});
    out.push_back({"count_low", counts->low, false});
    out.push_back({"count_high", counts->high, false});
  }
  if (const auto& chances = said.chances) {
    if (chances->above.size() > 0) out.push_back({"above", chances->above, false});
    out.push_back({"best", chances->best, false});
    out.push_back({"among", chances->among, false});
  }
  return out;
}

std::string id_name(const SpecData& data, bool of_g) {
  const std::string& id = of_g ? data.spec.queries.id : data.spec.targets.id;
  return id.empty() ? "name" : id;
}

// --- CSV ---

// Coordinates where there are any; a column that has the name of the ids is one of them.
std::string csv_of(const SpecData& data, const Predicted& it, const std::vector<TileRecord>& tiles) {
  std::vector<std::string> names =
      it.of_g ? coordinate_names(data.spec.queries, data.spec.targets) : coordinate_names(data.spec.targets);
  if (it.of_g && data.spec.queries.kind == QuerySpec::Kind::kPoints && data.spec.queries.coordinates.empty())
    names.clear();
  if (it.of_g && chooses_exposure(data.spec.queries) && !names.empty()) names.pop_back();
  std::vector<std::string> header{id_name(data, it.of_g)};
  header.insert(header.end(), names.begin(), names.end());
  if (!tiles.empty())
    for (const std::string& bound : bound_names(data)) header.push_back(bound);
  const std::vector<MapColumn> columns = columns_of(it.said, data.spec.goal);
  for (const MapColumn& column : columns) header.push_back(column.name);
  std::string out = csv_line(header);
  for (std::size_t i = 0; i < it.asked.names.size(); ++i) {
    const auto row = static_cast<Index>(i);
    std::vector<std::string> cells{it.asked.names[i]};
    for (std::size_t j = 0; j < names.size(); ++j) {
      const double value = it.asked.points(row, static_cast<Index>(j));
      cells.push_back(it.of_g ? coordinate_text(data, j, value) : csv_number(value));
    }
    if (!tiles.empty())
      for (const std::string& bound : bound_texts(tiles[i])) cells.push_back(bound);
    for (const MapColumn& column : columns) cells.push_back(csv_number(column.values[row]));
    out += csv_line(cells);
  }
  return out;
}

std::vector<TileRecord> rectangles(Study& study, const Predicted& it) {
  return it.of_g ? tiles_of(study, it.asked.points) : std::vector<TileRecord>();
}

// --- maps ---

MapLayer layer_of(Study& study, const StudyMap& map, const Predicted& it) {
  const SpecData& data = study.data();
  MapLayer out;
  out.name = it.of_g ? "queries" : "inputs";
  out.id = id_name(data, it.of_g);
  out.names = it.asked.names;
  out.shapes = it.of_g ? map.queries(it.asked.points, it.asked.names, rectangles(study, it))
                       : map.inputs(it.asked.points, it.asked.names);
  out.columns = columns_of(it.said, data.spec.goal);
  return out;
}

}  // namespace

void PredictionFile::add_options(CLI::App& command) {
  command
      .add_option("--format", format,
                  "Write all of them to a file, in the order of the tables: csv; geojson, gpkg (GeoPackage) or tif "
                  "(GeoTIFF) for maps")
      ->check(CLI::IsMember({"csv", "geojson", "gpkg", "tif"}));
  command.add_option("--out", out, "The file that --format writes (default for csv and geojson: standard output)");
  command.add_option("--crs", system,
                     "The coordinate reference system of a study that was not made from maps: EPSG:25832");
}

void PredictionFile::check(bool both) const {
  const bool text = format == "csv" || format == "geojson";
  if (both && !holds_layers()) refuse("--of", "is \"all\"", "inputs or queries: only gpkg holds both");
  if (out.empty() && !text) refuse("--out", "is not given", "a file: " + format + " is not text");
  if (out == kStandardOutput && !text) refuse("--out", "is \"-\"", "a file: " + format + " is not text");
  if (format == "csv" && !system.empty()) refuse("--crs", "is given", "geojson, gpkg or tif with it");
  if (!out.empty() && out != kStandardOutput) require_regular(out);
  if (format != "csv") map_files();  // refuses if there is no GDAL
}

void PredictionFile::write(Study& study, const std::vector<Predicted>& all, const CommonOptions& common) const {
  const SpecData& data = study.data();
  std::string bytes;
  if (format == "csv") {
    bytes = csv_of(data, all.front(), rectangles(study, all.front()));
  } else {
    const StudyMap map(data, study.storage().bundle(), system);
    MapResult result{format == "geojson" ? MapFormat::kGeoJson
                     : format == "gpkg"  ? MapFormat::kGeoPackage
                                         : MapFormat::kGeoTiff,
                     map.system(),
                     {}};
    for (const Predicted& each : all) result.layers.push_back(layer_of(study, map, each));
    bytes = map_files().write(result);
    if (map.system().empty() && !common.quiet)
      std::cerr
          << "iqbo: note: the study does not state its coordinate reference system; give it by --crs EPSG:<code>\n";
  }
  if (out.empty() || out == kStandardOutput) {
    std::cout << bytes;
    return;
  }
  write_text(out, bytes);
  if (!common.quiet) std::cout << out << '\n';
}

}  // namespace iqbo::cli

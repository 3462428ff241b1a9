#include "map/map_study.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>
#include <limits>

#include "iqbo/record/spec_summary.hpp"
#include "support/errors.hpp"

namespace iqbo::internal {
namespace {

using test::expect_refusal;

MapRing rectangle(double west, double south, double east, double north) {
  MapRing out{Rows(4, 2), false};
  out.points << west, south, east, south, east, north, west, north;
  return out;
}

// 3 x 4 cells of 100 m; the first line is the northern one. Two areas share the third column.
MapData small_map() {
  MapData out;
  out.raster.weights = Rows(3, 4);
  out.raster.weights << 1, 2, 3, 4, 5, 6, 7, 8, std::numeric_limits<double>::quiet_NaN(), -99, 0, 12;
  out.raster.transform = {1000, 100, 0, 5300, 0, -100};
  out.areas = {{"West", {rectangle(1000, 5000, 1225, 5300)}, {"a, b"}},
               {"East", {rectangle(1225, 5100, 1400, 5300)}, {"7"}},
               {"Sea", {rectangle(2000, 5000, 2100, 5100)}, {""}}};
  out.fields = {"value"};
  out.source = "districts.gpkg and people.tif";
  return out;
}

TEST(MapStudy, GivesCellsToAreasByOverlap) {
  const SpecBundle bundle = study_of_map(small_map(), {.name = "test"});
  const SpecData data = load(bundle);
  EXPECT_EQ(data.queries.ids, (std::vector<std::string>{"West", "East"}));
  ASSERT_EQ(data.targets.ids.size(), 8U) << "those with people, in an area";
  EXPECT_EQ(data.targets.ids[0], "r0c0");
  EXPECT_DOUBLE_EQ(data.targets.coordinates(0, 0), 1.05) << "km";
  EXPECT_DOUBLE_EQ(data.targets.coordinates(0, 1), 5.25);
  double west = 0;
  double east = 0;
  for (const BagEntry& entry : data.bags.entries) (entry.query == 0 ? west : east) += entry.weight;
  EXPECT_DOUBLE_EQ(west, 1 + 2 + 5 + 6 + 0.25 * (3 + 7));
  EXPECT_DOUBLE_EQ(east, 4 + 8 + 0.75 * (3 + 7));
  const SpecSummary summary = summary_of(data, bundle);
  ASSERT_EQ(summary.lines.size(), 1U);
  EXPECT_EQ(summary.lines[0],
            "2 areas, 8 cells; population 36 in all; coordinates: east 1.05 to 1.35 km, north 5.15 to 5.25 km");
  ASSERT_EQ(summary.warnings.size(), 2U);
  EXPECT_EQ(summary.warnings[0], "1 areas have no cells with a weight and cannot be asked: Sea");
  EXPECT_EQ(summary.warnings[1], "1 cells with a weight of 12 in all lie in no area and are left out");
}

TEST(MapStudy, KeepsBoundariesAndTheWayBack) {
  const MapData map = small_map();
  const SpecBundle bundle = study_of_map(map, {.name = "test", .counts = true});
  EXPECT_EQ(load(bundle).spec.queries.exposure->column, "population");
  const auto frame = frame_of(bundle.files.at("areas.geojson"));
  ASSERT_TRUE(frame.has_value());
  EXPECT_EQ(frame->transform, map.raster.transform);
  EXPECT_EQ(frame->rows, 3);
  EXPECT_EQ(frame->columns, 4);
  EXPECT_DOUBLE_EQ(frame->km_per_unit[0], 0.001);
  EXPECT_FALSE(frame_of("{}").has_value());
  Index row = 0;
  Index column = 0;
  EXPECT_TRUE(parse_cell_id(cell_id(12, 345), row, column));
  EXPECT_EQ(row, 12);
  EXPECT_EQ(column, 345);
  for (const char* bad : {"", "r", "r1", "r1c", "c1r1", "r1cx", "r1c2 "})
    EXPECT_FALSE(parse_cell_id(bad, row, column)) << bad;
}

// Oracle: great-circle distances by the haversine formula.
TEST(MapStudy, MakesLocalKilometresOfDegrees) {
  MapData map = small_map();
  map.degrees = true;
  map.raster.transform = {8, 0.1, 0, 50.3, 0, -0.1};
  map.areas = {{"all", {rectangle(8, 50, 8.4, 50.3)}}};
  map.fields.clear();
  const SpecData data = load(study_of_map(map));
  const auto km = [](double lon0, double lat0, double lon1, double lat1) {
    const double degree = std::acos(-1.0) / 180;
    const double s = std::sin((lat1 - lat0) * degree / 2);
    const double t = std::sin((lon1 - lon0) * degree / 2);
    return 2 * 6371 * std::asin(std::sqrt(s * s + std::cos(lat0 * degree) * std::cos(lat1 * degree) * t * t));
  };
  const Rows& x = data.targets.coordinates;  // cells r0c0 and r1c3
  const Index far = 7;
  EXPECT_EQ(data.targets.ids[static_cast<std::size_t>(far)], "r1c3");
  EXPECT_NEAR((x.row(far) - x.row(0)).norm(), km(8.05, 50.25, 8.35, 50.15), 0.05);
}

TEST(MapStudy, RefusesWhatMakesNoStudy) {
  const auto refused = [](const std::function<void(MapData&)>& change, std::initializer_list<std::string_view> pieces) {
    MapData map = small_map();
    change(map);
    expect_refusal([&] { study_of_map(map); }, pieces);
  };
  refused([](MapData& m) { m.areas[1].name = "West"; }, {"1 names occur more than once: \"West\"", "--name-field"});
  refused([](MapData& m) { m.areas[1].name = ""; }, {"an area has no name"});
  refused([](MapData& m) { m.areas.clear(); }, {"areas: there are none"});
  refused([](MapData& m) { m.raster.weights.setZero(); }, {"no cell with a weight lies in an area"});
  refused([](MapData& m) { m.raster.transform = {}; }, {"georeferenced"});
  refused(
      [](MapData& m) {
        m.raster.weights = Rows::Ones(1100, 1100);
        m.areas = {{"all", {rectangle(1000, -110000, 111000, 5300)}, {""}}};
      },
      {"1,210,000 of them lie in areas", "--coarsen 4"});
}

}  // namespace
}  // namespace iqbo::internal

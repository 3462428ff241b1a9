#include "map/study_map.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "support/errors.hpp"

namespace iqbo {
namespace {

using namespace internal;
using testing::ElementsAre;

SpecBundle squares(const std::string& rest = "") {
  SpecBundle out{
      R"({"version": 2, "targets": {"kind": "points", "points": "c.csv", "id": "cell", "coordinates": ["east", "north"]},
          "queries": {"kind": "points", "points": "a.csv", "id": "area")" +
          rest + R"(},
          "conditional": {"kind": "bags", "bags": "m.csv", "point": "cell", "weight": "w"}})",
      {{"c.csv", "cell,east,north\nsw,10,20\nse,12,20\nne,12,23\n"},
       {"a.csv", "area\nsouth\neast\n"},
       {"m.csv", "area,cell,w\nsouth,sw,1\nsouth,se,2\neast,se,1\neast,ne,1\n"}}};
  return out;
}

double area_of(const std::vector<MapRing>& rings) {  // by the shoelace formula
  double sum = 0;
  for (const MapRing& ring : rings)
    for (Index i = 0; i + 1 < ring.points.rows(); ++i)
      sum += (ring.points(i, 0) * ring.points(i + 1, 1) - ring.points(i + 1, 0) * ring.points(i, 1)) / 2;
  return std::abs(sum);
}

TEST(StudyMap, CellsOfALatticeAreRectangles) {
  const SpecBundle bundle = squares();
  const SpecData data = load(bundle);
  const StudyMap map(data, bundle, "EPSG:25832");
  EXPECT_EQ(map.system(), "EPSG:25832");
  const MapShapes cells = map.inputs(data.targets.coordinates, data.targets.ids);
  ASSERT_TRUE(cells.grid);
  EXPECT_THAT(cells.grid->transform, ElementsAre(9, 2, 0, 24.5, 0, -3));
  EXPECT_EQ(cells.grid->rows, 2);
  EXPECT_EQ(cells.grid->columns, 2);
  EXPECT_THAT(cells.grid->features, ElementsAre(-1, 2, 0, 1));
  ASSERT_EQ(cells.polygons.size(), 3U);
  for (const auto& polygon : cells.polygons) EXPECT_DOUBLE_EQ(area_of(polygon), 6);
  EXPECT_EQ(cells.polygons[2].front().points.colwise().minCoeff(), Eigen::RowVector2d(11, 21.5));
}

TEST(StudyMap, BagsWithoutBoundariesAreTheirCells) {
  const SpecBundle bundle = squares();
  const SpecData data = load(bundle);
  const MapShapes areas = StudyMap(data, bundle).queries(data.queries.coordinates, data.queries.ids, {});
  ASSERT_EQ(areas.polygons.size(), 2U);
  EXPECT_EQ(areas.polygons[0].size(), 2U);
  ASSERT_TRUE(areas.grid);
  EXPECT_THAT(areas.grid->features, ElementsAre(-1, 1, 0, 0)) << "se has more weight in the south";
}

TEST(StudyMap, BoundariesComeFirst) {
  SpecBundle bundle = squares(R"(, "geojson": {"file": "g.json", "id": "area"})");
  bundle.files["g.json"] = R"({"type": "FeatureCollection", "features": [
    {"type": "Feature", "properties": {"area": "east"}, "geometry": {"type": "Polygon", "coordinates":
      [[[0, 0], [4, 0], [4, 4], [0, 4], [0, 0]], [[1, 1], [1, 2], [2, 2], [2, 1], [1, 1]]]}},
    {"type": "Feature", "properties": {"area": "south"}, "geometry": {"type": "MultiPolygon", "coordinates":
      [[[[0, 0], [1, 0], [1, 1], [0, 0]]], [[[5, 5], [6, 5], [6, 6], [5, 5]]]]}}]})";
  const SpecData data = load(bundle);
  const MapShapes areas = StudyMap(data, bundle).queries(data.queries.coordinates, data.queries.ids, {});
  ASSERT_EQ(areas.polygons.size(), 2U);
  EXPECT_THAT(areas.polygons[0], testing::SizeIs(2));
  EXPECT_FALSE(areas.polygons[0][1].hole);
  EXPECT_TRUE(areas.polygons[1][1].hole);
}

TEST(StudyMap, PointsThatAreNoLatticeStayPoints) {
  SpecBundle bundle = squares();
  bundle.files["c.csv"] = "cell,east,north\nsw,10,20\nse,12,20.7\nne,12.9,23\n";
  const SpecData data = load(bundle);
  const StudyMap map(data, bundle);
  const MapShapes cells = map.inputs(data.targets.coordinates, data.targets.ids);
  EXPECT_FALSE(cells.grid);
  EXPECT_EQ(cells.points, data.targets.coordinates);
  test::expect_refusal([&] { map.queries(data.queries.coordinates, data.queries.ids, {}); },
                       {"queries have no boundaries", "geojson"});
}

TEST(StudyMap, RoundedCoordinatesAreALatticeStill) {
  Rows points(900, 2);
  std::vector<std::string> names(900);
  for (Index i = 0; i < 900; ++i)
    points.row(i) << std::round(1000 * (0.1 + static_cast<double>(i % 30) / 3)) / 1000,
        std::round(1000 * static_cast<double>(i / 30) / 7) / 1000;
  const SpecBundle bundle = squares();
  const SpecData data = load(bundle);
  const MapShapes cells = StudyMap(data, bundle).inputs(points, names);
  ASSERT_TRUE(cells.grid);
  EXPECT_EQ(cells.grid->rows * cells.grid->columns, 900);
  points(17, 0) += 0.05;
  EXPECT_FALSE(StudyMap(data, bundle).inputs(points, names).grid) << "off by 0.15 of a step";
}

TEST(StudyMap, NeedsTwoCoordinates) {
  const SpecBundle bundle{R"({"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
                              "queries": {"kind": "box", "axes": [{"name": "x", "from": 0, "to": 1}]},
                              "conditional": {"kind": "gaussian", "width": 0.1}})",
                          {}};
  const SpecData data = load(bundle);
  test::expect_refusal([&] { StudyMap(data, bundle); }, {"inputs have 1 coordinate", "--format csv"});
}

TEST(StudyMap, Ranks) {
  const Vector values{{3, 1, 3, 2}};
  EXPECT_EQ(ranks_of(values, false), (Vector{{1, 4, 1, 3}}));
  EXPECT_EQ(ranks_of(values, true), (Vector{{3, 1, 3, 2}}));
}

}  // namespace
}  // namespace iqbo

#!/usr/bin/env python3
"""Studies from real map files, written by GeoPandas and rasterio. IQBO_PROGRAM: the program.

Oracle: overlaps of cells and areas by GEOS (shapely), in the raster's system.
"""
import csv
import io
import json
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import iqbo
from case import Case

try:
    import geopandas
    import numpy as np
    import rasterio
    from rasterio.transform import from_origin
    from shapely.geometry import Polygon, box
except ImportError as missing:
    print(f"skipped: {missing}; Debian has python3-geopandas and python3-rasterio")
    sys.exit(0)

if "built without GDAL" in iqbo("new", "--areas", "none", "--cells", "none", "--dry-run", check=2)[1]:
    print("skipped: this iqbo was built without GDAL (Debian: libgdal-dev)")
    sys.exit(0)

SIDE = 1000.0
WEST, NORTH = 500000.0, 5540000.0
UTM = "EPSG:25832"


def areas():
    """Four districts with crooked borders, one with a hole; in km from the raster's corner."""
    shapes = {"Nord": Polygon([(0.3, -0.2), (5.2, -0.4), (4.7, -3.1), (0.1, -3.6)]),
              "Süd": Polygon([(0.1, -3.6), (4.7, -3.1), (5.5, -7.7), (0.2, -7.2)], [[(1.5, -4.5), (3.1, -4.4), (2.2, -6.3)]]),
              "Ost": Polygon([(5.2, -0.4), (9.6, -0.7), (9.1, -7.9), (5.5, -7.7), (4.7, -3.1)]),
              "See": Polygon([(30, -30), (31, -30), (31, -31)])}
    frame = geopandas.GeoDataFrame({"NAME": list(shapes), "code": [1, 2, 3, 4]}, geometry=list(shapes.values()), crs=UTM)
    frame.geometry = frame.geometry.scale(SIDE, SIDE, origin=(0, 0)).translate(WEST, NORTH)
    return frame


def people():
    rng = np.random.default_rng(3)
    out = rng.integers(1, 400, size=(8, 10)).astype("float32")
    out[2, 3] = -9999  # nobody knows
    out[5, 5] = 0
    return out


class Maps(Case):
    def setUp(self):
        super().setUp()
        self.raster()

    def raster(self, crs=UTM, transform=from_origin(WEST, NORTH, SIDE, SIDE), name="people.tif"):
        values = people()
        with rasterio.open(self.folder / name, "w", driver="GTiff", height=8, width=10, count=1, dtype="float32", crs=crs,
                           transform=transform, nodata=-9999) as file:
            file.write(values, 1)

    def tables(self, name, *words, crs=UTM):
        """members.csv of a study, as {(area, cell): weight}; and what was said."""
        folder = self.folder / f"of {name}"
        said = iqbo("new", "--areas", self.folder / name, "--cells", self.folder / "people.tif", "--name-field", "NAME", "--folder", folder,
                    *words)
        rows = csv.DictReader(io.StringIO((folder / "members.csv").read_text()))
        return {(row["area"], row["cell"]): float(row["population"]) for row in rows}, said

    def oracle(self, frame):
        values, out = people(), {}
        for area in frame.itertuples():
            for row in range(8):
                for column in range(10):
                    cell = box(WEST + SIDE * column, NORTH - SIDE * (row + 1), WEST + SIDE * (column + 1), NORTH - SIDE * row)
                    share = area.geometry.intersection(cell).area / cell.area
                    if share > 1e-9 and values[row, column] > 0:
                        out[(area.NAME, row, column)] = share * float(values[row, column])
        return out

    def compare(self, found, want, tolerance):
        """Cells are counted from the first that an area reaches, which is the raster's first here."""
        self.assertEqual({(a, f"r{r}c{c}") for a, r, c in want}, set(found))
        for (area, row, column), weight in want.items():
            self.assertAlmostEqual(found[(area, f"r{row}c{column}")], weight, delta=tolerance * 400)

    def test_geopackage_shapefile_and_geojson_give_overlaps(self):
        frame = areas()
        want = self.oracle(frame)  # 5 km straight in degrees are bent by 0.6 m of a cell of 1,000 here
        for name, driver, system, tolerance in (("a.gpkg", "GPKG", UTM, 1e-6), ("a.shp", "ESRI Shapefile", UTM, 1e-6),
                                                ("a.geojson", "GeoJSON", "EPSG:4326", 6e-4), ("b.gpkg", "GPKG", "EPSG:3035", 2e-5)):
            with self.subTest(name):
                frame.to_crs(system).to_file(self.folder / name, driver=driver)
                found, (out, err) = self.tables(name)
                self.compare(found, want, tolerance)
                self.assertIn("3 areas, ", out)
                self.assertIn("1 areas have no cells with a weight and cannot be asked: See", err)

    def test_cells_in_no_area(self):
        west = areas()[areas().NAME != "Ost"]
        west.to_file(self.folder / "west.gpkg", driver="GPKG")
        found, (_, err) = self.tables("west.gpkg")
        left_out = int((people() > 0).sum()) - len({cell for _, cell in found})
        self.assertGreater(left_out, 20)
        self.assertRegex(err, f"{left_out} cells with a weight of [0-9,]+ in all lie in no area and are left out")

    def test_a_study_at_once_with_boundaries(self):
        areas().to_file(self.folder / "a.gpkg", driver="GPKG")
        words = ("new", "--areas", self.folder / "a.gpkg", "--cells", self.folder / "people.tif", "--name-field", "NAME", "--counts")
        before = sorted(self.folder.iterdir())
        self.assertIn("3 areas, ", iqbo(*words, "--dry-run")[0])
        self.assertEqual(sorted(self.folder.iterdir()), before)
        iqbo(*words, "--study", self.study)
        self.assertIn("trial 0: ask", iqbo("ask", "--study", self.study)[0])
        iqbo("tell", "--study", self.study, 0, 7)
        iqbo("export", "--study", self.study, "--what", "files", "--folder", self.folder / "files")
        shapes = json.loads((self.folder / "files/areas.geojson").read_text())
        self.assertEqual({f["properties"]["area"] for f in shapes["features"]}, set(areas().NAME))
        self.assertAlmostEqual(shapes["iqbo_frame"]["transform"][0], WEST)

    def test_coarser_cells(self):
        areas().to_file(self.folder / "a.gpkg", driver="GPKG")
        fine, _ = self.tables("a.gpkg")
        iqbo("new", "--areas", self.folder / "a.gpkg", "--cells", self.folder / "people.tif", "--name-field", "NAME", "--folder",
             self.folder / "coarse", "--coarsen", 2)
        cells = list(csv.DictReader(io.StringIO((self.folder / "coarse/cells.csv").read_text())))
        self.assertEqual(len(cells), 20)
        values = np.where(people() > 0, people(), 0)
        self.assertAlmostEqual(float(cells[0]["population"]), float(values[:2, :2].sum()), places=3)
        self.assertGreater(len(fine), 60)

    def surveyed(self, *words):
        """A study from maps with three answers."""
        areas().to_file(self.folder / "a.gpkg", driver="GPKG")
        iqbo("new", "--areas", self.folder / "a.gpkg", "--cells", self.folder / "people.tif", "--name-field", "NAME", "--study", self.study, *words)
        for name, value in (("Nord", 3), ("Süd", 5), ("Ost", 9)):
            iqbo("tell", "--study", self.study, name, value)

    def predicted(self, format, *words):
        out = self.folder / f"out.{format}"
        iqbo("predict", "--study", self.study, "--format", format, "--out", out, *words)
        return out

    def test_predictions_come_back_on_the_map(self):
        self.surveyed()
        listed = list(csv.DictReader(io.StringIO(iqbo("predict", "--study", self.study, "--format", "csv", "--above", 5)[0])))
        of_areas = {row["area"]: row for row in csv.DictReader(io.StringIO(
            iqbo("predict", "--study", self.study, "--format", "csv", "--of", "queries", "--above", 5, "--among", 2)[0]))}
        self.assertEqual({row["rank"] for row in listed}, {str(i + 1) for i in range(len(listed))})
        best = max(listed, key=lambda row: float(row["mean"]))
        self.assertEqual(best["rank"], "1")
        columns = ["mean", "sd", "low", "high", "above"]

        file = self.predicted("gpkg", "--above", 5)
        cells, of_query = geopandas.read_file(file, layer="inputs"), geopandas.read_file(file, layer="queries")
        self.assertEqual(cells.crs.to_epsg(), 25832)
        self.assertEqual(list(cells.cell), [row["cell"] for row in listed])
        for name in columns:
            np.testing.assert_allclose(cells[name], [float(row[name]) for row in listed], rtol=1e-12)
        for shape, name in zip(cells.geometry, cells.cell):  # each is the square of its row and column
            row, column = map(int, name[1:].split("c"))
            want = box(WEST + SIDE * column, NORTH - SIDE * (row + 1), WEST + SIDE * (column + 1), NORTH - SIDE * row)
            self.assertLess(shape.symmetric_difference(want).area, 1)
        self.assertEqual(set(of_query["area"]), {"Nord", "Süd", "Ost"})
        whole = areas().set_index("NAME").geometry
        for each in of_query.itertuples():  # boundaries are kept to a twentieth of a cell
            self.assertLess(each.geometry.symmetric_difference(whole[each.area]).area, 0.02 * whole[each.area].area)
            self.assertAlmostEqual(each.mean, float(of_areas[each.area]["mean"]))

        with rasterio.open(self.predicted("tif", "--above", 5)) as raster:
            self.assertEqual((raster.crs.to_epsg(), raster.transform), (25832, from_origin(WEST, NORTH, SIDE, SIDE)))
            self.assertEqual(raster.descriptions[:5], ("mean", "sd", "low", "high", "rank"))
            means = raster.read(1)
            known = {row["cell"]: float(row["mean"]) for row in listed}
            for row in range(raster.height):
                for column in range(raster.width):
                    want = known.get(f"r{row}c{column}", float("nan"))
                    np.testing.assert_equal(means[row, column], want)
            at = np.argwhere(raster.read(5) == 1)[0]
            self.assertEqual(f"r{at[0]}c{at[1]}", best["cell"])

        with rasterio.open(self.predicted("tif", "--of", "queries")) as raster:  # each cell shows the area with most of it
            shown, want = raster.read(1), self.oracle(areas())
            for row in range(raster.height):
                for column in range(raster.width):
                    here = {area: weight for (area, r, c), weight in want.items() if (r, c) == (row, column)}
                    mean = float(of_areas[max(here, key=here.get)]["mean"]) if here else float("nan")
                    np.testing.assert_allclose(shown[row, column], mean, rtol=1e-12)

        degrees = geopandas.read_file(self.predicted("geojson", "--of", "queries", "--among", 2))
        self.assertEqual(degrees.crs.to_epsg(), 4326)
        for each in degrees.to_crs(UTM).itertuples():
            self.assertLess(each.geometry.symmetric_difference(whole[each.area]).area, 0.02 * whole[each.area].area)
            self.assertAlmostEqual(each.among, float(of_areas[each.area]["among"]))
        self.assertEqual(json.loads(iqbo("predict", "--study", self.study, "--format", "geojson")[0])["type"], "FeatureCollection")

    def test_predictions_of_studies_without_maps(self):
        folder = self.folder / "d"
        iqbo("new", "--template", "districts", "--folder", folder, "--study", self.study)
        iqbo("tell", "--study", self.study, "d1", 3, "d2", 4, "d7", 5)
        file = self.predicted("gpkg", "--crs", UTM)
        cells, of_query = geopandas.read_file(file, layer="inputs"), geopandas.read_file(file, layer="queries")
        self.assertEqual(cells.crs.to_epsg(), 25832)
        self.assertLess(abs(cells.geometry.area - cells.geometry.area[0]).max(), 1e-9)
        self.assertAlmostEqual(cells.unary_union.area, cells.geometry.area.sum(), places=6)
        members = {}
        for row in csv.DictReader(io.StringIO((folder / "members.csv").read_text())):
            members.setdefault(row["district"], set()).add(row["pixel"])
        shapes = cells.set_index("pixel").geometry
        if "geojson" not in (folder / "study.json").read_text():  # a district without a boundary is the union of its pixels
            for each in of_query.itertuples():
                want = shapes[sorted(members[each.district])].unary_union
                self.assertLess(each.geometry.symmetric_difference(want).area, 1e-6)
        _, err = iqbo("predict", "--study", self.study, "--format", "tif", "--out", self.folder / "p.tif")
        self.assertIn("does not state its coordinate reference system; give it by --crs", err)
        with rasterio.open(self.folder / "p.tif") as raster:
            self.assertIsNone(raster.crs)
            self.assertEqual(int(np.isfinite(raster.read(1)).sum()), len(cells))

    def test_tiles_have_bounds_everywhere(self):
        iqbo("new", "--template", "tiles", "--folder", self.folder / "t", "--study", self.study)
        asked = iqbo("ask", "--study", self.study)[0].splitlines()[0].split(": ask ")[1].split(", cost")[0]
        self.assertIn(" to ", asked)
        self.assertIn(asked, iqbo("log", "--study", self.study)[0])
        iqbo("tell", "--study", self.study, 0, 3)
        row = next(csv.DictReader(io.StringIO(iqbo("export", "--study", self.study)[0])))
        told = json.loads(iqbo("export", "--study", self.study, "--json")[0].splitlines()[0])
        for name, (low, high) in told["bounds"].items():
            self.assertEqual((float(row[f"{name}_from"]), float(row[f"{name}_to"])), (low, high))
            self.assertIn(f"{name} {low:.4g} to {high:.4g}", asked)
        tiles = geopandas.read_file(self.predicted("geojson", "--of", "queries"))
        self.assertEqual(set(tiles.geom_type), {"MultiPolygon"})
        listed = list(csv.DictReader(io.StringIO(iqbo("predict", "--study", self.study, "--format", "csv", "--of", "queries")[0])))
        west, south, east, north = tiles.geometry[0].bounds
        found = [(float(listed[0][f"{name}_from"]), float(listed[0][f"{name}_to"])) for name in told["bounds"]]
        self.assertEqual(found, [(west, east), (south, north)])

    def test_slips_of_predict_are_refused(self):
        self.surveyed()
        predict = lambda *words: ("predict", "--study", self.study, *words)
        self.refused(["--out: is not given", "gpkg is not text"], *predict("--format", "gpkg"))
        self.refused(["--out", "a file"], *predict("--format", "tif", "--out", "-"))
        self.refused(["is a folder"], *predict("--format", "gpkg", "--out", "/"))
        self.refused(["--crs: is given", "the study knows"], *predict("--format", "gpkg", "--out", "o.gpkg", "--crs", UTM))
        self.refused(["only gpkg holds both"], *predict("--format", "tif", "--out", "o.tif", "--of", "all"))
        self.refused(["--out: is given", "--format"], *predict("--out", "o.csv"))
        self.assertEqual(sorted(path.name for path in self.folder.glob("o.*")), [])

    def test_slips_are_refused_with_a_remedy(self):
        frame = areas()
        frame.to_file(self.folder / "a.gpkg", driver="GPKG", layer="districts")
        frame.to_file(self.folder / "a.gpkg", driver="GPKG", layer="other")
        frame.to_file(self.folder / "one.gpkg", driver="GPKG")
        geopandas.GeoDataFrame({"NAME": list(frame.NAME)}, geometry=list(frame.geometry)).to_file(self.folder / "bare.shp")
        new = lambda file, *words: ("new", "--areas", file, "--cells", "people.tif", *words, "--dry-run")
        self.refused(["--name-field: is not given", 'NAME ("Nord"), code ("1")'], *new("one.gpkg"))
        self.refused(["--name-field: is \"NAM\"", "NAME"], *new("one.gpkg", "--name-field", "NAM"))
        self.refused(["has 2 layers", "districts, other"], *new("a.gpkg", "--name-field", "NAME"))
        self.refused(["does not state its coordinate reference system", "--crs EPSG"], *new("bare.shp", "--name-field", "NAME"))
        self.assertIn("3 areas", iqbo(*new("bare.shp", "--name-field", "NAME", "--crs", UTM), cwd=self.folder)[0])
        self.refused(["--crs", "EPSG:25832"], *new("bare.shp", "--name-field", "NAME", "--crs", "nonsense"))
        self.refused(["--cells: given without --areas", "--template tiles"], "new", "--cells", "people.tif", "--dry-run")
        self.refused(["nothing.gpkg: cannot be read: there is no such file"], *new("nothing.gpkg", "--name-field", "NAME"))
        self.refused(["people.tif: cannot be read"], *new("people.tif", "--name-field", "NAME"))
        self.raster(transform=from_origin(WEST + 1e6, NORTH, SIDE, SIDE))
        self.refused(["lies nowhere on people.tif"], *new("one.gpkg", "--name-field", "NAME"))
        self.raster(crs=None)
        self.refused(["people.tif: does not state its coordinate reference system"], *new("one.gpkg", "--name-field", "NAME"))
        self.refused(["--areas without --cells"], "new", "--areas", "one.gpkg", "--dry-run")


if __name__ == "__main__":
    unittest.main()

"""Studies from GeoDataFrames and rasters, and GeoDataFrames of studies. Oracle: overlaps by GEOS."""
import csv
import io

import iqbo
import numpy as np
import pytest

geopandas = pytest.importorskip("geopandas")
rasterio = pytest.importorskip("rasterio")

from rasterio.transform import from_origin  # noqa: E402
from shapely.geometry import Polygon, box  # noqa: E402

UTM, WEST, NORTH, SIDE = "EPSG:25832", 500000.0, 5540000.0, 1000.0
TRANSFORM = from_origin(WEST, NORTH, SIDE, SIDE)


def districts():
    shapes = {"Nord": [(0.3, -0.2), (5.2, -0.4), (4.7, -3.1), (0.1, -3.6)], "Süd": [(0.1, -3.6), (4.7, -3.1), (5.5, -5.7), (0.2, -5.2)],
              "Ost": [(5.2, -0.4), (7.6, -0.7), (7.1, -5.9), (5.5, -5.7), (4.7, -3.1)]}
    frame = geopandas.GeoDataFrame({"NAME": list(shapes), "code": [1, 2, 3]}, geometry=[Polygon(p) for p in shapes.values()], crs=UTM)
    frame.geometry = frame.geometry.scale(SIDE, SIDE, origin=(0, 0)).translate(WEST, NORTH)
    return frame


def people():
    return np.random.default_rng(3).integers(1, 400, size=(6, 8)).astype(float)


def raster_file(folder):
    with rasterio.open(folder / "people.tif", "w", driver="GTiff", height=6, width=8, count=1, dtype="float64", crs=UTM, transform=TRANSFORM,
                       nodata=-1) as file:
        file.write(people(), 1)
    return folder / "people.tif"


def members(study):
    rows = csv.DictReader(io.StringIO(study.files["members.csv"]))
    return {(row["area"], row["cell"]): float(row["population"]) for row in rows}


def overlaps():
    out = {}
    for area in districts().itertuples():
        for row, column in np.ndindex(6, 8):
            cell = box(WEST + SIDE * column, NORTH - SIDE * (row + 1), WEST + SIDE * (column + 1), NORTH - SIDE * row)
            share = area.geometry.intersection(cell).area / cell.area
            if share > 1e-9:
                out[area.NAME, f"r{row}c{column}"] = share * people()[row, column]
    return out


def rasters(folder):
    xarray = pytest.importorskip("xarray")
    grid = xarray.DataArray(people(), dims=("y", "x"), attrs={"crs": UTM},
                            coords={"y": NORTH - SIDE * (np.arange(6) + 0.5), "x": WEST + SIDE * (np.arange(8) + 0.5)})
    return {"a file": raster_file(folder), "xarray": grid, "upside down": grid[::-1], "numbers": (people(), TRANSFORM, UTM)}


@pytest.mark.parametrize("kind", ["a file", "xarray", "numbers"])
@pytest.mark.parametrize("system", [UTM, "EPSG:4326"])
def test_areas_and_a_raster_are_enough(tmp_path, kind, system):
    study = iqbo.Study(areas=districts().to_crs(system), cells=rasters(tmp_path)[kind], name_field="NAME", seed=3, budget=7)
    found, want = members(study), overlaps()
    assert set(found) == set(want)
    for key, weight in want.items():
        assert found[key] == pytest.approx(weight, abs=1e-4 if system == UTM else 6e-4 * 400)
    assert study.spec["seed"] == 3 and study.spec["budget"] == 7
    assert study.ask().name in ("Nord", "Süd", "Ost")


def test_a_raster_that_begins_in_the_south(tmp_path):
    study = iqbo.Study(areas=districts(), cells=rasters(tmp_path)["upside down"], name_field="NAME")
    by_area = lambda rows: {name: sum(w for (area, _), w in rows.items() if area == name) for name in districts().NAME}  # noqa: E731
    assert by_area(members(study)) == pytest.approx(by_area(overlaps()), rel=1e-6)
    want = districts().set_index("NAME").geometry
    for each in study.to_geodataframe("queries").itertuples():
        assert each.geometry.symmetric_difference(want[each.area]).area < 0.02 * want[each.area].area


def test_the_same_study_as_by_the_program(tmp_path):
    study = iqbo.Study(areas=districts().set_index("NAME"), cells=raster_file(tmp_path), coarsen=2, answers="poisson", exposure="population",
                       location=tmp_path / "s.db", goal="maximize")
    assert len(study._core.target_ids) == 12
    assert sum(members(study).values()) == pytest.approx(sum(overlaps().values()), rel=0.1)
    study.tell("Nord", count=3)
    assert iqbo.Study(tmp_path / "s.db").status().told == 1


def test_beliefs_as_geodataframes(tmp_path):
    study = iqbo.Study(areas=districts(), cells=raster_file(tmp_path), name_field="NAME", seed=1)
    for name, value in (("Nord", 3.0), ("Süd", 5.0), ("Ost", 9.0)):
        study.tell(name, value)
    cells = study.to_geodataframe(above=5.0, among=3)
    assert cells.crs.to_epsg() == 25832 and len(cells) == len(study._core.target_ids)
    assert list(cells.columns) == ["cell", "mean", "sd", "low", "high", "rank", "above", "best", "among", "geometry"]
    np.testing.assert_allclose(cells["mean"], study.predict_f(study._core.targets).mean)
    assert cells["rank"][cells["mean"].idxmax()] == 1 and sorted(cells["rank"])[-1] == len(cells)
    assert cells["among"].sum() == pytest.approx(3, abs=1e-6)
    row, column = map(int, cells.cell[5][1:].split("c"))
    assert cells.geometry[5].bounds == pytest.approx((WEST + SIDE * column, NORTH - SIDE * (row + 1), WEST + SIDE * (column + 1),
                                                      NORTH - SIDE * row))
    areas = study.to_geodataframe("queries")
    want = districts().set_index("NAME").geometry
    assert list(areas["area"]) == ["Nord", "Süd", "Ost"]
    for shape, name in zip(areas.geometry, areas.iloc[:, 0]):
        assert shape.symmetric_difference(want[name]).area < 0.02 * want[name].area
    assert areas["mean"].argmax() == 2
    cells.to_file(tmp_path / "out.gpkg", driver="GPKG")
    assert len(geopandas.read_file(tmp_path / "out.gpkg")) == len(cells)


def test_maps_are_drawn(tmp_path):
    pytest.importorskip("matplotlib").use("Agg")
    study = iqbo.Study(areas=districts(), cells=raster_file(tmp_path), name_field="NAME", seed=1)
    for name, value in (("Nord", 3.0), ("Süd", 5.0), ("Ost", 9.0)):
        study.tell(name, value)
    ax = study.map()
    assert ax.get_xlim()[0] < WEST + 1000 and len(ax.collections) >= 2
    ax.figure.savefig(tmp_path / "map.png")
    assert study.map("above", above=5.0, of="queries") is not None
    with pytest.raises(ValueError, match="column: 'maen', expected one of"):
        study.map("maen")


def test_listed_points_without_a_lattice_are_points():
    rng = np.random.default_rng(1)
    x = rng.uniform(size=(30, 2))
    study = iqbo.Study(targets=x, queries=x[:6], conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, [0.3, 0.3]), noise_sd=0.1)
    study.tell(study.ask(), 1.0)
    cells = study.to_geodataframe(crs=UTM)
    assert cells.columns[0] == "id" and set(cells.geom_type) == {"Point"} and cells.crs.to_epsg() == 25832
    np.testing.assert_allclose(np.column_stack([cells.geometry.x, cells.geometry.y]), x)
    line = iqbo.Study(targets=x[:, 0], queries=x[:6, 0], conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(), noise_sd=0.1)
    with pytest.raises(ValueError, match="inputs have 1 coordinate, expected two"):
        line.to_geodataframe()


@pytest.mark.parametrize("weight", [-9999.0, np.inf])
def test_weights_that_are_none_are_refused(weight):
    weights = people()
    weights[2, 5] = np.nan  # no data
    weights[3, 4] = weight
    with pytest.raises(ValueError, match=f"cells: row 3, column 4 is {weight:g}, expected a weight of 0 or more, or nan"):
        iqbo.Study(areas=districts(), cells=(weights, TRANSFORM, UTM), name_field="NAME")
    weights[3, 4] = 0.0
    found = {cell for _, cell in members(iqbo.Study(areas=districts(), cells=(weights, TRANSFORM, UTM), name_field="NAME"))}
    assert "r2c5" not in found and "r2c4" in found


def test_an_area_without_a_name_is_refused():
    areas = districts()
    areas.loc[1, "NAME"] = None
    for given in (dict(areas=areas, name_field="NAME"), dict(areas=areas.drop(columns="code"))):
        with pytest.raises(ValueError, match="areas: row 1, column 'NAME' is empty, expected a name"):
            iqbo.Study(cells=(people(), TRANSFORM, UTM), **given)


def test_slips(tmp_path):
    file = raster_file(tmp_path)
    bare = geopandas.GeoDataFrame({"NAME": ["a"]}, geometry=[box(0, 0, 1, 1)])
    for areas, cells, words in ((bare, file, "areas: no coordinate reference system"), (districts(), (people(), TRANSFORM, None), "cells: no coord"),
                                (districts().set_geometry(districts().translate(1e6)), file, "areas: lie nowhere"), (None, file, "areas: NoneType"),
                                (districts(), None, "cells: none"), (districts(), 3, "cells: int")):
        with pytest.raises((ValueError, TypeError), match=words):
            iqbo.Study(areas=areas, cells=cells, name_field=None if not hasattr(areas, "columns") else "NAME")
    with pytest.raises(ValueError, match="name_field: 'NAM', expected a column"):
        iqbo.Study(areas=districts(), cells=file, name_field="NAM")
    with pytest.raises(TypeError, match="unexpected keyword 'celsl'"):
        iqbo.Study(areas=districts(), celsl=file)

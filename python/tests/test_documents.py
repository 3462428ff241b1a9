"""What the README and docs/python.md show runs as it stands."""
import pathlib
import re

import iqbo
import numpy as np
import pytest

pandas = pytest.importorskip("pandas")
ROOT = pathlib.Path(__file__).parent.parent.parent
PLACES = iqbo.InputBox([0.0, 0.0], [3.0, 3.0]).grid([4, 4])


def measure(a):
    return -((a[0] - 0.4) ** 2)


def write_maps(folder):
    """Two districts side by side, and 4 x 4 cells of people."""
    geopandas, rasterio = pytest.importorskip("geopandas"), pytest.importorskip("rasterio")
    shapely = pytest.importorskip("shapely.geometry")
    areas = geopandas.GeoDataFrame({"NAME": ["west", "east"]}, crs="EPSG:25832",
                                   geometry=[shapely.box(0, 0, 200, 400), shapely.box(200, 0, 400, 400)])
    areas.to_file(folder / "districts.gpkg", driver="GPKG")
    with rasterio.open(folder / "population.tif", "w", driver="GTiff", width=4, height=4, count=1, dtype="float64", crs="EPSG:25832",
                       transform=rasterio.transform.from_origin(0, 400, 100, 100)) as raster:
        raster.write(np.arange(1.0, 17.0).reshape(4, 4), 1)


@pytest.mark.parametrize("page", ["README.md", "docs/python.md"])
def test_blocks_run(page, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    if page == "docs/python.md":
        write_maps(tmp_path)
    names = {"measure": measure, "places": PLACES, "weight": [PLACES[:, 0] < 2, PLACES[:, 0] >= 2],
             "pixels": pandas.DataFrame(PLACES, columns=["east", "north"]),
             "logged": pandas.DataFrame({"east": PLACES[:, 0], "north": PLACES[:, 1], "soil": ["clay", "loam", "loam", "sand"] * 4}),
             "districts": pandas.DataFrame({"district": ["west", "east"]})}
    blocks = re.findall(r"```python\n(.*?)```", (ROOT / page).read_text(), flags=re.DOTALL)
    assert blocks
    for block in blocks:
        exec(compile(block, page, "exec"), names)
    if page == "README.md":
        assert abs(names["best"].x[0] - 0.4) < 0.1
    else:
        assert abs(np.asarray(names["best"].x)[0] - 0.4) < 0.1 and (tmp_path / "survey.db").exists()


def test_links_lead_somewhere():
    page = ROOT / "docs" / "python.md"
    for link in re.findall(r"\]\(([^)#]+)\)", page.read_text()):
        assert (page.parent / link).exists(), link

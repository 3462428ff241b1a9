"""The accessor of xarray: the study that iqbo.Study makes of the same raster, and its predictions where the cells are."""
import iqbo
import numpy as np
import pytest

xarray = pytest.importorskip("xarray")
geopandas = pytest.importorskip("geopandas")
pytest.importorskip("rasterio")

import iqbo.xarray  # noqa: E402,F401
from shapely.geometry import box  # noqa: E402

SIDE = 1000.0


def districts():
    return geopandas.GeoDataFrame({"NAME": ["west", "east"]}, crs="EPSG:25832", geometry=[box(0, 0, 2000, 3000), box(2000, 0, 4000, 3000)])


def people(order=("y", "x")):
    """3 rows from the north, 4 columns; nobody lives in the last cell of the first row."""
    weights = np.arange(1.0, 13.0).reshape(3, 4)
    weights[0, 3] = 0.0
    array = xarray.DataArray(weights, dims=("y", "x"), coords={"y": [2500.0, 1500.0, 500.0], "x": [500.0, 1500.0, 2500.0, 3500.0]},
                             attrs={"crs": "EPSG:25832"}, name="people")
    return array.transpose(*order)


def told(array):
    study = array.iqbo.study(areas=districts(), name_field="NAME", kernel=iqbo.Rbf(1.0, 1.5), noise_sd=0.1, mean=2.0, seed=1)
    study.tell("west", 1.0)
    study.tell("east", 3.0)
    return study


def test_the_study_is_that_of_areas_and_cells():
    ours, theirs = people().iqbo.study(areas=districts(), name_field="NAME"), iqbo.Study(areas=districts(), cells=people(), name_field="NAME")
    assert ours.spec == theirs.spec and ours.files == theirs.files


@pytest.mark.parametrize("order", [("y", "x"), ("x", "y")])
def test_estimates_are_where_their_cells_are(order):
    array = people(order)
    study = told(array)
    estimate = array.iqbo.estimate(study)
    assert set(estimate) == {"mean", "sd", "low", "high"}
    for y in array.y.values:
        for x in array.x.values:
            there = estimate.sel(x=x, y=y)
            if float(array.sel(x=x, y=y)) == 0.0:
                assert np.isnan(there["mean"])
                continue
            expected = study.predict_f([[x / SIDE, y / SIDE]])  # studies from maps count in km
            np.testing.assert_allclose([float(there[name]) for name in ("mean", "sd", "low", "high")],
                                       [expected.mean[0], expected.sd[0], expected.low[0], expected.high[0]], rtol=1e-12)
    assert float(estimate["mean"].sel(x=3500.0, y=500.0)) > float(estimate["mean"].sel(x=500.0, y=500.0)) + 0.5


def test_a_study_of_another_raster_is_refused():
    coarse = people().iqbo.study(areas=districts(), name_field="NAME", coarsen=2)
    elsewhere = people().assign_coords(x=people().x + 250.0).iqbo.study(areas=districts(), name_field="NAME")
    for study in (coarse, elsewhere):
        with pytest.raises(ValueError, match="not cells of this raster"):
            people().iqbo.estimate(study)

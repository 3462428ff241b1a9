"""Rasters of xarray as studies, and estimates as rasters. Importing this module adds the accessor `.iqbo`; xarray must be installed::

    import iqbo.xarray
    study = people.iqbo.study(areas=districts, name_field="NAME")    # people: a DataArray of weights; districts: a GeoDataFrame
    people.iqbo.estimate(study)["mean"]                              # mean, sd, low and high on the same grid
"""
import numpy as np

try:
    import xarray
except ImportError as missing:
    raise ImportError("iqbo.xarray needs xarray (Debian: python3-xarray; pip: xarray)") from missing

from iqbo._maps import raster_of
from iqbo.studies import Study

__all__ = ["Accessor"]


@xarray.register_dataarray_accessor("iqbo")
class Accessor:
    """The methods of `array.iqbo`, for a raster whose two coordinates are the middles of its cells."""

    def __init__(self, array):
        self._array = array

    def study(self, areas, **keywords):
        """A `Study` whose targets are the cells of this raster, weighted by its values; keywords as in `iqbo.Study(areas=, cells=)`."""
        return Study(areas=areas, cells=self._array, **keywords)

    def estimate(self, study):
        """The estimates of a study that `study` made: a Dataset of mean, sd, low and high (95 %), NaN where no cell is a target."""
        raster, table = raster_of(self._array), study.to_geodataframe()
        centre = table.geometry.centroid
        middle = raster.in_cells(np.column_stack([centre.x, centre.y])) - 0.5
        column, row = np.round(middle).astype(int).T
        inside = (column >= 0) & (column < raster.weights.shape[1]) & (row >= 0) & (row < raster.weights.shape[0])
        if table.crs != raster.crs or not inside.all() or np.abs(middle - np.column_stack([column, row])).max() > 1e-3:
            raise ValueError("study: its targets are not cells of this raster, expected a study that .iqbo.study() made, without coarsen")
        plane = self._array.squeeze(drop=True)
        x = next((d for d in plane.dims if str(d).lower() in ("x", "lon", "longitude", "east", "easting")), plane.dims[1])
        plane = plane.transpose(*[d for d in plane.dims if d != x], x)
        out = {}
        for name in ("mean", "sd", "low", "high"):
            values = np.full(plane.shape, np.nan)
            values[row, column] = table[name]
            out[name] = plane.copy(data=values).rename(name)
        return xarray.Dataset(out)

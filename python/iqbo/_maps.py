"""Studies from areas and rasters, and back: GeoPandas, rasterio and xarray, if they are installed."""
import json
import os
import warnings

import numpy as np

from iqbo import _iqbo
from iqbo._frames import names_of
from iqbo._spec import kernel_spec, mean_spec, optional_keys, policy_spec
from iqbo._spec_text import spec_text
from iqbo._tables import one_number, text_of, whole_number


def _needs(module, what):
    import importlib

    try:
        return importlib.import_module(module)
    except ImportError as error:
        raise ImportError(f"{what} needs {module}: apt-get install python3-{module}, or pip install {module}") from error


# --- rasters ---


class Raster:
    """Weights (rows, columns), where each lies (as in GDAL: x = t0 + t1 column + t2 row, y = t3 + t4 column + t5 row), and the CRS."""

    def __init__(self, weights, transform, crs, source="a raster"):
        crs_of = _needs("pyproj", "a raster").CRS.from_user_input
        self.weights = np.asarray(weights, float)
        if self.weights.ndim != 2:
            raise ValueError(f"cells: shape {self.weights.shape}, expected one band (rows, columns)")
        self.transform = np.array(transform, float)
        if self.transform.shape != (6,) or not np.isfinite(self.transform).all():
            raise ValueError(f"cells: transform {transform!r}, expected six numbers as in GDAL")
        if crs is None or crs == "":
            raise ValueError("cells: no coordinate reference system, expected one: write it into the raster")
        self.crs = crs_of(crs)
        self.source = source

    @property
    def linear(self):
        return self.transform[[1, 2, 4, 5]].reshape(2, 2)

    def in_cells(self, points):
        """(column, row) of points (n, 2)."""
        return (points - self.transform[[0, 3]]) @ np.linalg.inv(self.linear).T

    def part(self, low, high, block):
        """The cells from column, row `low` to `high`, in whole blocks from the first, summed up by blocks."""
        rows, columns = self.weights.shape
        limit = np.array([columns, rows])
        first = np.clip(np.floor(low), 0, limit).astype(int) // block * block
        last = np.clip(np.ceil(high), 0, limit).astype(int)
        if (last <= first).any():
            raise ValueError("areas: lie nowhere on the raster, expected areas and a raster of the same region")
        cut = self.weights[first[1]:last[1], first[0]:last[0]]
        wrong = np.argwhere((cut < 0) | np.isinf(cut))
        if len(wrong):
            row, column = wrong[0] + first[::-1]
            raise ValueError(f"cells: row {row}, column {column} is {self.weights[row, column]:g}, expected a weight of 0 or more, or nan "
                             "where there are no data")
        cut = np.nan_to_num(cut)
        missing_rows, missing_columns = -cut.shape[0] % block, -cut.shape[1] % block
        cut = np.pad(cut, ((0, missing_rows), (0, missing_columns)))
        summed = cut.reshape(cut.shape[0] // block, block, cut.shape[1] // block, block).sum(axis=(1, 3))
        t = self.transform
        origin = t[[0, 3]] + self.linear @ first
        return summed, [origin[0], t[1] * block, t[2] * block, origin[1], t[4] * block, t[5] * block]


def _of_dataset(dataset):
    band = dataset.read(1, masked=True)
    return Raster(np.ma.filled(band.astype(float), np.nan), dataset.transform.to_gdal(), dataset.crs and dataset.crs.to_wkt(),
                  os.path.basename(dataset.name))


def _step(values, name):
    steps = np.diff(values)
    if len(values) < 2 or not np.allclose(steps, steps[0], rtol=1e-3):
        raise ValueError(f"cells: {name} is not evenly spaced, expected a raster")
    return (values[-1] - values[0]) / (len(values) - 1)


def _crs_of_array(array):
    for found in (getattr(getattr(array, "rio", None), "crs", None), array.attrs.get("crs")):
        if found:
            return found.to_wkt() if hasattr(found, "to_wkt") else found
    for name in ("spatial_ref", "crs", array.attrs.get("grid_mapping")):
        if name in array.coords:
            about = array.coords[name].attrs
            return about.get("crs_wkt") or about.get("spatial_ref")
    return None


def _of_array(array):
    """An xarray.DataArray, whose two coordinates are the middles of cells."""
    array = array.squeeze(drop=False)
    if array.ndim != 2:
        raise ValueError(f"cells: dimensions {array.dims}, expected two")
    x = next((d for d in array.dims if str(d).lower() in ("x", "lon", "longitude", "east", "easting")), array.dims[1])
    y = next(d for d in array.dims if d != x)
    array = array.transpose(y, x)
    xs, ys = np.asarray(array[x], float), np.asarray(array[y], float)
    dx, dy = _step(xs, x), _step(ys, y)
    values = np.asarray(array.values, float)
    none = array.attrs.get("_FillValue", array.attrs.get("nodata"))
    if none is not None:
        values = np.where(values == none, np.nan, values)
    return Raster(values, [xs[0] - dx / 2, dx, 0, ys[0] - dy / 2, 0, dy], _crs_of_array(array), str(array.name or "a raster"))


def raster_of(cells):
    """A `Raster` from the name of a file, a dataset of rasterio, an xarray.DataArray, or (weights, transform, crs)."""
    if isinstance(cells, Raster):
        return cells
    if isinstance(cells, (str, os.PathLike)):
        with _needs("rasterio", "the file of a raster").open(os.fspath(cells)) as dataset:
            return _of_dataset(dataset)
    if hasattr(cells, "read") and hasattr(cells, "transform"):
        return _of_dataset(cells)
    if hasattr(cells, "dims") and hasattr(cells, "coords"):
        return _of_array(cells)
    if isinstance(cells, (tuple, list)) and len(cells) == 3:
        weights, transform, crs = cells
        return Raster(weights, transform.to_gdal() if hasattr(transform, "to_gdal") else transform, crs)
    raise TypeError(f"cells: {type(cells).__name__}, expected the name of a raster, a dataset of rasterio, an xarray.DataArray or "
                    "(weights, transform, crs)")


# --- areas ---


def _names(areas, name_field):
    if name_field is not None:
        if name_field not in areas.columns:
            raise ValueError(f"name_field: {name_field!r}, expected a column of the areas: {list(areas.columns)}")
        field, found = name_field, areas[name_field]
    else:
        field, found = names_of(areas.drop(columns=areas.geometry.name))
    if found is None:
        raise ValueError(f"name_field: none, expected the column that names the areas, one of {list(areas.columns)}")
    names = [text_of(name) for name in found]
    if "" in names:
        raise ValueError(f"areas: row {names.index('')}, {'the index' if field is None else f'column {field!r}'} is empty, expected a name")
    return names


class _Moved:
    """Rings in the raster's system. Edges that are straight in one system are not in another, so that long ones are cut into pieces of
    about one cell."""

    def __init__(self, areas, raster):
        pyproj = _needs("pyproj", "areas")
        if areas.crs is None:
            raise ValueError("areas: no coordinate reference system, expected one: areas.set_crs(...)")
        self.raster = raster
        self.move = None
        if pyproj.CRS(areas.crs) != raster.crs:
            self.move = pyproj.Transformer.from_crs(areas.crs, raster.crs, always_xy=True)

    def transformed(self, points):
        out = np.column_stack(self.move.transform(points[:, 0], points[:, 1]))
        if not np.isfinite(out).all():
            raise ValueError("areas: coordinates that the raster's system does not reach, expected a raster of the same region")
        return out

    def __call__(self, points):
        points = np.asarray(points, float)[:, :2]
        if self.move is None:
            return points
        steps = np.linalg.norm(np.diff(self.raster.in_cells(self.transformed(points)), axis=0), axis=1)
        pieces = np.clip(np.ceil(steps), 1, 64).astype(int)
        cut = [a + (b - a) * (np.arange(n) / n)[:, None] for a, b, n in zip(points[:-1], points[1:], pieces)]
        return self.transformed(np.vstack([*cut, points[-1:]]))


def _rings(shape, name, moved):
    if shape is None or shape.is_empty:
        return []
    if not shape.is_valid:
        shape = shape.buffer(0)
    if shape.geom_type not in ("Polygon", "MultiPolygon"):
        raise ValueError(f"areas: {name} is a {shape.geom_type}, expected polygons")
    out = []
    for polygon in getattr(shape, "geoms", [shape]):
        out.append((moved(polygon.exterior.coords), False))
        out.extend((moved(ring.coords), True) for ring in polygon.interiors)
    return out


def map_spec(areas, cells, *, name_field=None, coarsen=1, kernel=None, noise_sd=None, mean=None, policy=None, value=None, budget=None,
             stop=None, fit=None, goal="maximize", seed=0, name="", answers=None, exposure=None, link=None, dispersion=None):
    """(text of the spec, files) of a study over the cells of a raster that is asked by areas."""
    if not hasattr(areas, "geometry") or not hasattr(areas, "crs"):
        raise TypeError(f"areas: {type(areas).__name__}, expected a GeoDataFrame")
    if cells is None:
        raise ValueError("cells: none, expected a raster of weights, such as population")
    raster = raster_of(cells)
    block = whole_number(coarsen, "coarsen")
    if block < 1:
        raise ValueError(f"coarsen: {block}, expected 1 or more")
    names = _names(areas, name_field)
    fields = [column for column in areas.columns if column not in (areas.geometry.name, name_field)]
    moved = _Moved(areas, raster)
    rows = [[text_of(item) for item in row] for row in areas[fields].to_numpy(dtype=object)]  # an empty list each, if the names are all there is
    listed = [(each, _rings(shape, each, moved), row) for each, shape, row in zip(names, areas.geometry, rows)]
    reached = [raster.in_cells(points) for _, rings, _ in listed for points, _ in rings]
    if not reached:
        raise ValueError("areas: none has a shape, expected polygons")
    every = np.vstack(reached)
    weights, transform = raster.part(every.min(axis=0), every.max(axis=0), block)
    degrees = raster.crs.is_geographic
    about = {"block": block, "system": raster.crs.to_wkt(), "degrees": degrees,
             "unit_km": 1.0 if degrees else raster.crs.axis_info[0].unit_conversion_factor / 1000, "source": f"areas and {raster.source}",
             "name": name or f"areas and {raster.source}", "minimize": goal == "minimize",
             "counts": answers not in (None, "gaussian"), "value": value if isinstance(value, str) else "value"}
    text, files, notes = _iqbo.studies._study_of_map(listed, [str(field) for field in fields], weights, transform, about)
    for note in notes:
        warnings.warn(f"iqbo.Study: {note}", stacklevel=4)
    spec = json.loads(_iqbo.studies._current_spec(text))
    given = {"goal": goal, "seed": whole_number(seed, "seed"), "noise_sd": noise_sd, "answers": answers, "exposure": exposure, "link": link,
             "dispersion": dispersion, "kernel": None if kernel is None else kernel_spec(kernel),
             "mean": None if mean is None else mean_spec(mean), "policy": None if policy is None else policy_spec(policy)}
    spec.update({key: item for key, item in given.items() if item is not None})
    spec.update(optional_keys(value, budget, stop, fit))
    return spec_text(spec), files


# --- out again ---


def _ranks(values, ascending):
    ordered = np.sort(values)
    if ascending:
        return np.searchsorted(ordered, values, "left") + 1
    return len(values) - np.searchsorted(ordered, values, "right") + 1


def _points(study, of):
    """(points as predictions take them, names, name of the column of names)"""
    if of not in ("inputs", "queries"):
        raise ValueError(f"of: {of!r}, expected 'inputs' or 'queries'")
    spec, core = study.spec, study._core
    part = spec["targets" if of == "inputs" else "queries"]
    listed = part["kind"] == "points"
    if listed:
        names = core.target_ids if of == "inputs" else core.query_ids
        points = np.asarray(core.targets if of == "inputs" else core.queries)
    else:
        if of == "queries" and part["kind"] == "box" and not part.get("tree"):
            raise ValueError("of: 'queries', expected 'inputs': there are infinitely many queries")
        shown = study.snapshot().x if of == "inputs" else study.snapshot().a
        points, names = np.asarray(shown.points), list(shown.names)
        names = names if len(names) == len(points) else [""] * len(points)
    exposure = spec.get("exposure")
    if of == "queries" and isinstance(exposure, dict) and exposure.get("choices"):
        points = np.column_stack([points, np.full(len(points), float(exposure["choices"][0]))])
    return points, names, part.get("id") or "name"


def _shape(rings):
    from shapely.geometry import MultiPolygon, Polygon
    from shapely.ops import unary_union

    polygons = []
    for points, hole in rings:
        if hole and polygons:
            polygons[-1][1].append(points)
        else:
            polygons.append((points, []))
    made = [Polygon(outer, holes) for outer, holes in polygons]
    out = MultiPolygon(made)
    return out if out.is_valid else unary_union(made)


def geodataframe(study, of="inputs", *, above=None, among=None, crs=None):
    """The estimates of inputs or queries, with their shapes: a GeoDataFrame."""
    geopandas = _needs("geopandas", "to_geodataframe")
    points, names, id_name = _points(study, of)
    queries = of == "queries"
    belief = study.predict_g(points) if queries else study.predict_f(points)
    columns = {id_name: names, "mean": belief.mean, "sd": belief.sd, "low": belief.low, "high": belief.high,
               "rank": _ranks(np.asarray(belief.mean), study.spec["goal"] == "minimize")}
    if above is not None or among is not None:
        count = 1 if among is None else whole_number(among, "among")
        chances = study.chances(**{"a" if queries else "x": points}, above=None if above is None else one_number(above, "above"), among=count)
        if above is not None:
            columns["above"] = chances.above
        columns["best"], columns["among"] = chances.best, chances.among
    system, polygons, at = study._core.map_shapes(points, names, queries, "" if crs is None else str(crs))
    geometry = [_shape(rings) for rings in polygons] if polygons else geopandas.points_from_xy(*np.asarray(at).T)
    return geopandas.GeoDataFrame(columns, geometry=geometry, crs=system or None)


def draw(study, column="mean", of="inputs", *, ax=None, above=None, among=None, crs=None, **style):
    """Draws a column of `geodataframe` on a map; returns the axes."""
    from iqbo import _draw

    table = geodataframe(study, of, above=above, among=among, crs=crs)
    if column not in table.columns or column == "geometry":
        raise ValueError(f"column: {column!r}, expected one of {[name for name in table.columns if name != 'geometry']}")
    ax = _draw.axes(ax)
    label = study.spec["value"].get("name") or "f"
    words = {"mean": f"mean of {label}", "sd": f"sd of {label}", "above": f"P({label} > {above})", "best": "P(best)",
             "among": f"P(among the {among} best)"}
    table.plot(column=column, ax=ax, legend=True, **{"cmap": "cividis", "legend_kwds": {"label": words.get(column, column)}, **style})
    _outline(ax, study, crs)
    ax.set_aspect("equal")
    ax.set(xlabel="", ylabel="")
    return ax


def _outline(ax, study, crs):
    """The areas that were surveyed, with their borders; others thin."""
    try:
        areas = geodataframe(study, "queries", crs=crs)
    except ValueError:  # queries have no shapes
        return
    told = {trial.name for trial in study.trials if trial.state == "told"}
    names = areas.iloc[:, 0]
    for rows, width in ((areas[~names.isin(told)], 0.4), (areas[names.isin(told)], 1.4)):
        if len(rows):
            rows.boundary.plot(ax=ax, color="black", linewidth=width)

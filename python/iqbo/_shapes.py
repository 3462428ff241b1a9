"""The outlines of regions in the plane, from GeoJSON or from the points of bags."""
import json
import os
from collections import Counter

import numpy as np


class Region:
    """Filled polygons, each an outer ring and its holes; the outline; where to put the label."""

    def __init__(self, polygons, edges, middle):
        self.polygons, self.edges, self.middle = polygons, edges, middle


def of_geojson(shapes, id):
    """{name: Region} of Polygons and MultiPolygons, from a file name, text or dictionary."""
    if isinstance(shapes, (str, os.PathLike)):
        text = os.fspath(shapes)
        if not text.lstrip().startswith("{"):
            with open(text, encoding="utf-8") as file:
                text = file.read()
        shapes = json.loads(text)
    if not isinstance(shapes, dict) or not isinstance(shapes.get("features"), list):
        raise ValueError("shapes: no features, expected a GeoJSON FeatureCollection or a BagConditional")
    out = {}
    for number, feature in enumerate(shapes["features"]):
        properties = feature.get("properties") or {}
        if id is not None and id not in properties:
            raise ValueError(f"id: feature {number} has no property {id!r}, expected one of {sorted(properties)}")
        name = properties[id] if id is not None else feature.get("id", number)
        geometry = feature["geometry"]
        if geometry["type"] not in ("Polygon", "MultiPolygon"):
            raise ValueError(f"shapes: feature {number} is a {geometry['type']}, expected a Polygon or MultiPolygon")
        parts = [geometry["coordinates"]] if geometry["type"] == "Polygon" else geometry["coordinates"]
        polygons = [[_turned(np.asarray(ring, float)[:, :2], i == 0) for i, ring in enumerate(part)] for part in parts]
        largest = max((part[0] for part in polygons), key=lambda ring: _cross(ring).sum())
        out[name] = Region(polygons, [ring for part in polygons for ring in part], _centroid(largest))
    return out


def of_bags(bags):
    """{number: Region}: a tile around every point, as large as the spacing of the points."""
    points = np.asarray(bags.support)
    if points.shape[1] != 2:
        raise ValueError(f"shapes: points of {points.shape[1]} coordinates, expected two")
    spacing = _spacing(points)
    corners = spacing / 2 * np.array([[-1, -1], [1, -1], [1, 1], [-1, 1], [-1, -1]])
    rows = np.asarray(bags.rows)
    out = {}
    for number in range(len(bags.queries)):
        mine = points[rows[rows[:, 0] == number, 1].astype(int)]
        tiles = mine[:, None, :] + corners
        out[number] = Region([[tile] for tile in tiles], _outline(tiles, spacing), mine[_most_central(mine)])
    return out


def _spacing(points):
    """The steps of a grid, even one with gaps; for other points, the side of a square with the area per point."""
    steps = [np.diff(np.unique(points[:, j].round(9))) for j in (0, 1)]
    if all(len(step) for step in steps) and np.prod([len(step) + 1 for step in steps]) <= 4 * len(points):
        return np.array([np.median(step) for step in steps])  # most steps are not gaps
    area = np.prod(np.maximum(np.ptp(points, axis=0), 1e-300))
    return np.full(2, np.sqrt(area / len(points)))


def _outline(tiles, spacing):
    """The sides that only one tile has; corners are compared after rounding to a quarter of the spacing."""
    sides = np.concatenate([tiles[:, i:i + 2] for i in range(4)])
    keys = [tuple(sorted(map(tuple, side))) for side in np.rint(4 * sides / spacing).astype(int).tolist()]
    seen = Counter(keys)
    return [side for side, key in zip(sides, keys) if seen[key] == 1]


def _most_central(points):
    return np.argmin(((points - points.mean(axis=0)) ** 2).sum(axis=1))


def _cross(ring):
    x, y = ring.T
    return x[:-1] * y[1:] - x[1:] * y[:-1]


def _turned(ring, left):
    return ring if (_cross(ring).sum() > 0) == left else ring[::-1]


def _centroid(ring):
    cross = _cross(ring)
    if abs(cross.sum()) < 1e-300:
        return ring.mean(axis=0)
    return ((ring[:-1] + ring[1:]) * cross[:, None]).sum(axis=0) / (3 * cross.sum())

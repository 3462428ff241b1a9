#!/usr/bin/env python3
"""Makes the tables of the templates with real data anew: src/record/templates/carolina and tokyo.

template   package, data set     original source                                  licence of the package
carolina   r-cran-sf, nc         Symons, Grimson, Yuan 1983; Cressie 1991         GPL-2 or MIT (taken under MIT)
tokyo      libpysal, tokyo       Nakaya, Fotheringham, Brunsdon, Charlton 2005    BSD-3-Clause

  real_templates.py PACKAGES       PACKAGES: where ./dev fields unpacked them; needs geopandas (Debian: python3-geopandas)

Carolina: the counts of births and of sudden infant deaths are those of the package. Cells are squares of 15 km, and a county's
births are spread evenly over its area. Tokyo: observed and expected deaths of municipalities are those of the package; the regions
that can be asked are squares of 20 km, made here.
"""
import csv
import json
import math
import sys
from pathlib import Path

TEMPLATES = Path(__file__).parents[1] / "src/record/templates"
CELL = 15.0
REGION = 20.0


def write(path, header, rows):
    with open(path, "w", newline="") as file:
        out = csv.writer(file, lineterminator="\n")
        out.writerow(header)
        out.writerows(rows)


def carolina(packages):
    import geopandas
    from shapely.geometry import box, mapping

    counties = geopandas.read_file(next(packages.rglob("shape/nc.shp"))).to_crs("EPSG:32119").sort_values("NAME")
    counties.geometry = counties.geometry.scale(0.001, 0.001, origin=(0, 0))  # km
    out = TEMPLATES / "carolina"
    west, south, east, north = counties.total_bounds
    cells, members = {}, []
    for county in counties.itertuples():
        a, b, c, d = county.geometry.bounds
        for i in range(math.floor((a - west) / CELL), math.ceil((c - west) / CELL)):
            for j in range(math.floor((b - south) / CELL), math.ceil((d - south) / CELL)):
                square = box(west + CELL * i, south + CELL * j, west + CELL * (i + 1), south + CELL * (j + 1))
                births = county.BIR79 * county.geometry.intersection(square).area / county.geometry.area
                if births < 0.5:
                    continue
                cells[(j, i)] = (f"e{i}n{j}", round(west + CELL * (i + 0.5), 1), round(south + CELL * (j + 0.5), 1))
                members.append((county.NAME, f"e{i}n{j}", round(births, 1)))
    write(out / "cells.csv", ("cell", "east", "north"), (cells[key] for key in sorted(cells)))
    write(out / "members.csv", ("county", "cell", "births"), members)
    write(out / "counties.csv", ("county", "births"), ((c.NAME, int(c.BIR79)) for c in counties.itertuples()))
    write(out / "deaths_1974_1978.csv", ("county", "count", "exposure"),
          ((c.NAME, int(c.SID74), int(c.BIR74)) for c in counties.itertuples()))
    write(out / "deaths_1979_1984.csv", ("county", "count", "births"),
          ((c.NAME, int(c.SID79), int(c.BIR79)) for c in counties.itertuples()))

    def rounded(part):
        return [round(part[0], 1), round(part[1], 1)] if isinstance(part[0], float) else [rounded(each) for each in part]

    lines = []
    for county in counties.itertuples():
        shape = mapping(county.geometry.simplify(0.3))
        lines.append(json.dumps({"type": "Feature", "properties": {"county": county.NAME},
                                 "geometry": {"type": shape["type"], "coordinates": rounded(shape["coordinates"])}},
                                separators=(",", ":")))
    (out / "counties.geojson").write_text(
        '{"type":"FeatureCollection","features":[\n' + ",\n".join(lines) + "\n]}\n")


def tokyo(packages):
    with open(next(packages.rglob("examples/tokyo/Tokyomortality.csv")), newline="") as file:
        rows = list(csv.DictReader(file.read().splitlines()))
    out = TEMPLATES / "tokyo"
    places = []
    for number, row in enumerate(rows, 1):
        places.append((f"m{number}", round(float(row["X_CENTROID"]) / 1000, 3), round(float(row["Y_CENTROID"]) / 1000, 3),
                       int(float(row["db2564"])), round(float(row["eb2564"]), 2)))
    west, south = min(p[1] for p in places), min(p[2] for p in places)
    regions = {}
    for place in places:
        key = (int((place[1] - west) // REGION), int((place[2] - south) // REGION))
        regions.setdefault(f"e{key[0]}n{key[1]}", []).append(place)
    write(out / "municipalities.csv", ("municipality", "east", "north"), (p[:3] for p in places))
    write(out / "regions.csv", ("region", "municipalities", "expected"),
          ((name, len(group), round(sum(p[4] for p in group), 2)) for name, group in sorted(regions.items())))
    write(out / "members.csv", ("region", "municipality", "expected"),
          ((name, p[0], p[4]) for name, group in sorted(regions.items()) for p in group))
    write(out / "deaths.csv", ("region", "count", "expected"),
          ((name, sum(p[3] for p in group), round(sum(p[4] for p in group), 2)) for name, group in sorted(regions.items())))


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    carolina(Path(sys.argv[1]))
    tokyo(Path(sys.argv[1]))

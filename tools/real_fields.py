#!/usr/bin/env python3
"""Writes real fields as CSV files, for the studies: ./dev fields

Each field is a list of places in the plane with one value each, x and y in the same unit. The data come out of packages
that ./dev fields fetches by name with apt-get and pip; none of them is in this tree, and no R is needed to read them.

field              package, data set                       original source                                   licence of the package
rocky_mountains    r-cran-fields, RMelevation              PRISM: mean elevation of 4 km cells               GPL-2+
jura_lead          r-cran-gstat, jura                      Atteia, Dubois, Webster 1994; Goovaerts 1997      GPL-2+
tokyo_mortality    libpysal, tokyo                         Nakaya, Fotheringham, Brunsdon, Charlton 2005     BSD-3-Clause
jacksboro          python-matplotlib-data, jacksboro       U.S. Geological Survey: National Elevation Data   Python-like (matplotlib)
forest_slope       r-cran-spatstat.data, bei.extra         Hubbell, Condit, Foster: Barro Colorado Island    GPL-2+
swiss_rain         r-cran-gstat, sic97                     Dubois et al. 1998: rain of 8 May 1986            GPL-2+
boston_crime       r-cran-spdata, boston_tracts            Harrison, Rubinfeld 1978; Gilley, Pace 1996       CC0
german_radiation   r-cran-gstat, sic2004                   Dubois, Galmarini 2005; Federal Office BfS        GPL-2+
carolina_sids      r-cran-sf, nc                           Symons, Grimson, Yuan 1983; Cressie 1991          GPL-2 or MIT

  real_fields.py PACKAGES OUT [FIELD ...]     PACKAGES: where they were unpacked;  OUT: gets <field>.csv and index.json
  real_fields.py --list                       the fields, without reading anything

Columns of a CSV file: x, y, value and, for rates, weight: the population by which an average of places is weighted.
docs/real_fields.md says which fields may be looked at while settings are chosen. RESERVED data are refused: they are
kept to judge the library from outside.
"""
import argparse
import csv
import json
import math
import struct
import sys
import warnings
import zlib
from dataclasses import dataclass
from pathlib import Path

RESERVED = ("walker", "meuse", "nydata", "ny8", "volcano")
KM_PER_DEGREE = 111.32
FIELDS = {}


@dataclass(frozen=True)
class Field:
    title: str
    units: str  # of the values
    length: str  # of x and y
    package: str
    data: str  # files or objects of the package that are read
    source: str
    licence: str
    read: object  # of the folder of packages: rows (x, y, value) or (x, y, value, weight)


def field(**about):
    """Adds the function below it to FIELDS, under its name."""
    words = f"{about['data']} {about['title']}".lower()
    found = [name for name in RESERVED if name in words]
    if found:
        raise ValueError(f"{about['data']}: {found[0]} is reserved")

    def add(read):
        FIELDS[read.__name__] = Field(**about, read=read)
        return read

    return add


# ---- readers ----


def r_library(packages, name):
    return packages / "usr/lib/R/site-library" / name


def rda(path):
    """The objects of an .rda file."""
    import rdata

    return rdata.read_rda(path, default_encoding="latin-1")


def lazy_data(library, name):
    """An object of a package whose data are in one file, each a length in four bytes and a zlib stream."""
    import rdata

    begin, size = (int(number) for number in rdata.read_rds(library / "data/Rdata.rdx")["variables"][name])
    with open(library / "data/Rdata.rdb", "rb") as file:
        file.seek(begin)
        packed = file.read(size)
    raw = zlib.decompress(packed[4:])
    assert len(raw) == struct.unpack(">I", packed[:4])[0], name
    return rdata.conversion.convert(rdata.parser.parse_data(raw), default_encoding="latin-1")


def shapes(path):
    """(centroid of the bounding box, attributes) of each shape of a shapefile."""
    import shapefile

    with shapefile.Reader(str(path)) as reader:
        for each in reader.iterShapeRecords():
            left, bottom, right, top = each.shape.bbox
            yield ((left + right) / 2, (bottom + top) / 2), each.record.as_dict()


def projected(places):
    """Longitudes and latitudes in km from the southwest corner, with the width that a degree has in the middle."""
    places = list(places)
    west, south, north = min(lon for lon, _ in places), min(lat for _, lat in places), max(lat for _, lat in places)
    shrink = math.cos(math.radians((south + north) / 2))
    return [(KM_PER_DEGREE * shrink * (lon - west), KM_PER_DEGREE * (lat - south)) for lon, lat in places]


# ---- the fields ----


@field(title="Elevation of the Rocky Mountains", units="m", length="km", package="r-cran-fields", data="RMelevation",
       source="PRISM: mean elevation of 4 km cells", licence="GPL-2+")
def rocky_mountains(packages):
    grid = rda(r_library(packages, "fields") / "data/RMelevation.rda")["RMelevation"]
    cells = [(lon, lat, grid["z"][i, j]) for i, lon in enumerate(grid["x"]) for j, lat in enumerate(grid["y"])]
    return [(*place, cell[2]) for place, cell in zip(projected(cell[:2] for cell in cells), cells)]


@field(title="Lead in the topsoil of the Swiss Jura", units="mg/kg", length="km", package="r-cran-gstat", data="jura",
       source="Atteia, Dubois, Webster 1994; Goovaerts 1997", licence="GPL-2+")
def jura_lead(packages):
    tables = rda(r_library(packages, "gstat") / "data/jura.rda")
    return [row for name in ("jura.pred", "jura.val") for row in zip(*(tables[name][c] for c in ("Xloc", "Yloc", "Pb")))]


@field(title="Deaths at ages 25 to 64 over those expected, municipalities around Tokyo", units="ratio", length="km",
       package="libpysal", data="tokyo", source="Nakaya, Fotheringham, Brunsdon, Charlton 2005", licence="BSD-3-Clause")
def tokyo_mortality(packages):
    with open(packages / "libpysal/examples/tokyo/Tokyomortality.csv", newline="") as file:
        rows = list(csv.DictReader(file.read().splitlines()))
    return [(float(row["X_CENTROID"]) / 1000, float(row["Y_CENTROID"]) / 1000,
             float(row["db2564"]) / float(row["eb2564"]), float(row["eb2564"])) for row in rows]


@field(title="Elevation around the Jacksboro fault, Tennessee", units="m", length="km", package="python-matplotlib-data",
       data="jacksboro_fault_dem.npz", source="U.S. Geological Survey: National Elevation Data",
       licence="Python-like (matplotlib)")
def jacksboro(packages):
    """Means of 3 x 3 of its cells, so that a window of some 30 x 30 holds more than one slope."""
    import numpy as np

    dem = np.load(packages / "usr/share/matplotlib/mpl-data/sample_data/jacksboro_fault_dem.npz")
    wide, high = (3 * (size // 3) for size in dem["elevation"].shape)
    z = dem["elevation"][:wide, :high].reshape(wide // 3, 3, high // 3, 3).mean(axis=(1, 3))
    north = [float(dem["ymin"]) + 3 * (z.shape[0] - i - 0.5) * float(dem["dy"]) for i in range(z.shape[0])]
    east = [float(dem["xmin"]) + 3 * (j + 0.5) * float(dem["dx"]) for j in range(z.shape[1])]
    places = projected((lon, lat) for lat in north for lon in east)
    return [(*place, value) for place, value in zip(places, z.ravel())]


@field(title="Slope of 50 ha of forest on Barro Colorado Island", units="m/m", length="m", package="r-cran-spatstat.data",
       data="bei.extra", source="Hubbell, Condit, Foster: Barro Colorado Island", licence="GPL-2+")
def forest_slope(packages):
    image = lazy_data(r_library(packages, "spatstat.data"), "bei.extra")["grad"]
    return [(x, y, image["v"][j, i]) for i, x in enumerate(image["xcol"]) for j, y in enumerate(image["yrow"])]


@field(title="Rain in Switzerland on 8 May 1986", units="mm", length="km", package="r-cran-gstat", data="sic97",
       source="Dubois et al. 1998: rain of 8 May 1986", licence="GPL-2+")
def swiss_rain(packages):
    stations = rda(r_library(packages, "gstat") / "data/sic97.rda")["sic_full"]
    places = getattr(stations, "coords").values
    return [(x / 1000, y / 1000, rain / 10) for (x, y), rain in zip(places, stations.data["rainfall"])]


@field(title="Crime rate of the tracts of Boston", units="crimes per head, as published", length="km", package="r-cran-spdata",
       data="boston_tracts", source="Harrison, Rubinfeld 1978; Gilley, Pace 1996", licence="CC0")
def boston_crime(packages):
    tracts = list(shapes(r_library(packages, "spData") / "shapes/boston_tracts.shp"))
    places = projected(middle for middle, _ in tracts)
    return [(*place, about["CRIM"], about["POP"]) for place, (_, about) in zip(places, tracts) if about["POP"] > 0]


@field(title="Natural radioactivity in the southwest of Germany", units="nSv/h", length="km", package="r-cran-gstat",
       data="sic2004", source="Dubois, Galmarini 2005; Federal Office BfS", licence="GPL-2+")
def german_radiation(packages):
    tables = rda(r_library(packages, "gstat") / "data/sic2004.rda")
    return [(x / 1000, y / 1000, dose) for name in ("sic.val", "sic.test")
            for x, y, dose in zip(*(tables[name][c] for c in ("x", "y", "dayx")))]


@field(title="Sudden infant deaths in the counties of North Carolina, 1974 to 1984", units="per 1000 births", length="km",
       package="r-cran-sf", data="nc", source="Symons, Grimson, Yuan 1983; Cressie 1991", licence="GPL-2 or MIT")
def carolina_sids(packages):
    counties = list(shapes(r_library(packages, "sf") / "shape/nc.shp"))
    rows = []
    for place, (_, about) in zip(projected(middle for middle, _ in counties), counties):
        births = about["BIR74"] + about["BIR79"]
        rows.append((*place, 1000 * (about["SID74"] + about["SID79"]) / births, births))
    return rows


# ---- writing ----


def cleaned(rows):
    """Finite numbers only, each place once (the first of several)."""
    seen = {}
    for row in rows:
        numbers = tuple(float(number) for number in row)
        if all(math.isfinite(number) for number in numbers):
            seen.setdefault(numbers[:2], numbers)
    return list(seen.values())


def write(name, packages, out):
    rows = cleaned(FIELDS[name].read(packages))
    if len(rows) < 50 or len({row[2] for row in rows}) < 10:
        raise ValueError(f"{name}: {len(rows)} places are too few, or their values too much alike")
    with open(out / f"{name}.csv", "w", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(("x", "y", "value", "weight")[: len(rows[0])])
        writer.writerows([f"{number:.9g}" for number in row] for row in rows)
    about = FIELDS[name]
    return {"title": about.title, "units": about.units, "length": about.length, "places": len(rows),
            "package": about.package, "data": about.data, "source": about.source, "licence": about.licence}


def main(arguments):
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--list", action="store_true", help="name the fields and their packages")
    parser.add_argument("packages", nargs="?", type=Path)
    parser.add_argument("out", nargs="?", type=Path)
    parser.add_argument("field", nargs="*", help="which; all if none is named")
    given = parser.parse_args(arguments)
    if given.list:
        for name, about in FIELDS.items():
            print(f"{name}: {about.title} ({about.package}, {about.licence})")
        return 0
    if given.out is None:
        parser.error("PACKAGES and OUT are needed, or --list")
    for name in given.field:
        if any(word in name.lower() for word in RESERVED):
            parser.error(f"'{name}' is reserved and never read")
        if name not in FIELDS:
            parser.error(f"no field '{name}'; there are {', '.join(FIELDS)}")
    warnings.simplefilter("ignore")  # of rdata, which reads R's classes that it does not know as plain lists
    given.out.mkdir(parents=True, exist_ok=True)
    index_file = given.out / "index.json"
    index = json.loads(index_file.read_text()) if index_file.exists() else {}
    for name in given.field or FIELDS:
        index[name] = write(name, given.packages, given.out)
        print(f"{given.out / name}.csv: {index[name]['title']}, {index[name]['places']} places")
    index_file.write_text(json.dumps(index, indent=2) + "\n")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

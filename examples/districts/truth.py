"""What the demo's survey measures, and nobody knows: cases per 1000 at every pixel of the districts template."""
import csv
import math
from pathlib import Path


def rate(east, north):
    """A hot spot about as wide as a district (sd 2.4 km), and a broad warm region elsewhere.

    Averages cannot show what is much narrower than a district: with sd 1.6 km, 22 high, 30 surveys recommend the warm region.
    """
    hot = 20 * math.exp(-((east - 11) ** 2 + (north - 5) ** 2) / 12)
    warm = 10 * math.exp(-((east - 4) ** 2 + (north - 12) ** 2) / 30)
    return 2 + hot + warm


def pixels(folder):
    """{pixel: (east, north)}"""
    with open(Path(folder) / "pixels.csv", newline="") as file:
        return {row["pixel"]: (float(row["east"]), float(row["north"])) for row in csv.DictReader(file)}


def members(folder):
    """{district: [(pixel, population)]}"""
    out = {}
    with open(Path(folder) / "members.csv", newline="") as file:
        for row in csv.DictReader(file):
            out.setdefault(row["district"], []).append((row["pixel"], float(row["population"])))
    return out

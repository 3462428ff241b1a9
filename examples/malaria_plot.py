"""Draws what malaria wrote: malaria_plot.py DIR makes DIR/malaria.png."""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt


def columns(path):
    with open(path, newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def image(values, factor=1):
    side = round(len(values) ** 0.5)
    return [[factor * value for value in values[row * side:(row + 1) * side]] for row in range(side)]


def borders(axis, units):
    side = len(units)
    for row in range(side):
        for column in range(side):
            if column + 1 < side and units[row][column] != units[row][column + 1]:
                axis.plot([column + 1] * 2, [row, row + 1], color="white", lw=0.7)
            if row + 1 < side and units[row][column] != units[row + 1][column]:
                axis.plot([column, column + 1], [row + 1] * 2, color="white", lw=0.7)


def main(directory):
    pixels = columns(directory / "malaria_pixels.csv")
    visits = columns(directory / "malaria_visits.csv")
    units = image(pixels["unit"])
    side = len(units)
    cases, people, count = {}, {}, {}
    for unit, y, n in zip(visits["unit"], visits["cases"], visits["people"]):
        cases[unit] = cases.get(unit, 0) + y
        people[unit] = people.get(unit, 0) + n
        count[unit] = count.get(unit, 0) + 1
    counted = [[1000 * cases[unit] / people[unit] if unit in cases else float("nan") for unit in row] for row in units]
    figure, axes = plt.subplots(1, 4, figsize=(15.5, 4.1), constrained_layout=True)
    shown = {"extent": (0, side, 0, side), "origin": "lower", "cmap": "cividis"}
    top = 1000 * max(pixels["rate"])
    axes[0].imshow(image(pixels["people"]), **shown)
    axes[0].set_title("People per pixel, and the units", loc="left", fontsize=10)
    axes[1].imshow(image(pixels["rate"], 1000), vmin=0, vmax=top, **shown)
    axes[1].set_title("Cases per 1000 (hidden)", loc="left", fontsize=10)
    axes[2].set_facecolor("lightgrey")
    axes[2].imshow(counted, vmin=0, vmax=top, **shown)
    axes[2].set_title("What the visits counted; number of visits", loc="left", fontsize=10)
    for unit, visited in count.items():
        where = [(e, n) for e, n, u in zip(pixels["east"], pixels["north"], pixels["unit"]) if u == unit]
        axes[2].text(sum(e for e, _ in where) / len(where), sum(n for _, n in where) / len(where), visited, ha="center",
                     va="center", fontsize=8, color="white")
    last = axes[3].imshow(image(pixels["mean"], 1000), vmin=0, vmax=top, **shown)
    axes[3].set_title("Believed after the last visit", loc="left", fontsize=10)
    best = max(range(len(pixels["mean"])), key=pixels["mean"].__getitem__)
    axes[3].plot(pixels["east"][best], pixels["north"][best], "*", color="#d55e00", ms=13, label="recommended")
    axes[3].legend(loc="upper left", fontsize=8)
    figure.colorbar(last, ax=axes[3], shrink=0.8)
    for axis in axes:
        borders(axis, units)
        axis.set_xlabel("east, km")
    axes[0].set_ylabel("north, km")
    figure.savefig(directory / "malaria.png", dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: malaria_plot.py DIR    the folder that malaria wrote into")
    main(pathlib.Path(sys.argv[1]))

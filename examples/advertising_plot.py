"""Draws what advertising wrote: advertising_plot.py DIR makes DIR/advertising.png."""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

INTERESTS = 12


def columns(path):
    with open(path, newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def image(values):  # ages run slowest
    ages = len(values) // INTERESTS
    return [[100 * values[age * INTERESTS + interest] for age in range(ages)] for interest in range(INTERESTS)]


def main(directory):
    found = columns(directory / "advertising_segments.csv")
    waves = columns(directory / "advertising_waves.csv")
    figure, axes = plt.subplots(1, 3, figsize=(12.5, 4.2), constrained_layout=True)
    top = 100 * max(found["rate"])
    for axis, key, title in ((axes[0], "rate", "Click rate of each segment (hidden), %"),
                             (axes[1], "mean", "What is believed after the last wave, %")):
        shown = axis.imshow(image(found[key]), origin="lower", cmap="cividis", vmin=0, vmax=top, aspect="auto")
        axis.set_title(title, loc="left", fontsize=10)
        axis.set_xlabel("age band")
        axis.set_ylabel("interest")
    best = max(range(len(found["mean"])), key=found["mean"].__getitem__)
    axes[1].plot(found["age"][best], found["interest"][best], "*", color="#d55e00", ms=13, label="recommended")
    axes[1].legend(loc="upper left", fontsize=8)
    figure.colorbar(shown, ax=axes[1], shrink=0.85)
    rates = [100 * c / n for c, n in zip(waves["clicks"], waves["impressions"])]
    axes[2].scatter(waves["wave"], waves["placement"], c=rates, cmap="cividis", vmin=0, vmax=top, s=60, edgecolors="black", lw=0.4)
    axes[2].set_title("All that came back: a rate for each wave", loc="left", fontsize=10)
    axes[2].set_xlabel("wave")
    axes[2].set_ylabel("placement")
    figure.savefig(directory / "advertising.png", dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: advertising_plot.py DIR    the folder that advertising wrote into")
    main(pathlib.Path(sys.argv[1]))

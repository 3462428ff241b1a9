"""Draws what narrow_peak wrote: narrow_peak_plot.py DIR makes DIR/narrow_peak.png."""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TRUTH, QUERY, BELIEF = "#222222", "#d55e00", "#0072b2"  # colour-blind safe (Okabe and Ito)
TITLES = {
    "cjes": "Knows what a query touches (cjes): asks on both sides of the peak, and finds it",
    "ei": "Looks at averages only (expected improvement on g): stays on the hill",
}


def columns(path):
    with open(path, newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def draw(axes, directory, policy):
    curves = columns(directory / f"narrow_peak_{policy}.csv")
    queries = columns(directory / f"narrow_peak_{policy}_queries.csv")
    x, mean, sd = curves["x"], curves["mean"], curves["sd"]
    axes.fill_between(x, [m - 1.96 * s for m, s in zip(mean, sd)], [m + 1.96 * s for m, s in zip(mean, sd)],
                      color=BELIEF, alpha=0.2, lw=0, label="95 % interval")
    axes.plot(x, mean, color=BELIEF, lw=1.5, label="f, inferred")
    axes.plot(x, curves["f"], color=TRUTH, lw=1, ls=":", label="f (hidden)")
    axes.plot(queries["a"], queries["z"], "o", color=QUERY, ms=4, alpha=0.7, label="answers z, at the window's centre")
    best = max(range(len(mean)), key=mean.__getitem__)
    axes.annotate("recommended x", (x[best], mean[best]), xytext=(10, 6), textcoords="offset points", color=BELIEF)
    axes.set_title(TITLES[policy], loc="left", fontsize=10)
    axes.set_ylabel("value")
    axes.set_xlim(0, 1)
    axes.set_ylim(-0.4, 1.4)


def main(directory):
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(7.5, 5.4), sharex=True, constrained_layout=True)
    draw(top, directory, "cjes")
    draw(bottom, directory, "ei")
    top.legend(frameon=False, loc="upper left", ncols=2)
    bottom.set_xlabel("x  (answers: a, the centre of the window)")
    figure.savefig(directory / "narrow_peak.png", dpi=130)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: narrow_peak_plot.py DIR    the folder that narrow_peak wrote into")
    main(pathlib.Path(sys.argv[1]))

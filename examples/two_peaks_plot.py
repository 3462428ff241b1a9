"""Draws what two_peaks wrote: two_peaks_plot.py DIR makes DIR/two_peaks.png."""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

TRUTH, AVERAGE, BELIEF = "#222222", "#d55e00", "#0072b2"  # colour-blind safe (Okabe and Ito)


def columns(path):
    with open(path, newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def argmax(values):
    return max(range(len(values)), key=values.__getitem__)


def mark(axes, x, y, text, colour, offset):
    axes.plot([x], [y], "o", color=colour, ms=6, zorder=5)
    axes.annotate(text, (x, y), xytext=offset, textcoords="offset points", color=colour, va="center", fontsize=9)


def main(directory):
    curves, blocks = columns(directory / "curves.csv"), columns(directory / "blocks.csv")
    x, f, g, mean = curves["x"], curves["f"], curves["g"], curves["mean"]
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False})
    figure, (top, bottom) = plt.subplots(2, 1, figsize=(7.5, 5.4), sharex=True, sharey=True, constrained_layout=True)

    top.plot(x, f, color=TRUTH, lw=1.5, label="f (hidden)")
    top.plot(x, g, color=AVERAGE, lw=1.2, ls="--", label="g, block averages")
    top.hlines(blocks["z"], [a - w for a, w in zip(blocks["a"], blocks["half_width"])],
               [a + w for a, w in zip(blocks["a"], blocks["half_width"])], color=AVERAGE, lw=1, alpha=0.35)
    mark(top, x[argmax(f)], max(f), "maximum of f", TRUTH, (8, 4))
    mark(top, x[argmax(g)], max(g), "maximum of g", AVERAGE, (-28, 20))
    top.set_title("What can be asked: averages over blocks, whose best is not where f is best", loc="left", fontsize=10)
    top.legend(frameon=False, loc="upper left", bbox_to_anchor=(0.46, 1.0))

    bottom.fill_between(x, curves["low"], curves["high"], color=BELIEF, alpha=0.2, lw=0, label="95 % interval")
    bottom.plot(x, mean, color=BELIEF, lw=1.5, label="f, inferred")
    bottom.plot(x, f, color=TRUTH, lw=1, ls=":", label="f (hidden)")
    mark(bottom, x[argmax(mean)], max(mean), "recommended x", BELIEF, (8, 4))
    bottom.set_title("What iqbo infers from the averages alone", loc="left", fontsize=10)
    bottom.legend(frameon=False, loc="upper left", bbox_to_anchor=(0.46, 1.0))
    bottom.set_xlabel("x  (blocks: a, the middle of the block)")
    for axes in (top, bottom):
        axes.set_ylabel("value")
        axes.set_xlim(0, 1)
        axes.set_ylim(-0.15, 1.15)
    figure.savefig(directory / "two_peaks.png", dpi=130)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: two_peaks_plot.py DIR    the folder that two_peaks wrote into")
    main(pathlib.Path(sys.argv[1]))

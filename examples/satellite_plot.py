"""Draws what satellite wrote: satellite_plot.py DIR makes DIR/satellite.png."""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.patches as patches
import matplotlib.patheffects as effects
import matplotlib.pyplot as plt

SIDE = 32


def columns(path):
    with open(path, newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def image(values):  # the first coordinate runs slowest
    return [[values[i * SIDE + j] for i in range(SIDE)] for j in range(SIDE)]


def draw(axes, values, title):
    shown = axes.imshow(image(values), origin="lower", extent=(0, SIDE, 0, SIDE), cmap="cividis", vmin=0, vmax=1)
    axes.set_title(title, loc="left", fontsize=10)
    axes.set_xticks([])
    axes.set_yticks([])
    return shown


def main(directory):
    field = columns(directory / "satellite_field.csv")
    tiles = columns(directory / "satellite_tiles.csv")
    figure, (left, right) = plt.subplots(1, 2, figsize=(9.2, 4.6), constrained_layout=True)
    draw(left, field["f"], "The field (hidden), and the tiles bought, in order")
    corners = [("left", "top"), ("right", "top"), ("left", "bottom"), ("right", "bottom"), ("left", "top")]
    edge = [effects.withStroke(linewidth=1.5, foreground="black")]
    pixels = {}
    for step, level, x, y, w, h in zip(*(tiles[key] for key in ("step", "level", "x", "y", "half_width_x", "half_width_y"))):
        left.add_patch(patches.Rectangle((x - w, y - h), 2 * w, 2 * h, fill=False, ec="white", lw=0.5 + 0.09 * w))
        if level >= len(corners):
            pixels.setdefault((x, y), []).append(f"{step:.0f}")  # a pixel may be bought again
            continue
        across, up = corners[int(level)]  # each level has its corner, so that numbers do not meet
        left.text(x - 0.9 * w if across == "left" else x + 0.9 * w, y + 0.9 * h if up == "top" else y - 0.9 * h,
                  f"{step:.0f}", color="white", ha=across, va=up, fontsize=8 - 0.5 * level, path_effects=edge)
    for (x, y), steps in pixels.items():
        left.annotate(", ".join(steps), (x, y), xytext=(26, 0), textcoords="offset points", color="white", fontsize=7,
                      va="center", path_effects=edge, arrowprops={"arrowstyle": "-", "color": "white", "lw": 0.6})
    shown = draw(right, field["mean"], "What is believed at the end")
    hottest = max(range(len(field["f"])), key=field["f"].__getitem__)
    best = max(range(len(field["mean"])), key=field["mean"].__getitem__)
    right.plot(field["x"][best], field["y"][best], "*", color="#d55e00", ms=13, label="recommended")
    right.plot(field["x"][hottest], field["y"][hottest], "o", mfc="none", mec="white", ms=13, label="hottest (hidden)")
    right.legend(loc="upper right", fontsize=8)
    figure.colorbar(shown, ax=right, shrink=0.85)
    figure.savefig(directory / "satellite.png", dpi=130)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: satellite_plot.py DIR    the folder that satellite wrote into")
    main(pathlib.Path(sys.argv[1]))

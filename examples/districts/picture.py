#!/usr/bin/env python3
"""picture.py <folder> <iqbo>: what the study in <folder> believes beside the truth, as <folder>/../districts.png."""
import json
import subprocess
import sys
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

from truth import members, pixels, rate  # noqa: E402


def exported(iqbo, study, *words):
    return subprocess.run([iqbo, "export", "--study", study, *words], check=True, capture_output=True, text=True).stdout


def main(folder, iqbo):
    study = str(folder / "study.db")
    places = pixels(folder)
    snapshot = json.loads(exported(iqbo, study, "--what", "snapshot"))
    trials = [json.loads(line) for line in exported(iqbo, study, "--json").splitlines()]
    asked = {}
    for trial in trials:
        asked[trial["name"]] = asked.get(trial["name"], 0) + 1
    truth = {pixel: rate(*at) for pixel, at in places.items()}
    top = max(truth, key=truth.get)
    best = snapshot["best"]
    print(f"truth: the largest rate is {truth[top]:.4g} at {top} (east {places[top][0]:g} km, north {places[top][1]:g} km)")
    inside = best["low"] <= truth[best["name"]] <= best["high"]
    print(f"  at the recommended {best['name']} it is {truth[best['name']]:.4g}, "
          f"{'inside' if inside else 'OUTSIDE'} the interval from {best['low']:.4g} to {best['high']:.4g}")

    side = 1 + int(max(east for east, _ in places.values()))
    rows = {pixel: int(north) for pixel, (_, north) in places.items()}
    columns = {pixel: int(east) for pixel, (east, _) in places.items()}
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.3), layout="constrained")
    believed = dict(zip(snapshot["x"]["names"], snapshot["x"]["mean"]))
    surveyed = {pixel: asked.get(d, 0) for d, people in members(folder).items() for pixel, _ in people}
    panels = (("truth, which nobody sees", truth, "inferno"), (f"believed after {len(trials)} surveys", believed, "inferno"),
              ("how often each district was surveyed", surveyed, "Blues"))
    for axis, (title, values, colours) in zip(axes, panels):
        grid = [[0.0] * side for _ in range(side)]
        for pixel, value in values.items():
            grid[rows[pixel]][columns[pixel]] = value
        limits = {"vmin": 0, "vmax": max(truth.values())} if colours == "inferno" else {}
        figure.colorbar(axis.imshow(grid, origin="lower", cmap=colours, **limits), ax=axis, shrink=0.8)
        axis.plot(*places[best["name"]], "o", mfc="none", mec="cyan", ms=12, mew=2, label="recommended")
        axis.plot(*places[top], "x", color="lime", ms=8, mew=2, label="true maximum")
        axis.set(title=title, xlabel="east (km)", ylabel="north (km)")
    axes[0].legend(loc="lower left")
    figure.savefig(folder.parent / "districts.png", dpi=110)


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])

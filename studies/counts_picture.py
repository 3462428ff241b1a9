#!/usr/bin/env python3
"""Draws why counts need their likelihood: one line of towns, the same cases told twice.

    studies/counts_picture.py build/dev/apps/cli/iqbo docs/pictures/counts.png

Above, rates with the sd that people make up, sqrt(max(cases, 1)) / people; below, the cases themselves. Both are fitted by iqbo.
"""
import json
import math
import random
import subprocess
import sys
import tempfile
from pathlib import Path

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

CELLS = 60
SEED = 5


def rate(x):
    """Cases per 1,000 people."""
    return 0.6 + 9.0 * math.exp(-(((x - 41) / 2.6) ** 2)) + 2.2 * math.exp(-(((x - 14) / 6.0) ** 2))


def poisson(mean):
    """By counting exponential waiting times."""
    total, count = random.expovariate(1.0), 0
    while total < mean:
        total += random.expovariate(1.0)
        count += 1
    return count


def district(begin, size, people):
    cells = range(begin, begin + size)
    total = sum(people[x] for x in cells)
    cases = poisson(sum(people[x] * rate(x) / 1000 for x in cells))
    return {"cells": list(cells), "people": total, "cases": cases}


def world():
    random.seed(SEED)
    people = [random.randint(120, 420) for _ in range(CELLS)]
    districts = []
    begin = 0
    while begin < CELLS:
        size = min(random.randint(2, 4), CELLS - begin)
        districts.append(district(begin, size, people))
        begin += size
    return people, districts


def write(path, header, rows):
    path.write_text("\n".join(",".join(str(each) for each in row) for row in [header, *rows]) + "\n")


def predicted(program, folder, people, districts, counts):
    """Rows of f along the line: mean, low, high, per 1,000."""
    write(folder / "cells.csv", ["cell", "x"], [[f"c{x}", x] for x in range(CELLS)])
    write(folder / "districts.csv", ["district", "name"], [[f"d{i}", f"district {i}"] for i in range(len(districts))])
    write(folder / "members.csv", ["district", "cell", "people"],
          [[f"d{i}", f"c{x}", people[x]] for i, each in enumerate(districts) for x in each["cells"]])
    spec = {"version": 2, "seed": 1, "value": {"name": "incidence", "unit": "cases per 1,000"},
            "targets": {"kind": "points", "points": "cells.csv", "id": "cell", "coordinates": ["x"]},
            "queries": {"kind": "points", "points": "districts.csv", "id": "district"},
            "conditional": {"kind": "bags", "bags": "members.csv", "point": "cell", "weight": "people"}}
    if counts:
        spec["answers"] = "poisson"
        spec["value"]["per"] = 1000
        write(folder / "told.csv", ["district", "cases", "population"],
              [[f"d{i}", each["cases"], each["people"]] for i, each in enumerate(districts)])
    else:
        write(folder / "told.csv", ["district", "value", "noise_sd"],
              [[f"d{i}", 1000 * each["cases"] / each["people"],
                1000 * math.sqrt(max(each["cases"], 1)) / each["people"]] for i, each in enumerate(districts)])
        spec["link"] = "identity"
    (folder / "study.json").write_text(json.dumps(spec))

    def run(*arguments):
        done = subprocess.run([program, *arguments], cwd=folder, capture_output=True, text=True)
        if done.returncode:
            raise SystemExit(done.stderr)
        return done.stdout

    run("new", "study.json", "--study", "study.db")
    run("import", "--study", "study.db", "--observations", "told.csv")
    lines = run("predict", "--study", "study.db", "--inputs", "cells.csv", "--json").splitlines()
    return [json.loads(line) for line in lines]


def draw(axes, districts, rows, title):
    x = list(range(CELLS))
    axes.fill_between(x, [row["low"] for row in rows], [row["high"] for row in rows], color="#9ecae1", lw=0,
                      label="95 % interval of the rate")
    axes.plot(x, [row["mean"] for row in rows], color="#1f77b4", label="expected rate")
    axes.plot(x, [rate(each) for each in x], color="#d62728", ls="--", lw=1.3, label="true rate")
    for i, each in enumerate(districts):
        ends = [each["cells"][0] - 0.45, each["cells"][-1] + 0.45]
        axes.plot(ends, [1000 * each["cases"] / each["people"]] * 2, color="black", lw=2.2,
                  label="counted in a district" if i == 0 else None)
        if each["cases"] == 0:
            axes.annotate("0", (sum(ends) / 2, 0), xytext=(0, 4), textcoords="offset points", ha="center", fontsize=8)
    held = sum(row["low"] <= rate(at) <= row["high"] for at, row in zip(x, rows))
    below = sum(row["low"] < 0 for row in rows)
    axes.axhline(0, color="#444444", lw=0.8)
    axes.set_title(f"{title}: {held} of {CELLS} intervals hold" + (f", {below} reach below 0" if below else ""), fontsize=10)
    axes.set_ylabel("cases per 1,000")
    print(f"{title}: {held} of {CELLS} hold, {below} below 0, highest mean {max(row['mean'] for row in rows):.2f}")


def main():
    if len(sys.argv) != 3:
        raise SystemExit(__doc__)
    people, districts = world()
    figure, axes = plt.subplots(2, 1, figsize=(8.6, 6.4), sharex=True, sharey=True)
    for one, counts, title in zip(axes, [False, True], ["rates with a made-up sd", "counts"]):
        with tempfile.TemporaryDirectory() as folder:
            rows = predicted(str(Path(sys.argv[1]).resolve()), Path(folder), people, districts, counts)
        draw(one, districts, rows, title)
    axes[0].legend(fontsize=8, loc="upper left")
    axes[1].set_xlabel("cell")
    figure.tight_layout()
    figure.savefig(sys.argv[2], dpi=120)


if __name__ == "__main__":
    main()

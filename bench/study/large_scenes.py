#!/usr/bin/env python3
"""Large scenes: what a person waits for, and the memory it takes, by size and kind of query, beside the bars.

    bench/study/large_scenes.py build/dev/apps/cli/iqbo [--only tree,districts,blocks,...] [--sizes 64,128,256,512,708]

Everything is fitted and the policy is `auto`, unless a row says otherwise. A study is told `--answers` answers of a known
field with noise; then `ask` is measured with a fit that is due and without one, and `best`, `predict`, `report` after it.
Processor seconds of all threads of one process, its start and the reading of the study included; memory is the largest
resident set. `best`, `predict` and `report` should take at most twice an ask without a fit.
"""
import argparse
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
from pathlib import Path

FITS = [2, 3, 4, 5, 7, 9, 12, 16, 22, 30, 42]  # numbers of answers at which a fit is due


def field(u, v):
    return math.sin(5 * u) + math.cos(4 * v) + 2 * math.exp(-((u - 0.7) ** 2 + (v - 0.3) ** 2) / 0.02)


class Program:
    def __init__(self, path):
        self.path = os.path.abspath(path)

    def __call__(self, *words, limit=900):
        """Standard output, processor seconds and peak megabytes of one run."""
        out = tempfile.TemporaryFile("w+")
        process = subprocess.Popen([self.path, *map(str, words)], stdout=out, stderr=subprocess.STDOUT,
                                   preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_CPU, (limit, limit)))
        _, status, used = os.wait4(process.pid, 0)
        out.seek(0)
        text = out.read()
        if status != 0:
            raise RuntimeError(f"iqbo {' '.join(map(str, words))}: status {status}: {text[-400:]}")
        return text, used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def pixels(folder, side, holes):
    with open(folder / "pixels.csv", "w") as table:
        table.write("pixel,east,north\n")
        for i in range(side):
            for j in range(side):
                if not holes or math.hypot(i - 0.1 * side, j - 0.9 * side) > 0.25 * side:
                    table.write(f"p{i}_{j},{i},{j}\n")
    return {"kind": "points", "points": "pixels.csv", "id": "pixel", "coordinates": ["east", "north"],
            "units": ["km", "km"]}


def tree(folder, side, args):
    levels = int(math.log2(side)) + 1 if args.levels == 0 else args.levels
    return {"version": 2, "targets": pixels(folder, side, args.holes),
            "queries": {"kind": "cells", "tree": {"levels": min(levels, 7)}}, "conditional": {"kind": "cells"}}


def districts(folder, side, args):
    target = pixels(folder, side, args.holes)
    count = 32
    names = [f"d{a}_{b}" for a in range(count) for b in range(count)]
    (folder / "districts.csv").write_text("district\n" + "\n".join(names) + "\n")
    rng = random.Random(1)
    shift = [rng.uniform(-0.4, 0.4) for _ in range(count)]  # borders that are no rectangles
    with open(folder / "bags.csv", "w") as table:
        table.write("district,pixel\n")
        for i in range(side):
            for j in range(side):
                if args.holes and math.hypot(i - 0.1 * side, j - 0.9 * side) <= 0.25 * side:
                    continue
                a = min(count - 1, i * count // side)
                b = min(count - 1, max(0, int(j * count / side + (0 if args.rectangles else
                                                                shift[(i * 7 // side + a) % count]))))
                table.write(f"d{a}_{b},p{i}_{j}\n")
    used = set()
    with open(folder / "bags.csv") as table:
        next(table)
        for line in table:
            used.add(line.split(",")[0])
    (folder / "districts.csv").write_text("district\n" + "\n".join(n for n in names if n in used) + "\n")
    return {"version": 2, "targets": target,
            "queries": {"kind": "points", "points": "districts.csv", "id": "district"},
            "conditional": {"kind": "bags", "bags": "bags.csv", "query": "district", "point": "pixel"}}


def scattered(folder, side, args):
    """side x side points that lie on no lattice, in 1,024 districts."""
    rng = random.Random(1)
    count = 32
    with open(folder / "points.csv", "w") as table, open(folder / "bags.csv", "w") as bags:
        table.write("point,east,north\n")
        bags.write("district,point\n")
        used = set()
        for i in range(side * side):
            east, north = rng.random(), rng.random()
            table.write(f"p{i},{side * east:.6f},{side * north:.6f}\n")
            name = f"d{int(count * east)}_{int(count * north)}"
            used.add(name)
            bags.write(f"{name},p{i}\n")
    (folder / "districts.csv").write_text("district\n" + "\n".join(sorted(used)) + "\n")
    return {"version": 2, "targets": {"kind": "points", "points": "points.csv", "id": "point",
                                      "coordinates": ["east", "north"], "units": ["km", "km"]},
            "queries": {"kind": "points", "points": "districts.csv", "id": "district"},
            "conditional": {"kind": "bags", "bags": "bags.csv", "query": "district", "point": "point"}}


def blocks(folder, _, args):
    """19,500 cells (150 x 130) and 3,745 overlapping blocks of 12 x 12."""
    target = {"kind": "points", "points": "pixels.csv", "id": "pixel", "coordinates": ["east", "north"],
              "units": ["km", "km"]}
    corners = [(i, j) for i in range(0, 139, 2) for j in range(0, 119, 2)]
    corners += [(i, j) for i in range(1, 139, 2) for j in range(1, 119, 2)]
    corners = corners[:3745]
    with open(folder / "pixels.csv", "w") as table:
        table.write("pixel,east,north\n" + "".join(f"p{i}_{j},{i},{j}\n" for i in range(150) for j in range(130)))
    (folder / "blocks.csv").write_text("block\n" + "".join(f"b{i}_{j}\n" for i, j in corners))
    with open(folder / "bags.csv", "w") as table:
        table.write("block,pixel\n")
        for i, j in corners:
            for di in range(12):
                for dj in range(12):
                    table.write(f"b{i}_{j},p{i + di}_{j + dj}\n")
    return {"version": 2, "targets": target, "queries": {"kind": "points", "points": "blocks.csv", "id": "block"},
            "conditional": {"kind": "bags", "bags": "bags.csv", "query": "block", "point": "pixel"}}


def box_tree(folder, side, args):
    axes = [{"name": name, "from": 0, "to": 1} for name in ("east", "north")]
    return {"version": 2, "targets": {"kind": "box", "axes": [{**axis, "grid": side} for axis in axes]},
            "queries": {"kind": "box", "axes": axes,
                      "tree": {"levels": 7, "resolutions": [0.5 ** (l + 1) for l in range(7)]}},
            "conditional": {"kind": "uniform", "width": "resolution"},
            "kernel": {"family": "matern32", "lengthscale": 0.2, "variance": 1}, "noise_sd": 0.1}


def queries(folder, side, args):
    """side x side listed queries, windows on a grid of 32 x 32 inputs."""
    axes = [{"name": name, "from": 0, "to": 1} for name in ("east", "north")]
    return {"version": 2, "targets": {"kind": "box", "axes": [{**axis, "grid": 32} for axis in axes]},
            "queries": {"kind": "box", "axes": [{**axis, "grid": side} for axis in axes]},
            "conditional": {"kind": "gaussian", "width": 0.05}}


def listed(folder, side, args):
    """side x side listed queries, each with three weighted pixels of 64 x 64 in one long table."""
    target = pixels(folder, 64, False)
    rng = random.Random(1)
    with open(folder / "queries.csv", "w") as names, open(folder / "bags.csv", "w") as table:
        names.write("query\n")
        table.write("query,pixel,weight\n")
        for k in range(side * side):
            i, j = rng.randrange(63), rng.randrange(63)
            names.write(f"q{k}\n")
            table.write("".join(f"q{k},p{i + di}_{j + dj},{rng.randint(1, 99) / 100}\n"
                                for di, dj in ((0, 0), (0, 1), (1, 0))))
    return {"version": 2, "targets": target, "queries": {"kind": "points", "points": "queries.csv", "id": "query"},
            "conditional": {"kind": "bags", "bags": "bags.csv", "query": "query", "point": "pixel", "weight": "weight"}}


def targets(folder, side, args):
    """side x side inputs and two queries, each the average over one half of them."""
    axes = [{"name": name, "from": 0, "to": 1, "grid": side} for name in ("east", "north")]
    (folder / "halves.csv").write_text("half,east,north\nwest,0.25,0.5\neast,0.75,0.5\n")
    return {"version": 2, "targets": {"kind": "box", "axes": axes},
            "queries": {"kind": "points", "points": "halves.csv", "id": "half", "coordinates": ["east", "north"]},
            "conditional": {"kind": "uniform", "width": [0.25, 0.5]}}


KINDS = {"tree": tree, "districts": districts, "scattered": scattered, "blocks": blocks, "box": box_tree, "queries": queries, "listed": listed,
         "targets": targets}

# seconds with a refit, without one, megabytes
BARS = {("tree", 64): (0.5, 0.1, None), ("tree", 256): (5, 0.5, 1500), ("tree", 512): (20, 2, 4000),
        ("tree", 708): (60, 6, 8000), ("blocks", 0): (5, 0.05, 1000), ("queries", 1000): (30, 3, 4000),
        ("listed", 1000): (30, 3, 4000)}
TIMES = 2  # an ask: the bar of best, predict and report
BARS.update({("districts", side): BARS["tree", side] for side in (64, 256, 512, 708)})


def verdict(value, bar):
    return "" if bar is None else f" (bar {bar:g}{'' if value <= bar else ', MISSED'})"


def answer(rng, question):
    """The value of the field in the middle of what is asked, roughly: what counts here is time."""
    at = [float(each) for each in question.get("centre", [0.5, 0.5])]
    return field(*(at + [0.5, 0.5])[:2]) + rng.gauss(0, 0.05)


def centre_of(trial, side):
    query, name = trial.get("query", {}), str(trial.get("name", ""))
    if name[:1] in ("d", "b") and "_" in name:
        a, b = name[1:].split("_")
        return [float(a) / 32, float(b) / 32] if name[0] == "d" else [float(a) / 150, float(b) / 130]
    if "east" in query:
        scale = max(1, side - 1) if max(query["east"], query["north"]) > 1 else 1
        return [query["east"] / scale, query["north"] / scale]
    return [0.5, 0.5]


def measure(iqbo, kind, side, args):
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        spec = KINDS[kind](folder, side, args)
        if args.kernel:
            spec.update(kernel={"family": args.kernel, "lengthscale": 0.1 * max(side, 100), "variance": 1}, noise_sd=0.1)
        (folder / "study.json").write_text(json.dumps(spec))
        study = folder / "study.db"
        _, new, new_mb = iqbo("new", folder / "study.json", "--study", study)
        rng = random.Random(2)
        asked = {"fit": [], "plain": []}
        for count in range(args.answers + 1):
            text, seconds, megabytes = iqbo("ask", "--study", study, "--json")
            trials = json.loads(text)
            trials = trials.get("trials", [trials]) if isinstance(trials, dict) else trials
            if args.trace:
                print(f"    ask after {count}: {seconds:.2f} s, {megabytes:.0f} MB {trials[0].get('reason', '')}", flush=True)
            if count >= 5:
                asked["fit" if count in FITS else "plain"].append((seconds, megabytes))
            if count < args.answers:
                z = answer(rng, {"centre": centre_of(trials[0], side)})
                iqbo("tell", trials[0]["number"] if "number" in trials[0] else trials[0]["trial"], repr(z), "--study", study)
        _, best, best_mb = iqbo("best", "--study", study)
        _, predict, predict_mb = iqbo("predict", "--study", study, "--top", 3)
        _, report, report_mb = iqbo("report", "--study", study, "--out", folder / "report.html")
        bars = BARS.get((kind, side), (None, None, None))
        worst = {key: max((s for s, _ in values), default=math.nan) for key, values in asked.items()}
        memory = max([new_mb, best_mb, predict_mb, report_mb] + [m for values in asked.values() for _, m in values])
        asks = TIMES * worst["plain"]
        print(f"{kind:10} {side:5}  new {new:6.2f} s  ask with a fit {worst['fit']:7.2f} s{verdict(worst['fit'], bars[0])}"
              f"  without {worst['plain']:7.2f} s{verdict(worst['plain'], bars[1])}  best {best:6.2f} s{verdict(best, asks)}"
              f"  predict {predict:6.2f} s{verdict(predict, asks)}  report {report:6.2f} s{verdict(report, asks)}"
              f"  {memory:6.0f} MB{verdict(memory, bars[2])}", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("program")
    parser.add_argument("--only", default="tree,districts,blocks")
    parser.add_argument("--sizes", default="64,128,256,512,708")
    parser.add_argument("--answers", type=int, default=17)
    parser.add_argument("--levels", type=int, default=0)
    parser.add_argument("--kernel", default="", help="a family: given, not fitted")
    parser.add_argument("--holes", action="store_true", help="leave a disc of pixels out")
    parser.add_argument("--rectangles", action="store_true", help="districts that are rectangles")
    parser.add_argument("--trace", action="store_true", help="a line for every ask")
    args = parser.parse_args()
    iqbo = Program(args.program)
    for kind in args.only.split(","):
        for side in [0] if kind == "blocks" else [int(side) for side in args.sizes.split(",")]:
            try:
                measure(iqbo, kind, side, args)
            except RuntimeError as error:
                print(f"{kind:10} {side:5}  FAILED: {error}", flush=True)


if __name__ == "__main__":
    sys.exit(main())

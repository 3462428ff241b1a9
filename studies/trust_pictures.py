#!/usr/bin/env python3
"""Draws what `./dev study trust --csv FILE` wrote, and prints it family by family.

    studies/trust_pictures.py coverage OUT.png FILE.csv...    95 % intervals: how many hold, and how wide they are
    studies/trust_pictures.py regret OUT.png FILE.csv...      policies against the default, paired by seeds
"""
import bisect
import csv
import itertools
import math
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

FLOOR = 0.001  # of the range of f
NAMES = {"default": "default", "point": "one point fit"}
COLOURS = ["#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#7f7f7f", "#8c564b"]


def read(files):
    """{(family, real): {variant: {seed: row}}}, families in the order of the files."""
    out = {}
    for name in files:
        with open(name, newline="") as file:
            for row in csv.DictReader(file):
                family = out.setdefault((row["family"], row["real"] == "1"), {})
                family.setdefault(row["variant"], {})[int(row["seed"])] = row
    return out


def median(values):
    values = sorted(values)
    half = len(values) // 2
    return values[half] if len(values) % 2 else 0.5 * (values[half - 1] + values[half])


def jeffreys(hits, runs, steps=20000):
    """Quantiles of Beta(hits + 1/2, runs - hits + 1/2), by sums over a grid."""
    grid = [(i + 0.5) / steps for i in range(steps)]
    logs = [(hits - 0.5) * math.log(p) + (runs - hits - 0.5) * math.log1p(-p) for p in grid]
    most = max(logs)
    below = list(itertools.accumulate(math.exp(each - most) for each in logs))
    low, high = (grid[bisect.bisect_left(below, share * below[-1])] for share in (0.025, 0.975))
    return (0.0 if hits == 0 else low), (1.0 if hits == runs else high)


def mean_and_error(values):
    mean = sum(values) / len(values)
    return mean, math.sqrt(sum((v - mean) ** 2 for v in values) / max(1, len(values) - 1) / len(values))


def labels(families):
    return [name + (" *" if real else "") for name, real in families]


def finish(figure, axes, families, out):
    axes[0].set_yticks(range(len(families)), labels(families))
    axes[0].invert_yaxis()
    for each in axes:
        each.grid(axis="x", alpha=0.3)
    figure.tight_layout()
    figure.savefig(out, dpi=130)


def coverage(out, families):
    figure, axes = plt.subplots(1, 2, figsize=(9, 0.36 * len(families) + 1.3), sharey=True, width_ratios=[2, 1])
    axes[0].axvspan(0.88, 0.99, color="#cccccc", alpha=0.5, lw=0)
    print("| family | runs | covers | one point fit covers | median width / one point fit |\n|---|---|---|---|---|")
    for y, (key, variants) in enumerate(families.items()):
        cells = []
        for k, variant in enumerate(["default", "point"]):
            rows = list(variants.get(variant, {}).values())
            if not rows:
                cells.append("")
                continue
            hits = sum(row["covered"] == "1" for row in rows)
            low, high = jeffreys(hits, len(rows))
            at = y + (0.14 if k else -0.14)
            axes[0].plot([low, high], [at, at], color=COLOURS[k], lw=1.5)
            axes[0].plot(hits / len(rows), at, "o", color=COLOURS[k], label=NAMES[variant] if y == 0 else None)
            cells.append(f"{hits / len(rows):.2f} [{low:.2f}, {high:.2f}]")
        default, point = variants.get("default", {}), variants.get("point", {})
        both = sorted(set(default) & set(point))
        ratio = ""
        if both:
            wide = median([float(default[s]["width"]) for s in both]) / median([float(point[s]["width"]) for s in both])
            axes[1].plot(wide, y, "o", color=COLOURS[0])
            ratio = f"{wide:.2f}"
        print(f"| {labels([key])[0]} | {len(default)} | {cells[0]} | {cells[1]} | {ratio} |")
    axes[0].set_xlim(0.3, 1.01)
    axes[0].set_xlabel("share of 95 % intervals that hold f (with its 95 % interval)")
    axes[0].legend(loc="lower left", fontsize=8)
    axes[1].axvline(1.6, color="#888888", lw=1, ls="--")
    axes[1].set_xlabel("width / one point fit")
    finish(figure, axes, list(families), out)


def regret(out, families):
    figure, one = plt.subplots(figsize=(8, 0.5 * len(families) + 1.3))
    variants = [v for v in dict.fromkeys(v for each in families.values() for v in each) if v != "default"]
    print("| family | runs | default | " + " | ".join(variants) + " |\n|---|---|---|" + "---|" * len(variants))
    for y, (key, of) in enumerate(families.items()):
        logs = {v: {s: math.log10(max(float(r["regret"]), FLOOR)) for s, r in rows.items()} for v, rows in of.items()}
        cells = ["%.2f +- %.2f" % mean_and_error(list(logs["default"].values()))]
        for k, variant in enumerate(variants):
            both = sorted(set(logs["default"]) & set(logs.get(variant, {})))
            if not both:
                cells.append("")
                continue
            mean, error = mean_and_error([logs[variant][s] - logs["default"][s] for s in both])
            at = y + 0.12 * (k - 0.5 * (len(variants) - 1))
            one.plot([mean - 1.96 * error, mean + 1.96 * error], [at, at], color=COLOURS[k], lw=1.5)
            one.plot(mean, at, "o", ms=4, color=COLOURS[k], label=variant if y == 0 else None)
            cells.append(f"{mean:+.2f} +- {error:.2f}")
        print(f"| {labels([key])[0]} | {len(logs['default'])} | " + " | ".join(cells) + " |")
    one.axvline(0.0, color="#444444", lw=1)
    one.axvline(-0.1, color="#888888", lw=1, ls="--")
    one.set_xlabel("log10 regret minus that of the default (right of 0: worse than the default)")
    one.legend(fontsize=8)
    finish(figure, [one], list(families), out)


def main():
    kinds = {"coverage": coverage, "regret": regret}
    if len(sys.argv) < 4 or sys.argv[1] not in kinds:
        raise SystemExit(__doc__)
    kinds[sys.argv[1]](sys.argv[2], read(sys.argv[3:]))


if __name__ == "__main__":
    main()

"""Draws what dose_trial wrote: dose_trial_plot.py DIR makes DIR/dose_trial.png."""

import csv
import pathlib
import sys

import matplotlib

matplotlib.use("Agg")
import matplotlib.pyplot as plt

CLINICS = ("lower doses", "skips doses", "weak kidneys")
COLOURS = ("#0072b2", "#e69f00", "#009e73")


def columns(path):
    with open(path, newline="") as file:
        rows = [{key: float(value) for key, value in row.items()} for row in csv.DictReader(file)]
    return {key: [row[key] for row in rows] for key in rows[0]}


def of_clinic(table, clinic, *keys):
    return [[value for value, where in zip(table[key], table["clinic"]) if where == clinic] for key in keys]


def main(directory):
    curve = columns(directory / "dose_trial_curve.csv")
    months = columns(directory / "dose_trial_months.csv")
    pairs = columns(directory / "dose_trial_pairs.csv")
    months["rate"] = [100 * y / n for y, n in zip(months["recovered"], months["patients"])]
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), constrained_layout=True)
    for clinic, (name, colour) in enumerate(zip(CLINICS, COLOURS)):
        axes[0].scatter(*of_clinic(pairs, clinic, "prescribed", "taken"), s=12, color=colour, label=name)
        axes[1].scatter(*of_clinic(months, clinic, "prescribed", "rate"), s=45, color=colour, edgecolors="black",
                        lw=0.4, label=name)
    axes[0].plot([0, 120], [0, 120], color="grey", lw=0.8)
    axes[0].set_title("Logged: what was taken of what was prescribed", loc="left", fontsize=10)
    axes[0].set_xlabel("prescribed, mg")
    axes[0].set_ylabel("taken, mg")
    axes[0].legend(loc="upper left", fontsize=8)
    axes[1].set_title("What came back: % recovered, by prescription", loc="left", fontsize=10)
    axes[1].set_xlabel("prescribed, mg")
    axes[1].set_xlim(axes[0].get_xlim())
    low = [100 * max(0, m - 1.96 * s) for m, s in zip(curve["mean"], curve["sd"])]
    high = [100 * min(1, m + 1.96 * s) for m, s in zip(curve["mean"], curve["sd"])]
    axes[2].fill_between(curve["dose"], low, high, color="#0072b2", alpha=0.2, lw=0, label="believed, 95 %")
    axes[2].plot(curve["dose"], [100 * m for m in curve["mean"]], color="#0072b2")
    axes[2].plot(curve["dose"], [100 * r for r in curve["rate"]], "k--", lw=1, label="truth (hidden)")
    best = max(range(len(curve["mean"])), key=curve["mean"].__getitem__)
    axes[2].plot(curve["dose"][best], 100 * curve["mean"][best], "*", color="#d55e00", ms=13, label="recommended")
    axes[2].set_title("Recovery by the dose that is taken, %", loc="left", fontsize=10)
    axes[2].set_xlabel("taken, mg")
    axes[2].legend(loc="upper left", fontsize=8)
    axes[1].set_ylim(axes[2].get_ylim())
    figure.savefig(directory / "dose_trial.png", dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: dose_trial_plot.py DIR    the folder that dose_trial wrote into")
    main(pathlib.Path(sys.argv[1]))

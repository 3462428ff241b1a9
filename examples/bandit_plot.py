"""Draws what bandit wrote: bandit_plot.py DIR makes DIR/bandit.png."""

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


def main(directory):
    days = columns(directory / "bandit_days.csv")
    arms = columns(directory / "bandit_arms.csv")
    log = columns(directory / "bandit_log.csv")
    articles, pages = int(max(log["article"])), int(max(log["page"]))
    shown = [log["shown"][page * articles:(page + 1) * articles] for page in range(pages)]
    shares = [[100 * value / sum(row) for value in row] for row in shown]
    figure, axes = plt.subplots(1, 3, figsize=(13, 4.2), constrained_layout=True)
    image = axes[0].imshow(shares, origin="lower", cmap="cividis", vmin=0, aspect="auto",
                           extent=(0.5, articles + 0.5, 0.5, pages + 0.5))
    figure.colorbar(image, ax=axes[0], shrink=0.85)
    axes[0].set_title("Who shows what: share of impressions, %", loc="left", fontsize=10)
    axes[0].set_xlabel("article")
    axes[0].set_ylabel("entry page")
    axes[1].scatter(days["day"], days["page"], c=days["minutes"], cmap="cividis", s=60, edgecolors="black", lw=0.4)
    axes[1].set_title("What came back: mean minutes of a page", loc="left", fontsize=10)
    axes[1].set_xlabel("day")
    axes[1].set_ylabel("entry page")
    figure.colorbar(axes[1].collections[0], ax=axes[1], shrink=0.85)
    axes[2].errorbar(arms["article"], arms["mean"], yerr=[1.96 * sd for sd in arms["sd"]], fmt="o", color="#0072b2",
                     capsize=3, label="believed, 95 %")
    axes[2].plot(arms["article"], arms["minutes"], "_", color="black", ms=14, label="truth (hidden)")
    best = max(range(articles), key=arms["mean"].__getitem__)
    axes[2].plot(arms["article"][best], arms["mean"][best], "*", color="#d55e00", ms=13, label="recommended")
    axes[2].set_title("Minutes read, by article", loc="left", fontsize=10)
    axes[2].set_xlabel("article")
    axes[2].legend(loc="upper left", fontsize=8)
    figure.savefig(directory / "bandit.png", dpi=110)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit("usage: bandit_plot.py DIR    the folder that bandit wrote into")
    main(pathlib.Path(sys.argv[1]))

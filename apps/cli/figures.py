"""Draws the figures of `iqbo paper` and `iqbo bench` from the CSV files in a folder: python3 figures.py DIR

NAME.curves.csv and NAME.panels.csv make NAME.svg and NAME.png; so do fig1.arms.csv, fig2.csv and fig5.csv.
Exit code 3: there is no matplotlib.
"""

import csv
import pathlib
import sys

try:
    import matplotlib
except ImportError:
    sys.exit(3)

matplotlib.use("Agg")
import matplotlib.pyplot as plt

# Okabe and Ito: the colour-blind can tell them apart. In print, marks and dashes do that.
BLUE, ORANGE, GREEN, PURPLE, RED, SKY = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"
BLACK, GREY = "#000000", "#888888"
STYLES = {  # colour, mark
    "cmes": (BLUE, "o"), "cmets": (BLUE, "o"), "mes": (ORANGE, "s"), "mfmes": (ORANGE, "s"), "ucb": (GREEN, "^"),
    "ei": (PURPLE, "v"), "ckg": (RED, "D"), "cjes": (SKY, "P"), "auto": (BLACK, "*"), "random": (GREY, ""),
    "max-variance": (GREY, "x"),
}
OTHERS = [(BLUE, "o"), (ORANGE, "s"), (GREEN, "^"), (PURPLE, "v"), (RED, "D"), (SKY, "P"), (BLACK, "*"), (GREY, "x")]
UNNAMED = ("random", "max-variance", "auto", "thompson")


def rows(path):
    with open(path, newline="") as file:
        return list(csv.DictReader(file))


def label(policy, axis):
    name, _, pairs = policy.partition(":")
    name, on_tree = (name[:-5], True) if name.endswith("-tree") else (name, name in ("cmets", "mfmes"))
    text = name if name in UNNAMED else name.upper()
    if axis == "cost":
        text += " (tree)" if on_tree else " (leaves)"
    return text + (", p learned by auto" if pairs else "")


def style(policy, number, axis):
    name = policy.partition(":")[0].removesuffix("-tree")
    colour, mark = STYLES.get(name, OTHERS[number % len(OTHERS)])
    leaves = axis == "cost" and name in ("cmes", "mes", "ucb", "ei")
    dash = ":" if name == "random" else "-." if name == "max-variance" else "--" if leaves or ":" in policy else "-"
    if ":" in policy and name in ("cmes", "cmets"):  # the figure also has it with the paper's p(x|a)
        mark, dash = ">", "-."
    return {"color": colour, "marker": mark, "ls": dash, "ms": 5 if mark != "*" else 8, "mfc": "white" if leaves else colour,
            "lw": 2.0 if name in ("cmes", "cmets") else 1.2}


def wanted(curves, axis):
    """The two policies that get a band: with all of them nothing could be seen."""
    names = list(dict.fromkeys(row["policy"] for row in curves))
    pair = [name for name in (("cmets", "cmes") if axis == "cost" else ("cmes", "mes")) if name in names]
    return pair if len(pair) == 2 else names[:2]


def limits(axes, values):
    low, high = min(values), max(values)
    room = (high / low) ** 0.08
    axes.set_ylim(low / room, high * room)


def draw_panel(axes, curves, panel, regret):
    axis, seen = panel["axis"], []
    policies = list(dict.fromkeys(row["policy"] for row in curves))
    for i, policy in enumerate(policies):
        mine = [row for row in curves if row["policy"] == policy and row["regret"] == regret]
        at = [float(row["at"]) for row in mine]
        mean = [float(row["mean"]) for row in mine]
        look = style(policy, i, axis)
        every = max(1, len(at) // 10)
        axes.plot(at, mean, label=label(policy, axis), markevery=(i % every, every), zorder=3, **look)
        if policy in wanted(curves, axis) and all(row["low"] for row in mine):
            axes.fill_between(at, [float(row["low"]) for row in mine], [float(row["high"]) for row in mine],
                              color=look["color"], alpha=0.15, lw=0)
        seen += mean
    floor = panel[regret + "_floor"]
    if floor and float(floor) > min(seen) / 30:
        axes.axhline(float(floor), color=BLACK, lw=0.8, ls=(0, (1, 2)), zorder=1)
        axes.annotate("floor: no policy can go below", (0.99, float(floor)), xycoords=("axes fraction", "data"),
                      xytext=(0, -2), textcoords="offset points", fontsize=7, ha="right", va="top")
        seen.append(float(floor))
    axes.set_yscale("log")
    limits(axes, seen)
    axes.set_xlabel("cost spent" if axis == "cost" else "answers")
    axes.set_title(panel["title"], loc="left", fontsize=9)
    axes.set_ylabel(regret + " regret")
    axes.yaxis.set_major_formatter(matplotlib.ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_minor_formatter(matplotlib.ticker.NullFormatter())
    axes.yaxis.set_major_locator(matplotlib.ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    axes.grid(axis="y", color="#dddddd", lw=0.5)


def draw_regrets(folder, name):
    curves, panels = rows(folder / f"{name}.curves.csv"), rows(folder / f"{name}.panels.csv")
    height = 3.1 * len(panels) + 1.0
    figure, grid = plt.subplots(len(panels), 2, figsize=(9, height), squeeze=False, constrained_layout=True)
    figure.get_layout_engine().set(rect=(0, 0.7 / height, 1, 1 - 0.7 / height))  # below: the legend
    for i, panel in enumerate(panels):
        for j, regret in enumerate(("simple", "instant")):
            mine = [row for row in curves if row["problem"] == panel["problem"]]
            draw_panel(grid[i][j], mine, panel, regret)
    handles, labels = grid[0][0].get_legend_handles_labels()
    figure.legend(handles, labels, loc="lower center", ncols=4, frameon=False, fontsize=8, handlelength=3)
    banded = " and ".join(label(policy, panels[0]["axis"]) for policy in wanted(curves, panels[0]["axis"]))
    figure.suptitle(f"Geometric mean of the regret over {panels[0]['seeds']} paired seeds; bands: 95 % intervals of {banded}",
                    fontsize=10)
    save(figure, folder, name)


def draw_bandit(folder):
    arms, contexts = rows(folder / "fig1.arms.csv"), rows(folder / "fig1.contexts.csv")
    figure, (left, right) = plt.subplots(1, 2, figsize=(9, 3.4), constrained_layout=True, width_ratios=(1, 1.6))
    best = max(arms, key=lambda row: float(row["reward"]))["arm"]
    left.bar([row["arm"] for row in arms], [float(row["reward"]) for row in arms],
             color=[BLUE if row["arm"] == best else "#bbbbbb" for row in arms])
    left.set(xlabel="arm x", ylabel="mean reward f(x), hidden", ylim=(0, 1))
    left.set_title("What is sought: the best arm", loc="left", fontsize=9)
    names = list(dict.fromkeys(row["context"] for row in contexts))
    bottom = [0.0] * len(names)
    shades = ["#222222", BLUE, SKY, GREEN, ORANGE, PURPLE, RED]
    hatches = ["", "//", "..", "xx", "\\\\", "--", "++"]
    for i, arm in enumerate(row["arm"] for row in arms):
        share = [float(row["probability"]) for row in contexts if row["arm"] == arm]
        right.bar(names, share, bottom=bottom, color=shades[i], hatch=hatches[i], edgecolor="white", label=f"arm {arm}")
        bottom = [low + add for low, add in zip(bottom, share)]
    for j, context in enumerate(names):
        average = next(float(row["average"]) for row in contexts if row["context"] == context)
        right.annotate(f"g = {average:.2f}", (j, 1.01), ha="center", va="bottom", fontsize=8)
    right.set(xlabel="context a", ylabel="p(x given a)", ylim=(0, 1.12))
    right.set_title("What can be asked: contexts, which show averages g over arms", loc="left", fontsize=9)
    right.legend(frameon=False, fontsize=8, loc="center left", bbox_to_anchor=(1.0, 0.5))
    save(figure, folder, "fig1.example")


def draw_resolutions(folder):
    table = rows(folder / "fig2.csv")
    x = [float(row["x"]) for row in table]
    figure, axes = plt.subplots(figsize=(7.5, 3.6), constrained_layout=True)
    looks = [(BLACK, "-", 2.2)] + [(GREEN, ":", 1.5), (RED, "--", 1.5), (ORANGE, "-.", 1.3), (SKY, "-", 1.2)]
    for (name, (colour, dash, width)) in zip(list(table[0])[1:], looks):
        y = [float(row[name]) for row in table]
        text = "f" if name == "f" else f"g, δ = {float(name[6:]):.2g}"
        axes.plot(x, y, color=colour, ls=dash, lw=width, label=text)
        top = max(range(len(y)), key=y.__getitem__)
        axes.plot([x[top]], [y[top]], "o", color=colour, ms=7, mec="white", zorder=5)
    axes.set(xlabel="x, or the centre ξ of the window", ylabel="value", xlim=(x[0], x[-1]))
    axes.set_title("f and its averages through Gaussian windows of sd δ; dots: the maximum of each", loc="left", fontsize=9)
    axes.legend(frameon=False, fontsize=8)
    save(figure, folder, "fig2")


def draw_savings(folder):
    table = rows(folder / "fig5.csv")
    figure, axes = plt.subplots(figsize=(6, 3.6), constrained_layout=True)
    for d, (colour, dash) in enumerate([(BLUE, "-"), (ORANGE, "--"), (GREEN, "-."), (RED, ":"), (BLACK, "-")], 1):
        mine = [row for row in table if row["dimension"] == str(d)]
        t, saved = [float(row["t"]) for row in mine], [float(row["savings"]) for row in mine]
        axes.plot(t, saved, color=colour, ls=dash, lw=1.6)
        up = {1: 7, 2: -7}.get(d, 0)  # the two lowest lie close together
        axes.annotate(f"d = {d}", (t[-1], saved[-1]), xytext=(4, up), textcoords="offset points", va="center",
                      color=colour, fontsize=8)
    axes.set(xlabel="queries T", ylabel="saved: T - S(T), direct measurements cost 1", xlim=(0, 1080), ylim=(0, 1000))
    axes.set_title("What the printed schedule of window sizes saves", loc="left", fontsize=9)
    save(figure, folder, "fig5")


def save(figure, folder, name):
    figure.savefig(folder / f"{name}.svg", metadata={"Date": None})
    figure.savefig(folder / f"{name}.png", dpi=150)
    plt.close(figure)


def main(folder):
    plt.rcParams.update({"font.size": 9, "axes.spines.top": False, "axes.spines.right": False, "svg.hashsalt": "iqbo",
                         "svg.fonttype": "none", "xtick.labelsize": 8, "ytick.labelsize": 8})
    for path in sorted(folder.glob("*.curves.csv")):
        draw_regrets(folder, path.name.removesuffix(".curves.csv"))
    for name, draw in (("fig1.arms", draw_bandit), ("fig2", draw_resolutions), ("fig5", draw_savings)):
        if (folder / f"{name}.csv").exists():
            draw(folder)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    main(pathlib.Path(sys.argv[1]))

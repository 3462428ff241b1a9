"""How `iqbo.plot` draws: bands, fields, patches. matplotlib is imported here, when something is drawn."""
import numpy as np

BLUE, ORANGE, GREEN, PURPLE, RED, SKY = "#0072b2", "#e69f00", "#009e73", "#cc79a7", "#d55e00", "#56b4e9"  # Okabe and Ito
BLACK, GREY = "#222222", "#888888"
LINES = [(BLUE, "o", "-"), (RED, "s", "--"), (GREEN, "^", "-."), (PURPLE, "v", "-"), (ORANGE, "D", "--"), (SKY, "P", "-."),
         (BLACK, "*", "-"), (GREY, "", ":")]
COLOURS = "cividis"


def axes(ax):
    if ax is not None:
        return ax
    try:
        import matplotlib.pyplot as plt
    except ImportError as error:
        raise ImportError("iqbo.plot needs matplotlib: apt-get install python3-matplotlib, or pip install iqbo[plot]") from error
    return plt.subplots(figsize=(6.4, 4.0), constrained_layout=True)[1]


def finish(ax, legend="inside"):
    """legend: "inside" if there is space; "above" a field, which leaves none."""
    ax.spines[["top", "right"]].set_visible(False)
    handles = ax.get_legend_handles_labels()[0] if legend else []
    if handles and legend == "above":
        ax.legend(loc="lower right", bbox_to_anchor=(1, 1), ncol=len(handles), frameon=False, fontsize=8, borderaxespad=0.1)
    elif handles:
        ax.legend(framealpha=0.8, edgecolor="none", fontsize=8)
    return ax


def band(ax, at, mean, sd, colour, letter, truth):
    ax, order = axes(ax), np.argsort(at, kind="stable")
    at, mean, sd = at[order], mean[order], sd[order]
    ax.fill_between(at, mean - 1.96 * sd, mean + 1.96 * sd, color=colour, alpha=0.2, lw=0, label=f"{letter}, 95 % interval")
    ax.plot(at, mean, color=colour, lw=1.8, label=f"{letter}, mean")
    if truth is not None:
        ax.plot(at, np.asarray(truth, float).ravel()[order], color=BLACK, lw=1.2, ls=":", label=f"{letter}, true")
    return ax


def field(ax, at, value, names, label, lines=None):
    """A colour for every point; lines of equal deviation over it where the points are a grid."""
    ax = axes(ax)
    axis, where = zip(*(np.unique(at[:, j], return_inverse=True) for j in (0, 1)))
    if len(axis[0]) * len(axis[1]) == len(at) and min(map(len, axis)) > 1:
        image = np.full((len(axis[1]), len(axis[0])), np.nan)
        image[where[1], where[0]] = value
        shown = ax.pcolormesh(*axis, image, cmap=COLOURS, shading="nearest", rasterized=True)
        if lines is not None and np.ptp(lines) > 1e-9 * np.max(np.abs(lines)):
            image[where[1], where[0]] = lines
            ax.clabel(ax.contour(*axis, image, levels=4, colors="white", linewidths=0.7), fontsize=7, fmt="sd %.2g")
        ax.set(xlim=ax.get_xlim(), ylim=ax.get_ylim())  # later drawing does not widen the limits
    else:
        shown = ax.scatter(*at.T, c=value, cmap=COLOURS, s=max(4.0, 6000.0 / len(at)), marker="s", lw=0)
    ax.figure.colorbar(shown, ax=ax, label=label)
    ax.set(xlabel=names[0], ylabel=names[1])
    return ax


def log_ticks(ax):
    from matplotlib import ticker

    ax.yaxis.set_major_locator(ticker.LogLocator(subs=(1.0, 2.0, 5.0)))
    ax.yaxis.set_major_formatter(ticker.FuncFormatter(lambda value, _: f"{value:g}"))
    ax.yaxis.set_minor_formatter(ticker.NullFormatter())
    ax.grid(axis="y", color="#dddddd", lw=0.5)


def mark(ax, at, label):
    ax.plot(*at, "*", color=RED, ms=13, mec="white", zorder=6, label=label, ls="none", clip_on=False)


def colours(ax, values, label):
    import matplotlib as mpl

    low, high = min(values), max(values)
    scale = mpl.cm.ScalarMappable(mpl.colors.Normalize(low, high if high > low else low + 1.0), mpl.colormaps[COLOURS])
    ax.figure.colorbar(scale, ax=ax, label=label)
    return scale.to_rgba


def rectangle(ax, low, width, **look):
    import matplotlib.patches as patches

    ax.add_patch(patches.Rectangle(low, *width, **look))


def region(ax, region, colour):
    from matplotlib.patches import PathPatch
    from matplotlib.path import Path

    rings = [Path(ring, closed=True) for polygon in region.polygons for ring in polygon]
    ax.add_patch(PathPatch(Path.make_compound_path(*rings), fc=colour, ec=colour, lw=0.4))


def edges(ax, region, **look):
    from matplotlib.collections import LineCollection

    ax.add_collection(LineCollection(region.edges, capstyle="round", **look))


def write(ax, at, text, size, ha="center", va="center"):
    import matplotlib.patheffects as effects

    ax.text(*at, text, ha=ha, va=va, fontsize=size, color="white", zorder=6, clip_on=True, linespacing=1.0,
            path_effects=[effects.withStroke(linewidth=1.6, foreground=BLACK)])

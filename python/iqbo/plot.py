"""Plots of what is believed, what was asked, and how well it went.

Every function draws on `ax`, or on new axes, and returns the axes: change labels, limits and titles there. Intervals are 95 %.
The colours can be told apart by the colour-blind (Okabe and Ito; cividis). matplotlib is imported when something is drawn.

>>> post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3, 0.7], [0.2, 1.0], 0.01)
>>> ax = iqbo.plot.f(post, np.linspace(0, 1, 101))
>>> ax.get_ylabel()
'f'
"""
from collections.abc import Mapping

import numpy as np

from iqbo import _curves, _draw, _shapes, conditionals, experiment, kernels, posteriors, spaces
from iqbo._draw import BLACK, BLUE, GREEN, LINES, ORANGE, RED
from iqbo._frames import coordinates, is_frame, points_of

__all__ = ["acquisition", "f", "footprint", "g", "regions", "regret", "tree"]

_MOST_LABELS = 60  # up to so many regions are labelled with their values


# --- f, g, and scores ---

def f(belief, x, *, ax=None, truth=None, queries=True, best=True):
    """f at x: its mean and interval (one coordinate), or its mean as colour and sd as lines (two).

    belief: a `Posterior`, `Ensemble`, `FiniteBelief`, `Policy` or `Study`. x: (n,), (n, 1) or (n, 2), a DataFrame, whose
    columns label the axes, or an `InputBox`. truth: f itself, (n,) or a function of x, where it is known. queries: draw what was
    asked, each answer over its footprint. best: mark the largest mean (the smallest, of a `Study` that minimises).

    >>> post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3], [1.0], 0.01)
    >>> ax = iqbo.plot.f(post, np.linspace(0, 1, 101), truth=np.sin)
    """
    belief = getattr(belief, "posterior", belief)
    x, names = _points(x, "x", belief)
    names, value = _words(belief, "targets", names, "f")
    mean, sd = _believed(belief, "f", x)
    truth = _truth(truth, x)
    queries = queries and (hasattr(belief, "conditional") or hasattr(belief, "spec"))
    smallest = hasattr(belief, "spec") and belief.spec["goal"] == "minimize"
    i, words = (np.argmin(mean), "smallest mean") if smallest else (np.argmax(mean), "largest mean")
    if x.shape[1] == 2:
        ax = _draw.field(ax, x, mean, names, f"mean of {value}", lines=sd)
        if queries:
            _footprints_2d(ax, belief)
        if best:
            _draw.mark(ax, x[i], words)
        return _draw.finish(ax, legend="above")
    ax = _draw.band(ax, x[:, 0], mean, sd, BLUE, "f", truth)
    if queries:
        _footprints_1d(ax, belief)
    if best:
        ax.plot(x[i, 0], mean[i], "*", color=RED, ms=12, mec="white", zorder=6, label=words)
    ax.set(xlabel=names[0], ylabel=value, xlim=(x.min(), x.max()))
    return _draw.finish(ax)


def g(belief, a, *, ax=None, truth=None, queries=True):
    """The averages g(a) = E[f(X) | a], as `plot.f` does for f, with the answers and their noise. belief: also a `PlainGp`.

    >>> post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3], [1.0], 0.01)
    >>> ax = iqbo.plot.g(post, np.linspace(0, 1, 101))
    """
    belief = getattr(belief, "posterior", belief)
    a, names = _points(a, "a", belief)
    names, value = _words(belief, "queries", names, "g")
    mean, sd = _believed(belief, "g", a)
    truth = _truth(truth, a)
    if a.shape[1] == 2:
        ax = _draw.field(ax, a, mean, names, f"mean of {value}", lines=sd)
        if queries and len(_asked(belief)[0]):
            at = _asked(belief)[0]
            ax.plot(at[:, 0], at[:, 1], "o", color="white", mec=BLACK, ms=5, label="asked")
        return _draw.finish(ax, legend="above")
    ax = _draw.band(ax, a[:, 0], mean, sd, RED, "g", truth)
    at, z, noise_sd = _asked(belief) if queries else ((), (), ())
    if len(at):
        ax.errorbar(at[:, 0], z, 1.96 * noise_sd, fmt="o", color=BLACK, ms=4, lw=1, capsize=2, zorder=5, label="answers")
    ax.set(xlabel=names[0], ylabel=value, xlim=(a.min(), a.max()))
    return _draw.finish(ax)


def acquisition(a, score, *, ax=None, label="score"):
    """The scores (n,) of queries a, (n, 1) or (n, 2), which may be -inf; the best is marked.

    >>> post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3], [1.0], 0.01)
    >>> a = np.linspace(0, 1, 101)
    >>> ax = iqbo.plot.acquisition(a, iqbo.acquisition.ucb(*post.g(a)), label="UCB")
    """
    a, names = _points(a, "a")
    score = np.asarray(score, float)
    if score.shape != (len(a),):
        raise ValueError(f"score: shape {score.shape}, expected shape ({len(a)},)")
    finite = np.isfinite(score)
    if not finite.any():
        raise ValueError("score: no finite number, expected at least one")
    shown = np.where(finite, score, np.nan)
    best = np.nanargmax(shown)
    if a.shape[1] == 2:
        ax = _draw.field(ax, a, shown, names, label)
        _draw.mark(ax, a[best], "ask next")
        return _draw.finish(ax, legend="above")
    ax, order = _draw.axes(ax), np.argsort(a[:, 0], kind="stable")
    line, low = shown[order], np.nanmin(shown)
    ax.plot(a[order, 0], line, color=GREEN, lw=1.6)
    ax.fill_between(a[order, 0], low, line, color=GREEN, alpha=0.2, lw=0)
    ax.axvline(a[best, 0], color=BLACK, lw=1, ls=":", label="ask next")
    ax.plot(a[best, 0], score[best], "v", color=BLACK, ms=7)
    ax.set(xlabel=names[0], ylabel=label, xlim=(a.min(), a.max()))
    return _draw.finish(ax)


# --- regret ---

def regret(results, *, ax=None, regret="simple", by="answers", least=1e-3, floor=None):
    """Regret of policies along the way: the geometric mean over seeds, with its 95 % interval (Student's, of log10).

    results: rows or a DataFrame with policy, seed, t and simple_regret or instant_regret (and cost, for by="cost"), as `run`
    and `bench` give them, of one problem; or {policy: (seeds, answers) array}. Regret below `least` counts as `least`.
    floor: a lower bound for every policy.

    >>> ax = iqbo.plot.regret({"cmes": [[1.0, 0.1], [0.5, 0.2]], "random": [[1.0, 0.9], [0.8, 0.8]]})
    """
    if by not in ("answers", "cost"):
        raise ValueError(f'by: "{by}", expected "answers" or "cost"')
    ax = _draw.axes(ax)
    for number, (policy, (at, values)) in enumerate(_curves.of(results, regret, by).items()):
        colour, mark, dash = LINES[number % len(LINES)]
        logs = np.log10(np.maximum(values, least))
        middle = logs.mean(axis=0)
        every = max(1, len(at) // 10)
        ax.plot(at, 10**middle, color=colour, marker=mark, ls=dash, ms=5, lw=1.5, markevery=(number % every, every),
                label=f"{policy}", zorder=3)
        if len(values) > 1:
            interval = [experiment.mean_interval(column) for column in logs.T]
            ax.fill_between(at, [10**i.low for i in interval], [10**i.high for i in interval], color=colour, alpha=0.15, lw=0)
    if floor is not None and floor > 0:
        ax.axhline(floor, color=BLACK, lw=0.8, ls=(0, (1, 2)), label="floor: no policy can go below")
    ax.set(yscale="log", xlabel="cost spent" if by == "cost" else "answers", ylabel=f"{regret} regret")
    _draw.log_ticks(ax)
    return _draw.finish(ax)


# --- regions ---

def regions(shapes, value, *, sd=None, ax=None, id=None, label="mean", asked=(), text=None):
    """Regions coloured by value, and labelled with value +- 1.96 sd where there are few (text=True: always; False: never).

    shapes: GeoJSON (a file name, text or dictionary), or a `BagConditional` of points in the plane. value and sd: one number for
    each region, in order, or {region: number}. id: the property that names a region. asked: regions to outline.

    >>> pixels = iqbo.InputBox([0, 0], [3, 3]).grid([4, 4])
    >>> districts = iqbo.BagConditional(pixels, [pixels[:, 0] < 2, pixels[:, 0] >= 2])
    >>> ax = iqbo.plot.regions(districts, [1.0, 2.0], sd=[0.1, 0.2], label="rate")
    """
    ax = _draw.axes(ax)
    found = _shapes.of_bags(shapes) if isinstance(shapes, conditionals.BagConditional) else _shapes.of_geojson(shapes, id)
    value = _by_name(value, found, "value")
    sd = _by_name(sd, found, "sd") if sd is not None else {}
    for name in asked:
        if name not in found:
            raise ValueError(f"asked: {name!r}, expected regions: {', '.join(map(repr, list(found)[:5]))}, ...")
    colours = _draw.colours(ax, list(value.values()), label)
    for name, region in found.items():
        _draw.region(ax, region, colours(value[name]))
        _draw.edges(ax, region, color="white", lw=0.8, zorder=2)
    for name in asked:
        _draw.edges(ax, found[name], color=RED, lw=2.2, zorder=4)
    if text or (text is None and len(found) <= _MOST_LABELS):
        for name, region in found.items():
            spread = f"\n± {1.96 * sd[name]:.2g}" if name in sd else ""
            _draw.write(ax, region.middle, f"{value[name]:.2g}{spread}", size=7)
    ax.set_aspect("equal")
    ax.autoscale_view()
    return _draw.finish(ax, legend=None)


# --- the tree ---

def tree(tree, belief=None, *, nodes=None, asked=(), ax=None):
    """The cells of a `QueryTree`, coloured by the mean of g under a belief; the cells that were asked are numbered.

    One coordinate: a row for each level, coarse above fine. Two: the finest cells that were opened, with the coarse ones' edges.
    asked: queries (n, d + 1) or nodes, in the order they were asked; nodes: those to draw; by default those that asking opened.

    >>> tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0, 0.0], [1.0, 1.0]), l_max=2)
    >>> ax = iqbo.plot.tree(tree, asked=[tree.root, tree.children(tree.root)[0]])
    """
    asked = list(asked) if len(asked) and isinstance(asked[0], spaces.Node) else tree.nodes(asked) if len(asked) else []
    nodes = list(dict.fromkeys(nodes if nodes is not None else _opened(tree, asked)))
    dimension = tree.dimension - 1
    if dimension > 2:
        raise ValueError(f"tree: cells of {dimension} coordinates, expected one or two")
    belief = getattr(belief, "posterior", belief)
    mean = _believed(belief, "g", tree.queries(nodes))[0] if belief is not None else np.zeros(len(nodes))
    ax = _draw.axes(ax)
    colours = _draw.colours(ax, mean, "mean of g") if belief is not None else lambda value: "#f4f4f4"
    for node, value in sorted(zip(nodes, mean), key=lambda cell: cell[0].level):
        thick = max(0.4, 2.2 - 0.4 * node.level) if dimension == 2 else 1.0
        _draw.rectangle(ax, *_extent(tree, node), fc=colours(value), ec="white", lw=thick, zorder=1 + 0.1 * node.level)
    for node in dict.fromkeys(asked):
        times = asked.count(node)
        _number(ax, tree, node, f"{asked.index(node) + 1}" + (f" ({times}×)" if times > 1 else ""))
    _tree_axes(ax, tree, nodes)
    return _draw.finish(ax, legend=None)


def _opened(tree, asked):
    """The nodes asked, their ancestors, and the children of both: together they cover the box."""
    opened = {tree.root}
    for node in asked:
        while node is not None and node not in opened:
            opened.add(node)
            node = tree.parent(node)
    if not asked:
        return [tree.root]
    return [*opened, *(child for node in opened if node.level < tree.l_max for child in tree.children(node))]


def _extent(tree, node):
    cell = tree.cell(node)
    centre, half = np.asarray(cell.centre), np.asarray(cell.half_width)
    if len(centre) == 1:
        return np.array([centre[0] - half[0], node.level - 0.5]), np.array([2 * half[0], 1.0])
    return centre - half, 2 * half


def _number(ax, tree, node, text):
    (low, width), dimension = _extent(tree, node), tree.dimension - 1
    corners = [(0.04, 0.96, "left", "top"), (0.96, 0.96, "right", "top"), (0.04, 0.04, "left", "bottom"),
               (0.96, 0.04, "right", "bottom")]  # each level has its own, so that numbers do not overlap
    right, up, ha, va = corners[node.level % 4] if dimension == 2 else (0.5, 0.5, "center", "center")
    _draw.write(ax, low + width * np.array([right, up]), text, size=max(5, 9 - node.level), ha=ha, va=va)


def _tree_axes(ax, tree, nodes):
    lower, upper = np.asarray(tree.box.lower), np.asarray(tree.box.upper)
    if tree.dimension == 2:
        deepest = max((node.level for node in nodes), default=0)
        ax.set(xlim=(lower[0], upper[0]), ylim=(deepest + 0.5, -0.5), xlabel="a", ylabel="level", yticks=range(deepest + 1))
    else:
        ax.set(xlim=(lower[0], upper[0]), ylim=(lower[1], upper[1]), xlabel="a[0]", ylabel="a[1]", aspect="equal")


# --- what is drawn ---

def _points(points, letter, belief=None):
    """Points (n, 1) or (n, 2), and the names of the coordinates; a study knows its own."""
    if hasattr(points, "grid") and hasattr(points, "lower"):
        points = points.grid([401] if points.dimension == 1 else [61] * points.dimension)
    columns = getattr(points, "columns", None)
    if columns is not None and hasattr(belief, "_core"):
        columns = belief._core.x_names if letter == "x" else belief._core.a_names
        points = points_of(points, columns, letter)
    if is_frame(points):
        columns = coordinates(points, letter)
        points = points[columns].to_numpy(float)
    if not isinstance(points, np.ndarray) and hasattr(points, "points"):
        points = points.points
    points = np.asarray(points, float)
    points = points[:, None] if points.ndim == 1 else points
    if points.ndim != 2 or points.shape[1] not in (1, 2) or not len(points):
        raise ValueError(f"{letter}: shape {points.shape}, expected shape (n, 1) or (n, 2); of more coordinates draw a slice")
    if columns is not None:
        return points, [str(column) for column in columns]
    return points, [letter] if points.shape[1] == 1 else [f"{letter}[0]", f"{letter}[1]"]


def _truth(truth, at):
    if truth is None:
        return None
    values = np.asarray(truth(at) if callable(truth) else truth, float)
    if values.size != len(at):
        raise ValueError(f"truth: shape {values.shape}, expected shape ({len(at)},)")
    return values.ravel()


def _believed(belief, which, at):
    """Means and deviations."""
    if not hasattr(belief, f"predict_{which}") and not hasattr(belief, which):
        raise TypeError(f"belief: {type(belief).__name__}, expected a Posterior, Ensemble, FiniteBelief, Policy or Study")
    if hasattr(belief, f"predict_{which}"):
        found = getattr(belief, f"predict_{which}")(at)
        return np.asarray(found.mean), np.asarray(found.sd)
    if isinstance(belief, posteriors.FiniteBelief):
        found, known = getattr(belief, which), getattr(belief, "x" if which == "f" else "a")
        if not np.array_equal(np.asarray(known), at):
            raise ValueError(f"{'x' if which == 'f' else 'a'}: other points, expected those that the belief is about")
        found = found() if callable(found) else found
    else:
        found = getattr(belief, which)(at)
    mean, var = found
    return np.asarray(mean), np.sqrt(np.maximum(var, 0.0))


def _words(belief, part, names, letter):
    """The names of coordinates and values; those of a study have units."""
    if not hasattr(belief, "spec"):
        return names, letter
    space, value = belief.spec[part], belief.spec.get("value", {})
    named = [(axis["name"], axis.get("unit")) for axis in space.get("axes", [])]
    named = named or list(zip(space.get("coordinates", []), space.get("units") or [""] * len(names)))
    written = [f"{name} [{unit}]" if unit else name for name, unit in [*named, (value.get("name", letter), value.get("unit"))]]
    return written[:-1] if len(named) == len(names) else names, written[-1]


def _asked(belief):
    """Queries, answers and the sd of their noise, of those observations that are averages."""
    if hasattr(belief, "spec"):
        told = [trial for trial in belief.trials if trial.answer is not None]
        noise_sd = [0.0 if trial.answer.noise_sd is None else trial.answer.noise_sd for trial in told]
        return np.array([trial.query for trial in told]), np.array([t.answer.value for t in told]), np.array(noise_sd)
    a, z = np.asarray(getattr(belief, "queries", np.empty((0, 1)))), np.asarray(getattr(belief, "z", np.empty(0)))
    averages = np.delete(np.arange(len(z)), _direct_rows(belief))
    noise_var = np.asarray(getattr(belief, "noise_var", np.zeros(len(z))))
    return a, z[averages], np.sqrt(noise_var[averages])


def _direct(belief):
    """Inputs where f itself was measured, the values and the sd of their noise."""
    rows = _direct_rows(belief)
    if not rows:
        return np.empty((0, 1)), np.empty(0), np.empty(0)
    return np.asarray(belief.inputs), np.asarray(belief.z)[rows], np.sqrt(np.asarray(belief.noise_var)[rows])


def _direct_rows(belief):
    """Which observations of a posterior are of f itself; unknown for a finite belief."""
    return belief.input_rows if isinstance(belief, posteriors.Posterior) else []


def footprint(conditional, a):
    """The footprints of queries a (n, d_a): centres (n, d) and half widths (n, d).

    The half width is sqrt(3) deviations of p(x|a): of a uniform window exactly its own, of a Gaussian one 92 %.

    >>> iqbo.plot.footprint(iqbo.UniformConditional(half_width=0.1), [0.5])
    (array([[0.5]]), array([[0.1]]))
    """
    coordinates = range(conditional.input_dimension)
    unit = np.eye(conditional.input_dimension)
    centre = np.column_stack([conditional.nu(kernels.LinearMean(0.0, unit[j]), a) for j in coordinates])
    square = np.column_stack([conditional.nu(kernels.CallbackMean(lambda x, j=j: x[:, j] ** 2), a) for j in coordinates])
    return centre, np.sqrt(3.0 * np.maximum(square - centre**2, 0.0)).round(12)


def _footprints(belief, a):
    """The footprints of queries as `_asked` returns them."""
    return footprint(*(belief._core.conditional(a) if hasattr(belief, "spec") else (belief.conditional, a)))


def _footprints_1d(ax, belief):
    x, f, sd = _direct(belief)
    if len(x):
        ax.errorbar(x[:, 0], f, 1.96 * sd, fmt="o", color=BLACK, ms=4, lw=1, capsize=2, zorder=5, label="values of f")
    a, z, noise_sd = _asked(belief)
    if not len(a):
        return
    centre, half = _footprints(belief, a)
    look = {"color": ORANGE, "zorder": 4}
    ax.errorbar(centre[:, 0], z, 1.96 * noise_sd, fmt="none", lw=0.8, capsize=2, **look)
    ax.hlines(z, centre[:, 0] - half[:, 0], centre[:, 0] + half[:, 0], lw=1.8, label="answers, over their footprint", **look)


def _footprints_2d(ax, belief):
    x, a = _direct(belief)[0], _asked(belief)[0]
    if len(x):
        ax.plot(x[:, 0], x[:, 1], "s", color=BLACK, mec="white", ms=4, zorder=4, label="values of f")
    if not len(a):
        return
    centre, half = _footprints(belief, a)
    for low, width in zip(centre - half, 2 * half):
        _draw.rectangle(ax, low, width, fc="none", ec="white", lw=0.8, alpha=0.7, zorder=3)
    ax.plot(centre[:, 0], centre[:, 1], "o", color="white", mec=BLACK, ms=4, zorder=4, label="asked")


def _by_name(value, regions, what):
    if isinstance(value, Mapping) or hasattr(value, "to_dict"):
        value = dict(value if isinstance(value, Mapping) else value.to_dict())
        missing = [name for name in regions if name not in value]
        if missing:
            raise ValueError(f"{what}: nothing for region {missing[0]!r}, expected a number for each of {len(regions)}")
        return {name: float(value[name]) for name in regions}
    value = np.asarray(value, float)
    if value.shape != (len(regions),):
        raise ValueError(f"{what}: shape {value.shape}, expected shape ({len(regions)},)")
    return dict(zip(regions, value))

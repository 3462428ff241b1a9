"""From Python's objects to the spec of a study: one JSON document and the tables it names."""
import json
import numbers

import numpy as np

from iqbo import _iqbo
from iqbo._tables import columns_of, is_table, to_csv


class SpecFiles:
    """The tables that go with a spec, by name."""

    def __init__(self):
        self.files = {}

    def put(self, name, columns):
        self.files[name] = to_csv(columns)
        return name


def with_tables(spec, files, path=""):
    """A spec in which tables may stand where names of files are expected: they are put beside it."""
    if not isinstance(spec, dict):
        return spec
    out = {}
    for key, value in spec.items():
        where = f"{path}.{key}" if path else key
        table = key in ("points", "bags", "pairs") and is_table(value)
        out[key] = files.put(f"{where}.csv", columns_of(value)) if table else with_tables(value, files, where)
    return out


# --- spaces ---


def numeric(values):
    return all(isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)) for value in values)


def coordinate_names(letter, dimension):
    return [letter] if dimension == 1 else [f"{letter}{j + 1}" for j in range(dimension)]


def axes_of(box, names):
    return [{"name": name, "from": float(low), "to": float(high)} for name, low, high in zip(names, box.lower, box.upper)]


def named_axes(ranges, what):
    """{"east": (0, 10), "north": (0, 10, 41)}: from, to, and how many values of a grid."""
    axes = []
    for name, limits in ranges.items():
        if np.ndim(limits) != 1 or len(limits) not in (2, 3):
            raise ValueError(f"{what}: {name} is {limits!r}, expected (from, to) or (from, to, grid)")
        axes.append(dict(zip(("name", "from", "to", "grid"), (str(name), *map(float, limits[:2]), *map(int, limits[2:])))))
    return axes


class Space:
    """X or A: its part of the spec, and its table while columns may still be added to it."""

    def __init__(self, given, letter, what):
        self.spec, self.columns, self.points, self.ids, self.tree = None, None, None, None, None
        if isinstance(given, dict) and "kind" in given:
            self.spec = given
        elif isinstance(given, dict):
            self.spec = {"kind": "box", "axes": named_axes(given, what)}
        elif isinstance(given, (_iqbo.InputBox, _iqbo.QueryBox)):
            self.spec = {"kind": "box", "axes": axes_of(given, coordinate_names(letter, given.dimension))}
        elif isinstance(given, _iqbo.QueryTree):
            self.of_tree(given)
        else:
            self.of_points(given, letter, what)

    def of_points(self, given, letter, what):
        given = given.points if isinstance(given, (_iqbo.InputSet, _iqbo.QuerySet)) else given
        if hasattr(given, "columns"):
            columns = columns_of(given)
        elif np.asarray(given).dtype.kind in "USO":  # names alone
            columns = {"id": list(given)}
        else:
            rows = np.asarray(given, float)
            columns = columns_of(rows, coordinate_names(letter, rows.shape[1] if rows.ndim > 1 else 1))
        names = [name for name, values in columns.items() if not numeric(values)]
        self.coordinates = [name for name in columns if name not in names]
        if len(names) > 1:
            raise ValueError(f"{what}: columns {names} are not numbers, expected at most one, the names")
        self.id = names[0] if names else "id"
        size = len(next(iter(columns.values())))
        self.ids = [str(name) for name in columns[self.id]] if names else [str(i) for i in range(size)]
        self.columns = {self.id: self.ids, **{name: columns[name] for name in self.coordinates}}
        self.points = np.array([columns[name] for name in self.coordinates], float).T.reshape(size, -1)
        self.spec = {"kind": "points", "id": self.id, "coordinates": self.coordinates}
        if not self.coordinates:
            del self.spec["coordinates"]

    def of_tree(self, tree):
        box, points, weight, l_max, splits, cost, resolution, noise_var = tree.__reduce__()[1]
        if any(callable(per_cell) for per_cell in (cost, resolution, noise_var)):
            raise ValueError("queries: a tree with a function of cells, expected one number per level, which a study can keep")
        levels = range(l_max + 1)
        at = [_iqbo.Node(level=level, number=0) for level in levels]
        self.tree = tree
        self.spec = {"kind": "box" if points is None else "cells", "tree": {"levels": l_max + 1}}
        if splits:
            self.spec["tree"]["splits"] = list(splits)
        if noise_var is not None:
            self.spec["tree"]["noise_sds"] = np.sqrt(noise_var).tolist()
        if cost is not None:
            self.spec["tree"]["costs"] = np.asarray(cost, float).tolist()
        if points is None:
            self.spec["axes"] = axes_of(box, coordinate_names("a", box.dimension))
            self.spec["tree"]["resolutions"] = [tree.resolution(node) for node in at]
        elif weight is not None:
            self.spec["tree"]["weight"] = "weight"

    def finished(self, files, path):
        if self.columns is None:
            return with_tables(self.spec, files, path)
        return {**self.spec, "points": files.put(f"{path}.csv", self.columns)}


# --- p(x|a) ---


def map_spec(query_map, space, name, x_dimension):
    """mu or the width as the spec has it; what it has no word for becomes columns of the listed queries."""
    kind, *made = query_map.__reduce__()[1]
    if kind == "identity" and name == "mu":
        return "identity"
    if kind == "constant" and name == "width":
        return made[0]
    if kind == "affine":
        return {"slope": np.asarray(made[0]).tolist(), "offset": np.asarray(made[1]).tolist()}
    if kind == "columns" and space.columns is None:
        dimension = len(space.spec.get("axes", []))
        if made[0] == [dimension] and name == "width":
            return "resolution"
        if made[0] == list(range(dimension)) and name == "mu":
            return "identity"
    if space.columns is None or space.points.shape[1] == 0:
        raise ValueError(f"conditional: its {name} is {query_map!r}, which a study can keep only for listed queries; "
                         "expected those, or a Policy instead of a study")
    values = np.broadcast_to(query_map(space.points), (len(space.ids), query_map.output_dimension))
    if name == "width" and values.shape[1] == 1:
        values = np.repeat(values, x_dimension, axis=1)
    names = [f"{name}{j + 1}" for j in range(values.shape[1])]
    space.columns.update(zip(names, values.T.tolist()))
    return {"columns": names}


def window_spec(conditional, space, x_dimension):
    truncate = "none"
    if isinstance(conditional, _iqbo.TruncatedConditional):
        conditional, _, truncate, _ = conditional.__reduce__()[1]
    kind = "gaussian" if isinstance(conditional, _iqbo.GaussianConditional) else "uniform"
    mean, width = conditional.__reduce__()[1]
    return {"kind": kind, "mu": map_spec(mean, space, "mu", x_dimension),
            "width": map_spec(width, space, "width", x_dimension), "truncate": truncate}


def bag_spec(conditional, targets, queries, files):
    bag, point, weight = conditional.rows.T
    named = [queries.ids[int(i)] for i in bag]
    columns = {queries.id: named}
    spec = {"kind": "bags", "weight": "weight"}
    points = conditional.support
    if targets.points is not None and np.array_equal(points, targets.points):
        columns["point"], spec["point"] = [targets.ids[int(i)] for i in point], "point"
    else:
        names = targets.coordinates if targets.points is not None else [axis["name"] for axis in targets.spec["axes"]]
        columns.update({name: points[point.astype(int), j].tolist() for j, name in enumerate(names)})
    columns["weight"] = weight.tolist()
    spec["bags"] = files.put("conditional.bags.csv", columns)
    return spec


def pair_spec(conditional, targets, queries, files):
    x, a, model, _, categories, _, exact_constant = conditional.__reduce__()[1]
    if len(categories) or not exact_constant:
        raise ValueError("conditional: learned with categories or without exact_constant, expected what a spec can say")
    of = lambda space: space.coordinates if space.columns is not None else [axis["name"] for axis in space.spec["axes"]]  # noqa: E731
    x_names, a_names = of(targets), of(queries)
    shared = set(x_names) & set(a_names)
    columns = {(f"x.{name}" if name in shared else name): x[:, j] for j, name in enumerate(x_names)}
    columns.update({(f"a.{name}" if name in shared else name): a[:, j] for j, name in enumerate(a_names)})
    return {"kind": "learned", "model": model,
            "pairs": files.put("conditional.pairs.csv", {name: values.tolist() for name, values in columns.items()})}


def conditional_spec(conditional, targets, queries, files):
    if isinstance(conditional, dict):
        return with_tables(conditional, files, "conditional")
    dimension = len(targets.coordinates) if targets.columns is not None else len(targets.spec.get("axes", [0]))
    if isinstance(conditional, (_iqbo.GaussianConditional, _iqbo.UniformConditional, _iqbo.TruncatedConditional)):
        return window_spec(conditional, queries, dimension)
    if isinstance(conditional, _iqbo.BagConditional):
        return bag_spec(conditional, targets, queries, files)
    if isinstance(conditional, _iqbo.LearnedConditional):
        return pair_spec(conditional, targets, queries, files)
    if isinstance(conditional, _iqbo.CellConditional):
        return {"kind": "cells"}
    raise ValueError(f"conditional: {conditional!r}, expected a window, bags, cells, pairs or a dictionary; "
                     "others a study cannot keep, and a Policy can use")


# --- the rest ---


def kernel_spec(kernel):
    if kernel is None or isinstance(kernel, (str, dict)):
        return kernel or "auto"
    terms = kernel.terms if isinstance(kernel, _iqbo.Sum) else [kernel]
    nugget = 0.0
    if len(terms) == 2 and isinstance(terms[1], _iqbo.White):
        nugget = terms.pop().variance
    if len(terms) != 1 or not isinstance(terms[0], _iqbo.Stationary):
        raise ValueError(f"kernel: {kernel!r}, expected Rbf, Matern12, Matern32 or Matern52, with a White or without")
    (k,) = terms
    return {"family": type(k).__name__.lower(), "lengthscale": k.lengthscale.tolist(), "variance": k.variance,
            "nugget": nugget}


def policy_spec(policy):
    return f"custom:{policy.__name__}" if callable(policy) else policy


def spec_of(targets=None, queries=None, conditional=None, *, kernel=None, noise="auto", mean="auto", policy="auto", cost=None,
            value=None, budget=None, goal="maximize", seed=0, name=""):
    """(spec, files) of a study that is described by Python's objects."""
    files = SpecFiles()
    if isinstance(conditional, _iqbo.BagConditional) and queries is None:
        numbered = np.array_equal(conditional.queries, np.arange(len(conditional.queries))[:, None])
        queries = [str(i) for i in range(len(conditional.queries))] if numbered else conditional.queries
    if isinstance(queries, _iqbo.QueryTree) and targets is None:
        targets = queries.points
    for part, given in (("targets", targets), ("queries", queries), ("conditional", conditional)):
        if given is None:
            raise ValueError(f"{part}: none, expected what the study is about")
    x, a = Space(targets, "x", "targets"), Space(queries, "a", "queries")
    if a.tree is not None and "weight" in a.spec["tree"]:
        x.columns["weight"] = a.tree.__reduce__()[1][2].tolist()
    of_conditional = conditional_spec(conditional, x, a, files)
    if cost is not None and np.ndim(cost) > 0:
        a.columns["cost"], cost = np.asarray(cost, float).tolist(), "cost"
    out = {"version": 1, "name": name, "goal": goal, "seed": int(seed), "target": x.finished(files, "target"),
           "query": a.finished(files, "query"), "conditional": of_conditional, "kernel": kernel_spec(kernel),
           "noise": noise, "mean": mean, "policy": policy_spec(policy)}
    if cost is not None:
        out["query"]["cost"] = cost
    if value is not None:
        out["value"] = {"name": value} if isinstance(value, str) else value
    if budget is not None:
        out["budget"] = float(budget)
    return out, files.files


def spec_text(spec):
    return json.dumps(spec, indent=2, default=float) + "\n"

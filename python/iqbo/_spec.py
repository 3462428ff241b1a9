"""From Python's objects to the spec of a study."""
import numbers

import numpy as np

from iqbo import conditionals, kernels, spaces
from iqbo._frames import OWN, is_frame, names_of
from iqbo._spec_text import SpecFiles, with_tables
from iqbo._tables import columns_of, is_table, one_number, require_unmasked, text_of, whole_number


# --- spaces ---


def numeric(values):
    return all(isinstance(value, numbers.Real) and not isinstance(value, (bool, np.bool_)) for value in values)


def coordinate_names(letter, dimension):
    return [letter] if dimension == 1 else [f"{letter}{j + 1}" for j in range(dimension)]


def axes_of(box, names):
    return [{"name": name, "from": float(low), "to": float(high)} for name, low, high in zip(names, box.lower, box.upper)]


def named_axes(ranges, what):
    """{"east": (0, 10), "north": (0, 10, 41)}: from, to, and the number of grid values."""
    axes = []
    for name, limits in ranges.items():
        if np.ndim(limits) != 1 or len(limits) not in (2, 3):
            raise ValueError(f"{what}: {name} is {limits!r}, expected (from, to) or (from, to, grid)")
        low, high = (one_number(limit, f"{what}: {word} of {name}") for limit, word in zip(limits, ("from", "to")))
        grid = {"grid": whole_number(count, f"{what}: grid of {name}") for count in limits[2:]}
        axes.append({"name": str(name), "from": low, "to": high, **grid})
    return axes


def plain_columns(given, letter, what):
    """The columns of an array, which holds either coordinates or names."""
    require_unmasked(given, what)
    try:
        rows = np.asarray(given)
    except ValueError:
        raise ValueError(f"{what}: {type(given).__name__} that is no array, expected rows of one length") from None
    names = rows.dtype.kind in "USO"
    if not names and rows.dtype.kind not in "biuf":
        raise ValueError(f"{what}: array of dtype {rows.dtype}, expected real numbers or names")
    if rows.ndim > (1 if names else 2) or rows.ndim == 0:
        raise ValueError(f"{what}: shape {rows.shape}, expected " + ("names (n,)" if names else "shape (n, d) or (n,)"))
    if names:
        return {"id": list(given)}
    return columns_of(rows.astype(float), coordinate_names(letter, rows.shape[1] if rows.ndim > 1 else 1))


class Space:
    """X or A: its part of the spec, and its table, to which columns may be added until finished()."""

    def __init__(self, given, letter, what, categories=()):
        """categories: columns of texts with these names are coordinates."""
        self.spec, self.columns, self.points, self.ids, self.tree, self.own = None, None, None, None, None, {}
        self.what, self.coordinates, self.held = what, [], {}
        others = ((spaces.QueryBox, spaces.QueryTree, spaces.QuerySet, spaces.ListedQueries) if what == "targets" else
                  (spaces.InputBox, spaces.InputSet))
        if isinstance(given, others + (spaces.MixedQueries,)):
            raise ValueError(f"{what}: {given!r}, expected " + ("an InputBox or listed inputs" if what == "targets" else
                             "a QueryBox, a QueryTree or listed queries"))
        if isinstance(given, dict) and "kind" in given:
            self.spec = given
        elif isinstance(given, dict):
            self.spec = {"kind": "box", "axes": named_axes(given, what)}
        elif isinstance(given, (spaces.InputBox, spaces.QueryBox)):
            self.spec = {"kind": "box", "axes": axes_of(given, coordinate_names(letter, given.dimension))}
        elif isinstance(given, spaces.QueryTree):
            self.of_tree(given)
        else:
            self.of_points(given, letter, what, categories)

    def of_points(self, given, letter, what, categories):
        if isinstance(given, tuple) and len(given) == 2 and numeric(given):
            box = "InputBox" if what == "targets" else "QueryBox"
            raise ValueError(f"{what}: {given!r}, expected iqbo.{box}([{given[0]!r}], [{given[1]!r}]) for all points between, or "
                             f"np.array([{given[0]!r}, {given[1]!r}]) for these two")
        given = given.queries if isinstance(given, spaces.ListedQueries) else given
        given = given.points if isinstance(given, (spaces.InputSet, spaces.QuerySet)) else given
        columns = columns_of(given, what=what) if hasattr(given, "columns") else plain_columns(given, letter, what)
        named, index = names_of(given) if is_frame(given) else (None, None)
        if index is not None and named not in columns:  # the index names the rows, and texts are for display
            columns = {str(named or "id"): [text_of(name) for name in index], **columns}
            names = [str(named or "id")]
            categories = self.categories_of(columns, categories, names)
        else:
            categories = self.categories_of(columns, categories)
            names = [name for name, values in columns.items() if not numeric(values) and name not in categories]
            if not names and len(categories) == 1 and len(set(columns[categories[0]])) == len(columns[categories[0]]):
                names = categories  # each is asked by its name
            if len(names) > 1:
                raise ValueError(f"{what}: columns {names} are not numbers, expected at most one, the names")
        size = len(next(iter(columns.values()), []))
        if size == 0:
            raise ValueError(f"{what}: no rows, expected at least one")
        own = OWN if what == "queries" and hasattr(given, "columns") else ()
        self.own = {name: name for name in own if name in columns}  # keys of the spec that are columns of this table
        self.coordinates = [name for name, values in columns.items()
                            if name in categories or (name not in (*names, *own) and numeric(values))]
        self.id = names[0] if names else "id"
        self.ids = [text_of(name) for name in columns[self.id]] if names else [str(i) for i in range(size)]
        if not self.coordinates:
            self.held = {name: type(value).__name__ for name, values in columns.items() for value in values if not numeric([value])}
        self.columns = {self.id: self.ids, **{name: values for name, values in columns.items() if name != self.id}}
        codes = {name: {value: code for code, value in enumerate(sorted(set(columns[name]), key=str.encode))} for name in categories}
        self.points = np.array([[codes[name][value] for value in columns[name]] if name in codes else columns[name]
                                for name in self.coordinates], float).T.reshape(size, -1)
        self.spec = {"kind": "points", "id": self.id, "coordinates": self.coordinates}
        if categories:
            self.spec["categories"] = categories
        if not self.coordinates:
            del self.spec["coordinates"]
        if what == "targets":
            self.require_coordinates()

    @staticmethod
    def categories_of(columns, known, names=()):
        """The columns of texts that are coordinates, whose cells are made texts."""
        out = [name for name, values in columns.items() if name in known and name not in names and not numeric(values)]
        for name in out:
            columns[name] = [text_of(value) for value in columns[name]]
        return out

    @property
    def names(self):
        """Of the coordinates."""
        return self.coordinates if self.columns is not None else [axis["name"] for axis in self.spec.get("axes", [])]

    def require_coordinates(self):
        if self.columns is not None and not self.coordinates:
            held = ", ".join(f"{name!r} holds {kind}" for name, kind in self.held.items())
            raise ValueError(f"{self.what}: no column of numbers ({held}), expected coordinates: numbers (n, d) or such columns; of dates "
                             "take the days since the first, of numbers that are texts pandas.to_numeric")

    def of_tree(self, tree):
        box, points, weight, l_max, splits, cost, resolution, noise_var = tree._arguments
        if any(callable(per_cell) for per_cell in (cost, resolution, noise_var)):
            raise ValueError("queries: a tree with a function of cells, expected one number per level, which a study can keep")
        if points is not None and box is not None and box != type(tree)(points=points, l_max=1).box:
            raise ValueError(f"queries: a tree of points that cuts {box!r}, expected the box around them, which a study cuts")
        levels = range(l_max + 1)
        at = [spaces.Node(level=level, number=0) for level in levels]
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
    """mu or the width in the form of the spec; a map that it cannot express becomes columns of the listed queries."""
    kind, *made = query_map._arguments
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


def is_of(domain, targets):
    """Whether a domain equals the targets, to which a study confines X."""
    if isinstance(domain, spaces.InputBox):
        limits = [(axis.get("from"), axis.get("to")) for axis in targets.spec.get("axes", [])]
        return limits == list(zip(domain.lower.tolist(), domain.upper.tolist()))
    points = domain.points if isinstance(domain, spaces.InputSet) else np.asarray(domain, float)
    return targets.points is not None and np.array_equal(points.reshape(len(points), -1), targets.points)


def require_usual(conditional, usual, **given):
    """Refuses values that differ from the usual ones, because a spec has no key for them."""
    for name, value in given.items():
        if value != usual[name]:
            raise ValueError(f"conditional: {type(conditional).__name__} with {name}={value!r}, expected {usual[name]!r}, "
                             "which a study uses, or a Policy instead of a study")


def require_of_targets(conditional, domain, targets):
    if not is_of(domain, targets):
        raise ValueError(f"conditional: {type(conditional).__name__} with domain={domain!r}, expected the targets, to which a "
                         "study confines X, or a Policy instead of a study")


def require_one_order(conditional, a_names, x_names):
    """Refuses a window around the query itself, which reads coordinates by position, if their names say that axes are swapped."""
    if isinstance(conditional, conditionals.TruncatedConditional):
        conditional, *_ = conditional._arguments
    if not isinstance(conditional, (conditionals.GaussianConditional, conditionals.UniformConditional)):
        return
    mean, _ = conditional._arguments
    if mean._arguments[0] == "identity" and a_names != x_names and set(a_names) == set(x_names):
        raise ValueError(f"queries: coordinates {a_names}, expected them in the order of the targets, {x_names}")


def window_spec(conditional, space, x_dimension, targets):
    truncate = "none"
    if isinstance(conditional, conditionals.TruncatedConditional):
        window, domain, truncate, nodes = conditional._arguments
        require_of_targets(conditional, domain, targets)
        *_, usual_nodes = type(conditional)(window, domain)._arguments
        require_usual(conditional, {"nodes": usual_nodes}, nodes=nodes)
        conditional = window
    space.require_coordinates()
    kind = "gaussian" if isinstance(conditional, conditionals.GaussianConditional) else "uniform"
    mean, width = conditional._arguments
    require_one_order(conditional, space.names, targets.names)
    return {"kind": kind, "mu": map_spec(mean, space, "mu", x_dimension),
            "width": map_spec(width, space, "width", x_dimension), "truncate": truncate}


def numbered(queries):
    return np.array_equal(queries, np.arange(len(queries))[:, None])


def bag_spec(conditional, targets, queries, files):
    count = len(conditional.queries)
    if queries.ids is None or len(queries.ids) != count:
        found = "not listed" if queries.ids is None else f"{len(queries.ids)} rows"
        raise ValueError(f"queries: {found}, expected {count}, one for each bag")
    own = conditional.queries
    if queries.points.shape == own.shape and not numbered(own) and not np.array_equal(queries.points, own):
        raise ValueError("queries: not those of the bags, expected the same rows in the same order")
    bag, point, weight = conditional.rows.T
    named = [queries.ids[int(i)] for i in bag]
    columns = {queries.id: named}
    spec = {"kind": "bags", "weight": "weight"}
    points = conditional.support
    if targets.points is not None and np.array_equal(points, targets.points):
        columns["point"], spec["point"] = [targets.ids[int(i)] for i in point], "point"
    else:
        columns.update({name: points[point.astype(int), j].tolist() for j, name in enumerate(targets.names)})
    columns["weight"] = weight.tolist()
    spec["bags"] = files.put("conditional.bags.csv", columns)
    return spec


def usual_shift_points():
    *_, shift_points, _ = conditionals.LearnedConditional([0.0, 1.0], [0.0, 1.0], model="plugin")._arguments
    return shift_points


def pair_names(conditional):
    """The columns of a table of logged pairs in a dictionary; () of anything else."""
    pairs = conditional.get("pairs") if isinstance(conditional, dict) and conditional.get("kind") == "learned" else None
    return tuple(columns_of(pairs, what="conditional.pairs")) if pairs is not None and is_table(pairs) else ()


def require_pair_coordinates(queries):
    if queries.columns is not None and not queries.coordinates:
        held = ", ".join(f"{name!r} holds {kind}" for name, kind in queries.held.items())
        raise ValueError(f"queries: no column of numbers ({held}), expected the coordinates of a, from which p(x given a) is learned; of "
                         "categories the same column of texts in queries and pairs: queries=pandas.DataFrame({name: [...]}), "
                         'conditional={"kind": "learned", "pairs": frame}')


def name_codes(categories, queries, columns):
    """Columns of codes 0, 1, ... become categories of the study. Their texts sort as the codes, so that queries have the same numbers."""
    for name in categories:
        codes = None if queries.columns is None else queries.points[:, queries.names.index(name)]
        count = 0 if codes is None else len(set(codes.tolist()))
        if codes is None or sorted(set(codes.tolist())) != list(range(count)) or not set(columns[name]) <= set(range(count)):
            raise ValueError(f"queries: {name} is a category of the LearnedConditional, expected a list of queries with all its codes 0, 1, ...; "
                             'or give names instead of codes: conditional={"kind": "learned", "pairs": frame}')
        texts = [str(code).zfill(len(str(count - 1))) for code in range(count)]
        queries.columns[name] = [texts[int(code)] for code in codes]
        columns[name] = [texts[int(code)] for code in columns[name]]
    if categories:
        queries.spec["categories"] = categories


def pair_spec(conditional, targets, queries, files):
    require_pair_coordinates(queries)
    x, a, model, domain, categories, shift_points, exact_constant = conditional._arguments
    if domain is not None:
        require_of_targets(conditional, domain, targets)
    usual = {"shift_points": usual_shift_points(), "exact_constant": True}
    require_usual(conditional, usual, shift_points=shift_points, exact_constant=exact_constant)
    x_names, a_names = targets.names, queries.names
    shared = set(x_names) & set(a_names)
    columns = {(f"x.{name}" if name in shared else name): x[:, j] for j, name in enumerate(x_names)}
    of_a = {name: a[:, j].tolist() for j, name in enumerate(a_names)}
    name_codes([a_names[j] for j in categories], queries, of_a)
    columns = {**{name: values.tolist() for name, values in columns.items()},
               **{(f"a.{name}" if name in shared else name): values for name, values in of_a.items()}}
    return {"kind": "learned", "model": model, "pairs": files.put("conditional.pairs.csv", columns)}


def conditional_spec(conditional, targets, queries, files):
    if isinstance(conditional, dict):
        if conditional.get("kind") == "learned":
            require_pair_coordinates(queries)
        return with_tables(conditional, files, "conditional")
    dimension = len(targets.coordinates) if targets.columns is not None else len(targets.spec.get("axes", [0]))
    windows = conditionals.GaussianConditional, conditionals.UniformConditional, conditionals.TruncatedConditional
    if isinstance(conditional, windows):
        return window_spec(conditional, queries, dimension, targets)
    if isinstance(conditional, conditionals.BagConditional):
        return bag_spec(conditional, targets, queries, files)
    if isinstance(conditional, conditionals.LearnedConditional):
        return pair_spec(conditional, targets, queries, files)
    if isinstance(conditional, conditionals.CellConditional):
        return {"kind": "cells"}
    raise ValueError(f"conditional: {conditional!r}, expected a window, bags, cells, pairs or a dictionary; "
                     "a study cannot store others, but a Policy can use them")


# --- the rest ---


def kernel_spec(kernel):
    if kernel is None or isinstance(kernel, (str, dict)):
        return kernel or "auto"
    terms = kernel.terms if isinstance(kernel, kernels.Sum) else [kernel]
    nugget = 0.0
    if len(terms) == 2 and isinstance(terms[1], kernels.White):
        nugget = terms.pop().variance
    if len(terms) != 1 or not isinstance(terms[0], kernels.Stationary):
        raise ValueError(f"kernel: {kernel!r}, expected a Stationary kernel such as Rbf, with a White or without")
    (k,) = terms
    shape = {name: np.asarray(value).tolist() for name, value in k.shape.items()}
    return {"family": k.family, "lengthscale": k.lengthscale.tolist(), "variance": k.variance, **shape, "nugget": nugget}


def mean_spec(mean):
    if isinstance(mean, kernels.ConstantMean):
        return mean.constant_part
    if isinstance(mean, kernels.Mean) or callable(mean):
        raise ValueError(f'mean: {mean!r}, expected a number, "auto", "linear" or a ConstantMean, which a study can '
                         "keep, or a Policy instead of a study")
    return mean


def policy_spec(policy, what="policy"):
    """A policy for the spec, which stores a score of the user's own by its name."""
    if not callable(policy):
        return policy
    name = getattr(policy, "__name__", None)
    if not isinstance(name, str) or name == "<lambda>":
        raise ValueError(f"{what}: {policy!r}, expected a function with a name, which the study keeps")
    return f"custom:{name}"


def own_columns(listed, space, cost):
    """Adds the costs and noises of the listed queries to the table; returns {key of the spec: column}."""
    if len(listed.cost) and cost is not None:
        raise ValueError("cost: given, expected none: the listed queries have costs of their own")
    out = {}
    for key, values in (("cost", listed.cost), ("noise_sd", np.sqrt(listed.noise_var))):
        if len(values):
            space.columns[key] = values.tolist()
            out[key] = key
    return out


def per_query_spec(given, queries, name):
    """A number, or the column that has one for each listed query."""
    if callable(given):
        raise ValueError(f"{name}: {given!r}, expected a number or one for each query: a study cannot keep a function")
    if isinstance(given, str):
        return given
    if np.ndim(given) == 0:
        return one_number(given, name)
    if queries.columns is None:
        raise ValueError(f"{name}: a list, expected a number: queries are not listed")
    require_unmasked(given, name)
    values = np.asarray(given, float)
    if values.shape != (len(queries.ids),):
        raise ValueError(f"{name}: shape {values.shape}, expected shape ({len(queries.ids)},), one for each query")
    queries.columns[name] = values.tolist()
    return name


def optional_keys(value=None, budget=None, stop=None, fit=None):
    """Keys that a spec has only if they are given."""
    out = {}
    if value is not None:
        out["value"] = {"name": value} if isinstance(value, str) else value
    if budget is not None:
        out["budget"] = one_number(budget, "budget")
    if stop is not None:
        if not isinstance(stop, dict):
            raise TypeError(f"stop: {stop!r}, expected a dictionary with \"regret\" or \"probability\"")
        out["stop"] = {key: one_number(number, f"stop[{key!r}]") for key, number in stop.items()}
    if fit is not None:
        out["fit"] = fit
    return out


def spec_of(targets=None, queries=None, conditional=None, *, kernel=None, noise_sd="auto", mean="auto", policy="auto", cost=None,
            value=None, budget=None, stop=None, fit=None, goal="maximize", seed=0, name="", answers=None, exposure=None, link=None,
            dispersion=None):
    """(spec, files) of a study that is described by Python's objects."""
    files = SpecFiles()
    if isinstance(conditional, conditionals.BagConditional) and queries is None:
        own = conditional.queries
        queries = [str(i) for i in range(len(own))] if numbered(own) else own
    if isinstance(queries, spaces.QueryTree) and targets is None:
        targets = queries.points
    for part, given in (("targets", targets), ("queries", queries), ("conditional", conditional)):
        if given is None:
            raise ValueError(f"{part}: not given, expected targets, queries and a conditional")
    x, a = Space(targets, "x", "targets"), Space(queries, "a", "queries", pair_names(conditional))
    if a.tree is not None and "weight" in a.spec["tree"]:
        _, _, weight, *_ = a.tree._arguments
        x.columns["weight"] = weight.tolist()
    of_conditional = conditional_spec(conditional, x, a, files)
    own = own_columns(queries, a, cost) if isinstance(queries, spaces.ListedQueries) else dict(a.own)
    if cost is not None:
        own["cost"] = per_query_spec(cost, a, "cost")
    among = exposure if exposure is None or isinstance(exposure, (str, dict)) else per_query_spec(exposure, a, "exposure")
    out = {"version": 2, "name": name, "goal": goal, "seed": whole_number(seed, "seed"), "targets": x.finished(files, "targets"),
           "queries": a.finished(files, "queries"), "conditional": of_conditional, "kernel": kernel_spec(kernel),
           "noise_sd": noise_sd, "mean": mean_spec(mean), "policy": policy_spec(policy)}
    out["queries"].update(own)
    out.update(optional_keys(value, budget, stop, fit))
    given = {"answers": answers, "exposure": among, "link": link, "dispersion": dispersion}
    out.update({key: item for key, item in given.items() if item is not None})
    return out, files.files

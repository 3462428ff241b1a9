"""DataFrames that are given to a `Posterior`, a `Policy` or a regressor are read by the names of their columns."""
import copy

import numpy as np

from iqbo import conditionals
from iqbo._frames import is_numbered, points_of
from iqbo._tables import columns_of


def _centre(conditional):
    """Which coordinates of a query are the centre of its window, in order; None if p(x|a) is no such window."""
    if isinstance(conditional, conditionals.TruncatedConditional):
        conditional, *_ = conditional._arguments
    if not isinstance(conditional, (conditionals.GaussianConditional, conditionals.UniformConditional)):
        return None
    kind, *made = conditional._arguments[0]._arguments
    return list(range(made[0])) if kind == "identity" else list(made[0]) if kind == "columns" else None


class Columns:
    """What the coordinates of X and of A are called, as far as tables have said so."""

    def __init__(self, conditional):
        self.names = {"x": None, "a": None}  # of tables that belong to the object
        self.before = {}  # the columns of another table that was read by position
        self.centre, self.dimension = _centre(conditional), conditional.query_dimension

    def under(self, conditional):
        """The same names under another p(x|a)."""
        out = Columns(conditional)
        out.names, out.before = dict(self.names), dict(self.before)
        return out

    def expected(self, space):
        """The names of the coordinates, also where those of the other space imply them; else None."""
        x, a = self.names["x"], self.names["a"]
        if self.names[space] is not None or self.centre is None:
            return self.names[space]
        if space == "x":
            return None if a is None or len(a) != self.dimension else [a[j] for j in self.centre]
        return x if self.centre == list(range(self.dimension)) else None

    def read(self, table, space, name):
        """The points that a table holds: by name, or if nothing is known of the names by position, unless an earlier table contradicts."""
        found = list(columns_of(table, what=name))
        expected = self.expected(space)
        if len(found) == 1 or is_numbered(found):
            return table
        if expected is not None and (self.names[space] is not None or set(expected) <= set(found)):
            return points_of(table, expected, name)
        before = self.before.setdefault(space, found)
        if before != found and sorted(before) == sorted(found):
            raise ValueError(f"{name}: columns {found}, expected the order of the first DataFrame, {before}: nothing says what the "
                             "coordinates are called, so DataFrames are read by position")
        return table

    def learn(self, table, space, name):
        """(a copy of this that knows the names of a table, the points that it holds)"""
        points, found = self.read(table, space, name), list(columns_of(table, what=name))
        if self.names[space] is not None or is_numbered(found):
            return self, points
        out = copy.copy(self)
        expected = self.expected(space)
        implied = expected is not None and len(found) > 1 and set(expected) <= set(found)
        out.names = {**self.names, space: expected if implied else found}
        return out, points


def of_spaces(targets, queries, conditional):
    """The `Columns` of a policy; refuses a window around the query itself if the names say that coordinates are swapped."""
    out = Columns(conditional)
    for given, space, name in ((targets, "x", "targets"), (queries, "a", "queries")):
        if not hasattr(given, "columns"):
            continue
        expected, found = out.expected(space), list(columns_of(given, what=name))
        if expected is not None and expected != found and sorted(expected) == sorted(found):
            raise ValueError(f"{name}: coordinates {found}, expected them in the order of the targets, {expected}")
        out, _ = out.learn(given, space, name)
    return out


def refuse_texts(pairs, name):
    """Logged pairs are numbers; of categories, codes."""
    columns = columns_of(pairs, what=name) if hasattr(pairs, "columns") else {None: np.asarray(pairs).ravel().tolist()}
    for j, (column, values) in enumerate(columns.items()):
        if any(isinstance(value, str) for value in values):
            where = f"{name}: texts" if column is None else f"{name}: column {column!r} holds texts"
            raise ValueError(f"{where}, expected numbers; of categories give the codes, frame[column].cat.codes, and categories=[{j}], or to a "
                             'Study the texts themselves: conditional={"kind": "learned", "pairs": frame}')

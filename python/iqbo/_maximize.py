"""The whole loop in one call."""
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from iqbo import policies, spaces
from iqbo._columns import Columns
from iqbo._frames import coordinates, frame, is_frame, own_traits, row_names
from iqbo._spec import require_one_order
from iqbo._tables import one_number, require_unmasked


@dataclass(frozen=True)
class Maximum:
    """Where f is believed to be largest, and how that was found.

    >>> best = iqbo.maximize(lambda a: -(a[0] - 0.4) ** 2, conditional=iqbo.GaussianConditional(sd=0.05),
    ...                      queries=np.linspace(0, 1, 9), targets=np.linspace(0, 1, 21), budget=6)
    >>> best.queries.shape, best.low <= best.mean <= best.high
    ((6, 1), True)
    """

    x: np.ndarray  #: shape (d,)
    name: Any  #: of x, if targets was a DataFrame with names; else None
    mean: float  #: of f there
    sd: float
    low: float  #: 95 % interval
    high: float
    probability: float  #: of being the maximiser; for a box, of f* - f(x) <= tolerance
    tolerance: float
    queries: np.ndarray  #: what was asked, shape (n, d_a)
    answers: np.ndarray  #: shape (n,)
    costs: np.ndarray  #: shape (n,)
    policy: Any = field(repr=False)  #: the `Policy` at the end, for plots and further queries
    names: Any = field(repr=False)  #: of the queries asked, if queries was a DataFrame with names
    columns: list = field(repr=False)  #: names of the coordinates of a query
    probability_error: float = float("nan")  #: standard error of the probability

    @property
    def trials(self):
        """The queries and their answers, as a DataFrame."""
        return frame(self)

    def __repr__(self):
        where = repr(self.name) if self.name is not None else np.array2string(self.x, precision=4)
        return f"Maximum(x={where}, f {self.mean:.4g} in [{self.low:.4g}, {self.high:.4g}], {len(self.answers)} answers)"


def maximize(measure, *, conditional, queries, targets, budget, policy="auto", cost=None, seed=0, callback=None, **settings):
    """Asks for averages until the budget is spent; returns where f is believed to be largest, as a `Maximum`.

    measure: a function of a query, an array (d_a,), or the row of queries if that is a DataFrame; returns z = g(a) + noise.
    conditional: p(x|a). queries: a `QueryBox`, `MixedQueries`, `QueryTree` or `ListedQueries`, or listed ones (p, d_a).
    targets: an `InputBox` or listed inputs (n, d). Of DataFrames the columns of numbers are used; the index or a column of
    texts names the rows, and the columns "cost" and "noise_sd" of queries give their costs and noise. budget: the sum of costs never exceeds it. cost: a number, (p,) or a function of (n, d_a); by
    default 1, and for a tree or `ListedQueries` their own. callback(policy): called after every answer; the loop ends if it
    returns True. settings: as for `Policy` (kernel, noise_var, mean, samples, initial, ...). With answers="poisson" or another family
    of counts measure returns (count, exposure), and `Maximum.answers` are rates.

    >>> def measure(a):                        # the average of f(x) = 1 - (x - 0.3)^2 over a +- 0.1
    ...     return 1 - (a[0] - 0.3) ** 2 - 0.1 ** 2 / 3
    >>> best = iqbo.maximize(measure, conditional=iqbo.UniformConditional(half_width=0.1), budget=12,
    ...                      queries=iqbo.QueryBox([0.0], [1.0]), targets=iqbo.InputBox([0.0], [1.0]))
    >>> bool(abs(best.x[0] - 0.3) < 0.05)
    True
    """
    if not callable(measure):
        raise TypeError(f"measure: {type(measure).__name__}, expected a function of a query")
    budget = one_number(budget, "budget")
    if not budget > 0:
        raise ValueError(f"budget: {budget}, expected more than 0")
    x, x_names = _space(targets, "targets")
    a, a_names = _space(queries, "queries")
    if is_frame(targets) and is_frame(queries):
        require_one_order(conditional, coordinates(queries, "queries"), coordinates(targets, "targets"))
    listed = isinstance(a, spaces.ListedQueries) and len(a.cost) > 0
    if cost is not None and (listed or isinstance(a, spaces.QueryTree)):
        owner = "the listed queries have costs of their own" if listed else "a tree has costs of its own"
        raise ValueError(f"cost: given, expected none: {owner}")
    price = _Price(a.cost if listed else cost, a.queries if isinstance(a, spaces.ListedQueries) else a)
    if not isinstance(a, (spaces.QueryBox, spaces.MixedQueries)):  # for lists and trees, the policy itself keeps the budget
        settings = {**settings, "budget": budget, "cost": None if cost is None else price}
    chooser = policies.Policy(x, a, conditional, policy=policy, seed=seed, **settings)
    if is_frame(targets) or is_frame(queries):
        names = Columns(conditional)
        names.names = {space: list(map(str, coordinates(given, what))) if is_frame(given) else None
                       for space, given, what in (("x", targets, "targets"), ("a", queries, "queries"))}
        chooser._name_columns(names)
    asked, answers, costs, rows = [], [], [], []
    while len((suggestion := chooser.suggest()).queries):
        query = suggestion.queries[0]
        paid = float(a.cost(suggestion.nodes[0]) if isinstance(a, spaces.QueryTree) else price(query[None])[0])
        if sum(costs) + paid > budget * (1 + 1e-9):
            break
        seen = measure(queries.iloc[suggestion.rows[0]] if is_frame(queries) else query)
        if settings.get("answers") in (None, "gaussian"):
            z = one_number(seen, "measure(a)")
            chooser.observe(query[None], [z])
        else:
            count, exposure = _counted(seen)
            z = count / exposure
            chooser.observe(query[None], count=[count], exposure=[exposure])
        asked.append(query)
        answers.append(z)
        costs.append(paid)
        rows.extend(suggestion.rows)
        if callback is not None and isinstance(end := callback(chooser), (bool, np.bool_)) and end:
            break
    if not asked:
        raise ValueError(f"budget: {budget}, expected enough for one query")
    best = chooser.best()
    return Maximum(best.x[0], None if x_names is None else x_names[best.row], best.mean, best.sd, best.low, best.high,
                   best.probability, best.tolerance, np.array(asked), np.array(answers), np.array(costs), chooser,
                   None if a_names is None else [a_names[row] for row in rows], _columns(queries, len(asked[0])),
                   best.probability_error)


def _counted(seen):
    if not isinstance(seen, (tuple, list, np.ndarray)) or len(seen) != 2:
        raise ValueError(f"measure(a): {seen!r}, expected (count, exposure)")
    return one_number(seen[0], "count"), one_number(seen[1], "exposure")


def _space(given, what):
    """The argument for `Policy`, and the names of its rows."""
    if not is_frame(given):
        return given, None
    points = given[coordinates(given, what)].to_numpy(float)
    traits = own_traits(given) if what == "queries" else {}
    return spaces.ListedQueries(points, **traits) if traits else points, row_names(given)


def _columns(queries, count):
    if is_frame(queries):
        return coordinates(queries, "queries")
    return ["a"] if count == 1 else [f"a{j + 1}" for j in range(count)]


class _Price:
    """Costs (n,) of queries (n, d_a). A class, so that policies with costs can be pickled."""

    def __init__(self, cost, queries):
        self.cost, self.listed = 1.0 if cost is None else cost, None
        if callable(self.cost):
            return
        if np.ndim(self.cost) == 0:
            self.cost = float(_positive(one_number(self.cost, "cost"), "cost"))
            return
        if isinstance(queries, (spaces.QueryBox, spaces.MixedQueries, spaces.QueryTree)):
            raise ValueError("cost: a list, expected a number or a function: queries are not listed")
        self.listed = queries if isinstance(queries, spaces.QuerySet) else spaces.QuerySet(queries)
        require_unmasked(cost, "cost")
        self.cost = _positive(np.array(cost, float), "cost")
        if self.cost.shape != (len(self.listed),):
            raise ValueError(f"cost: shape {self.cost.shape}, expected shape ({len(self.listed)},)")

    def __call__(self, a):
        if callable(self.cost):
            paid = np.asarray(self.cost(a), float)
            if paid.ndim > 0 and paid.shape != (len(a),):
                raise ValueError(f"cost(a): shape {paid.shape}, expected a number or shape ({len(a)},)")
            return np.broadcast_to(_positive(paid, "cost(a)"), len(a))
        return np.full(len(a), self.cost) if self.listed is None else self.cost[self.listed.positions(a)]


def _positive(cost, name):
    """Refuses costs that are not positive: the budget would never be spent."""
    wrong = np.flatnonzero(~(np.isfinite(cost) & (np.asarray(cost) > 0)))
    if len(wrong):
        at = f"row {wrong[0]} is " if np.ndim(cost) else ""
        raise ValueError(f"{name}: {at}{np.ravel(cost)[wrong[0]]}, expected a finite number > 0")
    return cost

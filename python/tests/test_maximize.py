"""The whole loop in one call."""
import copy
import pickle

import iqbo
import numpy as np
import pytest
from iqbo import conditionals, spaces

LINE = np.linspace(0, 1, 41)
WINDOW = iqbo.UniformConditional(half_width=0.1)
KNOWN = {"kernel": iqbo.Rbf(1.0, 0.3), "noise_var": 1e-4}


def average(a):
    """Of 1 - (x - 0.3)^2 over a +- 0.1."""
    return 1 - (a[0] - 0.3) ** 2 - 0.1**2 / 3


@pytest.mark.parametrize("queries", [LINE, LINE[:, None], LINE.tolist(), spaces.QuerySet(LINE), iqbo.QueryBox([0.0], [1.0])])
@pytest.mark.parametrize("targets", [LINE, iqbo.InputBox([0.0], [1.0])])
def test_finds_the_maximum(queries, targets):
    best = iqbo.maximize(average, conditional=WINDOW, queries=queries, targets=targets, budget=8, **KNOWN)
    assert abs(best.x[0] - 0.3) < 0.05 and best.low <= 1.01 and best.high >= 0.99
    assert best.queries.shape == (8, 1) and best.answers.shape == (8,) and best.costs.sum() == 8
    np.testing.assert_allclose(best.answers, [average(a) for a in best.queries])
    assert "Maximum(x=[0." in repr(best) and "8 answers" in repr(best)


def test_one_seed_one_trace_and_pickle():
    def run(seed):
        return iqbo.maximize(average, conditional=WINDOW, queries=LINE, targets=LINE, budget=5, seed=seed, policy="random",
                             **KNOWN)

    np.testing.assert_array_equal(run(1).queries, run(1).queries)
    assert not np.array_equal(run(1).queries, run(2).queries)
    for again in (pickle.loads(pickle.dumps(run(1))), copy.deepcopy(run(1))):
        np.testing.assert_array_equal(again.queries, run(1).queries)
        assert again.policy.best().mean == run(1).mean


@pytest.mark.parametrize("queries", [LINE, iqbo.QueryBox([0.0], [1.0])])
@pytest.mark.parametrize("cost", [2.0, lambda a: 1.0 + a[:, 0], lambda a: 2.0])
def test_the_budget_is_never_overspent(queries, cost):
    best = iqbo.maximize(average, conditional=WINDOW, queries=queries, targets=LINE, budget=7, cost=cost, **KNOWN)
    assert best.costs.sum() <= 7 and best.costs.sum() > 7 - 2
    assert best.trials["cost"].sum() == best.costs.sum()


def test_costs_of_listed_queries():
    price = np.where(LINE < 0.5, 1.0, 3.0)
    best = iqbo.maximize(average, conditional=WINDOW, queries=LINE, targets=LINE, budget=9, cost=price, **KNOWN)
    np.testing.assert_array_equal(best.costs, [price[np.argmin(abs(LINE - a))] for a in best.queries[:, 0]])


def test_listed_queries_have_their_own_costs():
    price = np.where(LINE < 0.5, 1.0, 3.0)
    listed = iqbo.spaces.ListedQueries(LINE, cost=price)
    best = iqbo.maximize(average, conditional=WINDOW, queries=listed, targets=LINE, budget=9, **KNOWN)
    given = iqbo.maximize(average, conditional=WINDOW, queries=LINE, targets=LINE, budget=9, cost=price, **KNOWN)
    np.testing.assert_array_equal(best.costs, given.costs)
    np.testing.assert_array_equal(best.queries, given.queries)
    with pytest.raises(ValueError, match="cost: given, expected none: the listed queries have costs of their own"):
        iqbo.maximize(average, conditional=WINDOW, queries=listed, targets=LINE, budget=9, cost=2.0, **KNOWN)


def test_a_tree_has_its_own_costs():
    tree = spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), points=LINE[:, None], l_max=3)
    values = 1 - (LINE - 0.3) ** 2
    best = iqbo.maximize(lambda a: values[tree.members(tree.nodes(a)[0])].mean(), conditional=conditionals.CellConditional(tree),
                         queries=tree, targets=LINE, budget=12, **KNOWN)
    np.testing.assert_array_equal(best.costs, [tree.cost(node) for node in tree.nodes(best.queries)])
    assert best.costs.sum() <= 12


def test_frames_name_rows_and_answers():
    pandas = pytest.importorskip("pandas")
    districts = pandas.DataFrame({"east": [0.1, 0.5, 0.9], "mayor": ["x", "y", "z"]}, index=pandas.Index(["n", "m", "s"]))
    pixels = pandas.DataFrame({"east": LINE}, index=[f"p{i}" for i in range(41)])
    seen = []

    def measure(row):
        seen.append(row.name)
        return {"x": 0.1, "y": 0.5, "z": 1.0}[row.mayor]

    best = iqbo.maximize(measure, conditional=WINDOW, queries=districts, targets=pixels, budget=4, **KNOWN)
    assert best.name == f"p{np.argmin(abs(LINE - best.x[0]))}" and repr(best.name) in repr(best)
    assert best.trials["name"].tolist() == seen and best.trials.columns.tolist() == ["name", "east", "answer", "cost"]


@pytest.mark.parametrize("dtype", [object, "string", "category"])
def test_a_column_of_texts_names_rows(dtype):
    pandas = pytest.importorskip("pandas")
    pixels = pandas.DataFrame({"pixel": pandas.Series([f"p{i}" for i in range(41)], dtype=dtype), "east": LINE})
    best = iqbo.maximize(lambda row: average([row.east]), conditional=WINDOW, queries=pixels[3:], targets=pixels, budget=3, **KNOWN)
    assert best.name == f"p{np.argmin(abs(LINE - best.x[0]))}"
    assert best.names == [f"p{np.argmin(abs(LINE - a))}" for a in best.queries[:, 0]]


def test_own_score_and_early_end():
    def cautious(outlook, samples):
        return outlook.nu - np.sqrt(outlook.q)

    best = iqbo.maximize(average, conditional=WINDOW, queries=LINE, targets=LINE, budget=9, policy=cautious,
                         callback=lambda policy: len(policy) >= 4, **KNOWN)
    assert len(best.answers) == 4
    best = iqbo.maximize(average, conditional=WINDOW, queries=LINE, targets=LINE, budget=9, policy=lambda outlook, _: outlook.nu,
                         callback=lambda policy: np.bool_(True), **KNOWN)
    assert len(best.answers) == 1


def test_answers_may_be_arrays_of_one():
    best = iqbo.maximize(lambda a: 1 - (a - 0.3) ** 2, conditional=WINDOW, queries=LINE, targets=LINE, budget=3, **KNOWN)
    assert best.answers.shape == (3,)


@pytest.mark.parametrize("change,error,words", [
    ({"measure": 3.0}, TypeError, "measure: float"),
    ({"budget": 0}, ValueError, "budget: 0"),
    ({"budget": "a"}, ValueError, "budget: 'a', expected one number"),
    ({"budget": 0.5}, ValueError, "budget: 0.5, expected at least 1"),
    ({"budget": 0.5, "queries": iqbo.QueryBox([0.0], [1.0])}, ValueError, "enough for one query"),
    ({"measure": lambda a: [1.0, 2.0]}, ValueError, r"measure\(a\): shape \(2,\), expected one number"),
    ({"measure": lambda a: float("nan")}, ValueError, "nan"),
    ({"cost": [1.0]}, ValueError, r"cost: shape \(1,\), expected shape \(41,\)"),
    ({"cost": [1.0], "queries": iqbo.QueryBox([0.0], [1.0])}, ValueError, "queries are not listed"),
    ({"cost": np.nan, "queries": iqbo.QueryBox([0.0], [1.0])}, ValueError, "cost: nan, expected a finite number > 0"),
    ({"cost": -1.0, "queries": iqbo.QueryBox([0.0], [1.0])}, ValueError, "cost: -1.0, expected a finite number > 0"),
    ({"cost": lambda a: -1.0, "queries": iqbo.QueryBox([0.0], [1.0])}, ValueError, r"cost\(a\): -1.0, expected"),
    ({"cost": np.full(41, np.nan)}, ValueError, "cost: row 0 is nan"),
    ({"cost": 2.0, "queries": spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=2)}, ValueError, "a tree has costs of its own"),
    ({"targets": np.zeros((3, 2))}, ValueError, "targets: "),
    ({"queries": np.random.default_rng(1).uniform(size=(3, 2))}, ValueError, "queries: 2 columns"),
    ({"conditional": average}, ValueError, "conditional: .*expected a Conditional"),
    ({"polcy": "cmes"}, TypeError, "polcy"),
    ({"policy": "cmse"}, ValueError, '"cmes"'),
])
def test_refusals(change, error, words):
    arguments = {"measure": average, "conditional": WINDOW, "queries": LINE, "targets": LINE, "budget": 3, **KNOWN, **change}
    with pytest.raises(error, match=words):
        iqbo.maximize(**arguments)


def test_what_measure_raises_passes_through():
    def broken(a):
        raise OSError("the line is down")

    with pytest.raises(OSError, match="the line is down"):
        iqbo.maximize(broken, conditional=WINDOW, queries=LINE, targets=LINE, budget=3, **KNOWN)

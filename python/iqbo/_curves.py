"""Regret along runs, read from tables of any kind."""
from collections.abc import Mapping

import numpy as np

from iqbo import experiment


def of(results, regret, by):
    """{policy: (answers or cost (steps,), regret (seeds, steps))}"""
    if isinstance(results, Mapping) and "policy" not in results:
        tables = {policy: np.atleast_2d(np.asarray(table, float)) for policy, table in results.items()}
        return {policy: (np.arange(1, table.shape[1] + 1), table) for policy, table in tables.items()}
    column = _column_of(results)
    problems = set(column("problem", "")) if len(column("policy")) else set()
    if len(problems) > 1:
        raise ValueError(f"results: of {len(problems)} problems, expected one: {', '.join(sorted(map(str, problems)))}")
    policies, seeds, t = (np.asarray(column(name)) for name in ("policy", "seed", "t"))
    values = np.asarray(column(f"{regret}_regret"), float)
    cost = np.asarray(column("cost"), float) if by == "cost" else t + 1.0
    out = {}
    for policy in dict.fromkeys(policies):
        mine = [np.flatnonzero((policies == policy) & (seeds == seed)) for seed in dict.fromkeys(seeds)]
        mine = [rows[np.argsort(t[rows], kind="stable")] for rows in mine if len(rows)]
        at = np.unique(np.concatenate([cost[rows] for rows in mine]))
        at = at[at >= max(cost[rows[0]] for rows in mine)]  # from where every run has begun
        out[policy] = at, np.array([values[rows[np.searchsorted(cost[rows], at, side="right") - 1]] for rows in mine])
    return out


def _column_of(results):
    if isinstance(results, experiment.ResultTable):
        results = results.columns()
    if hasattr(results, "columns") or isinstance(results, Mapping):
        names = list(results.columns if hasattr(results, "columns") else results)

        def column(name, default=None):
            if name not in names and default is None:
                raise ValueError(f"results: no column {name!r}, expected policy, seed, t and a regret; found {names}")
            return list(results[name]) if name in names else [default] * len(results[names[0]])
        return column
    rows = list(results)
    return lambda name, default=None: [getattr(row, name) for row in rows]

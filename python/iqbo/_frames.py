"""pandas, where it is there: DataFrames in, DataFrames out."""
import sys
from typing import Any

import numpy as np

from iqbo import _iqbo


def is_frame(table):
    pandas = sys.modules.get("pandas")  # nobody has a DataFrame who has not imported it
    return pandas is not None and isinstance(table, pandas.DataFrame)


def coordinates(frame, what):
    """The columns of a DataFrame that hold numbers."""
    columns = list(frame.select_dtypes("number").columns)
    if not columns:
        raise ValueError(f"{what}: no column of numbers, expected coordinates")
    return columns


def row_names(frame):
    """What the rows are called: an index that does not only count, else the column of texts if there is one; else None."""
    if not isinstance(frame.index, sys.modules["pandas"].RangeIndex) or frame.index.name is not None:
        return frame.index.tolist()
    texts = [name for name in frame.columns if frame[name].dtype == object]
    return frame[texts[0]].tolist() if len(texts) == 1 else None


def frame(thing: Any):
    """A DataFrame of a `Study` (its trials), `Maximum`, `ResultTable`, belief (`Marginals`, `Prediction`, `BeliefRecord`), or of a
    list of records such as `Fit.parameters`. Needs pandas.

    >>> iqbo.frame(iqbo.Posterior(iqbo.Rbf(), iqbo.GaussianConditional(sd=0.0)).f([0.0, 1.0]))
       mean  var
    0   0.0  1.0
    1   0.0  1.0
    """
    try:
        import pandas
    except ImportError as error:
        raise ImportError("iqbo.frame needs pandas: apt-get install python3-pandas, or pip install iqbo[frames]") from error
    return pandas.DataFrame(_columns(thing))


def _columns(thing):
    """{column: values}"""
    if isinstance(thing, _iqbo.ResultTable):
        return thing.columns()
    if hasattr(thing, "ask"):
        return _trials(thing.trials, thing._core.a_names)
    if hasattr(thing, "answers"):
        names = {} if thing.names is None else {"name": thing.names}
        return {**names, **dict(zip(thing.columns, thing.queries.T)), "answer": thing.answers, "cost": thing.costs}
    if isinstance(thing, _iqbo.BeliefRecord):
        names = {"name": thing.names} if len(thing.names) else {}
        points = np.asarray(thing.points)
        return {**names, **{f"c{j}": points[:, j] for j in range(points.shape[1])}, "mean": thing.mean, "sd": thing.sd}
    if isinstance(thing, (_iqbo.Marginals, _iqbo.Prediction)):
        return {name: getattr(thing, name) for name in fields(thing)}
    if isinstance(thing, (list, tuple)) and len(thing) and all(fields(record) for record in thing):
        return {name: [getattr(record, name) for record in thing] for name in fields(thing[0])}
    raise TypeError(f"thing: {type(thing).__name__}, expected a Study, Maximum, ResultTable, belief or list of records")


def _trials(trials, names):
    columns = {"trial": [trial.number for trial in trials], "name": [trial.name for trial in trials]}
    if not any(columns["name"]):
        del columns["name"]
    columns.update({name: [trial.query[j] for trial in trials] for j, name in enumerate(names)})
    told = [trial.outcome for trial in trials]
    columns["value"] = [outcome.value if outcome else np.nan for outcome in told]
    columns["noise_sd"] = [np.nan if outcome is None or outcome.noise_sd is None else outcome.noise_sd for outcome in told]
    return {**columns, **{key: [getattr(trial, key) for trial in trials] for key in ("cost", "state", "policy", "score")}}


def fields(record):
    """Names of the members of a record of the library."""
    if type(record).__module__ != "iqbo":
        return []
    return [name for name, member in vars(type(record)).items() if isinstance(member, property)]

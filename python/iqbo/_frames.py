"""DataFrames in and out, if pandas is installed."""
import sys
from typing import Any

import numpy as np

from iqbo import _iqbo, experiment, posteriors
from iqbo._tables import columns_of, require_distinct


def is_frame(table):
    pandas = sys.modules.get("pandas")  # without the import there can be no DataFrame
    return pandas is not None and isinstance(table, pandas.DataFrame)


OWN = ("cost", "noise_sd")  #: columns of listed queries that are no coordinates


def coordinates(frame, what):
    """The columns of a DataFrame that hold numbers; of queries, other than `OWN`."""
    require_distinct(frame.columns, what)
    columns = [name for name in frame.select_dtypes("number").columns
               if frame[name].dtype.kind != "c" and not (what == "queries" and name in OWN)]
    if not columns:
        raise ValueError(f"{what}: no column of numbers, expected coordinates")
    return columns


def names_of(frame):
    """(the name of the index or column that names the rows, these names): an index of texts or with a name, else the only
    column of texts, else an index that does not merely count the rows from 0; (None, None) if there is none."""
    pandas = sys.modules["pandas"]
    types, index = pandas.api.types, frame.index
    texts = [name for name, kind in frame.dtypes.items()
             if types.is_string_dtype(kind) or isinstance(kind, pandas.CategoricalDtype)]
    counts = index.name is None and types.is_numeric_dtype(index)
    counted = isinstance(index, pandas.RangeIndex) and index.equals(pandas.RangeIndex(len(index)))
    if not counts or (len(texts) != 1 and not counted):
        return index.name, index.tolist()
    return (texts[0], frame[texts[0]].tolist()) if len(texts) == 1 else (None, None)


def own_traits(frame):
    """What the columns "cost" and "noise_sd" of a DataFrame of queries say: keywords of `ListedQueries`."""
    out = {}
    if "cost" in frame.columns:
        out["cost"] = frame["cost"].to_numpy(float)
    if "noise_sd" in frame.columns:
        out["noise_var"] = frame["noise_sd"].to_numpy(float) ** 2
    return out


def row_names(frame):
    return names_of(frame)[1]


def is_numbered(names):
    """Whether columns have no names of their own."""
    return len(names) > 0 and list(names) == [str(j) for j in range(len(names))]


def points_of(table, names, what, categories=None):
    """The columns of these names of a DataFrame, in this order; of one whose columns are only numbered, all. Anything else unchanged.

    categories: {name: its categories, in the order of their codes}.
    """
    if not hasattr(table, "columns"):
        return table
    columns = columns_of(table, what=what)
    absent = [name for name in names if name not in columns]
    numbered = is_numbered(columns)
    if absent and not numbered:
        raise ValueError(f"{what}: no column {', '.join(map(repr, absent))}, expected {', '.join(map(repr, names))}; "
                         f"found {', '.join(map(repr, columns))}")
    for name, known in ({} if absent else categories or {}).items():
        columns[name] = [_code(value, known, f"{what}: column {name!r}") for value in columns[name]]
    return np.column_stack([columns[name] for name in (columns if absent else names)])


def _code(value, known, where):
    if str(value) not in known:
        raise ValueError(f"{where}: {value!r}, expected one of {', '.join(map(repr, known[:10]))}" + (", ..." if len(known) > 10 else ""))
    return known.index(str(value))


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
    if isinstance(thing, experiment.ResultTable):
        return thing.columns()
    if hasattr(thing, "ask"):
        return _trials(thing.trials, thing._core.a_names)
    if hasattr(thing, "answers"):
        names = {} if thing.names is None else {"name": thing.names}
        return {**names, **dict(zip(thing.columns, thing.queries.T)), "answer": thing.answers, "cost": thing.costs}
    if isinstance(thing, _iqbo.studies.BeliefRecord):
        names = {"name": thing.names} if len(thing.names) else {}
        points = np.asarray(thing.points)
        return {**names, **dict(zip(thing.coordinates, points.T)), "mean": thing.mean, "sd": thing.sd}
    if isinstance(thing, (posteriors.Marginals, _iqbo.studies.Prediction)):
        return {name: getattr(thing, name) for name in fields(thing)}
    if isinstance(thing, (list, tuple)) and len(thing) and all(fields(record) for record in thing):
        return {name: [getattr(record, name) for record in thing] for name in fields(thing[0])}
    raise TypeError(f"thing: {type(thing).__name__}, expected a Study, Maximum, ResultTable, belief or list of records")


def _trials(trials, names):
    columns = {"trial": [trial.number for trial in trials], "name": [trial.name for trial in trials]}
    if not any(columns["name"]):
        del columns["name"]
    columns.update({name: [trial.query[j] for trial in trials] for j, name in enumerate(names)})
    told = [trial.answer for trial in trials]
    columns["value"] = [answer.value if answer else np.nan for answer in told]
    if any(answer and answer.count is not None for answer in told):
        columns["count"] = [np.nan if answer is None or answer.count is None else answer.count for answer in told]
        columns["counted_among" if "exposure" in columns else "exposure"] = [
            np.nan if answer is None or answer.exposure is None else answer.exposure for answer in told]
        return {**columns, **_choices(trials)}
    columns["noise_sd"] = [np.nan if answer is None or answer.noise_sd is None else answer.noise_sd for answer in told]
    return {**columns, **_choices(trials)}


def _choices(trials):
    return {key: [getattr(trial, key) for trial in trials] for key in ("cost", "state", "policy", "score")}


_OF_ARRAYS = {"shape", "ndim", "dtype", "size"}  # a trial has these because it can be used like its query


def fields(record):
    """Names of the members of a record of the library."""
    if not type(record).__module__.startswith("iqbo."):
        return []
    members = vars(type(record)).items()
    return [name for name, member in members if isinstance(member, property) and name not in _OF_ARRAYS]

"""The spec as a document: one JSON text and the tables it names."""
import json
import numbers
import warnings

import numpy as np

from iqbo import _iqbo
from iqbo._tables import columns_of, is_table, to_csv


class SpecDict(dict):
    """A spec, which may still be asked for a key by the name that it had in version 1."""

    def __missing__(self, key):
        now = {"target": "targets", "query": "queries", "noise": "noise_sd"}.get(key)
        if now is None:
            raise KeyError(key)
        warnings.warn(f"iqbo.Study.spec: key {key} is now {now}; the old name works until 0.3", DeprecationWarning, stacklevel=2)
        return self[now]


class SpecFiles:
    """The tables that go with a spec, by name."""

    def __init__(self):
        self.files = {}

    def put(self, name, columns):
        self.files[name] = to_csv(columns)
        return name


def with_tables(spec, files, path=""):
    """The spec with tables, which may be given instead of names of files, moved to `files`."""
    if not isinstance(spec, dict):
        return spec
    out = {}
    for key, value in spec.items():
        where = f"{path}.{key}" if path else key
        table = key in ("points", "bags", "pairs") and is_table(value)
        out[key] = files.put(f"{where}.csv", columns_of(value)) if table else with_tables(value, files, where)
    return out


def meaning(text, files):
    """The spec with its tables in place of their names: documents of different versions that say the same are equal."""
    def filled(value):
        if isinstance(value, dict):
            return {key: filled(item) for key, item in value.items()}
        return files.get(value, value) if isinstance(value, str) else value

    return filled(json.loads(_iqbo.studies._current_spec(text)))


def plain(value, path):
    """The value in types that JSON has; refuses others, naming their path."""
    if isinstance(value, dict):
        return {key: plain(item, f"{path}.{key}" if path else str(key)) for key, item in value.items()}
    value = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(value, (list, tuple)):
        return [plain(item, f"{path}[{i}]") for i, item in enumerate(value)]
    if value is None or isinstance(value, (str, bool, int)):
        return value
    if not isinstance(value, (numbers.Real, np.bool_)):
        raise ValueError(f"{path}: {value!r}, expected a number, a text, a list or a dictionary")
    if not np.isfinite(value):
        raise ValueError(f"{path}: {value}, expected a finite number")
    return bool(value) if isinstance(value, np.bool_) else float(value)


def spec_text(spec):
    return json.dumps(plain(spec, ""), indent=2) + "\n"

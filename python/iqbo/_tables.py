"""Tables of any kind as the CSV that studies store: exact numbers, names quoted where needed."""
import csv
import io
import numbers
import os

import numpy as np


def is_table(thing):
    """Whether this is a DataFrame, a dictionary of columns or an array, as opposed to the name of a file."""
    return hasattr(thing, "columns") or isinstance(thing, (dict, list, tuple, np.ndarray))


def columns_of(table, names=None):
    """{name: values} of a DataFrame, a dictionary of columns, or an array whose columns are called `names`."""
    if hasattr(table, "columns"):  # pandas, polars
        return {str(name): list(table[name]) for name in table.columns}
    if isinstance(table, dict):
        return {str(name): list(np.atleast_1d(values)) for name, values in table.items()}
    rows = np.asarray(table)
    rows = rows.reshape(-1, 1) if rows.ndim < 2 else rows
    if rows.ndim != 2 or (names is not None and rows.shape[1] != len(names)):
        expected = "(n, d)" if names is None else f"(n, {len(names)})"
        raise ValueError(f"table: shape {np.shape(table)}, expected shape {expected}")
    return dict(zip(names or [f"c{j}" for j in range(rows.shape[1])], rows.T.tolist()))


def one_number(value, name):
    """A float, also from an array, list or Series with one element."""
    try:
        values = np.asarray(value)
    except ValueError:  # rows of different lengths
        values = np.empty(0, object)
    decimals = values.dtype == object and all(isinstance(item, numbers.Number) for item in values.flat)  # fractions too
    if values.dtype.kind not in "biuf" and not (decimals and values.size):
        raise ValueError(f"{name}: {value!r}, expected one number")
    if values.size != 1:
        raise ValueError(f"{name}: shape {values.shape}, expected one number")
    return float(values.reshape(-1)[0])


def whole_number(value, name):
    number = one_number(value, name)
    if not number.is_integer():
        raise ValueError(f"{name}: {value!r}, expected a whole number")
    return int(value) if isinstance(value, numbers.Integral) else int(number)


def missing(value):
    return value is None or value != value or str(value) == "<NA>"


def cell(value):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real):
        return str(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return repr(float(value))


def to_csv(columns):
    """{name: values} as CSV; all columns must have the same length."""
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"table: columns of lengths {lengths}, expected one length")
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    writer.writerows(zip(*([cell(value) for value in values] for values in columns.values())))
    return out.getvalue()


def csv_text(table):
    """The CSV text of a table or of a file; CSV text is returned as it is."""
    if isinstance(table, os.PathLike) or (isinstance(table, str) and "\n" not in table):
        with open(table, encoding="utf-8") as file:
            return file.read()
    return table if isinstance(table, str) else to_csv(columns_of(table))

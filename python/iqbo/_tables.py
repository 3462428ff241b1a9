"""Tables of any kind as the CSV that studies store: exact numbers, names quoted where needed."""
import csv
import io
import numbers
import os

import numpy as np


ARROW_FILES = (".parquet", ".feather", ".arrow")
_AT_ONCE = 65536  # rows that are turned into text together


def is_table(thing):
    """Whether this is a DataFrame, an Arrow table, a dictionary of columns or an array, as opposed to the name of a file."""
    return hasattr(thing, "columns") or isinstance(thing, (dict, list, tuple, np.ndarray)) or is_arrow(thing)


def is_arrow(thing):
    """Whether this is a table of pyarrow, or one that offers itself as Arrow without a copy (polars, DuckDB)."""
    return hasattr(thing, "__arrow_c_stream__") or hasattr(thing, "schema") and hasattr(thing, "to_batches")


def _pyarrow():
    try:
        import pyarrow
    except ImportError as error:
        raise ImportError("Parquet and Arrow need pyarrow: pip install pyarrow") from error
    return pyarrow


def arrow_file(name):
    """The table of a Parquet, Feather or Arrow file; the last two are mapped into memory, not copied."""
    pyarrow = _pyarrow()
    name = os.fspath(name)
    if name.lower().endswith(".parquet"):
        from pyarrow import parquet

        return parquet.read_table(name)
    from pyarrow import feather

    return feather.read_table(name, memory_map=True)


def require_distinct(names, what="table"):
    names = [str(name) for name in names]
    for name in names if len(set(names)) < len(names) else ():
        if names.count(name) > 1:
            raise ValueError(f"{what}: {names.count(name)} columns called {name!r}, expected different names")


def _arrow_columns(table, what):
    """{name: NumPy array} of an Arrow table; numbers without missing values, in one piece, are not copied."""
    pyarrow = _pyarrow()
    if not hasattr(table, "to_batches"):
        table = pyarrow.table(table)
    require_distinct(table.schema.names, what)
    out = {}
    for name, column in zip(table.schema.names, table.itercolumns()):
        pieces = [piece for piece in column.chunks if len(piece)]
        if len(pieces) == 1 and not pieces[0].null_count and pyarrow.types.is_floating(pieces[0].type):
            out[str(name)] = pieces[0].to_numpy(zero_copy_only=True)
        else:
            out[str(name)] = column.to_numpy() if column.null_count == 0 else np.array(column.to_pylist(), object)
    return out


def require_unmasked(values, name):
    """Refuses a masked array of NumPy in which anything is masked: what is below the mask would be taken for a value."""
    if isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values):
        mask = np.ma.getmaskarray(values)
        at = f"row {np.argwhere(mask)[0][0]} is masked" if mask.ndim else "is masked"
        raise ValueError(f"{name}: {at}, expected numbers; leave such rows out, or give the values that are meant, values.filled(...)")


def columns_of(table, names=None, what="table"):
    """{name: values} of a DataFrame, an Arrow table, a dictionary of columns, or an array whose columns are called `names`."""
    if is_arrow(table) and (hasattr(table, "to_batches") or not hasattr(table, "columns")):
        return _arrow_columns(table, what)
    if hasattr(table, "columns"):  # pandas, polars
        require_distinct(table.columns, what)
        return {str(name): _series(table[name]) for name in table.columns}
    if isinstance(table, dict):
        for name, values in table.items():
            require_unmasked(values, f"{what}: column {name!r}")
        return {str(name): np.atleast_1d(values) if isinstance(values, np.ndarray) else _list_of(values)
                for name, values in table.items()}
    require_unmasked(table, what)
    rows = np.asarray(table)
    rows = rows.reshape(-1, 1) if rows.ndim < 2 else rows
    if rows.ndim != 2 or (names is not None and rows.shape[1] != len(names)):
        expected = "(n, d)" if names is None else f"(n, {len(names)})"
        raise ValueError(f"table: shape {np.shape(table)}, expected shape {expected}")
    return dict(zip(names or [f"c{j}" for j in range(rows.shape[1])], rows.T.tolist()))


def _list_of(values):
    array = np.atleast_1d(values)
    mixed = array.dtype.kind == "U" and isinstance(values, (list, tuple))  # of None or NaN among texts NumPy would make texts
    return list(values if mixed else array)


def _series(values):
    """The values of a column: an array of floats as it is, others one by one."""
    numbers_only = getattr(getattr(values, "dtype", None), "kind", "") == "f" and hasattr(values, "to_numpy")
    return values.to_numpy(dtype=np.float64) if numbers_only else list(values)


def one_number(value, name):
    """A float, also from an array, list or Series with one element."""
    require_unmasked(value, name)
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
    """Whether this is None, NaN, NaT or NA."""
    if value is None or isinstance(value, str):
        return value is None
    return value != value if isinstance(value, numbers.Number) else str(value) in ("<NA>", "NaT")


def text_of(value):
    """A name as text, "" if it is missing."""
    return "" if missing(value) else str(value)


def cell(value):
    if isinstance(value, (bool, np.bool_)) or not isinstance(value, numbers.Real) or missing(value):
        return text_of(value)
    if isinstance(value, numbers.Integral):
        return str(int(value))
    return repr(float(value))


def rows_in(columns):
    """The length of the columns, which must be the same for all."""
    lengths = {name: len(values) for name, values in columns.items()}
    if len(set(lengths.values())) > 1:
        raise ValueError(f"table: columns of lengths {lengths}, expected one length")
    return max(lengths.values(), default=0)


def to_csv(columns):
    """{name: values} as CSV; what is missing is empty."""
    rows = rows_in(columns)
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(columns)
    for begin in range(0, rows, _AT_ONCE):  # a million rows as Python objects would need gigabytes
        writer.writerows(zip(*(_cells(values[begin:begin + _AT_ONCE]) for values in columns.values())))
    return out.getvalue()


def _cells(values):
    if isinstance(values, np.ndarray) and values.dtype == np.float64:
        return map(repr, values.tolist())
    return [cell(value) for value in values]


def read_csv(text):
    """{name: texts} of a CSV that a study stores."""
    header = text.lstrip("\ufeff").split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    rows = list(csv.reader(io.StringIO(text.lstrip("\ufeff")), delimiter=delimiter))
    return {name: [row[j] for row in rows[1:] if row] for j, name in enumerate(rows[0])}


def csv_text(table):
    """The CSV text of a table or of a file; CSV text is returned as it is."""
    if isinstance(table, os.PathLike) or (isinstance(table, str) and "\n" not in table):
        if os.fspath(table).lower().endswith(ARROW_FILES):
            return to_csv(columns_of(arrow_file(table)))
        with open(table, encoding="utf-8") as file:
            return file.read()
    return table if isinstance(table, str) else to_csv(columns_of(table))

"""Logged pairs from Parquet, Feather and Arrow, without a copy where that is possible."""
import iqbo
import numpy as np
import pytest
from iqbo._tables import columns_of, csv_text

pyarrow = pytest.importorskip("pyarrow", reason="pyarrow is not installed: pip install pyarrow")


def table(rows=50):
    rng = np.random.default_rng(1)
    a = rng.uniform(size=rows)
    return pyarrow.table({"x": 2 * a + 0.1 * rng.normal(size=rows), "a": a})


def spec():
    return {"version": 2, "targets": {"kind": "box", "axes": [{"name": "x", "from": -1, "to": 3}]},
            "queries": {"kind": "box", "axes": [{"name": "a", "from": 0, "to": 1}]},
            "conditional": {"kind": "learned", "pairs": table()}}


def test_plain_numbers_are_not_copied():
    pairs = table()
    columns = columns_of(pairs)
    assert list(columns) == ["x", "a"]
    for name, values in columns.items():
        buffer = pairs[name].chunk(0).buffers()[1]
        assert values.__array_interface__["data"][0] == buffer.address, f"{name} was copied"


def test_pieces_and_whole_numbers():
    pieces = pyarrow.concat_tables([table(3), table(2)]).append_column("n", pyarrow.array([1, 2, 3, 4, 5]))
    columns = columns_of(pieces)
    assert [len(values) for values in columns.values()] == [5, 5, 5]
    assert csv_text(pieces).splitlines()[-1].endswith(",5")


@pytest.mark.parametrize("name", ["log.parquet", "log.feather", "log.arrow"])
def test_a_file_is_what_its_csv_is(tmp_path, name):
    pairs = table()
    if name.endswith("parquet"):
        from pyarrow import parquet

        parquet.write_table(pairs, tmp_path / name)
    else:
        from pyarrow import feather

        feather.write_feather(pairs, tmp_path / name, compression="uncompressed")
    assert csv_text(tmp_path / name) == csv_text(pairs)
    study = iqbo.Study(spec())
    assert study.import_pairs(tmp_path / name) == 50
    other = iqbo.Study(spec())
    assert other.import_pairs(csv_text(pairs)) == 50
    assert study.predict_g([[0.5]]).mean.tolist() == other.predict_g([[0.5]]).mean.tolist()


def test_missing_numbers_are_refused_with_their_row():
    pairs = pyarrow.table({"x": [1.0, None], "a": [0.5, 0.6]})
    with pytest.raises(ValueError, match='row 3, column "x"'):
        iqbo.Study(spec()).import_pairs(pairs)


def test_a_learned_conditional():
    pairs = table(200)
    given = iqbo.LearnedConditional(pairs["x"], pairs["a"], model="nw")
    plain = iqbo.LearnedConditional(pairs["x"].to_numpy(), pairs["a"].to_numpy(), model="nw")
    mean = iqbo.kernels.LinearMean(0.0, [1.0])
    assert given.nu(mean, [0.3]) == plain.nu(mean, [0.3])

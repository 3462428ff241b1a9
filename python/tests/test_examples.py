"""The examples run, say what they promise, and open as notebooks."""
import pathlib
import runpy
import time

import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
pytest.importorskip("pandas")
pytest.importorskip("sklearn")

FOLDER = pathlib.Path(__file__).parent.parent / "examples"


def hidden_best(made, points):
    return made[points][made["truth"].argmax()]


CLAIMS = {
    "counts": lambda m: abs(m["counted"].best().x[0] - 33.5) <= 3 and (m["counted"].predict_f(m["cells"]).low > 0).all()
    and (m["rates"].predict_f(m["cells"]).low < 0).any(),
    "districts": lambda m: np.abs(m["best"].x - hidden_best(m, "pixel_centres")).max() <= 2 and m["study"].status().told == 30,
    "tiles": lambda m: np.array_equal(m["best"].x, hidden_best(m, "pixels")) and m["best"].costs.sum() <= 80,
    "logged_pairs": lambda m: abs(m["best"].x[0] - 7.1) < 0.3,
    "own_acquisition": lambda m: abs(m["best"].x[0] - 0.75) < 0.03
    and m["study"].spec["policy"] == "custom:optimistic_correlation",
    "compare_policies": lambda m: m["finished"] and len(m["table"]) == 4 * 8 * 25,
    "scikit_learn": lambda m: max(m["differences"].values()) < 1e-8 and abs(m["where"]["iqbo"] - m["where"]["the truth"]) < 0.01,
}


def test_every_example_has_a_claim():
    assert {path.stem for path in FOLDER.glob("*.py")} == set(CLAIMS)


@pytest.mark.parametrize("name", CLAIMS)
def test_runs_and_keeps_its_promise(name):
    start = time.monotonic()
    made = runpy.run_path(str(FOLDER / f"{name}.py"))
    assert time.monotonic() - start < 60
    assert CLAIMS[name](made)
    assert matplotlib.pyplot.get_fignums()
    matplotlib.pyplot.close("all")


@pytest.mark.parametrize("name", CLAIMS)
def test_percent_format(name):
    text = (FOLDER / f"{name}.py").read_text()
    cells = text.split("# %%")
    assert cells[0] == "" and cells[1].startswith(" [markdown]\n# # ")
    for cell in cells[1:]:
        kind, _, body = cell.partition("\n")
        assert kind in ("", " [markdown]")
        if kind:
            assert all(line.startswith("#") for line in body.split("\n") if line)

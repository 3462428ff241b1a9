"""The type stubs are those of the extension, and true."""
import os
import pathlib
import runpy
import subprocess
import sys

import iqbo
import pytest

ROOT = pathlib.Path(__file__).parent.parent.parent
CONFIG = str(ROOT / "python" / "mypy.ini")
FOLDER = ROOT / "python" / "iqbo"
STUBS = runpy.run_path(str(ROOT / "tools" / "python_stubs.py"))["stubs"]()


def test_stubs_are_up_to_date():
    for file, made in STUBS.items():
        if os.environ.get("IQBO_WRITE"):
            (FOLDER / file).write_text(made)
        assert (FOLDER / file).read_text() == made, f"{file}: IQBO_WRITE=1 ./dev test -R python writes the stubs anew"
    assert {path.name for path in FOLDER.glob("*.pyi")} == {*STUBS, "_iqbo.pyi"}


def mypy(module, *arguments, **environment):
    package = str(pathlib.Path(iqbo.__file__).parent.parent)
    return subprocess.run([sys.executable, "-m", module, *arguments], capture_output=True, text=True,
                          env={**os.environ, "MYPYPATH": package, **environment})


def test_stubtest(tmp_path):
    pytest.importorskip("mypy")
    modules = [f"iqbo.{pathlib.Path(file).stem}" for file in STUBS]
    done = mypy("mypy.stubtest", *modules, "--mypy-config-file", CONFIG)
    assert done.returncode == 0, done.stdout[-4000:] + done.stderr[-4000:]


def test_what_an_editor_knows(tmp_path):
    pytest.importorskip("mypy")
    program = tmp_path / "program.py"
    program.write_text("""
import iqbo
post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3], [1.0], noise_var=0.01)
reveal_type(post)
reveal_type(post.f([0.1]).mean)
reveal_type(iqbo.maxvalue.sample_max(post, [0.0, 1.0]).values)
reveal_type(iqbo.spaces.QueryTree(l_max=2).root.level)
post.conditon([0.3], [1.0])
iqbo.Rbf(variance="1")
iqbo.cmes
iqbo.kernels.Rfb
""")
    done = mypy("mypy", "--strict", f"--cache-dir={tmp_path}/cache", "--config-file", CONFIG, str(program))
    array = "numpy.ndarray[Any, numpy.dtype[numpy.floating[numpy._typing._64Bit]]]"
    said = done.stdout
    for line, text in ((4, '"iqbo.posteriors.Posterior"'), (5, f'"{array}"'), (6, f'"{array}"'), (7, '"builtins.int"'),
                       (8, 'has no attribute "conditon"; maybe "condition"'), (9, 'expected "float"'),
                       (10, 'has no attribute "cmes"'), (11, 'has no attribute "Rfb"')):
        assert any(f"program.py:{line}: " in row and text in row for row in said.split("\n")), f"line {line}, {text}:\n{said}"

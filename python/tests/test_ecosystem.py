"""The names that need other libraries are found without importing these, and the code of docs/ecosystem.md runs."""
import pathlib
import re
import subprocess
import sys

import iqbo
import pytest

PAGE = (pathlib.Path(__file__).parents[2] / "docs" / "ecosystem.md").read_text()
BLOCKS = {text.split("\n")[0]: re.findall(r"^```python\n(.*?)^```$", text, re.MULTILINE | re.DOTALL) for text in PAGE.split("\n## ")[1:]}


@pytest.mark.parametrize("library", [name for name, blocks in BLOCKS.items() if blocks])
def test_code_of_the_page(library):
    code = "\n".join(BLOCKS[library])
    for module in re.findall(r"^(?:import|from) (\w+)", code, re.MULTILINE):
        pytest.importorskip(module, reason=f"{module} is not installed")
    exec(compile(code, f"docs/ecosystem.md, {library}", "exec"), {})


def test_the_page_has_code():
    assert set(BLOCKS) >= {"scikit-learn", "BoTorch"} and BLOCKS["scikit-learn"] and BLOCKS["BoTorch"]


def test_the_regressor_is_at_the_top():
    pytest.importorskip("sklearn", reason="scikit-learn is not installed")
    from iqbo import AverageGPRegressor

    assert AverageGPRegressor is iqbo.AverageGPRegressor is iqbo.regression.AverageGPRegressor


@pytest.mark.parametrize("code", ["import iqbo", "from iqbo import *", "import iqbo; dir(iqbo); iqbo.__doc__"])
def test_other_libraries_are_imported_only_when_they_are_needed(code):
    check = "; import sys; assert not {'sklearn', 'torch', 'botorch', 'xarray', 'pandas', 'matplotlib'} & set(sys.modules)"
    subprocess.run([sys.executable, "-c", code + check], check=True)


def test_without_scikit_learn_the_message_names_it():
    code = "import sys; sys.modules['sklearn'] = None; import iqbo; iqbo.AverageGPRegressor"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: iqbo.regression needs scikit-learn (Debian: python3-sklearn; pip: scikit-learn)" in done.stderr


def test_without_botorch_the_message_names_it():
    code = "import sys; sys.modules['botorch'] = None; import iqbo.botorch"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    assert "ImportError: iqbo.botorch needs BoTorch (pip: botorch)" in done.stderr

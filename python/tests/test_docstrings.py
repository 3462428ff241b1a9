"""Every public name is documented, and the examples in the documentation are true."""
import doctest
import inspect
import warnings

import iqbo
import numpy as np
import pytest


def documented():
    """(name, object) of what a user meets: the package, its submodules, their functions and classes, methods and properties."""
    yield "iqbo", iqbo
    for part in [name for name in dir(iqbo) if inspect.ismodule(getattr(iqbo, name)) and name != "plot"]:  # test_plot.py
        module = getattr(iqbo, part)
        yield f"iqbo.{part}", module
        for name in sorted(name for name in vars(module) if not name.startswith("_")):
            thing = getattr(module, name)
            yield f"{part}.{name}", thing
            if inspect.isclass(thing):
                for member, value in sorted(vars(thing).items()):
                    if not member.startswith("_"):
                        yield f"{part}.{name}.{member}", value


@pytest.mark.parametrize("name,thing", [pytest.param(*pair, id=pair[0]) for pair in documented() if pair[0].count(".") < 2])
def test_every_module_function_and_class_has_an_example(name, thing):
    assert ">>>" in (thing.__doc__ or ""), name


@pytest.mark.parametrize("name,thing", [pytest.param(*pair, id=pair[0]) for pair in documented()])
def test_examples(name, thing):
    text = getattr(thing, "__doc__", None) or ""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    example = doctest.DocTestParser().get_doctest(text, {"iqbo": iqbo, "np": np}, name, None, 0)
    said = []
    with warnings.catch_warnings():
        warnings.simplefilter("error", DeprecationWarning)  # examples use the names of today
        runner.run(example, out=said.append)
    assert not runner.failures, "".join(said)

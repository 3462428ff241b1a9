"""Every public name is documented, and the examples in the documentation are true."""
import doctest
import inspect

import iqbo
import numpy as np
import pytest


def documented():
    """(name, object) of what a user meets: the package, its functions and classes, their methods and properties."""
    yield "iqbo", iqbo
    for name, thing in sorted(vars(iqbo).items()):
        if name.startswith("_") or inspect.ismodule(thing):
            continue
        yield name, thing
        if inspect.isclass(thing) and thing.__module__.startswith("iqbo"):
            for member, value in sorted(vars(thing).items()):
                if not member.startswith("_"):
                    yield f"{name}.{member}", value


@pytest.mark.parametrize("name,thing", [pytest.param(*pair, id=pair[0]) for pair in documented() if "." not in pair[0]])
def test_every_function_and_class_has_an_example(name, thing):
    assert ">>>" in (thing.__doc__ or ""), name


@pytest.mark.parametrize("name,thing", [pytest.param(*pair, id=pair[0]) for pair in documented()])
def test_examples(name, thing):
    text = getattr(thing, "__doc__", None) or ""
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE | doctest.ELLIPSIS)
    example = doctest.DocTestParser().get_doctest(text, {"iqbo": iqbo, "np": np}, name, None, 0)
    said = []
    runner.run(example, out=said.append)
    assert not runner.failures, "".join(said)

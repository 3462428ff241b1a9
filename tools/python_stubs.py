"""Writes the type stubs of the submodules from the signatures that pybind11 puts into docstrings.

    PYTHONPATH=build/dev/python /usr/bin/python3 tools/python_stubs.py python/iqbo

A test compares the two, another runs mypy's stubtest. The tables below give the types of what C++ declares as any object.
"""
import inspect
import pathlib
import re
import sys

from iqbo import _iqbo
from iqbo._calls import parts_of

HEADER = '''# Made by tools/python_stubs.py. Do not edit.
from typing import Any, Callable, Iterator, Optional, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray{imports}

_Array = NDArray[np.float64]

class _Type(type): ...
'''

# The names of a submodule that are written in Python.
IN_PYTHON = {"policies": "from iqbo._maximize import Maximum as Maximum, maximize as maximize",
             "studies": "from iqbo._frames import frame as frame\nfrom iqbo._study import Study as Study"}
# By the name of the function or property, with its class where that matters.
RESULTS = {
    "FlatQueries.a": "QuerySet | QueryBox | MixedQueries", "FlatQueries.at": "_Array", "FlatQueries.kernel": "Product",
    "FlatQueries.setting": "dict[str, Any]", "search": "tuple[_Array, float]",
    "Fit.posterior": "Posterior", "Kernel.__call__": "_Array", "LearnedConditional.discrepancy": "Kernel",
    "Policy.fit": "Optional[Fit]", "Posterior.discrepancy": "Optional[Kernel]", "Posterior.fit": "Posterior",
    "Problem.kernel": "Optional[Kernel]", "QueryTree.points": "Optional[_Array]", "ResultTable.columns": "dict[str, Any]",
    "Trial.__array__": "_Array", "Trial.__iter__": "Iterator[float]", "Trial.mean": "Any", "__iter__": "Iterator[_Array]",
    "a": "_Array", "best": "_Array", "clipped": "_Array",
    "conditional": "Conditional", "finest": "_Array", "fit_ensemble": "tuple[Fit, Ensemble]", "grid": "_Array",
    "inputs": "_Array", "kernel": "Kernel", "logged": "tuple[_Array, _Array]", "mean": "Mean",
    "paper_drawings": "dict[str, str]", "points": "_Array", "queries": "_Array",
    "references": "_Array", "run": "tuple[ResultTable, bool]", "spec_template": "dict[str, str]",
    "suggest": "_Array", "support": "Optional[_Array]", "with_log_parameters": "Kernel", "x": "_Array",
}
ARGUMENTS = {
    "belief": "Posterior | PlainGp | Ensemble", "conditional": "Conditional", "counts": "Sequence[int]",
    "posterior": "Posterior", "prior": "Posterior", "progress": "Callable[[int, int], Any]",
    "schedule": "ResolutionSchedule", "tree": "QueryTree",
}
SKIPPED = {"__dict__", "__doc__", "__module__", "__weakref__", "__new__", "__getstate__", "__setstate__", "__repr__",
           "__hash__", "__reduce__", "__annotations__"}
SIGNATURE = re.compile(r"^(?:\d+\. )?\w*(\(.*\)) -> (.*)$")


def type_of(text, returned):
    text = re.sub(r"numpy\.ndarray\[numpy\.float64(\[[^\]]*\])?(, flags\.\w+)*\]", "_Array", text)
    text = re.sub(r"numpy\.ndarray\[numpy\.(\w+)(\[[^\]]*\])?(, flags\.\w+)*\]", r"NDArray[np.\1]", text)
    text = text.replace("numpy.ndarray[bool]", "NDArray[np.bool_]").replace("iqbo::", "")
    text = re.sub(r"\biqbo\.\w+\.", "", text).replace("numpy.typing.", "").replace("NoneType", "None")
    text = re.sub(r"\bfunction\b", "Callable[..., Any]", text)
    text = re.sub(r"\b(object|handle)\b|detail::accessor<.*>", "Any", text)
    text = re.sub(r"\bIterator\b(?!\[)", "Iterator[Any]", text)
    for name in ("Dict", "Tuple", "Set"):
        text = text.replace(f"{name}[", f"{name.lower()}[")
    return text.replace("List[", "list[" if returned else "Sequence[")


def argument(part):
    """(name, annotation, default or None)"""
    if part.startswith("*"):
        return part, "Any" if part != "*" else "", None
    name, _, rest = part.partition(": ")
    kind, equals, default = rest.partition(" = ")
    kind = type_of(kind, returned=False)
    if kind == "Any":
        kind = ARGUMENTS.get(name, kind)
    if not equals:
        return name, kind, None
    plain = re.fullmatch(r"None|True|False|'[^']*'|-?[\d.]+(e-?\d+)?", default)
    return name, f"Optional[{kind}]" if default == "None" and kind in ARGUMENTS.values() else kind, default if plain else "..."


def written(arguments):
    out = []
    for name, kind, default in arguments:
        if name == "self" or name == "*":
            out.append(name)
        else:
            out.append(f"{name}: {kind}" + (f" = {default}" if default is not None else ""))
        if re.fullmatch(r"arg\d+", name):
            out.append("/")
    return ", ".join(part for i, part in enumerate(out) if part != "/" or "/" not in out[i + 1:])


def variants(arguments):
    """In C++ an argument without a default may follow one with: then there is an overload by position and one by name."""
    last = max((i for i, (name, _, default) in enumerate(arguments) if default is None and not name.startswith("*")), default=-1)
    early = [i for i, (_, _, default) in enumerate(arguments[:last]) if default is not None]
    if not early:
        return [arguments]
    by_position = [(name, kind, None if i < last else default) for i, (name, kind, default) in enumerate(arguments)]
    by_name = [argument for argument in arguments if argument[0] != "*"]
    first = 1 if arguments[0][0] == "self" else 0
    return [by_position, [*by_name[:first], ("*", "", None), *by_name[first:]]]


def signatures(doc, owner, name, bound):
    """[(arguments, result)] as text."""
    out = []
    for line in (doc or "").splitlines():
        found = SIGNATURE.match(line.strip())
        if not found or (out and not re.match(r"^\d+\. ", line.strip())):
            continue
        arguments = [argument(part) for part in parts_of(found[1][1:-1])]
        if arguments and arguments[0][0] == "*args" and "Overloaded" in doc and len(arguments) == 2:
            continue  # the line above the list of overloads
        if bound and arguments:
            arguments[0] = ("self", "", None)
        if name == "__eq__":
            arguments[1:] = [("other", "object", None)]
        result = type_of(found[2], returned=True)
        if result in ("Any", "tuple", "dict", "Iterator[Any]"):
            result = RESULTS.get(f"{owner}.{name}", RESULTS.get(name, result))
        out += [(written(variant), result) for variant in variants(arguments)]
    return out


def function(name, doc, owner="", indent="", decorator="", bound=False):
    found = signatures(doc, owner, name, bound)
    if not found:
        return []
    lines = []
    for arguments, result in found:
        lines += [f"{indent}{mark}" for mark in (["@overload"] if len(found) > 1 else []) + ([decorator] if decorator else [])]
        lines.append(f"{indent}def {name}({arguments}) -> {result}: ...")
    return lines


def members(cls):
    for name, member in vars(cls).items():
        if name in SKIPPED or name.startswith("__pybind"):
            continue
        if isinstance(member, property):
            yield from function(name, f"{name}{member.fget.__doc__}", cls.__name__, "    ", "@property", bound=True)
        elif isinstance(member, staticmethod):
            yield from function(name, member.__func__.__doc__, cls.__name__, "    ", "@staticmethod")
        elif callable(member):
            yield from function(name, member.__doc__, cls.__name__, "    ", bound=True)
    if not signatures(cls.__init__.__doc__, cls.__name__, "__init__", bound=True):  # the library makes it, not the user
        yield "    def __init__(self, *args: Any, **kwargs: Any) -> None: ..."


def stub(module):
    lines = []
    for name, thing in vars(module).items():
        if name.startswith("_"):
            continue
        if inspect.isclass(thing):
            bases = [base.__name__ for base in thing.__bases__ if base.__name__ != "pybind11_object" and base is not object]
            body = list(members(thing)) if not issubclass(thing, BaseException) else []
            bases = bases or ["metaclass=_Type"]
            if "__hash__" in vars(thing) and thing.__hash__ is None:
                body.append("    __hash__: None  # type: ignore[assignment]")
            head = f"class {name}" + (f"({', '.join(bases)})" if bases else "") + ":"
            lines += ["", f"{head} ..."] if not body else ["", head, *body]
        elif inspect.isroutine(thing):
            lines += ["", *function(name, thing.__doc__)]
    return "\n".join(lines) + "\n"


def imports(part, text, homes):
    """The import lines for classes of other submodules."""
    words = set(re.findall(r"\b[A-Z]\w+", text))
    for home in sorted(set(homes.values()) - {part}):
        if names := sorted(word for word in words if homes.get(word) == home):
            yield f"from iqbo.{home} import {', '.join(names)}"


def stubs():
    """{name of the file: text}"""
    parts = {name: module for name, module in vars(_iqbo).items() if inspect.ismodule(module)}
    homes = {name: part for part, module in parts.items() for name, thing in vars(module).items() if inspect.isclass(thing)}
    out = {}
    for part, module in parts.items():
        text = stub(module)
        first = "\n".join([*imports(part, text, homes), *([IN_PYTHON[part]] if part in IN_PYTHON else [])])
        out[f"{part}.pyi"] = HEADER.format(imports=f"\n\n{first}" if first else "") + text
    return out


if __name__ == "__main__":
    for file, text in stubs().items():
        (pathlib.Path(sys.argv[1]) / file).write_text(text)

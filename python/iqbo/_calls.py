"""Says what is wrong with the arguments of a call; pybind11 only lists the signatures that there are."""
import difflib
import functools
import inspect
import re

from iqbo import _iqbo, policies, posteriors

_SIGNATURE = re.compile(r"^(?:\d+\. )?\w+\((.*)\) -> ")
_INSTEAD = {"noise_sd": ("noise_var", "its square"), "noise_variance": ("noise_var", None), "sigma": ("sd", None), "width": ("half_width", None),
            "length_scale": ("lengthscale", None), "y": ("z", None)}  # what others call an argument, where there is no nearer name


def parts_of(arguments):
    """Split at the commas outside brackets and quotes."""
    out, depth, quoted = [""], 0, False
    for letter in arguments:
        quoted ^= letter == "'"
        depth += 0 if quoted else (letter in "([{<") - (letter in ")]}>")
        if letter == "," and depth == 0 and not quoted:
            out.append("")
        else:
            out[-1] += letter
    return [part.strip() for part in out if part.strip()]


def _signatures(doc):
    """[(names by position, other names, those without a default)] of the overloads; "**" is any other name."""
    out = []
    for line in (doc or "").splitlines():
        found = _SIGNATURE.match(line.strip())
        if not found or found[1] == "*args, **kwargs":
            continue
        position, keyword, needed, after = [], [], [], False
        for part in parts_of(found[1])[1:]:  # without self
            name = part.partition(":")[0].strip()
            if name.startswith("*"):
                after = True
                keyword += ["**"] * name.startswith("**")
                continue
            (keyword if after else position).append(name)
            if " = " not in part:
                needed.append(name)
        out.append((position, keyword, needed))
    return out


def _mistake(doc, arguments, keywords):
    """What is wrong with the names and the number of arguments; None if that is in order."""
    overloads = _signatures(doc)
    if not overloads:
        return None
    known = list(dict.fromkeys(name for position, keyword, _ in overloads for name in (*position, *keyword)))
    for name in keywords:
        if name not in known and "**" not in known:
            instead, how = _INSTEAD.get(name, (None, None))
            if instead not in known:
                instead, how = next(iter(difflib.get_close_matches(name, known, n=1)), None), None
            one = f"one of {', '.join(known)}" if len(known) > 1 else "none" if not known else known[0]
            expected = f"{instead}{', ' + how if how else ''} ({one})" if instead else one
            return f"unexpected keyword {name!r}, expected {expected}"
    most = max(len(position) for position, _, _ in overloads)
    if len(arguments) > most:
        return f"{len(arguments)} arguments by position, expected at most {most}"
    wrong = []
    for position, keyword, needed in overloads:
        given = position[:len(arguments)]
        twice = [name for name in given if name in keywords]
        strange = [name for name in keywords if name not in (*position, *keyword) and "**" not in keyword]
        absent = [name for name in needed if name not in given and name not in keywords]
        if not twice and not strange and not absent and len(arguments) <= len(position):
            return None
        wrong.append((len(strange) + len(twice) + len(absent) + max(0, len(arguments) - len(position)), len(wrong), twice, absent, given))
    _, _, twice, absent, given = min(wrong)
    if twice:
        return f"{twice[0]} given twice, by position and by name"
    if not absent:
        together = ", ".join(dict.fromkeys((*given, *keywords)))
        accepted = " or ".join(f"({', '.join(position + keyword)})" for position, keyword, _ in overloads)
        return f"{together} given together, expected {accepted}"
    by_position = f"; by position {', '.join(given)} {'was' if len(given) == 1 else 'were'} given" if given else ""
    return f"{absent[0]} is not given, expected {', '.join(f'{name}=...' for name in absent)}{by_position}"


def _saying(cls, method):
    call = getattr(vars(cls)[method], "__func__", vars(cls)[method])
    title = cls.__name__ if method == "__init__" else f"{cls.__name__}.{method}"

    @functools.wraps(call)
    def called(self, *arguments, **keywords):
        try:
            return call(self, *arguments, **keywords)
        except TypeError as error:
            mistake = _mistake(call.__doc__, arguments, keywords) if "(): incompatible " in str(error) else None
            if mistake is None:
                raise
        raise TypeError(f"{title}: {mistake}")

    setattr(cls, method, called)


for _module in filter(inspect.ismodule, list(vars(_iqbo).values())):
    for _class in filter(inspect.isclass, list(vars(_module).values())):
        if "__init__" in vars(_class) and not issubclass(_class, BaseException):
            _saying(_class, "__init__")
for _class, _method in ((policies.Policy, "observe"), (policies.Policy, "chances"), (policies.Policy, "predict_counts"),
                        (policies.Policy, "suggest"), (posteriors.PlainGp, "condition"), (posteriors.Posterior, "condition")):
    _saying(_class, _method)

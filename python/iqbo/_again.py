"""How pickle makes objects for which a call of their class is not enough."""
from iqbo import _iqbo
from iqbo._deprecated import current_keywords


def made_again(cls, arguments, log):
    """A mutable object: makes it anew and repeats the calls that changed it, in order."""
    out = cls(**current_keywords(cls, arguments))
    for method, told in log:
        getattr(out, method)(**told)
    return out


def called(function, arguments):
    """An object that a function of `iqbo.experiment` or `iqbo.paper` returned."""
    home = next(home for home in (_iqbo.experiment, _iqbo.paper) if hasattr(home, function))
    return getattr(home, function)(**arguments)

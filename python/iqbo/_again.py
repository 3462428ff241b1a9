"""How pickle makes an object that is not made by its class alone."""
from iqbo import _iqbo
from iqbo._deprecated import current_keywords


def made_again(cls, arguments, log):
    """One that changes: as it was made, and then what was told to it, in order."""
    out = cls(**current_keywords(cls, arguments))
    for method, told in log:
        getattr(out, method)(**told)
    return out


def called(function, arguments):
    """What a function of `iqbo.experiment` or `iqbo.paper` made."""
    home = next(home for home in (_iqbo.experiment, _iqbo.paper) if hasattr(home, function))
    return getattr(home, function)(**arguments)

"""Names of version 0.1 that still work, with a warning. Version 0.3 drops this file."""
import sys
import warnings

from iqbo import (acquisition, conditionals, experiment, kernels, maxvalue, paper, policies, posteriors, problems, spaces,
                  studies, theory)

_HOMES = acquisition, conditionals, experiment, kernels, maxvalue, paper, policies, posteriors, problems, spaces, studies, theory


def _warn(change):
    warnings.warn(f"iqbo.{change}; the old name works until 0.3", DeprecationWarning, stacklevel=3)


def top_level_name(name):
    """`iqbo.cmes`, which is now `iqbo.acquisition.cmes`."""
    home = None if name.startswith("_") else next((home for home in _HOMES if hasattr(home, name)), None)
    if home is None:
        raise AttributeError(f"module 'iqbo' has no attribute {name!r}")
    if sys._getframe(1).f_globals.get("__name__") != "importlib._bootstrap":  # `from iqbo import cmes` asks a second time itself
        _warn(f"{name} moved to {home.__name__}.{name}")
    return getattr(home, name)

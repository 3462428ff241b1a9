"""Names of version 0.1 that still work, with a warning. Version 0.3 drops this file."""
import functools
import sys
import warnings

from iqbo import (acquisition, conditionals, experiment, kernels, maxvalue, paper, policies, posteriors, problems, spaces,
                  studies, theory)

_HOMES = acquisition, conditionals, experiment, kernels, maxvalue, paper, policies, posteriors, problems, spaces, studies, theory
_KEYWORDS = {(policies.Policy, "__init__"): {"x": "targets", "a": "queries", "kind": "policy"},
             (policies.ScheduledUcb, "__init__"): {"x": "targets"},
             (policies.FlatQueries, "__init__"): {"places": "centres"},
             (policies.FlatQueries, "at"): {"places": "centres"},
             (policies.FlatQueries, "kernel"): {"over_places": "over_centres"},
             (policies.FlatQueries, "setting"): {"x": "targets"},
             (studies.Study, "__init__"): {"noise": "noise_sd"}}
_RENAMED = {"Outcome": "Answer", "FitRecord": "Hyperparameters", "ParameterRecord": "FittedParameter"}


def _warn(change, stacklevel=3):
    warnings.warn(f"iqbo.{change}; the old name works until 0.3", DeprecationWarning, stacklevel=stacklevel)


def top_level_name(name):
    """`iqbo.cmes`, which is now `iqbo.acquisition.cmes`. To be called by `iqbo.__getattr__`, whose caller gets the warning."""
    now = _RENAMED.get(name, name)
    home = None if name.startswith("_") else next((home for home in _HOMES if hasattr(home, now)), None)
    if home is None:
        raise AttributeError(f"module 'iqbo' has no attribute {name!r}")
    if sys._getframe(2).f_globals.get("__name__") != "importlib._bootstrap":  # `from iqbo import cmes` looks the name up twice
        _warn(f"{name} moved to {home.__name__}.{now}", stacklevel=4)
    return getattr(home, now)


def current_keywords(cls, arguments):
    """The arguments of an object that was pickled by an old version."""
    renamed = _KEYWORDS.get((cls, "__init__"), {})
    return {renamed.get(name, name): value for name, value in arguments.items()}


def _accept_old_keywords(cls, method, renamed):
    function = getattr(cls, method)
    title = cls.__name__ if method == "__init__" else f"{cls.__name__}.{method}"

    @functools.wraps(function)
    def accepting(self, *arguments, **keywords):
        for old in renamed.keys() & keywords.keys():
            new = renamed[old]
            if new in keywords:
                raise TypeError(f"{title}: {old} and {new} given, expected {new} alone")
            _warn(f"{title}: keyword {old} is now {new}")
            keywords[new] = keywords.pop(old)
        return function(self, *arguments, **keywords)

    setattr(cls, method, accepting)


def _keep_recommend(cls, result):
    def recommend(self):
        _warn(f"{cls.__name__}.recommend is now iqbo.{cls.__name__}.best")
        return self.best()

    recommend.__doc__ = f"recommend(self) -> {result}\n\nThe old name of `best`."
    cls.recommend = recommend


def _outcome(trial):
    """outcome(self) -> Optional[iqbo.studies.Answer]

    The old name of `answer`."""
    _warn("Trial.outcome is now iqbo.Trial.answer")
    return trial.answer


def _places(self, a):
    """places(self, a: ArrayLike) -> numpy.ndarray[numpy.float64]

    The old name of `centres`."""
    _warn("FlatQueries.places is now iqbo.FlatQueries.centres")
    return self.centres(a)


policies.FlatQueries.places = _places
studies.Trial.outcome = property(_outcome)
for (_cls, _method), _renamed in _KEYWORDS.items():
    _accept_old_keywords(_cls, _method, _renamed)
_keep_recommend(policies.Policy, "iqbo.policies.Recommendation")
_keep_recommend(policies.ScheduledUcb, "numpy.ndarray[numpy.float64]")

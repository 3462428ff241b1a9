"""Optimise what you can only measure as averages.

You want the x where f is largest, but may only ask queries a; the answer is z = E[f(X) | A = a] + noise.

>>> k = iqbo.Rbf(variance=1.0, lengthscale=0.2)
>>> cond = iqbo.UniformConditional(half_width=0.1)               # a query averages f over a +- 0.1
>>> post = iqbo.Posterior(k, cond).condition([0.2, 0.5, 0.8], [0.1, 0.9, 0.1], noise_var=1e-4)
>>> mean, var = post.f(np.linspace(0, 1, 101))                   # what that says about f itself
>>> int(mean.argmax())
50

The everyday names are here. All names are in submodules:

spaces        boxes, lists and trees of inputs and queries
kernels       kernels and prior means of f
conditionals  p(x|a), known or learned
posteriors    what answers say about f and g; fits of hyperparameters
likelihoods   counts and proportions; f that is positive
maxvalue      samples of max f
acquisition   scores of queries
policies      loops: `Policy`, `maximize`
studies       loops that are stored: `Study`, its records, `frame`
plot          plots
problems      test problems with known optima
experiment    comparisons of policies
theory        bounds on regret
paper         figures and claims of the paper
errors        exceptions

Three submodules are imported only when they are named, as they need other packages:

regression    `AverageGPRegressor`, also `iqbo.AverageGPRegressor`: an estimator for scikit-learn
botorch       beliefs as models for the acquisition functions of BoTorch
xarray        an accessor for the rasters of xarray
"""
from typing import TYPE_CHECKING

from iqbo import (acquisition, conditionals, errors, experiment, kernels, likelihoods, maxvalue, paper, plot, policies, posteriors, problems,
                  spaces, studies, theory)
from iqbo.conditionals import BagConditional, GaussianConditional, LearnedConditional, UniformConditional
from iqbo.errors import NumericalError, StorageError
from iqbo.kernels import Matern52, Rbf
from iqbo.policies import Policy, maximize
from iqbo.posteriors import Posterior, fit
from iqbo.spaces import InputBox, QueryBox
from iqbo.studies import Study, frame

__all__ = ["BagConditional", "GaussianConditional", "InputBox", "LearnedConditional", "Matern52", "NumericalError", "Policy",
           "Posterior", "QueryBox", "Rbf", "StorageError", "Study", "UniformConditional", "acquisition", "conditionals", "errors",
           "experiment", "fit", "frame", "kernels", "likelihoods", "maximize", "maxvalue", "paper", "plot", "policies", "posteriors", "problems",
           "spaces", "studies", "theory"]


from iqbo._iqbo import __version__  # noqa: E402,F401
from iqbo import _announce, _calls, _reprs  # noqa: E402,F401  (logging of fits, messages about arguments, pprint)


def __dir__():
    return __all__


if TYPE_CHECKING:
    from iqbo.regression import AverageGPRegressor as AverageGPRegressor
else:  # type checkers do not see the old names, so that they report them
    from iqbo import _deprecated

    def __getattr__(name):
        if name == "AverageGPRegressor":  # not in __all__: `from iqbo import *` must not need scikit-learn
            from iqbo.regression import AverageGPRegressor

            return AverageGPRegressor
        return _deprecated.top_level_name(name)

"""Regression on averages in the manner of scikit-learn, which must be installed.

>>> from iqbo.regression import AverageGPRegressor
>>> a = np.linspace(0.1, 0.9, 9)[:, None]                            # each answer averages f over a +- 0.1
>>> model = AverageGPRegressor(iqbo.UniformConditional(half_width=0.1), noise_var=1e-4).fit(a, np.sin(3 * a[:, 0]))
>>> model.predict([[0.5]]).round(2)                                  # the average at a query
array([1.])
>>> model.predict_f([[0.5]]).shape                                   # f itself at an input
(1,)
"""
import numpy as np

from iqbo._columns import Columns
from iqbo._tables import whole_number
from iqbo.conditionals import Conditional, UniformConditional
from iqbo.kernels import Kernel, Rbf
from iqbo.posteriors import Ensemble, Posterior, fit_ensemble

try:
    from sklearn.base import BaseEstimator, RegressorMixin
    from sklearn.utils.validation import check_array, check_is_fitted
except ImportError as missing:
    raise ImportError("iqbo.regression needs scikit-learn (Debian: python3-sklearn; pip: scikit-learn)") from missing

try:
    from sklearn.utils.validation import validate_data as _validated
except ImportError:  # before 1.6

    def _validated(estimator, *given, **keywords):
        return estimator._validate_data(*given, **keywords)


__all__ = ["AverageGPRegressor"]


def _seed(random_state):
    """A number as it is; a generator, or for None that of NumPy, draws one."""
    generator = np.random if random_state is None else random_state
    for draw in ("integers", "randint"):
        if hasattr(generator, draw):
            return int(getattr(generator, draw)(2**31 - 1))
    seed = whole_number(random_state, "random_state")
    if not 0 <= seed < 2**64:
        raise ValueError(f"random_state: {seed}, expected a number from 0 to 2^64 - 1")
    return seed


def _require(given, kind, name):
    if given is not None and not isinstance(given, kind):
        raise ValueError(f"{name}: {given!r}, expected a {kind.__name__} of iqbo, or None")


class AverageGPRegressor(RegressorMixin, BaseEstimator):
    """A Gaussian process f, learned from averages E[f(X) | A = a] with noise.

    The rows of X are queries a and y holds the answers. `predict` gives averages at new queries, as cross-validation and
    pipelines expect; `predict_f` gives f itself at inputs.

    conditional    p(x|a), any conditional of iqbo; None if f itself was measured, at the rows of X
    kernel         the kernel of f; None: families and hyperparameters are fitted, as by `iqbo.posteriors.fit_ensemble`
    noise_var      the noise variance of the answers: a number, or None to fit it
    members        the number of fits that are averaged
    random_state   the seed of the fits: an integer; or a RandomState or Generator, which draws it, and for None that of NumPy does

    A kernel that is given is used as it is, together with noise_var, which must then be given too; the prior mean is 0.

    After `fit`: `posterior_` (an `Ensemble`, or a `Posterior` if the kernel was given), `fit_` (a `Fit`, or None).

    >>> from iqbo.regression import AverageGPRegressor
    >>> AverageGPRegressor(kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.01).fit([[0.0], [1.0]], [0.0, 1.0]).predict([[1.0]]).round(2)
    array([0.99])
    """

    def __init__(self, conditional=None, kernel=None, noise_var=None, members=4, random_state=0):
        self.conditional = conditional
        self.kernel = kernel
        self.noise_var = noise_var
        self.members = members
        self.random_state = random_state

    def fit(self, X, y):
        """Learns f from the answers y to the queries X, of shapes (n, d) and (n,). Returns self."""
        given = X
        X, y = _validated(self, X, y, y_numeric=True, ensure_min_samples=2 if self.kernel is None else 1, dtype=float)
        _require(self.conditional, Conditional, "conditional")
        _require(self.kernel, Kernel, "kernel")
        conditional = self.conditional
        if conditional is None:
            conditional = UniformConditional(half_width=np.zeros(X.shape[1]))  # windows of no width
        columns = Columns(conditional)
        self._columns = columns.learn(given, "a", "X")[0] if hasattr(given, "columns") else columns
        if self.kernel is not None:
            if self.noise_var is None:
                raise ValueError("noise_var: None beside a given kernel, expected a number")
            self.fit_ = None
            self.posterior_ = Posterior(self.kernel, conditional).condition(X, y, noise_var=self.noise_var)
            return self
        start = Posterior(Rbf(1.0, np.ones(conditional.input_dimension)), conditional)
        known = self.noise_var is not None
        data = start.condition(X, y, noise_var=self.noise_var if known else 1.0)
        self.fit_, self.posterior_ = fit_ensemble(data, seed=_seed(self.random_state), members=whole_number(self.members, "members"),
                                                  noise="known" if known else "fitted")
        return self

    def predict(self, X, return_std=False, return_cov=False):
        """Averages at the queries X: means, and their standard deviations or covariances, without the noise of an answer."""
        return self._predicted(X, return_std, return_cov, self._queries)

    def predict_f(self, X, return_std=False, return_cov=False):
        """f at the inputs X: means, and their standard deviations or covariances.

        A DataFrame is read by the names of its columns if f was measured directly, or by windows around queries, at the rows of a DataFrame.
        """
        return self._predicted(X, return_std, return_cov, self._inputs)

    def sample_f(self, X, n_samples=1, random_state=0):
        """Joint draws of f at the inputs X, of shape (n, n_samples)."""
        check_is_fitted(self)
        X = self._inputs(X)[0]
        rng = np.random.default_rng(_seed(random_state))
        members = self.posterior_.members if isinstance(self.posterior_, Ensemble) else [self.posterior_]
        weights = self.posterior_.weights if isinstance(self.posterior_, Ensemble) else np.ones(1)
        whose = rng.choice(len(members), size=n_samples, p=weights / weights.sum())
        out = np.empty((X.shape[0], n_samples))
        for which in np.unique(whose):
            at = whose == which
            out[:, at] = rng.multivariate_normal(members[which].f(X).mean, members[which].f_cov(X), size=at.sum(), method="eigh").T
        return out

    def _queries(self, X):
        return _validated(self, X, dtype=float, reset=False), self.posterior_.g, self.posterior_.g_cov

    def _inputs(self, X):
        if hasattr(X, "columns") and hasattr(self, "_columns"):  # not if an older version pickled the model
            X = self._columns.read(X, "x", "X")
        return check_array(X, dtype=float), self.posterior_.f, self.posterior_.f_cov

    def _predicted(self, X, return_std, return_cov, side):
        check_is_fitted(self)
        if return_std and return_cov:
            raise ValueError("return_std and return_cov: both given, expected at most one of them")
        X, marginals, cov = side(X)
        mean, var = marginals(X)
        if return_cov:
            return mean, cov(X)
        return (mean, np.sqrt(np.maximum(var, 0.0))) if return_std else mean

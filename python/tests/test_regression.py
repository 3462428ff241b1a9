"""The regressor in the manner of scikit-learn: its rules, and the same numbers as the posterior and as scikit-learn's own."""
import pickle

import iqbo
import numpy as np
import pytest

sklearn = pytest.importorskip("sklearn")
from iqbo.regression import AverageGPRegressor  # noqa: E402
from sklearn.base import clone  # noqa: E402
from sklearn.gaussian_process import GaussianProcessRegressor  # noqa: E402
from sklearn.gaussian_process.kernels import RBF, ConstantKernel  # noqa: E402
from sklearn.model_selection import cross_val_score  # noqa: E402
from sklearn.utils.estimator_checks import parametrize_with_checks  # noqa: E402


@parametrize_with_checks([AverageGPRegressor(noise_var=1e-2, members=1)])
def test_keeps_scikit_learns_rules(estimator, check):
    check(estimator)


def averages(n=40, seed=1):
    """Averages of sin(6 x) over a +- 0.1, in closed form, with noise."""
    rng = np.random.default_rng(seed)
    a = rng.uniform(size=(n, 1))
    g = (np.cos(6 * (a - 0.1)) - np.cos(6 * (a + 0.1)))[:, 0] / (6 * 0.2)
    return a, g + rng.normal(scale=0.02, size=n)


def test_points_under_a_given_kernel_are_scikit_learns():
    rng = np.random.default_rng(2)
    x, new = rng.uniform(size=(20, 2)), rng.uniform(size=(9, 2))
    y = np.sin(4 * x[:, 0]) + x[:, 1]
    theirs = GaussianProcessRegressor(ConstantKernel(0.7) * RBF([0.3, 0.5]), alpha=0.01, optimizer=None).fit(x, y)
    ours = AverageGPRegressor(kernel=iqbo.Rbf(0.7, [0.3, 0.5]), noise_var=0.01).fit(x, y)
    for kind in ("return_std", "return_cov"):
        for mine, yours in zip(ours.predict(new, **{kind: True}), theirs.predict(new, **{kind: True})):
            np.testing.assert_allclose(mine, yours, atol=1e-8)


def test_f_is_sharper_than_its_averages():
    a, z = averages()
    model = AverageGPRegressor(iqbo.UniformConditional(half_width=0.1)).fit(a, z)
    x = np.linspace(0.05, 0.95, 40)[:, None]
    mean, sd = model.predict_f(x, return_std=True)
    assert np.abs(mean - np.sin(6 * x[:, 0])).max() < 0.15
    assert np.mean(np.abs(mean - np.sin(6 * x[:, 0])) < 2 * sd) > 0.8
    assert np.ptp(mean) > np.ptp(model.predict(x))  # averaging flattens
    draws = model.sample_f(x, n_samples=400, random_state=3)
    np.testing.assert_allclose(draws.mean(axis=1), mean, atol=5 * sd.max() / 20)
    np.testing.assert_array_equal(draws, model.sample_f(x, n_samples=400, random_state=3))


def test_is_at_home_in_cross_validation():
    a, z = averages(60)
    model = AverageGPRegressor(iqbo.UniformConditional(half_width=0.1), members=1)
    assert cross_val_score(model, a, z, cv=4).mean() > 0.95
    again = pickle.loads(pickle.dumps(clone(model).fit(a, z)))
    np.testing.assert_array_equal(again.predict(a), model.fit(a, z).predict(a))


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="noise_var: None beside a given kernel"):
        AverageGPRegressor(kernel=iqbo.Rbf(1.0, 0.3)).fit([[0.0]], [1.0])
    model = AverageGPRegressor(kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.1).fit([[0.0]], [1.0])
    with pytest.raises(ValueError, match="both given"):
        model.predict([[0.0]], return_std=True, return_cov=True)
    a, z = averages(6)
    for given, words in ((dict(members=1.5), "members: 1.5, expected a whole number"), (dict(members="a"), "members: 'a'"),
                         (dict(conditional="u"), "conditional: 'u', expected a Conditional"),
                         (dict(kernel="rbf", noise_var=0.1), "kernel: 'rbf', expected a Kernel"),
                         (dict(random_state=-1), "random_state: -1"), (dict(random_state="a"), "random_state: 'a'")):
        with pytest.raises(ValueError, match=words):
            AverageGPRegressor(**given).fit(a, z)


def test_generators_draw_the_seed():
    a, z = averages(12)
    found = {}
    for name, make in (("None", lambda: None), ("legacy", lambda: np.random.RandomState(5)), ("new", lambda: np.random.default_rng(5))):
        for again in range(2):
            np.random.seed(7)
            model = AverageGPRegressor(members=1, random_state=make()).fit(a, z)
            found[name, again] = model.fit_.log_evidence, *model.sample_f(a, random_state=make())[:, 0]
        assert found[name, 0] == found[name, 1]
    assert len(set(found.values())) == 3
    state = np.random.RandomState(5)
    model.sample_f(a, random_state=state)
    assert state.randint(1000) != np.random.RandomState(5).randint(1000), "the seed was drawn from it"


def test_queries_keep_the_order_of_their_columns():
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(2)
    a = pandas.DataFrame(rng.uniform(size=(9, 2)), columns=["east", "north"])
    model = AverageGPRegressor(kernel=iqbo.Rbf(1.0, [0.3, 0.5]), noise_var=0.1).fit(a, a.east)
    assert model.predict(a).shape == (9,)
    with pytest.raises(ValueError, match="feature names"):
        model.predict(a[["north", "east"]])


def test_is_printed_as_scikit_learn_prints_estimators():
    from sklearn.pipeline import make_pipeline

    model = AverageGPRegressor(iqbo.UniformConditional(half_width=0.1), members=1)
    for shown in (repr(model), repr(clone(model)), repr(make_pipeline(model))):
        assert "UniformConditional(QueryMap.identity(1), 0.1)" in shown

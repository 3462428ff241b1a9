"""Kernels beyond the first four, and kernels written in Python."""
import pickle
import threading

import iqbo
import numpy as np
import pytest

RNG = np.random.default_rng(1)
X = np.linspace(0, 1, 12)
BAGS = iqbo.BagConditional(X, np.kron(np.eye(4), np.full((1, 3), 1 / 3)))


class Linear(iqbo.kernels.Kernel):
    """variance (1 + x.y): no library has heard of it."""

    def __init__(self, variance, note=""):
        super().__init__(dimension=1, parameters={"variance": variance})
        self.note = note

    def evaluate(self, x, y, parameters):
        return parameters["variance"] * (1 + x @ y.T)


class OurRbf(iqbo.kernels.Kernel):
    """What iqbo.Rbf is, in Python; with gradients of its own or by differences."""

    def __init__(self, variance, lengthscale):
        super().__init__(dimension=1, parameters={"variance": variance, "lengthscale[0]": lengthscale})

    def evaluate(self, x, y, parameters):
        r = (x - y.T) / parameters["lengthscale[0]"]
        return parameters["variance"] * np.exp(-0.5 * r**2)


class WithGradients(OurRbf):
    calls = 0

    def parameter_gradient(self, x, y, weight, parameters):
        type(self).calls += 1
        k = self.evaluate(x, y, parameters)
        r = (x - y.T) / parameters["lengthscale[0]"]
        return np.array([np.sum(weight * k), np.sum(weight * k * r**2)])


def test_periodic_and_rational_quadratic():
    t = RNG.uniform(-3, 3, 7)
    want = 1.5 * np.exp(-2 * np.sin(np.pi * t / 0.8) ** 2 / 0.6**2)
    np.testing.assert_allclose(iqbo.kernels.Periodic(1.5, 0.6, 0.8)(t, [0.0])[:, 0], want, rtol=1e-12)
    want = 1.5 * (1 + t**2 / (2 * 0.7 * 0.6**2)) ** -0.7
    np.testing.assert_allclose(iqbo.kernels.RationalQuadratic(1.5, 0.6, alpha=0.7)(t, [0.0])[:, 0], want, rtol=1e-12)
    k = iqbo.kernels.Periodic(1.0, [0.5, 1.0], [2.0, 3.0])
    assert k.parameter_names == ["variance", "lengthscale[0]", "lengthscale[1]", "period[0]", "period[1]"]
    assert type(k.with_log_parameters(k.log_parameters)) is iqbo.kernels.Periodic
    np.testing.assert_array_equal(k.shape["period"], [2.0, 3.0])
    assert iqbo.kernels.Periodic(1.0, [0.5, 1.0], 2.0).shape["period"].tolist() == [2.0, 2.0]
    assert iqbo.kernels.Stationary("rational-quadratic", lengthscale=0.2, alpha=2.0) == iqbo.kernels.RationalQuadratic(1.0, 0.2, 2.0)


@pytest.mark.parametrize("kernel", [iqbo.kernels.Periodic(1.5, [0.6, 0.7], [0.8, 0.9]), iqbo.kernels.RationalQuadratic(1.5, 0.6, 0.7),
                                    iqbo.kernels.Stationary("matern32", 2.0, 0.3),
                                    iqbo.kernels.Product([(iqbo.kernels.Periodic(1.0, 0.5, 2.0), [1]), (iqbo.Rbf(), [0])]) +
                                    iqbo.kernels.White(0.1, 2), Linear(0.5, note="mine")])
def test_pickles(kernel):
    again = pickle.loads(pickle.dumps(kernel))
    assert again == kernel and repr(again) == repr(kernel)
    x = RNG.uniform(size=(3, kernel.dimension))
    np.testing.assert_array_equal(again(x), kernel(x))
    assert getattr(again, "note", None) == getattr(kernel, "note", None)


def test_a_study_may_have_a_season():
    study = iqbo.Study(targets=np.linspace(0, 1, 21), queries=np.linspace(0, 1, 9), noise_sd=0.05,
                       conditional=iqbo.GaussianConditional(sd=0.05), kernel=iqbo.kernels.Periodic(1.0, 0.8, 0.4) + iqbo.kernels.White(0.01, 1))
    assert study.ask() is not None


def test_wrong_shapes_are_named():
    for make, words in ((lambda: iqbo.kernels.Stationary("perodic"), ["family", '"periodic"']),
                        (lambda: iqbo.kernels.Stationary("periodic"), ["missing keyword", "period"]),
                        (lambda: iqbo.kernels.Stationary("rbf", alpha=1.0), ["unexpected keyword", "alpha"]),
                        (lambda: iqbo.kernels.Periodic(1.0, [1.0, 1.0], [1.0, 2.0, 3.0]), ["period"]),
                        (lambda: iqbo.kernels.RationalQuadratic(alpha=-1.0), ["alpha", "-1"])):
        with pytest.raises((ValueError, TypeError)) as error:
            make()
        for word in words:
            assert word in str(error.value)


# --- kernels written in Python ---


def test_is_a_kernel():
    k = Linear(0.5)
    x = RNG.uniform(size=(4, 1))
    np.testing.assert_allclose(k(x), 0.5 * (1 + x @ x.T))
    np.testing.assert_allclose(k.diagonal(RNG.uniform(size=(100, 1))).shape, (100,))
    np.testing.assert_allclose(k.with_log_parameters([np.log(2.0)])(x), 2.0 * (1 + x @ x.T))
    assert k.with_log_parameters([0.0]).note == "" and type(k.with_log_parameters([0.0])) is Linear
    assert "in Python, slowly" in repr(k)
    total = k + iqbo.Rbf()
    np.testing.assert_allclose(total(x), k(x) + iqbo.Rbf()(x))
    assert total.terms[0] is k


def test_gradients_are_differences():
    ours, theirs = OurRbf(1.3, 0.4), iqbo.Rbf(1.3, 0.4)
    x, y, weight = RNG.uniform(size=(4, 1)), RNG.uniform(size=(3, 1)), RNG.normal(size=(4, 3))
    np.testing.assert_allclose(ours.pull_back(x, y, weight), theirs.pull_back(x, y, weight), rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(ours.input_pull_back(x, y, weight), theirs.input_pull_back(x, y, weight), rtol=1e-7, atol=1e-8)


def test_posteriors_are_those_of_the_same_kernel():
    two = iqbo.conditionals.SampledConditional(rule=lambda a: ([[q - 0.1, q + 0.1] for q in a[:, 0]], [[1, 3]] * len(a)))
    for conditional in (BAGS, two):
        a = BAGS.queries if conditional is BAGS else np.array([[0.2], [0.5], [0.7], [0.9]])
        found = [iqbo.Posterior(k, conditional).condition(a, [0.1, 0.9, 0.3, 0.2], noise_var=1e-3)
                 for k in (OurRbf(1.3, 0.4), iqbo.Rbf(1.3, 0.4))]
        np.testing.assert_allclose(found[0].f(X).mean, found[1].f(X).mean, atol=1e-10)
        np.testing.assert_allclose(found[0].f(X).var, found[1].f(X).var, atol=1e-10)
    again = pickle.loads(pickle.dumps(found[0].kernel))
    assert type(again) is OurRbf


def test_windows_are_refused_by_a_sentence():
    with pytest.raises(ValueError, match="SampledConditional"):
        iqbo.Posterior(Linear(1.0), iqbo.GaussianConditional(sd=0.1)).condition([0.5], [1.0], 0.1)


def test_fits_find_the_same():
    z = [0.1, 0.9, 0.3, 0.2]
    fits = [iqbo.fit(iqbo.Posterior(k, BAGS).condition(BAGS.queries, z, noise_var=1e-3), seed=1, families=[], noise="known")
            for k in (OurRbf(1.0, 0.3), WithGradients(1.0, 0.3), iqbo.Rbf(1.0, 0.3))]
    assert WithGradients.calls > 0
    for fit in fits[:2]:
        np.testing.assert_allclose(fit.log_evidence, fits[2].log_evidence, atol=1e-5)
        np.testing.assert_allclose(fit.posterior.kernel.log_parameters, fits[2].posterior.kernel.log_parameters, atol=1e-3)


def test_policies_choose_the_same():
    chosen = []
    for k in (OurRbf(1.0, 0.3), iqbo.Rbf(1.0, 0.3)):
        policy = iqbo.Policy(X, BAGS.queries, BAGS, policy="cmes", kernel=k, noise_var=1e-3, seed=1)
        for _ in range(3):
            a = policy.suggest().queries
            policy.observe(a, np.sin(a[:, 0]))
        chosen.append(policy.posterior.queries.tolist())
    assert chosen[0] == chosen[1]


def test_lives_as_long_as_it_is_needed():
    post = iqbo.Posterior(OurRbf(1.0, 0.3), BAGS).condition(BAGS.queries, [0.1, 0.9, 0.3, 0.2], noise_var=1e-3)
    assert np.isfinite(post.f(X).mean).all()
    assert type(post.kernel) is OurRbf


def test_many_threads_may_ask():
    post = iqbo.Posterior(OurRbf(1.0, 0.3), BAGS).condition(BAGS.queries, [0.1, 0.9, 0.3, 0.2], noise_var=1e-3)
    want, found = post.f(X).mean, []
    threads = [threading.Thread(target=lambda: found.append(post.f(X).mean)) for _ in range(8)]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    assert len(found) == 8
    for mean in found:
        np.testing.assert_array_equal(mean, want)


def test_mistakes_are_named():
    class Wrong(iqbo.kernels.Kernel):
        def __init__(self, answer):
            super().__init__(1)
            self.answer = answer

        def evaluate(self, x, y, parameters):
            if isinstance(self.answer, Exception):
                raise self.answer
            return self.answer

    with pytest.raises(TypeError, match="must define evaluate"):
        iqbo.kernels.Kernel(1)([0.0])
    with pytest.raises(ValueError, match="evaluate"):
        Wrong(np.zeros((2, 3)))([0.0])
    with pytest.raises(ValueError, match="evaluate.*nan"):
        Wrong(np.full((1, 1), np.nan))([0.0])
    with pytest.raises(KeyError, match="mine"):
        Wrong(KeyError("mine"))([0.0])
    with pytest.raises(ValueError, match="variance.*-1"):
        Linear(-1.0)
    with pytest.raises(ValueError, match="dimension"):
        iqbo.kernels.Kernel(0)

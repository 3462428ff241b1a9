"""Kernels, averages and posteriors against quadrature and dense linear algebra."""
import iqbo
import numpy as np
import oracles
import pytest
from hypothesis import given, settings, strategies as st
from oracles import TOLERANCE
from scipy import stats

FAMILIES = ["Rbf", "Matern12", "Matern32", "Matern52"]
close = dict(atol=TOLERANCE, rtol=1e-7)


@pytest.mark.parametrize("family", FAMILIES)
@given(seed=st.integers(0, 2**32 - 1), d=st.integers(1, 3))
@settings(max_examples=10, deadline=None)
def test_kernels(family, seed, d):
    rng = np.random.default_rng(seed)
    x, y = rng.normal(size=(5, d)), rng.normal(size=(4, d))
    variance, lengthscale = rng.uniform(0.5, 2), rng.uniform(0.3, 2, size=d)
    k = getattr(iqbo.kernels, family)(variance=variance, lengthscale=lengthscale)
    np.testing.assert_allclose(k(x, y), oracles.gram(family, variance, lengthscale, x, y), rtol=1e-12)
    np.testing.assert_allclose(k.diagonal(x), variance)
    both = k + iqbo.kernels.White(0.3, d)
    np.testing.assert_allclose(both.gram(x), k(x, x) + 0.3 * np.eye(5), rtol=1e-12)


@pytest.mark.parametrize("family", ["Rbf", "Matern32"])
@pytest.mark.parametrize("kind", ["gaussian", "uniform"])
def test_averages_against_quadrature(family, kind):
    k = getattr(iqbo.kernels, family)(1.5, 0.7)
    mu = lambda a: np.sin(a)  # noqa: E731
    cond = iqbo.GaussianConditional(mean=mu, sd=0.4) if kind == "gaussian" else iqbo.UniformConditional(mu, 0.4)
    a, x = np.array([-0.3, 0.8]), np.array([0.1, 1.3])
    kernel = lambda s, t: oracles.gram(family, 1.5, 0.7, [[s]], [[t]])[0, 0]  # noqa: E731
    laws = [oracles.window(kind, m, 0.4) for m in np.sin(a)]
    c = [[oracles.average(*law, lambda s: kernel(s, t)) for law in laws] for t in x]
    np.testing.assert_allclose(cond.c(k, x, a), c, **close)
    (s, ws), (t, wt) = [oracles.nodes(*law) for law in laws]
    q = ws @ oracles.gram(family, 1.5, 0.7, s[:, None], t[:, None]) @ wt
    np.testing.assert_allclose(cond.q(k, a[:1], a[1:])[0, 0], q, atol=1e-6)  # the kink of Matern limits the oracle
    square = [oracles.average(*law, lambda s: s**2) for law in laws]
    np.testing.assert_allclose(cond.nu(lambda s: s[:, 0] ** 2, a), square, **close)


def bags(rng, points=12, count=5):
    weight = rng.uniform(size=(count, points)) * (rng.uniform(size=(count, points)) < 0.5)
    weight[:, 0] += 0.1
    return rng.normal(size=(points, 2)), weight


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=15, deadline=None)
def test_posterior_is_dense_conditioning(seed):
    """f on all points is one Gaussian vector; bags are rows of weights, looks are unit vectors."""
    rng = np.random.default_rng(seed)
    points, weight = bags(rng)
    w = weight / weight.sum(axis=1, keepdims=True)
    cov = oracles.gram("Matern52", 1.3, [0.8, 1.1], points, points)
    joint = np.vstack([np.eye(12), w])
    mean, cov = joint @ np.full(12, 0.4), joint @ cov @ joint.T
    seen = np.array([12, 14, 12, 15])  # averages
    looks = np.array([3, 7])
    z, noise = rng.normal(size=6), rng.uniform(0.01, 0.2, size=6)
    want_mean, want_cov = oracles.condition(mean, cov, np.r_[seen, looks], z, noise)

    prior = iqbo.Posterior(iqbo.Matern52(1.3, [0.8, 1.1]), iqbo.BagConditional(points, weight), mean=0.4)
    post = prior.condition(seen - 12, z[:4], noise_var=noise[:4]).condition(x=points[looks], z=z[4:], noise_var=noise[4:])
    f, g = post.f(points), post.g(np.arange(5))
    np.testing.assert_allclose(f.mean, want_mean[:12], **close)
    np.testing.assert_allclose(f.var, np.diag(want_cov)[:12], **close)
    np.testing.assert_allclose(g.mean, want_mean[12:], **close)
    np.testing.assert_allclose(post.f_cov(points), want_cov[:12, :12], **close)
    np.testing.assert_allclose(post.g_cov(np.arange(5)), want_cov[12:, 12:], **close)
    np.testing.assert_allclose(post.fg_cov(points, np.arange(5)), want_cov[:12, 12:], **close)
    at = np.r_[seen, looks]
    evidence = stats.multivariate_normal(mean[at], cov[np.ix_(at, at)] + np.diag(noise)).logpdf(z)
    assert post.log_evidence == pytest.approx(evidence, abs=1e-7)
    information = 0.5 * np.linalg.slogdet(np.eye(6) + cov[np.ix_(at, at)] / noise[:, None])[1]
    assert post.information_gain == pytest.approx(information, rel=1e-8)


def test_finite_belief_follows_the_posterior():
    rng = np.random.default_rng(3)
    x, a = np.linspace(0, 1, 40), np.linspace(0.1, 0.9, 15)
    post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
    for engine in ["low rank", "data space"]:
        belief, exact = iqbo.posteriors.FiniteBelief(post, x, a, engine=engine), post
        for row, z in [(3, 1.0), (9, -0.5), (3, 1.1)]:
            belief.observe(row, z, 0.01)
            exact = exact.condition(a[[row]], [z], 0.01)
        belief.observe(x=[0.33], z=[0.2], noise_var=0.01)
        exact = exact.condition(x=[0.33], z=[0.2], noise_var=0.01)
        assert belief.engine == engine and len(belief) == 4
        np.testing.assert_allclose(belief.f().mean, exact.f(x).mean, atol=1e-7)
        np.testing.assert_allclose(belief.g().var, exact.g(a).var, atol=1e-7)
        np.testing.assert_allclose(belief.fg_cov(), exact.fg_cov(x, a), atol=1e-7)
        paths = belief.draw(4000, seed=int(rng.integers(2**32)))
        np.testing.assert_allclose(np.cov(paths.f[[5, 20]]), exact.f_cov(x[[5, 20]]), atol=0.1)


def test_fit_finds_a_lengthscale():
    rng = np.random.default_rng(0)
    a = np.linspace(0, 1, 40)
    z = np.sin(8 * a) + 0.01 * rng.normal(size=40)
    data = iqbo.Posterior(iqbo.Rbf(1.0, 1.0), iqbo.UniformConditional(half_width=0.02)).condition(a, z, 1e-4)
    fit = iqbo.fit(data, seed=1, families=["rbf"])
    length = fit.parameter("lengthscale[0]")
    assert length.low < length.value < length.high and 0.05 < length.value < 0.6
    assert data.fit(seed=1, families=["rbf"]).kernel == fit.posterior.kernel
    assert "lengthscale of a" in fit.summary(columns=["a"], output_unit="m")
    _, ensemble = iqbo.posteriors.fit_ensemble(data, seed=1, members=4, families=["rbf"])
    np.testing.assert_allclose(ensemble.f([0.5]).mean, fit.posterior.f([0.5]).mean, atol=0.05)


def test_learned_conditional_recovers_a_moving_window():
    rng = np.random.default_rng(2)
    a = rng.uniform(size=(200, 1))
    cond = iqbo.LearnedConditional(3 * a + rng.normal(scale=0.2, size=(200, 1)), a, model="shift")
    k, at = iqbo.Rbf(1.0, 1.0), np.array([0.3, 0.7])
    want = [[oracles.average(*oracles.window("gaussian", 3 * m, 0.2), lambda s: np.exp(-0.5 * (s - 1.0) ** 2))
             for m in at]]
    np.testing.assert_allclose(cond.c(k, [1.0], at), want, atol=0.03)
    post = iqbo.Posterior(k, cond).with_discrepancy(cond.discrepancy(0.01)).condition(at, [1.0, 0.0], 0.01)
    assert post.discrepancy is not None and 0 < cond.report.error < 1


def test_samplers_and_rules_are_python_functions():
    nodes, weights = np.polynomial.hermite_e.hermegauss(20)
    rule = iqbo.conditionals.SampledConditional(rule=lambda a: (0.3 * nodes[None, :, None] + a[:, None, :], [weights] * len(a)))
    exact = iqbo.GaussianConditional(sd=0.3)
    k, a = iqbo.Rbf(1.0, 0.5), [0.1, 0.9]
    np.testing.assert_allclose(rule.q(k, a), exact.q(k, a), atol=1e-9)
    drawn = iqbo.conditionals.SampledConditional(lambda a, n, rng: rng.normal(a, 0.3, size=(n, 1)), draws=4000, seed=1)
    np.testing.assert_allclose(drawn.q(k, a), exact.q(k, a), atol=0.02)
    np.testing.assert_array_equal(drawn.q(k, a), drawn.q(k, a))

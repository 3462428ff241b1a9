"""Scores and samples of f* against SciPy."""
import iqbo
import numpy as np
import oracles
import pytest
from iqbo import acquisition
from hypothesis import given, settings, strategies as st
from scipy import integrate, stats

floats = st.floats(-3, 3)


def entropy(pdf, low, high):
    def integrand(z):
        p = pdf(z)
        return -p * np.log(p) if p > 0 else 0.0
    return integrate.quad(integrand, low, high, epsabs=1e-11, limit=200)[0]


@given(nu=floats, sd=st.floats(0.2, 2), gap=st.lists(st.floats(-1, 3), min_size=1, max_size=3))
@settings(max_examples=15)
def test_cmes_is_the_fall_of_entropy_by_truncation(nu, sd, gap):
    fstar = nu + sd * np.array(gap)
    whole = entropy(stats.norm(nu, sd).pdf, nu - 10 * sd, nu + 10 * sd)
    cut = [entropy(stats.truncnorm(-10, (f - nu) / sd, nu, sd).pdf, nu - 10 * sd, f) for f in fstar]
    assert acquisition.cmes([nu], [sd**2], fstar)[0] == pytest.approx(np.mean(whole - np.array(cut)), abs=1e-7)


def test_noisy_cmes_is_the_information_between_answer_and_bound():
    nu, q, noise, fstar = 0.3, 0.8, 0.5, 0.9
    total = np.sqrt(q + noise)

    def pdf(z):  # of z = g + noise given g <= fstar
        at = (fstar - nu - q / (q + noise) * (z - nu)) / np.sqrt(q * noise / (q + noise))
        return stats.norm.pdf(z, nu, total) * stats.norm.cdf(at) / stats.norm.cdf((fstar - nu) / np.sqrt(q))

    drop = stats.norm(nu, total).entropy() - entropy(pdf, nu - 10 * total, nu + 10 * total)
    assert acquisition.noisy_cmes([nu], [q], noise, [fstar])[0] == pytest.approx(drop, abs=1e-7)
    assert acquisition.mfmes([nu], [q], noise, [nu], [q], [q], [fstar])[0] == pytest.approx(drop, abs=1e-7)


@given(nu=floats, sd=st.floats(0.1, 2), incumbent=floats)
@settings(max_examples=30)
def test_the_classics(nu, sd, incumbent):
    t = (nu - incumbent) / sd
    ei = sd * (stats.norm.pdf(t) + t * stats.norm.cdf(t))
    assert acquisition.expected_improvement([nu], [sd**2], incumbent)[0] == pytest.approx(ei, abs=1e-12, rel=1e-9)
    assert acquisition.probability_of_improvement([nu], [sd**2], incumbent)[0] == pytest.approx(stats.norm.cdf(t), rel=1e-9)
    assert acquisition.ucb([nu], [sd**2], 3.0)[0] == pytest.approx(nu + 3 * sd)
    assert acquisition.est([nu], [sd**2], incumbent)[0] == pytest.approx(t)
    for score, worth in [(acquisition.ExpectedImprovement(incumbent), acquisition.expected_improvement),
                         (acquisition.ProbabilityOfImprovement(incumbent), acquisition.probability_of_improvement)]:
        assert score.logarithmic
        assert score.score([nu], [sd**2])[0] == pytest.approx(np.log(worth([nu], [sd**2], incumbent)[0]), rel=1e-8)


@given(seed=st.integers(0, 2**32 - 1))
@settings(max_examples=10)
def test_knowledge_gradient_by_quadrature(seed):
    rng = np.random.default_rng(seed)
    mean, c, q, noise = rng.normal(size=4), rng.normal(size=(4, 3)), rng.uniform(0.5, 2, 3), 0.3
    z = np.linspace(-9, 9, 20001)
    w = stats.norm.pdf(z) * (z[1] - z[0])
    b = c / np.sqrt(q + noise)
    rise = [np.sum(w * (mean[:, None] + np.outer(b[:, j], z)).max(axis=0)) - mean.max() for j in range(3)]
    np.testing.assert_allclose(acquisition.knowledge_gradient(mean, c, q, noise), rise, atol=1e-6)  # kinks limit the oracle
    log = acquisition.Ckg(np.arange(4.0), mean).score(np.zeros(3), q, noise, c)
    np.testing.assert_allclose(np.exp(log), acquisition.knowledge_gradient(mean, c, q, noise), rtol=1e-10)


PRIOR = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
POST = PRIOR.condition([0.2, 0.7], [0.5, 1.0], 0.01)
X, A = np.linspace(0, 1, 40), np.linspace(0, 1, 15)


def test_scores_of_posteriors_are_those_of_their_arrays():
    fs = iqbo.maxvalue.sample_max(POST, X, n=8, seed=1)
    var, c = POST.g(A).var, POST.fg_cov(fs.arguments, A)
    half = 0.5 * (np.log(var + 0.01) - np.log(var - c**2 / POST.f(fs.arguments).var[:, None] + 0.01))
    np.testing.assert_allclose(acquisition.cjes(POST, fs, A), half.mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(acquisition.cjes(var, 0.01, c, POST.f(fs.arguments).var), half.mean(axis=0), rtol=1e-6)
    np.testing.assert_allclose(acquisition.thompson_correlation(POST, fs, A), (c**2 / (var + 0.01)).mean(axis=0), rtol=1e-8)
    np.testing.assert_allclose(acquisition.thompson_correlation(var, 0.01, c), (c**2 / (var + 0.01)).mean(axis=0), rtol=1e-8)
    kg = acquisition.knowledge_gradient(POST.f(X).mean, POST.fg_cov(X, A), var, 0.01)
    np.testing.assert_allclose(acquisition.ckg(POST, X, A), kg, rtol=1e-10)


def test_gradients_of_scores_by_differences():
    nu, q, step = np.array([0.3, -0.2]), np.array([0.5, 0.9]), 1e-6
    for score in [acquisition.Cmes([1.0, 1.5]), acquisition.NoisyCmes([1.0, 1.5]), acquisition.ExpectedImprovement(0.2),
                  acquisition.Ucb(), acquisition.Est(1.0), acquisition.MaxVariance(), acquisition.ProbabilityOfImprovement(0.2)]:
        gradient = score.gradient(nu, q, 0.1)
        by_nu = (score.score(nu + step, q, 0.1) - score.score(nu - step, q, 0.1)) / (2 * step)
        by_q = (score.score(nu, q + step, 0.1) - score.score(nu, q - step, 0.1)) / (2 * step)
        np.testing.assert_allclose(gradient.nu, by_nu, atol=1e-6)
        np.testing.assert_allclose(gradient.q, by_q, atol=1e-6)
    with pytest.raises(ValueError, match=r"c: none, expected shape \(2, 2\)"):
        acquisition.Cjes([0.0, 1.0], [1.0, 1.0]).score(nu, q)


def test_samples_of_the_maximum_follow_dense_draws():
    cov = oracles.gram("Rbf", 1.0, 0.2, X[:, None], X[:, None])
    rng = np.random.default_rng(0)
    looks = [5, 30]
    mean, left = oracles.condition(np.zeros(40), cov, looks, np.array([1.0, -1.0]), 0.01)
    dense = rng.multivariate_normal(mean, left, size=4000, check_valid="ignore").max(axis=1)
    fs = iqbo.maxvalue.sample_max(PRIOR.condition(x=X[looks], z=[1.0, -1.0], noise_var=0.01), X, n=4000, seed=2)
    assert stats.ks_2samp(fs.values, dense).pvalue > 1e-3
    np.testing.assert_array_equal(X[fs.rows][:, None], fs.arguments)
    np.testing.assert_allclose(fs.paths[fs.rows, np.arange(4000)], fs.values, atol=1e-9)
    gumbel = iqbo.maxvalue.sample_max(POST, X, n=200, seed=2, method="gumbel", a=A)
    assert gumbel.values.min() >= POST.g(A).mean.max() and len(gumbel.arguments) == 0
    box = iqbo.maxvalue.sample_max(POST, iqbo.InputBox([0.0], [1.0]), n=20, seed=3)
    assert ((0 <= box.arguments) & (box.arguments <= 1)).all() and abs(box.values.mean() - fs.values.mean()) < 1


def test_expected_max_by_quadrature():
    mean, sd = np.array([0.0, 0.5, -0.3]), np.array([1.0, 0.7, 1.4])
    cdf = lambda y: np.prod(stats.norm.cdf((y - mean) / sd))  # noqa: E731
    want = integrate.quad(lambda y: 1 - cdf(y), 0, 20)[0] - integrate.quad(cdf, -20, 0)[0]
    assert iqbo.maxvalue.expected_max(mean, sd**2) == pytest.approx(want, abs=1e-7)


def test_paths_are_draws_that_pass_through_the_data():
    sharp = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.0)).condition([0.3], [2.0], 1e-6)
    paths = iqbo.maxvalue.Paths(sharp, count=50, seed=1, a=[0.3, 0.5])
    np.testing.assert_allclose(paths.f([0.3]), 2.0, atol=0.01)
    np.testing.assert_allclose(paths.g[0], 2.0, atol=0.01)
    assert 0.3 < paths.f([0.9]).std() < 1.5


def test_theory_agrees_with_determinants():
    q = POST.g_cov(A)
    want = 0.5 * np.linalg.slogdet(np.eye(len(A)) + q / 0.1)[1]
    assert iqbo.theory.information_gain(POST, A, 0.1) == pytest.approx(want, rel=1e-8)
    along = iqbo.theory.information_along(POST, A, 0.1)
    assert along[-1] == pytest.approx(want, rel=1e-8) and (np.diff(along) > 0).all()
    greedy, exact = iqbo.theory.greedy_information(POST, A, 2, 0.1), iqbo.theory.exact_information(POST, A, 2, 0.1)
    assert (1 - 1 / np.e) * exact.gain[-1] <= greedy.gain[-1] <= exact.gain[-1] + 1e-12
    plain = iqbo.posteriors.PlainGp(iqbo.Rbf(1.0, 0.3)).condition([0.5], [1.0], 0.1)
    assert iqbo.theory.information_gain(plain, [0.5], 0.1) > 0
    ball = iqbo.theory.coverage(iqbo.GaussianConditional(sd=0.5), [0.0, 1.0], [0.0], eps=0.5).probability
    np.testing.assert_allclose(ball, [stats.norm.cdf(1) - stats.norm.cdf(-1), stats.norm.cdf(-1) - stats.norm.cdf(-3)])

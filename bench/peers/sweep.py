"""Mean and variance of f at 100,000 candidates, kernel given.

"scikit-learn" is its own predict, which takes all candidates at once. "SciPy" is what an expert writes: one factorisation, then
candidates in chunks, solved in place. Chunks of 256 to 2,048 take the same time, smaller ones more.
"""
import numpy as np

CANDIDATES, SHOWN = 100_000, 500
VARIANCE, LENGTHSCALE, NOISE_VAR = 1.0, np.array([0.2, 0.3]), 0.01
SIZES = [500, 2000]
AGREES = 1e-8

TITLE = "mean and variance at 100,000 candidates"
REPETITIONS = 3


def data(repetition, count):
    rng = np.random.default_rng(repetition)
    x = rng.uniform(size=(count, 2))
    z = np.sin(5 * x[:, 0]) * np.cos(4 * x[:, 1]) + 0.1 * rng.standard_normal(count)
    return x, z, rng.uniform(size=(CANDIDATES, 2))


def answer(mean, var):
    """Every so many of the numbers, and the sums of all."""
    step = CANDIDATES // SHOWN
    return {"mean": [*mean[::step].tolist(), mean.sum() / CANDIDATES], "var": [*var[::step].tolist(), var.sum() / CANDIDATES]}


def iqbo_side(count):
    import iqbo

    prior = iqbo.Posterior(iqbo.Rbf(VARIANCE, LENGTHSCALE), iqbo.UniformConditional(half_width=[0.0, 0.0]))

    def work(repetition):
        x, z, candidates = data(repetition, count)
        return answer(*prior.condition(x=x, z=z, noise_var=NOISE_VAR).f(candidates))

    return work


def scikit_learn(count):
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel

    def work(repetition):
        x, z, candidates = data(repetition, count)
        kernel = ConstantKernel(VARIANCE) * RBF(LENGTHSCALE)
        mean, sd = GaussianProcessRegressor(kernel, alpha=NOISE_VAR, optimizer=None).fit(x, z).predict(candidates, return_std=True)
        return answer(mean, sd**2)

    return work


def scipy_side(count, chunk=512):
    from scipy.linalg import cho_factor, cho_solve, solve_triangular

    def covariance(x, y):
        """By one product and one exponential, in place."""
        x, y = x / LENGTHSCALE, y / LENGTHSCALE
        out = x @ y.T
        out -= 0.5 * np.einsum("ij,ij->i", x, x)[:, None]
        out -= 0.5 * np.einsum("ij,ij->i", y, y)
        np.exp(out, out=out)
        out *= VARIANCE
        return out

    def work(repetition):
        x, z, candidates = data(repetition, count)
        cov = covariance(x, x)
        cov[np.diag_indices(count)] += NOISE_VAR
        factor = cho_factor(cov, lower=True, overwrite_a=True, check_finite=False)
        weights = cho_solve(factor, z, check_finite=False)
        mean, var = np.empty(CANDIDATES), np.empty(CANDIDATES)
        for begin in range(0, CANDIDATES, chunk):
            some = slice(begin, begin + chunk)
            cross = covariance(candidates[some], x).T  # in Fortran's order, so that nothing is copied
            mean[some] = weights @ cross
            half = solve_triangular(factor[0], cross, lower=True, overwrite_b=True, check_finite=False)
            var[some] = VARIANCE - np.einsum("ij,ij->j", half, half)
        return answer(mean, var)

    return work


def named(library, count):
    return f"{library}, t = {count:,}"


LIBRARIES = {"iqbo": iqbo_side, "scikit-learn": scikit_learn, "SciPy": scipy_side}
SIDES = {named(library, count): lambda side=side, count=count: side(count)
         for count in SIZES for library, side in LIBRARIES.items()}
RATIOS = [(named("iqbo", count), named(peer, count), "cpu", None) for count in SIZES for peer in ["scikit-learn", "SciPy"]]


def check(answers):
    out = []
    for ours, theirs, _, _ in RATIOS:
        apart = max(np.abs(np.subtract(one[what], other[what])).max()
                    for one, other in zip(answers[ours], answers[theirs]) for what in ["mean", "var"])
        out.append((f"{ours} and {theirs}: up to {apart:.1e} apart, f has variance {VARIANCE:g}", apart < AGREES))
    return out

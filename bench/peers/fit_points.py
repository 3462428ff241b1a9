"""A fit of 500 answers at points of a square: variance, two lengthscales and noise.

iqbo's default fit tries three families, with an unknown mean and weak priors; scikit-learn and GPyTorch fit one RBF with mean 0. "iqbo,
RBF" is their model, except for the priors. What each found is judged by the same few lines of NumPy: its log evidence
under that model, and its predictions. In wall time, iqbo with two threads is compared with scikit-learn with one and with two,
because two threads of its BLAS can be slower than one.
"""
import numpy as np

TITLE = "fit, 500 points, 2-D"
COUNT, NOISE_SD = 500, 0.1
EVIDENCE_AGREES = 0.1  # nats
NEW = np.random.default_rng(99).uniform(size=(400, 2))


def truth(x):
    return np.sin(5 * x[:, 0]) * np.cos(4 * x[:, 1])


def data(repetition):
    rng = np.random.default_rng(repetition)
    x = rng.uniform(size=(COUNT, 2))
    return x, truth(x) + NOISE_SD * rng.standard_normal(COUNT)


def answer(variance, lengthscale, noise_var, **more):
    return {"variance": float(variance), "lengthscale": [float(each) for each in lengthscale], "noise_var": float(noise_var), **more}


def iqbo_side(**options):
    import iqbo

    points = iqbo.UniformConditional(half_width=[0.0, 0.0])

    def work(repetition):
        x, z = data(repetition)
        prior = iqbo.Posterior(iqbo.Rbf(1.0, [1.0, 1.0]), points)
        fit = iqbo.fit(prior.condition(x, z, noise_var=1.0), seed=repetition, **options)
        found = fit.hyperparameters
        return answer(found.variance, found.lengthscale, found.noise_var, family=found.family, mean=fit.posterior.f(NEW).mean.tolist())

    return work


def scikit_learn():
    from sklearn.gaussian_process import GaussianProcessRegressor
    from sklearn.gaussian_process.kernels import RBF, ConstantKernel, WhiteKernel

    def work(repetition):
        fit = GaussianProcessRegressor(ConstantKernel() * RBF([1.0, 1.0]) + WhiteKernel()).fit(*data(repetition))
        signal, white = fit.kernel_.k1, fit.kernel_.k2
        return answer(signal.k1.constant_value, signal.k2.length_scale, white.noise_level)

    return work


def gpytorch_side(climb):
    import gpytorch
    import torch
    from botorch.models.gpytorch import GPyTorchModel

    torch.set_num_threads(1)
    torch.set_default_dtype(torch.float64)

    class Model(gpytorch.models.ExactGP, GPyTorchModel):  # the latter for BoTorch's way of fitting
        _num_outputs = 1

        def __init__(self, x, z, likelihood):
            super().__init__(x, z, likelihood)
            self.mean_module = gpytorch.means.ZeroMean()
            self.covar_module = gpytorch.kernels.ScaleKernel(gpytorch.kernels.RBFKernel(ard_num_dims=2))

        def forward(self, x):
            return gpytorch.distributions.MultivariateNormal(self.mean_module(x), self.covar_module(x))

    def work(repetition):
        x, z = map(torch.as_tensor, data(repetition))
        likelihood = gpytorch.likelihoods.GaussianLikelihood()
        model = Model(x, z, likelihood)
        climb(gpytorch.mlls.ExactMarginalLogLikelihood(likelihood, model), x, z)
        kernel = model.covar_module
        return answer(kernel.outputscale.item(), kernel.base_kernel.lengthscale[0].tolist(), likelihood.noise.item())

    return work


def adam(mll, x, z, steps=50):
    """As in GPyTorch's tutorial of exact GP regression."""
    import torch

    mll.train()
    optimizer = torch.optim.Adam(mll.model.parameters(), lr=0.1)
    for _ in range(steps):
        optimizer.zero_grad()
        loss = -mll(mll.model(x), z)
        loss.backward()
        optimizer.step()


def lbfgs(mll, x, z):
    """As BoTorch fits its models."""
    from botorch.fit import fit_gpytorch_mll

    fit_gpytorch_mll(mll)


SIDES = {
    "iqbo, 3 families": iqbo_side,
    "scikit-learn": scikit_learn,
    "iqbo, RBF": lambda: iqbo_side(families=["rbf"], mean="fixed"),
    "GPyTorch, L-BFGS": lambda: gpytorch_side(lbfgs),
    "GPyTorch, Adam": lambda: gpytorch_side(adam),
    "iqbo, 3 families, 2 threads": iqbo_side,
    "scikit-learn, 2 threads": scikit_learn,
}
THREADS = {"iqbo, 3 families, 2 threads": 2, "scikit-learn, 2 threads": 2}
RATIOS = [
    ("iqbo, 3 families", "scikit-learn", "cpu", 3.0),
    ("iqbo, 3 families, 2 threads", "scikit-learn", "wall", 1.0),
    ("iqbo, 3 families, 2 threads", "scikit-learn, 2 threads", "wall", 1.0),
    ("iqbo, 3 families", "GPyTorch, L-BFGS", "cpu", None),
    ("iqbo, RBF", "scikit-learn", "cpu", None),
    ("iqbo, RBF", "GPyTorch, L-BFGS", "cpu", None),
    ("iqbo, RBF", "GPyTorch, Adam", "cpu", None),
]


def covariance(found, x, y):
    scaled = (x[:, None, :] - y[None, :, :]) / found["lengthscale"]
    return found["variance"] * np.exp(-0.5 * (scaled**2).sum(axis=2))


def log_evidence(found, x, z):
    cov = covariance(found, x, x) + found["noise_var"] * np.eye(len(x))
    return -0.5 * (z @ np.linalg.solve(cov, z) + np.linalg.slogdet(cov)[1] + len(z) * np.log(2 * np.pi))


def predicted(found, x, z):
    cov = covariance(found, x, x) + found["noise_var"] * np.eye(len(x))
    return covariance(found, NEW, x) @ np.linalg.solve(cov, z)


def check(answers):
    sets = [data(repetition) for repetition in range(1, 1 + len(answers["scikit-learn"]))]
    best = [log_evidence(found, *each) for found, each in zip(answers["scikit-learn"], sets)]
    out = []
    for name in ["iqbo, RBF", "GPyTorch, L-BFGS", "GPyTorch, Adam"]:
        gaps = [log_evidence(found, *each) - other for found, each, other in zip(answers[name], sets, best)]
        sentence = f"log evidence of {name} minus scikit-learn's: {min(gaps):+.2g} to {max(gaps):+.2g} nats"
        if name == "GPyTorch, Adam":
            out.append((sentence + "; it stops after the tutorial's 50 steps", True))
        else:
            out.append((sentence, max(map(abs, gaps)) <= EVIDENCE_AGREES))
    apart = [np.sqrt(np.mean((np.array(ours["mean"]) - predicted(theirs, *each)) ** 2))
             for ours, theirs, each in zip(answers["iqbo, 3 families"], answers["scikit-learn"], sets)]
    families = sorted({found["family"] for found in answers["iqbo, 3 families"]})
    out.append((f"predictions of iqbo, 3 families (it chose {', '.join(families)}), and scikit-learn: up to {max(apart):.2g} apart "
                f"(root mean square; the noise has sd {NOISE_SD})", max(apart) <= 0.1 * NOISE_SD))
    same = answers["iqbo, 3 families"] == answers["iqbo, 3 families, 2 threads"]
    out.append((f"iqbo's fits with 1 and 2 threads are {'the same' if same else 'different'}, to the bit", same))
    return out

"""Beliefs as models of BoTorch, so that its acquisition functions can choose queries or inputs. BoTorch must be installed::

    from botorch.acquisition import LogExpectedImprovement
    from botorch.optim import optimize_acqf_discrete
    from iqbo.botorch import AverageModel

    model = AverageModel(policy.belief, of="queries")                    # the averages g that queries return
    score = LogExpectedImprovement(model, best_f=0.7)
    a, value = optimize_acqf_discrete(score, q=1, choices=torch.as_tensor(queries))
"""
import numpy as np

try:
    import torch
    from botorch.models.model import Model
    from botorch.posteriors.gpytorch import GPyTorchPosterior
    from gpytorch.distributions import MultivariateNormal
    from linear_operator import to_linear_operator
except ImportError as missing:
    raise ImportError("iqbo.botorch needs BoTorch (pip: botorch)") from missing

__all__ = ["AverageModel"]


class AverageModel(Model):
    """A model of BoTorch with one output: f at inputs, or its averages g at queries, under a belief of iqbo.

    belief: a `Posterior`, an `Ensemble` (of which the mean and the covariance are used, as iqbo's own scores do) or a `PlainGp`
    (queries only). of: "inputs" or "queries".

    `posterior(X)` is joint over the q points of each batch (..., q, d). Gradients in X flow if q is 1, which is enough for
    `optimize_acqf` with q=1; for several points at once, choose among listed ones with `optimize_acqf_discrete`. The belief
    never changes: after an answer, make a model of the new belief. So acquisition functions that condition the model on
    observations of their own (knowledge gradient, entropy search) do not work with it; iqbo has these itself.
    """

    def __init__(self, belief, of="inputs"):
        if of not in ("inputs", "queries"):
            raise ValueError(f"of: {of!r}, expected 'inputs' or 'queries'")
        letter = "f" if of == "inputs" else "g"
        if not hasattr(belief, f"{letter}_pull_back"):
            raise TypeError(f"belief: {type(belief).__name__}, expected a Posterior, an Ensemble or, of queries, a PlainGp")
        super().__init__()
        self.belief, self.of = belief, of
        self._marginals, self._cov, self._pull_back = (getattr(belief, letter + end) for end in ("", "_cov", "_pull_back"))

    num_outputs = 1
    batch_shape = torch.Size()

    def posterior(self, X, output_indices=None, observation_noise=False, posterior_transform=None):
        """The belief at X (..., q, d), as a `GPyTorchPosterior`.

        observation_noise: False; a tensor of noise variances that broadcasts to (..., q); or True, for the mean noise variance of the
        observations. output_indices has no effect, as there is one output.
        """
        points = X.detach().cpu().double().numpy()
        if points.shape[-2] == 1:
            mean, var = _Marginals.apply(X, points, self._marginals, self._pull_back)
            cov = var.unsqueeze(-1)
        elif X.requires_grad and torch.is_grad_enabled():
            raise RuntimeError(f"X: needs a gradient with q = {points.shape[-2]}, expected q = 1, or listed points: optimize_acqf_discrete")
        else:
            batches = points.reshape(-1, *points.shape[-2:])
            mean = _tensor(np.array([self._marginals(rows).mean for rows in batches]), X).reshape(X.shape[:-1])
            cov = _tensor(np.array([self._cov(rows) for rows in batches]), X).reshape(*X.shape[:-1], X.shape[-2])
        if observation_noise is not False:
            noise = observation_noise if torch.is_tensor(observation_noise) else _tensor(np.mean(self._noise_var()), X)
            cov = cov + torch.diag_embed(noise.expand(mean.shape))
        out = GPyTorchPosterior(MultivariateNormal(mean, to_linear_operator(cov)))  # factored when needed, with jitter
        return out if posterior_transform is None else posterior_transform(out)

    def _noise_var(self):
        noise_var = getattr(getattr(self.belief, "members", [self.belief])[0], "noise_var", ())
        if len(noise_var) == 0:
            raise ValueError("observation_noise: True without observations, expected a tensor of noise variances")
        return noise_var


class _Marginals(torch.autograd.Function):
    """Means and variances (..., 1) at X (..., 1, d), with their gradients."""

    @staticmethod
    def forward(ctx, X, points, marginals, pull_back):
        ctx.rows, ctx.pull_back, ctx.like = points.reshape(-1, points.shape[-1]), pull_back, X
        mean, var = marginals(ctx.rows)
        return _tensor(mean, X).reshape(X.shape[:-1]), _tensor(np.maximum(var, 0.0), X).reshape(X.shape[:-1])

    @staticmethod
    def backward(ctx, mean, var):
        gradient = ctx.pull_back(ctx.rows, mean=_row(mean), var=_row(var))
        return _tensor(gradient, ctx.like).reshape(ctx.like.shape), None, None, None


def _tensor(array, like):
    return torch.as_tensor(np.asarray(array), dtype=like.dtype, device=like.device)


def _row(tensor):
    return tensor.detach().cpu().double().numpy().reshape(-1)

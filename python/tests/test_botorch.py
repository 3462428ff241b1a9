"""Beliefs as models of BoTorch: the same numbers as BoTorch's own GP and as iqbo's own scores, computed by other code."""
import subprocess
import sys

import iqbo
import numpy as np
import pytest

torch = pytest.importorskip("torch", reason="PyTorch is not installed; ./dev peers installs it in build/peers.env")
pytest.importorskip("botorch", reason="BoTorch is not installed; ./dev peers installs it in build/peers.env")
from botorch.acquisition import (LogExpectedImprovement, ProbabilityOfImprovement, UpperConfidenceBound,  # noqa: E402
                                 qLogExpectedImprovement, qLogNoisyExpectedImprovement)
from botorch.acquisition.objective import ScalarizedPosteriorTransform  # noqa: E402
from botorch.models import SingleTaskGP  # noqa: E402
from botorch.optim import optimize_acqf, optimize_acqf_discrete  # noqa: E402
from botorch.sampling import SobolQMCNormalSampler  # noqa: E402
from gpytorch.kernels import RBFKernel, ScaleKernel  # noqa: E402
from gpytorch.means import ZeroMean  # noqa: E402
from iqbo.botorch import AverageModel  # noqa: E402

WINDOW = iqbo.UniformConditional(half_width=0.1)


def belief():
    return iqbo.Posterior(iqbo.Rbf(1.0, 0.2), WINDOW).condition([0.1, 0.4, 0.8], [0.2, 0.9, -0.3], noise_var=[0.01, 0.02, 0.03])


def column(*values):
    return torch.tensor(values, dtype=torch.double).unsqueeze(-1)


def botorchs_own(x, y, noise_var, lengthscale):
    kernel = ScaleKernel(RBFKernel(ard_num_dims=x.shape[1]))
    own = SingleTaskGP(torch.as_tensor(x), torch.as_tensor(y)[:, None], torch.full((len(y), 1), noise_var, dtype=torch.double),
                       covar_module=kernel, mean_module=ZeroMean(), outcome_transform=None).double()
    kernel.outputscale, kernel.base_kernel.lengthscale = 1.0, torch.tensor(lengthscale, dtype=torch.double)
    return own.eval()


@pytest.mark.parametrize("shape", [(7, 1, 2), (4, 2), (3, 2, 5, 2)])
def test_f_from_points_is_botorchs(shape):
    rng = np.random.default_rng(1)
    x = rng.uniform(size=(12, 2))
    y = np.sin(4 * x[:, 0]) + x[:, 1]
    points = iqbo.UniformConditional(half_width=np.zeros(2))
    ours = AverageModel(iqbo.Posterior(iqbo.Rbf(1.0, [0.3, 0.5]), points).condition(x=x, z=y, noise_var=0.01))
    new = torch.as_tensor(rng.uniform(size=shape))
    mine, theirs = ours.posterior(new), botorchs_own(x, y, 0.01, [0.3, 0.5]).posterior(new)
    assert mine.mean.shape == theirs.mean.shape == (*shape[:-1], 1)
    np.testing.assert_allclose(mine.mean.detach(), theirs.mean.detach(), atol=1e-8)
    np.testing.assert_allclose(mine.variance.detach(), theirs.variance.detach(), atol=1e-8)
    np.testing.assert_allclose(mine.covariance_matrix.detach(), theirs.covariance_matrix.detach(), atol=1e-8)


def test_scores_of_queries_are_iqbos():
    post = belief()
    a = np.linspace(0, 1, 40)
    nu, q = post.g(a)
    model, at = AverageModel(post, of="queries"), torch.as_tensor(a)[:, None, None]
    improvement = LogExpectedImprovement(model, best_f=0.5)(at).detach().numpy()
    np.testing.assert_allclose(improvement, iqbo.acquisition.ExpectedImprovement(0.5).score(nu, q), rtol=1e-7)
    chance = ProbabilityOfImprovement(model, best_f=0.5)(at).detach().numpy()
    np.testing.assert_allclose(chance, iqbo.acquisition.probability_of_improvement(nu, q, 0.5), atol=1e-10)
    bound = UpperConfidenceBound(model, beta=4.0)(at).detach().numpy()
    np.testing.assert_allclose(bound, iqbo.acquisition.ucb(nu, q, 2.0), atol=1e-12)


@pytest.mark.parametrize("of", ["inputs", "queries"])
def test_draws_are_joint_and_repeatable(of):
    model, at = AverageModel(belief(), of=of), column(0.1, 0.2, 0.6)
    post = model.posterior(at)
    sampler = SobolQMCNormalSampler(torch.Size([4096]), seed=1)
    draws = sampler(post).squeeze(-1).numpy()
    np.testing.assert_array_equal(draws, sampler(post).squeeze(-1).numpy())  # the same base samples
    exact = belief().f_cov(at.numpy()) if of == "inputs" else belief().g_cov(at.numpy())
    np.testing.assert_allclose(np.cov(draws.T), exact, atol=0.01)
    assert post.rsample(torch.Size([5])).shape == (5, 3, 1)


@pytest.mark.parametrize("of", ["inputs", "queries"])
def test_gradients_are_slopes(of):
    model = AverageModel(belief(), of=of)
    score = UpperConfidenceBound(model, beta=2.0)
    at = torch.tensor([[[0.3]], [[0.55]]], dtype=torch.double, requires_grad=True)
    assert torch.autograd.gradcheck(score, (at,), eps=1e-5, atol=1e-7)


def test_a_continuum_is_searched_with_gradients():
    score = LogExpectedImprovement(AverageModel(belief(), of="queries"), best_f=0.5)
    grid = torch.linspace(0, 1, 2001, dtype=torch.double)
    best = grid[score(grid[:, None, None]).argmax()]
    found, _ = optimize_acqf(score, bounds=torch.tensor([[0.0], [1.0]], dtype=torch.double), q=1, num_restarts=4, raw_samples=32)
    assert abs(float(found) - float(best)) < 1e-3


def test_several_listed_queries_at_once():
    model = AverageModel(belief(), of="queries")
    choices = torch.linspace(0, 1, 11, dtype=torch.double)[:, None]
    score = qLogExpectedImprovement(model, best_f=0.5, sampler=SobolQMCNormalSampler(torch.Size([256]), seed=1))
    found, values = optimize_acqf_discrete(score, q=2, choices=choices)
    pairs = torch.stack([torch.stack([other, found[0]]) for other in choices if other != found[0]])
    assert found.shape == (2, 1) and found[0] == choices[score(choices.unsqueeze(-1)).argmax()]
    np.testing.assert_allclose(values[-1], score(pairs).max())  # the best companion of the first
    noisy = qLogNoisyExpectedImprovement(model, X_baseline=column(0.1, 0.4, 0.8))
    assert torch.isfinite(noisy(choices.unsqueeze(-1))).all()


def test_an_ensemble_is_used_by_its_moments():
    post = belief()
    both = iqbo.posteriors.Ensemble([post, post.with_prior(iqbo.Rbf(3.0, 0.4))], [0.3, 0.7])
    at = column(0.2, 0.5)
    mine = AverageModel(both, of="queries").posterior(at)
    np.testing.assert_allclose(mine.mean.squeeze(-1), both.g(at.numpy()).mean, atol=1e-12)
    np.testing.assert_allclose(mine.covariance_matrix, both.g_cov(at.numpy()), atol=1e-12)


def test_noise_transforms_and_precision():
    model, at = AverageModel(belief(), of="queries"), column(0.2, 0.5)
    quiet = model.posterior(at).variance.squeeze(-1)
    np.testing.assert_allclose(model.posterior(at, observation_noise=True).variance.squeeze(-1), quiet + 0.02, atol=1e-12)
    given = torch.tensor([0.1, 0.3], dtype=torch.double)
    np.testing.assert_allclose(model.posterior(at, observation_noise=given).variance.squeeze(-1), quiet + given, atol=1e-12)
    turned = model.posterior(at, posterior_transform=ScalarizedPosteriorTransform(torch.tensor([-1.0], dtype=torch.double)))
    np.testing.assert_allclose(turned.mean, -model.posterior(at).mean)
    assert model.posterior(at.float()).mean.dtype == torch.float32
    assert model.num_outputs == 1 and model.batch_shape == torch.Size([])


def test_mistakes_are_named():
    with pytest.raises(ValueError, match="of: 'pixels', expected 'inputs' or 'queries'"):
        AverageModel(belief(), of="pixels")
    with pytest.raises(TypeError, match="belief: PlainGp, expected a Posterior"):
        AverageModel(iqbo.posteriors.PlainGp(iqbo.Rbf()))
    with pytest.raises(ValueError, match="True without observations"):
        AverageModel(iqbo.Posterior(iqbo.Rbf(), WINDOW)).posterior(column(0.5), observation_noise=True)
    with pytest.raises(RuntimeError, match="q = 2, expected q = 1, or listed points: optimize_acqf_discrete"):
        AverageModel(belief()).posterior(column(0.2, 0.5).requires_grad_())
    bags = iqbo.Posterior(iqbo.Rbf(), iqbo.BagConditional([0.0, 1.0], [[1, 1], [0, 1]])).condition([0], [1.0], noise_var=0.1)
    at = torch.zeros(1, 1, dtype=torch.double, requires_grad=True)
    with pytest.raises(ValueError, match="conditional: its averages have no gradient in a"):
        AverageModel(bags, of="queries").posterior(at).mean.sum().backward()


def test_iqbo_itself_does_not_need_it():
    subprocess.run([sys.executable, "-c", "import sys, iqbo; assert not {'torch', 'botorch', 'sklearn'} & set(sys.modules)"], check=True)

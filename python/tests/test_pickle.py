"""Whatever a user would keep survives pickle and copy."""
import copy
import pickle
import tempfile

import iqbo
import numpy as np
import pytest
from iqbo import acquisition, conditionals, experiment, kernels, policies, problems, spaces

X, A = np.linspace(0, 1, 30), np.linspace(0, 1, 12)
RNG = np.random.default_rng(0)
WINDOW = iqbo.UniformConditional(half_width=0.1)
PRIOR = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), WINDOW, mean=0.3)
POST = PRIOR.condition(A[::3], [0.1, 0.5, 0.2, 0.4], 0.01).condition(x=[0.33], z=[0.2], noise_var=0.1).condition([0.5], [1.0], 0.2)
PAIRS = 2 * A + RNG.normal(scale=0.1, size=12), A
LEARNED = iqbo.LearnedConditional(*PAIRS, domain=iqbo.InputBox([-1.0], [3.0]))
TREE = spaces.QueryTree(points=X, weight=np.arange(1.0, 31.0), l_max=3, cost=[1.0, 2.0, 3.0, 4.0])

FIGURE = experiment.bench_figure(["two-peaks"], ["random"], seeds=2, steps=5)
ENTRY = experiment.Entry(problems.problem("two-peaks"), "random", steps=3)
EXPERIMENT = experiment.Experiment("small", [ENTRY], seeds=2)
with tempfile.TemporaryDirectory() as folder:
    ROWS, _ = experiment.run(FIGURE.experiment, folder, threads=1)


def double(a):
    return 2 * a


def height(cell):
    return 1.0 + cell.node.level


def reciprocal(delta):
    return 1 / delta


def draw(a, n, rng):
    return rng.normal(a[0], 0.1, n)


def rule(a):
    return [[q, q + 1] for q in a[:, 0]], [[1, 1]] * len(a)


def square(x):
    return x[:, 0] ** 2


def optimist(outlook, samples):
    return outlook.nu + np.sqrt(outlook.q)


def answers_of_kernel(k):
    return k(np.linspace(0, 1, 6).reshape(-1, k.dimension))


def answers_of_posterior(p):
    return np.r_[p.f(X).mean, p.f(X).var, p.g(A).mean, p.fg_cov(X, A).ravel(), p.log_evidence]


def told(make, *calls):
    for method, args, kwargs in calls:
        getattr(make, method)(*args, **kwargs)
    return make


FLAT = policies.FlatQueries(A, [0.1, 0.2], cost=reciprocal)

CASES = {
    "Rbf": (iqbo.Rbf(2.0, [0.3, 0.7]), answers_of_kernel),
    "Matern12": (kernels.Matern12(2.0, 0.3), answers_of_kernel),
    "Matern32": (kernels.Matern32(2.0, 0.3), answers_of_kernel),
    "Matern52": (iqbo.Matern52(2.0, 0.3), answers_of_kernel),
    "Sum": (iqbo.Rbf(2.0, 0.3) + kernels.White(0.1, 1), answers_of_kernel),
    "Product": (kernels.Product([(iqbo.Rbf(2.0, 0.3), [1]), (kernels.Matern12(1.5, 0.2), [0])]), answers_of_kernel),
    "ConstantMean": (kernels.ConstantMean(2.0), lambda m: m(X)),
    "LinearMean": (kernels.LinearMean(2.0, [1.0]), lambda m: m(X)),
    "CallbackMean": (kernels.CallbackMean(square), lambda m: m(X)),
    "QueryMap": (conditionals.QueryMap.affine([[1.0, 2.0]], [3.0]), lambda m: m(np.ones((2, 2)))),
    "QueryMap.function": (conditionals.QueryMap.function(double), lambda m: m(A)),
    "InputBox": (iqbo.InputBox([0.0], [1.0]), lambda b: b.grid(5)),
    "QueryBox": (iqbo.QueryBox([0.0], [1.0]), lambda b: b.grid(5)),
    "InputSet": (spaces.InputSet(X), lambda s: s.points),
    "QuerySet": (spaces.QuerySet(A), lambda s: s.points),
    "ListedQueries": (spaces.ListedQueries(A, cost=np.arange(1.0, len(A) + 1)), lambda s: np.r_[s.queries.points.ravel(), s.cost]),
    "MixedQueries": (spaces.MixedQueries(spaces.QuerySet(A), iqbo.QueryBox([0.0], [1.0])), lambda s: s.choices.points),
    "QueryTree": (TREE, lambda t: np.r_[t.queries(t.nodes_at(2)).ravel(), t.cost(t.root)]),
    "QueryTree.function": (spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), cost=height), lambda t: [t.cost(t.nodes_at(2)[0])]),
    "Node": (spaces.Node(level=1, number=1), lambda n: [n.level, n.number]),
    "Frontier": (told(spaces.Frontier(TREE), ("select", (TREE.root,), {})), lambda f: [len(f.leaves), len(f.ahead)]),
    "Budget": (spaces.Budget(2.0).after(0.5), lambda b: [b.left, b.total]),
    "Gaussian": (iqbo.GaussianConditional(double, 0.2), lambda c: c.q(iqbo.Rbf(), A)),
    "Uniform": (WINDOW, lambda c: c.q(iqbo.Rbf(), A)),
    "Spread": (conditionals.SpreadConditional(double, 0.1, 0.2), lambda c: c.q(iqbo.Rbf(), A)),
    "Truncated": (conditionals.TruncatedConditional(WINDOW, iqbo.InputBox([0.0], [1.0])), lambda c: c.q(iqbo.Rbf(), A)),
    "Bag": (iqbo.BagConditional(X, RNG.uniform(size=(4, 30))), lambda c: c.q(iqbo.Rbf(), np.arange(4))),
    "Cell": (conditionals.CellConditional(TREE), lambda c: c.q(iqbo.Rbf(), TREE.queries(TREE.nodes_at(2)))),
    "Sampled": (conditionals.SampledConditional(draw, draws=20, seed=3), lambda c: c.q(iqbo.Rbf(), A)),
    "Rule": (conditionals.SampledConditional(rule=rule), lambda c: c.q(iqbo.Rbf(), A)),
    "Learned": (LEARNED, lambda c: np.r_[c.q(iqbo.Rbf(), A).ravel(), c.report.error]),
    "Posterior": (POST, answers_of_posterior),
    "Posterior.discrepancy": (iqbo.Posterior(iqbo.Rbf(1.0, 0.5), LEARNED).with_discrepancy(LEARNED.discrepancy(0.1))
                              .condition(A, A, 0.01), answers_of_posterior),
    "PlainGp": (iqbo.posteriors.PlainGp(iqbo.Rbf(), 0.5).condition(A, A, 0.01), lambda p: p.g(X).mean),
    "Fit": (iqbo.fit(POST, families=["rbf"]), lambda f: np.r_[answers_of_posterior(f.posterior), f.log_evidence]),
    "Ensemble": (iqbo.posteriors.Ensemble([POST, POST.with_prior(iqbo.Rbf(2.0, 0.1))], [0.3, 0.7]), lambda e: e.f(X).var),
    "FiniteBelief": (told(iqbo.posteriors.FiniteBelief(PRIOR, X, A), ("observe", (2, 0.5, 0.01), {}), ("add", ([0.55],), {}),
                          ("observe", (), dict(x=[0.2], z=[0.1], noise_var=0.1))), lambda b: np.r_[b.f().mean, b.g().var]),
    "Paths": (iqbo.maxvalue.Paths(POST, 3, seed=1, a=A), lambda p: np.r_[p.f(X).ravel(), p.g.ravel()]),
    "MaxSamples": (iqbo.maxvalue.sample_max(POST, X, n=4, seed=1), lambda s: np.r_[s.values, s.arguments.ravel()]),
    "Marginals": (POST.f(X), lambda m: np.r_[m.mean, m.var]),
    "Cmes": (acquisition.Cmes([1.0, 2.0], 1e-9), lambda s: s.score([0.0], [1.0])),
    "Ucb": (acquisition.Ucb(3.0), lambda s: s.score([0.0], [1.0])),
    "Ckg": (acquisition.Ckg([0.0, 1.0], [0.0, 0.1]), lambda s: s.score([0.0], [1.0], 0.1, [[0.1], [0.2]])),
    "Cjes": (acquisition.Cjes([0.0], [1.0]), lambda s: s.score([0.0], [1.0], 0.1, [[0.1]])),
    "ResolutionSchedule": (iqbo.theory.ResolutionSchedule.paper(1).within(0.1, 0.4), lambda s: s.first(5)),
    "Policy": (told(iqbo.Policy(X, A, WINDOW, policy="ckg", kernel=iqbo.Rbf(1.0, 0.2), noise_var=0.01, seed=4),
                    ("observe", ([0.1, 0.2], [0.0, 1.0]), {}), ("observe", (), dict(x=[0.5], z=[0.3]))),
               lambda p: np.r_[p.suggest().queries.ravel(), p.best().mean]),
    "Policy.custom": (told(iqbo.Policy(X, A, WINDOW, policy=optimist, kernel=iqbo.Rbf(1.0, 0.2), noise_var=0.01),
                           ("observe", (A[:2], [0.0, 1.0]), {})), lambda p: p.suggest().queries),
    "FlatQueries": (FLAT, lambda f: np.r_[f.cost(f.a.points), f.a.points.ravel()]),
    "Policy.flat": (told(iqbo.Policy(**FLAT.setting(X), policy="cmes", kernel=iqbo.Rbf(1.0, 0.2), noise_var=0.01),
                         ("observe", ([[0.1, 0.2]], [0.0]), {})), lambda p: p.suggest().queries),
    "Problem": (problems.problem("districts", seed=3), lambda p: p.f(p.x)),
    "Problem.conditional": (problems.problem("two-peaks").conditional, lambda c: c.q(iqbo.Rbf(), A)),
    "Entry": (ENTRY, lambda e: experiment.replicate(e, 1).columns()["z"]),
    "Experiment": (EXPERIMENT, lambda e: [len(e.configuration)]),
    "Experiment.of_figure": (FIGURE.experiment, lambda e: [len(e.configuration)]),
    "Figure": (FIGURE, lambda f: f.grid),
    "Figure.paper": (iqbo.paper.paper_figure(3, seeds=1, steps=24), lambda f: f.grid),
    "Regrets": (experiment.Regrets(ROWS, FIGURE), lambda r: r.logs("two-peaks", "random")),
    "ResultTable": (experiment.replicate(ENTRY, 1), lambda t: t.columns()["z"]),
}


@pytest.mark.parametrize("way", ["pickle", "copy", "deepcopy"])
@pytest.mark.parametrize("name", CASES)
def test_survives(name, way):
    thing, answers = CASES[name]
    again = {"pickle": lambda: pickle.loads(pickle.dumps(thing)), "copy": lambda: copy.copy(thing),
             "deepcopy": lambda: copy.deepcopy(thing)}[way]()
    assert type(again) is type(thing)
    np.testing.assert_allclose(np.asarray(answers(again), float), np.asarray(answers(thing), float), rtol=1e-9, atol=1e-10)
    assert repr(again) == repr(thing)


def test_copies_of_what_changes_are_independent():
    belief = iqbo.posteriors.FiniteBelief(PRIOR, X, A)
    other = copy.copy(belief)
    other.observe(3, 1.0, 0.01)
    assert len(belief) == 0 and len(other) == 1


def test_functions_without_a_name_cannot_be_pickled():
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(iqbo.GaussianConditional(lambda a: a, 0.1))
    copied = copy.deepcopy(iqbo.GaussianConditional(lambda a: a, 0.1))  # but copied
    assert copied.input_dimension == 1


def test_every_class_has_a_repr_worth_reading():
    for thing, _ in CASES.values():
        text = repr(thing)
        assert " object at 0x" not in text and len(text) < 400

"""Policies, problems and experiments from Python."""
import functools
import math
import pickle

import iqbo
import numpy as np
import oracles
import pytest
from iqbo import experiment, policies, problems
from scipy import stats

X, A = np.linspace(0, 1, 60)[:, None], np.linspace(0, 1, 25)[:, None]
COND = iqbo.GaussianConditional(sd=0.06)


def g(a):
    wide = np.hypot(0.1, 0.06)
    return 0.1 / wide * np.exp(-0.5 * ((a[:, 0] - 0.7) / wide) ** 2)


def policy(kind="cmes", seed=1, **more):
    given = dict(kernel=iqbo.Rbf(0.5, 0.12), query_kernel=iqbo.Rbf(0.5, 0.15), noise_var=1e-4, samples=8, recommend_paths=20)
    return iqbo.Policy(X, A, COND, seed=seed, policy=kind, **{**given, **more})


def answered(p, steps):
    for _ in range(steps):
        a = p.suggest().queries
        p.observe(a, g(a))
    return p


@pytest.mark.parametrize("kind", [kind for kind in policies.policy_names() if kind != "mfmes"])
def test_every_policy_runs(kind):
    p = answered(policy(kind, **({"above": 0.5} if kind == "level-set" else {})), 5)
    assert len(p) == 5 and p.best().x.shape == (1, 1)


def test_chances_and_stopping():
    p = answered(policy("ckg"), 6)
    chances = p.chances([[0.1], [0.5], [0.7]], above=0.5, among=2)
    assert chances.best.sum() == pytest.approx(1) and chances.among.sum() == pytest.approx(2)
    f = p.rates_f([[0.1], [0.5], [0.7]])
    z = (f.mean - 0.5) / np.sqrt(f.var)
    assert chances.above == pytest.approx([0.5 * math.erfc(-t / math.sqrt(2)) for t in z], abs=1e-6)
    assert p.chances(a=[[0.2], [0.6]]).best.shape == (2,)
    now = p.stopping()
    assert now.regret >= 0 and not now.reached and now.why == ""
    assert p.chances(draws=64).best.shape == (60,)
    with pytest.raises(ValueError, match="both x and a, expected one of them"):
        p.chances([[0.1]], [[0.2]])
    with pytest.raises(ValueError, match="neither x nor a, expected one of them: the targets are a box"):
        iqbo.Policy(iqbo.InputBox([0.0], [1.0]), A, COND).chances()
    with pytest.raises(ValueError, match="among: 9"):
        p.chances([[0.1]], among=9)


def test_finds_the_peak_and_says_why():
    p = answered(policy("ckg"), 12)
    best = p.best()
    assert abs(best.x[0, 0] - 0.7) < 0.05 and best.low <= best.mean <= best.high and 0 <= best.probability <= 1
    said = p.suggest(3, pending=[[0.1]])
    assert said.queries.shape == (3, 1) and len(said.rows) == 3 and said.used == "ckg" and said.why


def test_everything_is_fitted_without_a_kernel():
    p = iqbo.Policy(X, A, COND, seed=2, fit={"families": ["rbf"]}, recommend_paths=20)
    answered(p, 8)
    assert p.hyperparameters.family == "rbf" and p.fit.parameter("noise_var").value > 0
    again = iqbo.Policy(X, A, COND, seed=2, fit={"families": ["rbf"]}, recommend_paths=20)
    again.remember(p.hyperparameters)
    again.observe(p.posterior.queries, p.posterior.z)
    assert again.suggest().rows == p.suggest().rows and again.fit is None


def optimist(outlook, samples):
    assert outlook.c.shape == (len(samples.values), len(outlook.nu)) and samples.arguments.shape[1] == 1
    return outlook.nu + 2 * np.sqrt(outlook.q)


def test_a_score_of_ones_own_chooses_what_the_same_score_would():
    mine, theirs = policy(optimist), policy("ucb-g")
    for _ in range(6):
        a = theirs.suggest().queries
        np.testing.assert_array_equal(mine.suggest().queries, a)
        mine.observe(a, g(a))
        theirs.observe(a, g(a))
    assert mine.suggest().why[0] == "policy custom:optimist"


def test_a_score_that_is_wrong_is_told_so():
    def short(outlook, samples):
        return [1.0, 2.0]

    def broken(outlook, samples):
        raise KeyError("mine")

    with pytest.raises(ValueError, match=r'custom score "short": shape \(2,\), expected shape \(25,\)'):
        answered(policy(short), 3)
    with pytest.raises(KeyError, match="mine"):
        answered(policy(broken), 3)
    with pytest.raises(ValueError, match="policy: 3, expected a function"):
        policy(3)


def test_a_score_of_ones_own_needs_no_name_where_nothing_is_kept():
    class Score:
        def __call__(self, outlook, samples):
            return outlook.nu

    for score in (lambda outlook, samples: outlook.nu, functools.partial(Score.__call__, None), Score()):
        assert policy(score).suggest().queries.shape == (1, 1)


def test_an_acquisition_chooses_what_the_policy_of_its_name_would():
    def cjes(samples):
        return iqbo.acquisition.Cjes(samples.arguments, samples.var)

    for mine, theirs in ((iqbo.acquisition.Ucb(2.0), "ucb-g"), (cjes, "cjes")):
        mine, theirs = policy(mine), policy(theirs)
        for _ in range(5):
            a = theirs.suggest().queries
            np.testing.assert_array_equal(mine.suggest().queries, a)
            mine.observe(a, g(a))
            theirs.observe(a, g(a))
    assert mine.suggest().why[0] == "policy custom:cjes"
    with pytest.raises(ValueError, match='custom score "wrong": 3, expected an Acquisition'):
        def wrong(samples):
            return 3
        answered(policy(wrong), 3)


def test_listed_queries_have_costs_and_noises_of_their_own():
    noise_var = np.linspace(0.01, 0.1, len(A))
    listed = iqbo.spaces.ListedQueries(A, cost=np.arange(1.0, len(A) + 1), noise_var=noise_var)
    p = iqbo.Policy(X, listed, COND, policy="max-variance", kernel=iqbo.Rbf(0.5, 0.12), budget=30.0, seed=1)
    p.observe(A[[3, 20]], [0.1, 0.2])
    np.testing.assert_allclose(p.posterior.noise_var, noise_var[[3, 20]])
    belief = iqbo.Posterior(iqbo.Rbf(0.5, 0.12), COND).condition(A[[3, 20]], [0.1, 0.2], noise_var[[3, 20]])
    assert p.suggest().rows == [np.argmax(belief.g(A).var / listed.cost * (listed.cost <= 30 - 4 - 21))]
    assert p.suggest().left == 30 - 4 - 21 - listed.cost[p.suggest().rows[0]]
    with pytest.raises(ValueError, match=r"noise_var: shape \(1,\), expected shape \(25,\)"):
        iqbo.spaces.ListedQueries(A, noise_var=[0.1])
    with pytest.raises(ValueError, match="cost: row 2 is 0"):
        iqbo.spaces.ListedQueries(A[:3], cost=[1, 1, 0])


def test_costs_budgets_and_trees():
    tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=3)
    window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.columns([0]), iqbo.conditionals.QueryMap.columns([1]))
    p = iqbo.Policy(X, tree, window, policy="cmes", kernel=iqbo.Rbf(0.5, 0.12), noise_var=1e-4, budget=4.0, seed=1)
    spent = 0.0
    while (said := p.suggest()).queries.size:
        spent += tree.cost(said.nodes[0])
        p.observe(said.queries, np.sin(said.queries[:, 0]))
    assert 3.0 < spent <= 4.0 and "affordable" in said.why[-1]
    cheap = answered(policy("max-variance", cost=lambda a: 1 + 9 * (a[:, 0] > 0.5)), 6)
    assert np.mean(cheap.posterior.queries < 0.5) > 0.5


def test_misuse_is_refused():
    with pytest.raises(ValueError, match='"cmes"'):
        policy("cmess")
    with pytest.raises(TypeError, match='"samples"'):
        policy(sample=3)
    with pytest.raises(ValueError, match="noise_var"):
        iqbo.Policy(X, A, COND, kernel=iqbo.Rbf(0.5, 0.12))
    with pytest.raises(ValueError, match=r"a: shape \(1, 2\), expected shape \(n, 1\)"):
        policy().observe([[0.1, 0.2]], [1.0])


def test_scheduled_ucb():
    window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.columns([0]), iqbo.conditionals.QueryMap.columns([1]))
    fine = iqbo.theory.ResolutionSchedule.constant(0.05)
    ucb = policies.ScheduledUcb(iqbo.Posterior(iqbo.Rbf(1.0, 0.15), window), X, fine, 1e-4, beta=lambda t: 4.0, seed=1)
    for _ in range(10):
        a = ucb.suggest()
        ucb.observe(a, g(a))
    assert ucb.beta == 4.0 and abs(ucb.best()[0, 0] - 0.7) < 0.1


def test_search_finds_the_best_of_a_grid():
    post = iqbo.Posterior(iqbo.Rbf(1.0, [0.3, 0.3]), iqbo.GaussianConditional(sd=[0.1, 0.1])).condition([[0.3, 0.6]], [1.0], 0.01)
    box = iqbo.QueryBox([0.0, 0.0], [1.0, 1.0])
    point, score = policies.search(lambda a: iqbo.acquisition.ucb(*post.g(a), 0.5), box, seed=1, also=[[0.5, 0.5]])
    grid = box.grid(60)
    assert score >= iqbo.acquisition.ucb(*post.g(grid), 0.5).max() - 1e-6 and box.contains(point)[0]
    mixed = iqbo.spaces.MixedQueries(iqbo.spaces.QuerySet([0.2, 0.3]), iqbo.QueryBox([0.0], [1.0]))
    assert policies.search(lambda a: post.g(a).mean, mixed)[0][0] == 0.3
    with pytest.raises(ValueError, match=r"score: shape \(.*\), expected shape"):
        policies.search(lambda a: a, iqbo.InputBox([0.0], [1.0]))


@pytest.mark.parametrize("places", [A, iqbo.QueryBox([0.0], [1.0])])
@pytest.mark.parametrize("resolutions", [[0.2, 0.05], (0.05, 0.2)])
def test_places_and_resolutions_without_a_tree(places, resolutions):
    flat = policies.FlatQueries(places, resolutions, cost=lambda delta: 0.01 / delta)
    a = flat.at([[0.3], [0.6]], [0.2, 0.05])
    assert flat.centres(a).tolist() == [[0.3], [0.6]] and flat.resolutions(a).tolist() == [0.2, 0.05]
    np.testing.assert_allclose(flat.cost(a), [0.05, 0.2])
    assert flat.resolutions(flat.finest(a)).tolist() == [0.05, 0.05]
    window = oracles.window("gaussian", 0.3, 0.2)
    np.testing.assert_allclose(flat.conditional.nu(lambda x: np.sin(x[:, 0]), a[:1]), oracles.average(*window, np.sin), atol=1e-8)
    p = iqbo.Policy(**flat.setting(X), policy="mfmes", kernel=iqbo.Rbf(0.5, 0.12), noise_var=1e-4, samples=4,
                    query_kernel=flat.kernel(iqbo.Rbf(0.5, 0.2), iqbo.Rbf(1.0, 0.2)))
    assert p.suggest().queries.shape == (1, 2)
    with pytest.raises(ValueError, match="half of X"):
        flat.setting(0.1 * X)


# --- problems and experiments ---


@pytest.mark.parametrize("name", problems.problem_names())
def test_problems_know_their_maximum(name):
    p = problems.problem(name)
    assert p.f(p.x).max() <= p.optimum.max + 1e-9
    assert p.f(p.x).max() == pytest.approx(p.listed_optimum.max)
    assert p.g(p.a[:50]).max() <= p.listed_best_query.max + 1e-9
    x, a = p.logged(5, seed=1)
    assert x.shape == (5, p.x.shape[1]) and a.shape == (5, p.a.shape[1])


def test_problem_averages_are_those_of_its_conditional():
    p = problems.problem("two-peaks")
    a = p.a[::7]
    np.testing.assert_allclose(p.conditional.nu(lambda x: p.f(x), a), p.g(a), atol=1e-4)


def test_an_experiment_from_a_folder(tmp_path):
    entries = [experiment.Entry(problems.problem("two-peaks"), kind, steps=5, lengthscales=[0.1]) for kind in ("cmes", "random")]
    told = []
    table, finished = experiment.run(experiment.Experiment("e", entries, seeds=2), tmp_path, threads=2,
                                     progress=lambda done, all: told.append((done, all)))
    again, _ = experiment.run(experiment.Experiment("e", entries, seeds=2), tmp_path)
    assert finished and table == again and len(table) == 20 and told[-1] == (4, 4)
    columns = table.columns()
    assert set(columns["policy"]) == {"cmes", "random"} and columns["simple_regret"].shape == (20,)
    assert experiment.ResultTable.from_csv(table.to_csv()) == table
    by_seed = experiment.Entry(lambda seed: problems.problem("districts", seed=seed), "random", name="drawn", steps=3)
    assert experiment.replicate(by_seed, 1) != experiment.replicate(by_seed, 2)


def test_bench_and_its_statistics(tmp_path):
    figure = experiment.bench_figure(["two-peaks"], ["cjes", "random"], seeds=3, steps=6)
    table, _ = experiment.run(figure.experiment, tmp_path)
    regrets = experiment.Regrets(table, figure)
    logs = regrets.logs("two-peaks", "random")
    assert logs.shape == (3, len(figure.grid)) and "two-peaks" in experiment.bench_summary(regrets)
    assert all(finding.verdict in ("holds", "equal", "does not hold", "undecided") for finding in experiment.bench_findings(regrets))
    values = np.array([1.0, 2.0, 4.0, 3.0])
    interval = experiment.mean_interval(values)
    low, high = stats.t.interval(0.95, 3, values.mean(), stats.sem(values))
    assert (interval.low, interval.high) == pytest.approx((low, high))


def test_rare_spots_are_searched_for_where_tiles_have_several_sizes():
    at = np.arange(16) + 0.5
    x = np.stack(np.meshgrid(at, at, indexing="ij"), -1).reshape(-1, 2)
    f = 0.3 * np.sin(x[:, 0] / 8) + 1.2 * np.exp(-((x[:, 0] - 11.5) ** 2 + (x[:, 1] - 4.5) ** 2) / 2)
    tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0, 0.0], [16.0, 16.0]), points=x, l_max=3)
    conditional = iqbo.conditionals.CellConditional(tree)

    def after(steps, **options):
        policy = iqbo.Policy(x, tree, conditional, seed=1, **options)
        for _ in range(steps):
            a = policy.suggest().queries
            policy.observe(a, conditional.average(a, f[:, None]).ravel())
        return policy

    on = after(12)
    assert any("rare spots" in why for why in on.suggest().why)
    best = on.best()
    assert 0 <= best.unseen <= 1 and best.max_low <= best.max_high and best.tolerance > 0
    assert any("no answer has shown" in note for note in best.notes)
    off = after(6, spots="off").best()
    assert np.isnan(off.unseen) and off.tolerance == 0
    with pytest.raises(ValueError, match='"auto" or "off"'):
        after(0, spots="maybe")


def test_each_answer_has_a_noise_of_its_own():
    a, z, noise = np.array([0.1, 0.4, 0.9]), np.array([0.2, 1.0, -0.5]), np.array([0.04, 0.01, 0.25])
    cond, kernel, x = iqbo.UniformConditional(half_width=0.1), iqbo.Rbf(1.0, 0.3), np.linspace(0, 1, 11)
    policy = iqbo.Policy(x, np.linspace(0, 1, 21), cond, kernel=kernel, noise_var=1.0)
    policy.observe(a, z, noise_var=noise)
    want = iqbo.Posterior(kernel, cond).condition(a, z, noise_var=noise).f(x)
    np.testing.assert_allclose(policy.posterior.f(x).mean, want.mean, atol=1e-9)
    np.testing.assert_allclose(policy.posterior.f(x).var, want.var, atol=1e-9)
    again = pickle.loads(pickle.dumps(policy))
    np.testing.assert_array_equal(again.posterior.f(x).mean, policy.posterior.f(x).mean)
    repeated = iqbo.Policy(x, np.linspace(0, 1, 21), cond, kernel=kernel, noise_var=1.0)
    repeated.observe(a, z, replicates=1 / noise)
    np.testing.assert_allclose(repeated.posterior.f(x).var, want.var, atol=1e-9)
    for wrong, words in (({"noise_var": noise[:2]}, "noise_var: "), ({"noise_var": [0.1, -1, 0.1]}, "noise_var: row 1"),
                         ({"replicates": [1, 0, 1]}, "replicates: row 1")):
        with pytest.raises(ValueError, match=words):
            policy.observe(a, z, **wrong)
    assert len(policy) == 3


def test_a_learned_conditional_is_confined_to_the_targets():
    rng = np.random.default_rng(1)
    a = rng.uniform(size=80)
    x, targets = np.clip(a + rng.normal(scale=0.1, size=80), 0, 1), np.linspace(0, 1, 21)
    free = iqbo.LearnedConditional(x, a)
    confined = iqbo.LearnedConditional(x, a, domain=targets)
    queries = np.linspace(0, 1, 9)
    kernel = iqbo.Rbf(1.0, 0.3)
    made = [iqbo.Policy(targets, queries, cond, kernel=kernel, noise_var=0.01, seed=1) for cond in (free, confined)]
    for policy in made:
        policy.observe([0.02, 0.5], [1.0, 0.0])
    np.testing.assert_array_equal(made[0].posterior.f(targets).mean, made[1].posterior.f(targets).mean)
    assert not np.array_equal(iqbo.Posterior(kernel, free).condition([0.02], [1.0], 0.01).f(targets).mean,
                              iqbo.Posterior(kernel, confined).condition([0.02], [1.0], 0.01).f(targets).mean)


def test_two_bare_numbers_are_no_list():
    for targets, queries, words in (((0, 1), A, r"targets: \(0, 1\), expected iqbo.InputBox\(\[0\], \[1\]\)"),
                                    (X, (0, 0.5), r"queries: \(0, 0.5\), expected iqbo.QueryBox\(\[0\], \[0.5\]\)")):
        for call in (lambda: iqbo.Policy(targets, queries, COND), lambda: iqbo.Study(targets=targets, queries=queries, conditional=COND)):
            with pytest.raises(ValueError, match=words + r" for all points between, or np.array\(.*\) for these two"):
                call()
    assert len(iqbo.Policy([0, 1], A, COND).chances(draws=16).best) == 2

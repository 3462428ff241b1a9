"""What a study may be made of: templates, tables, Python's objects; and what is refused."""
import functools
import json

import iqbo
import numpy as np
import pytest
from iqbo import conditionals, kernels, spaces
from study_cases import A, GIVEN, WINDOW, X, measure

RNG = np.random.default_rng(1)
POINTS = RNG.uniform(size=(30, 2))
WEIGHT = RNG.uniform(size=(8, 30)) * (RNG.uniform(size=(8, 30)) < 0.4) + 0.001
BAGS = iqbo.BagConditional(POINTS, WEIGHT)
UNIT = iqbo.InputBox([0.0], [1.0])
LOGGED = iqbo.problems.problem("two-peaks").logged(60, seed=1)


@pytest.mark.parametrize("name", iqbo.studies.template_names())
def test_templates_as_dictionaries_texts_and_files(name, tmp_path):
    files = iqbo.studies.spec_template(name)
    for file, text in files.items():
        (tmp_path / file).write_text(text)
    by_file = iqbo.Study(tmp_path / "study.json")
    by_text = iqbo.Study(files["study.json"], files={k: v for k, v in files.items() if k in by_file.files})
    by_dictionary = iqbo.Study(by_file.spec, files=by_file.files)
    assert by_file.spec == by_text.spec == by_dictionary.spec and by_file.files == by_text.files == by_dictionary.files
    if name != "trial":  # learning takes seconds
        assert by_file.ask().query.tolist() == by_dictionary.ask().query.tolist()


def test_tables_may_stand_where_the_spec_names_files():
    pandas = pytest.importorskip("pandas")
    pixels = pandas.DataFrame({"pixel": ["p0", "p1", "p2"], "east": [0.0, 1.0, 2.0]})
    spec = {"version": 2, "targets": {"kind": "points", "points": pixels, "id": "pixel", "coordinates": ["east"]},
            "queries": {"kind": "points", "points": {"district": ["n", "s"]}, "id": "district"},
            "conditional": {"kind": "bags", "point": "pixel",
                            "bags": {"district": ["n", "n", "s"], "pixel": ["p0", "p1", "p2"]}}}
    study = iqbo.Study(spec)
    assert study.ask().name in ("n", "s") and set(study.files) == {"targets.points.csv", "queries.points.csv", "conditional.bags.csv"}


def first_queries(study, count=5):
    for _ in range(count):
        trial = study.ask()
        if trial is None:  # the budget is spent
            break
        study.tell(trial, float(np.sum(np.sin(trial.query))))
    return study


@pytest.mark.parametrize("given", [
    dict(targets=POINTS, conditional=BAGS),
    dict(targets=POINTS, conditional=iqbo.BagConditional(POINTS, WEIGHT, queries=RNG.uniform(size=(8, 2)))),
    dict(targets=iqbo.InputBox([0.0], [1.0]), queries=iqbo.QueryBox([0.0], [1.0]), conditional=iqbo.GaussianConditional(sd=0.1)),
    dict(targets={"east": (0, 1, 9), "north": (0, 1, 9)}, queries={"east": (0, 1), "north": (0, 1)},
         conditional=conditionals.TruncatedConditional(iqbo.UniformConditional(half_width=[0.1, 0.2]),
                                                       iqbo.InputBox([0.0] * 2, [1.0] * 2))),
    dict(targets=X, queries=A, conditional=iqbo.GaussianConditional(lambda a: a**2, lambda a: 0.05 + 0.1 * a)),
    dict(targets=X, queries=A, conditional=iqbo.GaussianConditional(conditionals.QueryMap.affine([[0.5]], [0.2]), 0.1)),
    dict(targets=LOGGED[0], queries=np.unique(LOGGED[1])[:10], conditional=iqbo.LearnedConditional(*LOGGED, model="nw")),
    dict(targets=X, queries=spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=2), budget=5.0,
         conditional=iqbo.GaussianConditional(conditionals.QueryMap.columns([0]), conditionals.QueryMap.columns([1]))),
    dict(queries=(tree := spaces.QueryTree(points=X, weight=X + 1, l_max=3)), conditional=conditionals.CellConditional(tree)),
    dict(targets=X, queries=A, conditional=WINDOW, cost=1 + A, goal="minimize", mean="linear", value="price", name="n"),
])
def test_python_objects_become_a_spec(given):
    study = first_queries(iqbo.Study(seed=2, policy="max-variance", **given))
    assert study.best().x.shape[0] == np.ndim(X) + (0 if len(study.best().x) == 1 else 1)
    json.dumps(study.spec)


def test_bags_of_a_study_are_those_that_were_given():
    study = iqbo.Study(targets=POINTS, conditional=BAGS, kernel=kernels.Matern32(1.0, [0.3, 0.3]), noise_sd=0.1, mean=0.5)
    study.import_observations({"id": ["3", "5"], "value": [1.0, 2.0]})
    study.import_values({"id": ["7"], "value": [0.3], "noise_sd": [0.1]})
    exact = iqbo.Posterior(kernels.Matern32(1.0, [0.3, 0.3]), BAGS, mean=0.5).condition([3, 5], [1.0, 2.0], 0.01)
    exact = exact.condition(x=POINTS[[7]], z=[0.3], noise_var=0.01)
    np.testing.assert_allclose(study.predict_f(POINTS).mean, exact.f(POINTS).mean, atol=1e-7)
    np.testing.assert_allclose(study.predict_g(np.arange(8)).sd, np.sqrt(exact.g(np.arange(8)).var), atol=1e-6)
    assert study.status().imported == 2 and study.snapshot().x.mean.shape == (30,)


def test_what_a_study_cannot_keep_is_refused():
    box = iqbo.QueryBox([0.0], [1.0])
    for given, words in [
        (dict(targets=X, queries=box, conditional=iqbo.GaussianConditional(np.sin, 0.1)), "only for listed queries"),
        (dict(targets=X, queries=A, conditional=conditionals.SampledConditional(lambda a, n, rng: a)), "a Policy can use"),
        (dict(targets=X, queries=A), "conditional: not given"),
        (dict(targets=X, queries=A, conditional=WINDOW, kernel=iqbo.Rbf() + iqbo.Rbf()), "kernel: "),
        (dict(targets=X, queries=A, conditional=WINDOW, policy="cmess"), '"cmes"'),
        (dict(targets={"east": 3}, queries=A, conditional=WINDOW), "targets: east is 3"),
        (dict(targets=UNIT, queries=A, conditional=conditionals.TruncatedConditional(WINDOW, iqbo.InputBox([0.0], [2.0]))),
         r"conditional: TruncatedConditional with domain=InputBox\(\[0\], \[2\]\)"),
        (dict(targets=X, queries=A, conditional=conditionals.TruncatedConditional(WINDOW, UNIT)),
         "TruncatedConditional with domain="),
        (dict(targets=UNIT, queries=A, conditional=conditionals.TruncatedConditional(WINDOW, UNIT, nodes=12)),
         "nodes=12, expected 10"),
        (dict(targets=X, queries=A, conditional=iqbo.LearnedConditional(X, X, "plugin", domain=UNIT)), "with domain="),
        (dict(targets=X, queries=A, conditional=iqbo.LearnedConditional(X, X, "plugin", shift_points=5)), "shift_points=5"),
        (dict(queries=(tree := spaces.QueryTree(iqbo.QueryBox([0.0], [2.0]), points=X, l_max=2)),
              conditional=conditionals.CellConditional(tree)), "queries: a tree of points that cuts"),
        (dict(targets=X, queries=list("wxy"), conditional=iqbo.BagConditional(X, np.eye(40)[:4])), "queries: 3 rows, expected 4"),
        (dict(targets=POINTS, queries=POINTS[8::-1][:8], conditional=iqbo.BagConditional(POINTS, WEIGHT, queries=POINTS[:8])),
         "queries: not those of the bags"),
    ]:
        with pytest.raises(ValueError, match=words):
            iqbo.Study(**given)
    with pytest.raises(TypeError, match="nothing given"):
        iqbo.Study()
    with pytest.raises(TypeError, match="a spec was given too"):
        iqbo.Study({"version": 2}, seed=1)
    with pytest.raises(TypeError, match="Study: unexpected keyword 'sede', expected 'seed'"):
        iqbo.Study(**GIVEN, sede=1)


def test_domains_that_are_those_of_the_targets_are_kept():
    cut = iqbo.Study(targets=UNIT, queries=A, conditional=conditionals.TruncatedConditional(WINDOW, UNIT, "renormalise"))
    assert cut.spec["conditional"]["truncate"] == "renormalise"
    iqbo.Study(targets=X, queries=A, conditional=iqbo.LearnedConditional(X, X, "plugin", domain=X))


@pytest.mark.parametrize("change,words", [
    (dict(targets=[]), "targets: no rows"),
    (dict(targets={"x": (0, 1, 5.9)}), "targets: grid of x: 5.9, expected a whole number"),
    (dict(targets={"x": (0, 1, "7")}), "targets: grid of x: '7', expected one number"),
    (dict(queries={"x": ("0", 1)}), "queries: from of x: '0', expected one number"),
    (dict(targets=["a", "b"]), "targets: no column of numbers .'id' holds str.*expected coordinates"),
    (dict(queries=[]), "queries: no rows"),
    (dict(targets=np.zeros((2, 2, 2))), r"targets: shape \(2, 2, 2\)"),
    (dict(targets=[1j]), "targets: array of dtype complex128"),
    (dict(targets=[[1, 2], [3]]), "targets: list .*expected rows of one length"),
    (dict(targets=iqbo.QueryBox([0.0], [1.0])), "targets: QueryBox.*expected an InputBox"),
    (dict(queries=iqbo.InputBox([0.0], [1.0])), "queries: InputBox.*expected a QueryBox"),
    (dict(cost=[1, 2]), r"cost: shape \(2,\), expected shape \(16,\)"),
    (dict(cost=[1, 2], queries=iqbo.QueryBox([0.0], [1.0])), "cost: a list.*not listed"),
    (dict(cost=np.sin), "cost: .*cannot keep a function"),
    (dict(mean=np.sin), "mean: .*expected a number"),
    (dict(mean=kernels.LinearMean(0.0, [1.0])), "mean: LinearMean"),
    (dict(noise_sd=np.nan), "noise_sd: nan, expected a finite number"),
    (dict(noise_sd=np.sin), "noise_sd: "),
    (dict(budget=np.inf), "budget: inf, expected a finite number"),
    (dict(seed=1.7), "seed: 1.7, expected a whole number"),
    (dict(policy=lambda outlook, samples: outlook.nu), "policy: .*expected a function with a name"),
    (dict(policy=functools.partial(np.add)), "policy: .*expected a function with a name"),
    (dict(acquisition=functools.partial(np.add)), "acquisition: .*expected a function with a name"),
])
def test_what_is_refused_is_named(change, words):
    with pytest.raises(ValueError, match=words):
        iqbo.Study(**{**GIVEN, **change})


def test_a_constant_mean_is_a_number():
    assert iqbo.Study(**GIVEN, mean=kernels.ConstantMean(1.5)).spec["mean"] == 1.5


def test_a_point_fit_can_be_asked_for():
    studies = [iqbo.Study(targets=X, queries=A, conditional=WINDOW, seed=3, **fit) for fit in ({}, {"fit": "point"})]
    for study in studies:
        study.run(measure, 8)
    several, one = studies
    assert several.fit().members and not one.fit().members
    assert one.spec["fit"] == "point"
    with pytest.raises(ValueError, match='fit.*best'):
        iqbo.Study(**GIVEN, fit="best")

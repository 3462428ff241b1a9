"""Studies from Python: in memory, in SQLite, in PostgreSQL, and beside the command line."""
import copy
import decimal
import functools
import json
import os
import pickle
import subprocess
import threading

import iqbo
import numpy as np
import pytest
from iqbo import conditionals, kernels, spaces

X, A = np.linspace(0, 1, 40), np.linspace(0.05, 0.95, 16)
WINDOW = iqbo.UniformConditional(half_width=0.08)
GIVEN = dict(targets=X, queries=A, conditional=WINDOW, kernel=iqbo.Rbf(1.0, 0.15), noise=0.02, seed=3)


def measure(trial):
    return float(np.exp(-0.5 * ((trial.query[0] - 0.6) / 0.15) ** 2))


def places(tmp_path):
    yield None
    yield tmp_path / "study.db"
    if "IQBO_POSTGRESQL_RECORD" in os.environ:  # set by ctest, which has started a server
        with open(os.environ["IQBO_POSTGRESQL_RECORD"], encoding="utf-8") as file:
            yield file.readline().strip() + f"?study=python{os.getpid()}"


def test_the_common_case_in_all_places(tmp_path):
    traces = []
    for place in places(tmp_path):
        study = iqbo.Study(location=place, **GIVEN)
        for _ in range(9):
            a = study.ask()
            study.tell(a, measure(a))
        best = study.best()
        assert abs(best.x[0] - 0.6) < 0.1 and best.low <= best.mean <= best.high
        assert study.status().told == 9 and study.trials[3].answer.value == measure(study.trials[3])
        traces.append([(trial.number, trial.query.tolist(), trial.score) for trial in study.trials])
    assert all(trace == traces[0] for trace in traces) and len(traces) >= 2


def test_listed_queries_keep_their_costs_and_noises(tmp_path):
    listed = iqbo.spaces.ListedQueries(A, cost=1 + A, noise_var=(0.1 * A) ** 2)
    study = iqbo.Study(location=tmp_path / "own.db", **{**GIVEN, "queries": listed})
    study.run(measure, trials=3)
    again = iqbo.Study(tmp_path / "own.db")
    assert [trial.cost for trial in again.trials] == [1 + trial.query[0] for trial in again.trials]
    query = again.spec["query"]
    assert query["cost"] == "cost" and query["noise_sd"] == "noise_sd"


def test_goes_on_where_it_was(tmp_path):
    place = str(tmp_path / "study.db")
    iqbo.Study(location=place, **GIVEN).run(measure, trials=4)
    again = iqbo.Study(place)
    assert again.status().told == 4 and "4 told" in repr(again)
    same = iqbo.Study(location=place, **GIVEN)  # the same spec: goes on
    assert same.status().told == 4
    with pytest.raises(ValueError, match="spec: is not that of the study"):
        iqbo.Study(location=place, **{**GIVEN, "seed": 4})
    with pytest.raises(iqbo.StorageError, match="there is no such study") as missing:
        iqbo.Study(tmp_path / "nothing.db")
    assert missing.value.kind == "not found"


def test_asking_twice_gives_two_and_a_named_worker_gets_its_own_back(tmp_path):
    place = tmp_path / "study.db"
    study = iqbo.Study(location=place, worker="me", **GIVEN)
    one, other = study.ask(), study.ask()
    assert (one.number, other.number) == (0, 1)
    assert [trial.number for trial in study.ask(2)] == [2, 3]
    back = iqbo.Study(place, worker="me").ask()  # as after a crash
    assert back.number == 0
    stranger = iqbo.Study(place)
    assert stranger.ask().number == 4
    study.tell(one, 1.0)
    study.tell(one.number, 1.0)  # again, the same: no harm
    with pytest.raises(ValueError, match="amend"):
        study.tell(one, 2.0)
    study.amend(one, 2.0, noise_sd=0.1, replicates=3)
    assert study.trials[0].answer == iqbo.studies.Answer(value=2.0, noise_sd=0.1, replicates=3)
    study.fail(other, "rain")
    assert study.trials[1].state == "failed" and study.heartbeat(2) and not study.heartbeat(1)
    assert [event["kind"] for event in study.events()][-1] == "failed"


def test_runs_fail_trials_that_raise():
    study = iqbo.Study(**GIVEN)

    def broken(trial):
        raise OSError("no power")

    with pytest.raises(OSError):
        study.run(broken, trials=3)
    assert study.trials[0].state == "failed" and "no power" in study.trials[0].reason


def test_a_trial_is_used_like_its_query():
    trial = iqbo.Study(**GIVEN).ask()
    assert float(trial) == trial[0] == trial.query[0] and len(trial) == 1 and list(trial) == trial.query.tolist()
    np.testing.assert_array_equal(np.sin(trial), np.sin(trial.query))
    assert repr(trial).startswith("Trial 0:") and pickle.loads(pickle.dumps(trial)) == trial
    assert iqbo.Posterior(iqbo.Rbf(), WINDOW).g(trial).mean.shape == (1,)
    for done in (lambda a: a[:1], lambda a: a[[0]], lambda a: a[...], lambda a: a - 0.3, lambda a: 0.3 - a, lambda a: 2 * a,
                 lambda a: -a, lambda a: a / np.float64(3), lambda a: A[:1] + a, lambda a: a + a, lambda a: a**2,
                 lambda a: a < 0.5, lambda a: a.sum(), lambda a: a.shape, lambda a: a.ndim):
        np.testing.assert_array_equal(done(trial), done(trial.query))


def test_a_trial_of_another_study_is_refused(tmp_path):
    study, other = iqbo.Study(location=tmp_path / "study.db", **GIVEN), iqbo.Study(**{**GIVEN, "queries": A + 0.01})
    trial, strange = study.ask(), other.ask()
    for handle in (study, iqbo.Study(tmp_path / "study.db")):  # another object knows it from the file
        for call in (lambda: handle.tell(strange, 5.0), lambda: handle.fail(strange), lambda: handle.amend(strange, 5.0)):
            with pytest.raises(ValueError, match="trial: number 0 at .*expected one of this study"):
                call()
    iqbo.Study(tmp_path / "study.db").tell(trial, 1.0)


# --- what a study may be made of ---


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
    spec = {"version": 1, "target": {"kind": "points", "points": pixels, "id": "pixel", "coordinates": ["east"]},
            "query": {"kind": "points", "points": {"district": ["n", "s"]}, "id": "district"},
            "conditional": {"kind": "bags", "point": "pixel",
                            "bags": {"district": ["n", "n", "s"], "pixel": ["p0", "p1", "p2"]}}}
    study = iqbo.Study(spec)
    assert study.ask().name in ("n", "s") and set(study.files) == {"target.points.csv", "query.points.csv", "conditional.bags.csv"}


def first_queries(study, count=5):
    for _ in range(count):
        trial = study.ask()
        if trial is None:  # the budget is spent
            break
        study.tell(trial, float(np.sum(np.sin(trial.query))))
    return study


RNG = np.random.default_rng(1)
POINTS = RNG.uniform(size=(30, 2))
WEIGHT = RNG.uniform(size=(8, 30)) * (RNG.uniform(size=(8, 30)) < 0.4) + 0.001
BAGS = iqbo.BagConditional(POINTS, WEIGHT)
UNIT = iqbo.InputBox([0.0], [1.0])
LOGGED = iqbo.problems.problem("two-peaks").logged(60, seed=1)


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
    study = iqbo.Study(targets=POINTS, conditional=BAGS, kernel=kernels.Matern32(1.0, [0.3, 0.3]), noise=0.1, mean=0.5)
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
        (dict(targets=X, queries=A), "conditional: none"),
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
        iqbo.Study({"version": 1}, seed=1)
    with pytest.raises(TypeError, match="Study: unexpected keyword 'sede', expected 'seed'"):
        iqbo.Study(**GIVEN, sede=1)


def test_domains_that_are_those_of_the_targets_are_kept():
    cut = iqbo.Study(targets=UNIT, queries=A, conditional=conditionals.TruncatedConditional(WINDOW, UNIT, "renormalise"))
    assert cut.spec["conditional"]["truncate"] == "renormalise"
    iqbo.Study(targets=X, queries=A, conditional=iqbo.LearnedConditional(X, X, "plugin", domain=X))


@pytest.mark.parametrize("change,words", [
    (dict(targets=[]), "targets: no rows"),
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
    (dict(noise=np.nan), "noise: nan, expected a finite number"),
    (dict(noise=np.sin), "noise: "),
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


# --- a score of one's own ---


def greedy(outlook, samples):
    return outlook.nu


def test_a_score_of_ones_own_is_kept_by_name_and_refused_by_the_command_line(tmp_path):
    place = str(tmp_path / "study.db")
    study = iqbo.Study(location=place, policy=greedy, **GIVEN)
    study.run(measure, trials=5)
    assert study.spec["policy"] == "custom:greedy" and study.trials[4].policy == "custom:greedy"
    iqbo.Study(place, acquisition=greedy).ask()
    assert iqbo.Study(acquisition=greedy, **GIVEN).spec["policy"] == "custom:greedy"
    with pytest.raises(ValueError, match='"custom:greedy" is a score that this program does not have'):
        iqbo.Study(place).ask()
    other = iqbo.Study(place)
    assert other.best() == study.best()
    program = os.environ["IQBO_PROGRAM"]  # the command line; ./dev test sets it
    ask = subprocess.run([program, "ask", "--study", place], capture_output=True, text=True)
    assert ask.returncode == 2 and "custom:greedy" in ask.stderr and "Python" in ask.stderr
    assert subprocess.run([program, "best", "--study", place], capture_output=True).returncode == 0


# --- others at the same time ---


def test_python_and_the_command_line_at_the_same_time(tmp_path):
    place = str(tmp_path / "study.db")
    study = iqbo.Study(location=place, **GIVEN)

    def iqbo_cli(*arguments):
        done = subprocess.run([os.environ["IQBO_PROGRAM"], *arguments, "--study", place, "--json"], capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return json.loads(done.stdout)

    for _ in range(3):
        mine = study.ask()
        theirs = iqbo_cli("ask")["trial"]
        assert theirs == mine.number + 1
        study.tell(mine, measure(mine))
        iqbo_cli("tell", str(theirs), "0.5")
    assert study.status().told == 6 and [trial.state for trial in study.trials] == ["told"] * 6
    assert list(iqbo_cli("best")["x"].values()) == study.best().x.tolist()


def test_threads_share_a_study(tmp_path):
    study = iqbo.Study(location=tmp_path / "study.db", **GIVEN)
    asked, errors = [], []

    def work():
        try:
            for _ in range(4):
                trial = study.ask()
                asked.append(trial.number)
                study.tell(trial, measure(trial))
        except Exception as error:  # noqa: BLE001
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors and sorted(asked) == list(range(16)) and study.status().told == 16


def test_copies_and_pickles_are_handles_on_the_same_study(tmp_path):
    study = iqbo.Study(location=tmp_path / "study.db", **GIVEN)
    for other in (copy.copy(study), copy.deepcopy(study), pickle.loads(pickle.dumps(study))):
        trial = other.ask()
        other.tell(trial, 1.0)
    assert study.status().told == 3
    memory = iqbo.Study(**GIVEN)
    assert copy.copy(memory).ask().number == 0 and memory.status().pending == 1
    with pytest.raises(TypeError, match="lives in its process"):
        pickle.dumps(memory)


def test_a_fork_must_open_its_own(tmp_path):
    study = iqbo.Study(location=tmp_path / "study.db", **GIVEN)
    child = os.fork()
    if child == 0:
        try:
            study.status()
        except RuntimeError as error:
            os._exit(7 if "open it again" in str(error) else 1)
        os._exit(0)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 7


def test_asks_and_runs_are_checked():
    study = iqbo.Study(**GIVEN)
    for call, words in [(lambda: study.ask(1.5), "count: 1.5, expected a whole number"), (lambda: study.ask(most="a"), "most: 'a'"),
                        (lambda: study.run(measure, "a"), "trials: 'a'"), (lambda: study.run(3, 1), "measure: int")]:
        with pytest.raises((ValueError, TypeError), match=words):
            call()
    assert study.status().pending == 0


def test_tells_are_checked():
    study = iqbo.Study(**GIVEN)
    trial = study.ask()
    for value, words in [(np.nan, "value: nan|value: is nan|value"), (np.array([1.0, 2.0]), r"value: shape \(2,\)"),
                         (None, "value: None, expected one number"), ("1", "value: '1', expected one number")]:
        with pytest.raises(ValueError, match=words):
            study.tell(trial, value)
    with pytest.raises(ValueError, match="99"):
        study.tell(99, 1.0)
    for given, words in [(dict(replicates=1.5), "replicates: 1.5, expected a whole number"), (dict(noise_sd="a"), "noise_sd: 'a'")]:
        with pytest.raises(ValueError, match=words):
            study.tell(trial, 1.0, **given)
    study.tell(trial, np.array([1.5]))
    study.tell(trial, [1.5])
    study.tell(trial, decimal.Decimal("1.5"))
    assert study.trials[0].answer.value == 1.5


def test_which_policy_for_a_study(tmp_path):
    fitted = {key: value for key, value in GIVEN.items() if key not in ("kernel", "noise")}
    study = iqbo.Study(**fitted)
    assert "made up" in study.bench_figure(["cmes"]).assumptions[0]
    study.run(measure, trials=8)
    figure = study.bench_figure(["cmes", "random"], seeds=2, steps=6)
    assert "that the study fitted to" in figure.assumptions[0]
    again = pickle.loads(pickle.dumps(figure))
    tables = [iqbo.experiment.run(each.experiment, tmp_path / name)[0] for name, each in (("one", figure), ("other", again))]
    assert len(tables[0]) == 2 * 2 * 6 and np.array_equal(tables[0].columns()["z"], tables[1].columns()["z"])
    with pytest.raises(ValueError, match="steps: given with budget"):
        study.bench_figure(["cmes"], steps=5, budget=3.0)
    bounded = iqbo.Study(**GIVEN, budget=5.0)
    with pytest.raises(ValueError, match="steps: given, expected budget"):
        bounded.bench_figure(["cmes"], steps=5)
    table, _ = iqbo.experiment.run(bounded.bench_figure(["cmes"], seeds=1).experiment, tmp_path / "bounded")
    assert len(table) == 5
    with pytest.raises(ValueError, match='policy: "cme", expected "cmes"'):
        study.bench_figure(["cme"])

"""Studies from Python: in memory, in SQLite, in PostgreSQL, and beside the command line."""
import copy
import decimal
import json
import os
import pickle
import re
import subprocess
import threading

import iqbo
import numpy as np
import pytest
from study_cases import A, GIVEN, WINDOW, X, measure


def locations(tmp_path):
    yield None
    yield tmp_path / "study.db"
    if "IQBO_POSTGRESQL_RECORD" in os.environ:  # set by ctest, which has started a server
        with open(os.environ["IQBO_POSTGRESQL_RECORD"], encoding="utf-8") as file:
            yield file.readline().strip() + f"?study=python{os.getpid()}"


def test_the_common_case_at_all_locations(tmp_path):
    traces = []
    for location in locations(tmp_path):
        study = iqbo.Study(location=location, **GIVEN)
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
    query = again.spec["queries"]
    assert query["cost"] == "cost" and query["noise_sd"] == "noise_sd"


def test_goes_on_where_it_was(tmp_path):
    location = str(tmp_path / "study.db")
    iqbo.Study(location=location, **GIVEN).run(measure, trials=4)
    again = iqbo.Study(location)
    assert again.status().told == 4 and "4 told" in repr(again)
    same = iqbo.Study(location=location, **GIVEN)  # the same spec: goes on
    assert same.status().told == 4
    with pytest.raises(ValueError, match="spec: is not that of the study"):
        iqbo.Study(location=location, **{**GIVEN, "seed": 4})
    with pytest.raises(iqbo.StorageError, match="there is no such study") as missing:
        iqbo.Study(tmp_path / "nothing.db")
    assert missing.value.kind == "not found"


def test_asking_twice_gives_two_and_a_named_worker_gets_its_own_back(tmp_path):
    location = tmp_path / "study.db"
    study = iqbo.Study(location=location, worker="me", **GIVEN)
    one, other = study.ask(), study.ask()
    assert (one.number, other.number) == (0, 1)
    assert [trial.number for trial in study.ask(2)] == [2, 3]
    back = iqbo.Study(location, worker="me").ask()  # as after a crash
    assert back.number == 0
    stranger = iqbo.Study(location)
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


@pytest.mark.parametrize("wrong,words", [(np.nan, "value is nan"), (None, "value: None"), ("much", "value: 'much'"),
                                         ((1.0, 2.0), "value: shape"), pytest.param(10**400, "too large", id="huge")])
def test_runs_fail_trials_whose_answer_is_none(wrong, words):
    study = iqbo.Study(**GIVEN)
    with pytest.raises((ValueError, OverflowError), match=words):
        study.run(lambda a: wrong, trials=3)
    (trial,) = study.trials
    assert trial.state == "failed" and words.split("'")[0] in trial.reason


def test_what_another_told_meanwhile_is_not_failed(tmp_path):
    study = iqbo.Study(location=tmp_path / "study.db", **GIVEN)

    def too_late(trial):
        iqbo.Study(tmp_path / "study.db").tell(trial.number, 1.0)
        return 2.0

    with pytest.raises(ValueError, match="was told value 1, not 2"):
        study.run(too_late, trials=3)
    assert study.trials[0].answer.value == 1.0


def test_columns_of_several_lengths_are_refused():
    study = iqbo.Study(**GIVEN)
    for table in ({"id": ["0", "1", "2"], "value": [1.0]}, {"id": ["0"], "value": [1.0, 2.0]}):
        for call in (study.import_observations, study.import_values):
            with pytest.raises(ValueError, match="table: columns of lengths .*expected one length"):
                call(table)
    assert study.status().imported == 0


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


# --- a score of one's own ---


def greedy(outlook, samples):
    return outlook.nu


def test_a_score_of_ones_own_is_kept_by_name_and_refused_by_the_command_line(tmp_path):
    location = str(tmp_path / "study.db")
    study = iqbo.Study(location=location, policy=greedy, **GIVEN)
    study.run(measure, trials=5)
    assert study.spec["policy"] == "custom:greedy" and study.trials[4].policy == "custom:greedy"
    iqbo.Study(location, acquisition=greedy).ask()
    assert iqbo.Study(acquisition=greedy, **GIVEN).spec["policy"] == "custom:greedy"
    with pytest.raises(ValueError, match='"custom:greedy" is a score that this program does not have'):
        iqbo.Study(location).ask()
    other = iqbo.Study(location)
    assert other.best() == study.best()
    program = os.environ["IQBO_PROGRAM"]  # the command line; ./dev test sets it
    ask = subprocess.run([program, "ask", "--study", location], capture_output=True, text=True)
    assert ask.returncode == 2 and "custom:greedy" in ask.stderr and "Python" in ask.stderr
    assert subprocess.run([program, "best", "--study", location], capture_output=True).returncode == 0


# --- others at the same time ---


def test_python_and_the_command_line_at_the_same_time(tmp_path):
    location = str(tmp_path / "study.db")
    study = iqbo.Study(location=location, **GIVEN)

    def iqbo_cli(*arguments):
        done = subprocess.run([os.environ["IQBO_PROGRAM"], *arguments, "--study", location, "--json"], capture_output=True, text=True)
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
                        (lambda: study.run(measure, "a"), "trials: 'a'"),
                        (lambda: study.run(measure, -1), "trials: -1, expected 0 or more"),
                        (lambda: study.run(3, 1), "measure: int")]:
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
    study.tell(study.ask(), 1.0, 0)  # exact
    assert study.trials[1].answer.noise_sd == 0 and "0 says that" in study.tell.__doc__


def test_which_policy_for_a_study(tmp_path):
    fitted = {key: value for key, value in GIVEN.items() if key not in ("kernel", "noise_sd")}
    study = iqbo.Study(**fitted)
    assert "an assumed kernel" in study.bench_figure(["cmes"]).assumptions[0]
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


def test_a_probability_is_shown_in_percent_and_never_as_zero():
    points = np.linspace(0, 1, 200)
    policy = iqbo.Policy(points, np.linspace(0, 1, 5), iqbo.UniformConditional(half_width=0.3), kernel=iqbo.Rbf(1.0, 0.02), noise_var=0.5, seed=3)
    policy.observe([0.5], [1.0])
    best = policy.best()
    assert 0 <= best.probability < 0.05 and best.probability_error > 0
    percent = re.search(r"the best: (less than )?(\d+) %", repr(best))
    assert percent and percent[2] != "0" and bool(percent[1]) == (best.probability < 0.01), repr(best)
    assert re.search(r"right: (less than )?[1-9]\d* %", repr(policy.stopping()))
    assert re.search(r"200 compared, the best among \d+: (more than )?\d\d %", repr(policy.chances(x=points[:, None])))
    study = iqbo.Study(targets=points, queries=np.linspace(0, 1, 5), conditional=iqbo.UniformConditional(half_width=0.3),
                       kernel=iqbo.Rbf(1.0, 0.02), noise_sd=0.7, seed=3)
    study.tell(study.ask(), 1.0)
    assert re.search(r"RecommendationRecord\(x=.*, f \S+ in \[\S+, \S+\], the best: (less than )?[1-9]\d* %", repr(study.best()))


def test_a_study_says_which_link_is_in_use():
    assert iqbo.Study(**GIVEN).link == "identity"
    near = [abs(X - a) < 0.08 for a in A]
    study = iqbo.Study(targets=X, conditional=iqbo.BagConditional(X, near), seed=3)
    for i, bag in enumerate(near):
        study.tell(str(i), np.mean(np.exp(4 * np.sin(5 * X[bag]))))
    assert study.link == study.fit().link == "log" and "link='log'" in repr(study.fit())
    assert pickle.loads(pickle.dumps(study.fit())).link == "log"


def test_attributes_that_a_study_does_not_have_are_refused():
    study = iqbo.Study(**GIVEN)
    for name in ("polciy", "policy", "spec", "budget"):
        with pytest.raises(AttributeError, match=f"Study: '{name}' cannot be set; a study keeps the spec"):
            setattr(study, name, "random")
    copy.copy(study).why = ["mine"]


def test_a_closed_study_says_how_to_continue(tmp_path):
    location = tmp_path / "study.db"
    with iqbo.Study(location=location, **GIVEN) as study:
        study.tell(study.ask(), 1.0)
    for call in (study.ask, study.best, lambda: study.tell(0, 1.0), lambda: study.spec, lambda: pickle.dumps(study), study.status):
        with pytest.raises(ValueError, match="study: is closed; iqbo.Study.*study.db.* opens it again"):
            call()
    study.close()
    assert repr(study) == "Study(closed)" and iqbo.Study(location).status().told == 1
    with pytest.raises(OSError), iqbo.Study(location) as other:
        raise OSError
    assert repr(other) == "Study(closed)"


def test_an_interval_that_was_not_widened_says_so():
    study = iqbo.Study(**GIVEN)
    assert study.best().widened == 1.0 and pickle.loads(pickle.dumps(study.best())) == study.best()

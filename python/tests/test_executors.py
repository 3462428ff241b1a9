"""Measurements through executors of concurrent.futures, and through what behaves like one."""
import concurrent.futures
import threading
import time

import iqbo
import numpy as np
import pytest

GIVEN = dict(targets=np.linspace(0, 1, 40), queries=np.linspace(0.05, 0.95, 16), kernel=iqbo.Rbf(1.0, 0.15), noise_sd=0.02, seed=3,
             conditional=iqbo.UniformConditional(half_width=0.08))


def measure(trial):
    return float(np.exp(-0.5 * ((trial.query[0] - 0.6) / 0.15) ** 2))


def check(executor, **options):
    study = iqbo.Study(**GIVEN)
    best = study.run(measure, trials=12, executor=executor, **options)
    told = [trial for trial in study.trials if trial.answer is not None]
    assert len(told) == 12 == study.status().told
    for trial in told:
        assert trial.answer.value == measure(trial), "every answer belongs to its query"
    assert abs(best.x[0] - 0.6) < 0.1
    return study


def test_threads_and_processes():
    with concurrent.futures.ThreadPoolExecutor(3) as pool:
        check(pool)
    with concurrent.futures.ProcessPoolExecutor(2) as pool:
        check(pool, workers=2)


def test_joblib():
    pytest.importorskip("joblib", reason="joblib is not installed")
    from joblib.externals.loky import get_reusable_executor

    check(get_reusable_executor(2))


def test_a_local_dask_cluster():
    distributed = pytest.importorskip("distributed", reason="Dask is not installed (Debian: python3-distributed)")
    with distributed.LocalCluster(n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None) as cluster:
        with distributed.Client(cluster) as client:
            check(client)
            check(client.get_executor(), workers=3)


def test_as_many_at_once_as_there_are_workers():
    lock, now, most = threading.Lock(), [0], [0]

    def slow(trial):
        with lock:
            now[0] += 1
            most[0] = max(most[0], now[0])
        time.sleep(0.05)
        with lock:
            now[0] -= 1
        return measure(trial)

    with concurrent.futures.ThreadPoolExecutor(8) as pool:
        iqbo.Study(**GIVEN).run(slow, trials=8, executor=pool, workers=3)
    assert most[0] == 3


def test_one_worker_asks_what_a_plain_run_asks():
    plain, pooled = iqbo.Study(**GIVEN), iqbo.Study(**GIVEN)
    plain.run(measure, trials=8)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        pooled.run(measure, trials=8, executor=pool)
    assert [trial.query.tolist() for trial in plain.trials] == [trial.query.tolist() for trial in pooled.trials]


def test_a_failure_ends_the_run_and_loses_nothing():
    def third_fails(trial):
        if trial.number == 2:
            raise RuntimeError("the instrument broke")
        time.sleep(0.05)
        return measure(trial)

    study = iqbo.Study(**GIVEN)
    with concurrent.futures.ThreadPoolExecutor(2) as pool, pytest.raises(RuntimeError, match="the instrument broke"):
        study.run(third_fails, trials=10, executor=pool, workers=4)
    states = [str(trial.state) for trial in study.trials]
    assert 1 <= study.status().told < 10 and len(states) < 10
    assert study.status().pending == 0, "what was running is told, what had not begun is given up"


def test_what_is_no_answer_fails_its_trial():
    study = iqbo.Study(**GIVEN)
    with concurrent.futures.ThreadPoolExecutor(1) as pool, pytest.raises((TypeError, ValueError), match="value"):
        study.run(lambda trial: "much", trials=2, executor=pool)
    assert study.status().told == 0 and study.status().pending == 0 and "value: 'much'" in study.trials[0].reason
    with concurrent.futures.ThreadPoolExecutor(1) as pool, pytest.raises(OverflowError):
        study.run(lambda trial: 10**400, trials=1, executor=pool)
    assert study.status().pending == 0 and study.trials[-1].state == "failed"
    with concurrent.futures.ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="trials: -1"):
        study.run(measure, trials=-1, executor=pool)


def test_leases_are_renewed_while_measurements_run():
    study = iqbo.Study(**GIVEN, lease_seconds=0.9)
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        study.run(lambda trial: time.sleep(1.5) or measure(trial), trials=1, executor=pool)
    assert study.status().told == 1
    assert study.trials[0].handouts == 1


def test_mistakes():
    study = iqbo.Study(**GIVEN)
    with pytest.raises(TypeError, match="executor: int, expected one of concurrent.futures"):
        study.run(measure, trials=1, executor=3, workers=1)
    with pytest.raises(TypeError, match="workers: given without an executor"):
        study.run(measure, trials=1, workers=2)
    with concurrent.futures.ThreadPoolExecutor(1) as pool, pytest.raises(ValueError, match="workers: 0, expected at least 1"):
        study.run(measure, trials=1, executor=pool, workers=0)
    assert study.status().told == 0

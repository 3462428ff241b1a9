"""The interpreter's lock, Ctrl-C, threads, and what a call costs."""
import signal
import subprocess
import sys
import textwrap
import threading
import time

import iqbo
import numpy as np
import pytest

A = np.linspace(0, 1, 150)
WINDOW = iqbo.UniformConditional(half_width=0.05)
DATA = iqbo.Posterior(iqbo.Rbf(1.0, 0.1), WINDOW).condition(A, np.sin(9 * A), 0.01)


def test_other_threads_run_during_long_work():
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.002)

    thread = threading.Thread(target=tick)
    thread.start()
    begin = time.perf_counter()
    iqbo.fit(DATA, seed=1, families=["rbf"], max_evaluations=200)
    end = time.perf_counter()
    done.set()
    thread.join()
    during = [t for t in ticks if begin < t < end]
    assert len(during) > 0.02 * (end - begin) / 0.002 and len(during) > 3  # a machine may be busy with other things


def test_threads_agree():
    x = np.linspace(0, 1, 500)
    want, found = DATA.f(x).mean, []
    threads = [threading.Thread(target=lambda: found.append(DATA.f(x).mean)) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 6 and all((mean == want).all() for mean in found)


def test_python_functions_are_called_from_threads_of_python():
    cond = iqbo.GaussianConditional(lambda a: np.sin(a), 0.1)
    post = iqbo.Posterior(iqbo.Rbf(1.0, 0.3), cond, mean=lambda x: x[:, 0])
    want, found = post.g(A).mean, []
    threads = [threading.Thread(target=lambda: found.append(post.g(A).mean)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(found) == 4 and all((mean == want).all() for mean in found)


def test_what_changes_is_changed_by_one_thread_at_a_time():
    prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), WINDOW)
    belief = iqbo.posteriors.FiniteBelief(prior, A, A[::10])
    threads = [threading.Thread(target=lambda j=j: [belief.observe((j + i) % 30, 0.1, 0.1) for i in range(10)]) for j in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(belief) == 40


def test_calling_an_object_from_a_function_that_it_calls_is_refused():
    def nosy(outlook, samples):
        return outlook.nu + len(policy)

    policy = iqbo.Policy(A[::10], A[::20], WINDOW, policy=nosy, kernel=iqbo.Rbf(1.0, 0.2), noise_var=0.01)
    policy.observe(A[:2], [0.0, 0.1])
    with pytest.raises(RuntimeError, match="calling itself"):
        policy.suggest()


LONG = {
    "fit": "iqbo.fit(prior.condition(np.random.rand(1800), np.random.rand(1800), 0.01), seed=1)",
    "learn": "iqbo.LearnedConditional(np.random.rand(1000, 2), np.random.rand(1000, 2), model='auto')",
    "posterior": "[data.f(np.random.rand(200000)) for _ in range(100)]",
    "experiment": "run(Experiment('e', [Entry(problem('branin-linear'), 'auto', steps=100)], seeds=50), folder)",
}


@pytest.mark.parametrize("name", LONG)
def test_ctrl_c_ends_long_work(name, tmp_path):
    script = textwrap.dedent(f"""
        import iqbo, numpy as np
        from iqbo.experiment import Entry, Experiment, run
        from iqbo.problems import problem
        folder = {str(tmp_path)!r}
        a = np.linspace(0, 1, 500)
        prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.1), iqbo.UniformConditional(half_width=0.05))
        data = prior.condition(a, np.sin(9 * a), 0.01)
        print("ready", flush=True)
        try:
            {LONG[name]}
        except KeyboardInterrupt:
            print("interrupted", flush=True)
    """)
    child = subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True)
    assert child.stdout.readline() == "ready\n"
    time.sleep(0.6)
    child.send_signal(signal.SIGINT)
    begin = time.perf_counter()
    said = child.communicate(timeout=60)[0]
    assert "interrupted" in said and time.perf_counter() - begin < 20


def test_import_is_quick():
    def seconds(what):
        code = f"import time; import numpy; t = time.process_time(); import {what}; print(time.process_time() - t)"
        return min(float(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True).stdout) for _ in range(3))

    assert seconds("iqbo") < 0.2
    heavy = "import sys, iqbo; print([m for m in ('scipy', 'pandas', 'matplotlib') if m in sys.modules])"
    assert subprocess.run([sys.executable, "-c", heavy], capture_output=True, text=True).stdout.strip() == "[]"

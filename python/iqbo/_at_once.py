"""Measures several trials at once, through an executor of concurrent.futures or anything that behaves like one."""
import os
import queue

from iqbo._tables import whole_number


def _executor_of(given):
    """The executor itself; a Dask client has one."""
    if hasattr(given, "get_executor"):
        return given.get_executor()
    if not callable(getattr(given, "submit", None)):
        raise TypeError(f"executor: {type(given).__name__}, expected one of concurrent.futures, or an object with submit()")
    return given


def _workers_of(given):
    """How many measurements an executor runs at once; executors have no common way to say so."""
    if callable(getattr(given, "ncores", None)):  # a Dask client
        return max(1, sum(given.ncores().values()))
    client = getattr(given, "_client", None)
    if client is not None and callable(getattr(client, "ncores", None)):  # the executor of one
        return max(1, sum(client.ncores().values()))
    for name in ("num_workers", "_max_workers"):  # mpi4py; concurrent.futures and joblib
        number = getattr(given, name, None)
        if isinstance(number, int) and number > 0:
            return number
    return os.cpu_count() or 1


class _Pending:
    """Trials that are being measured, by future."""

    def __init__(self, study, measure, executor):
        self._study, self._measure, self._executor = study, measure, executor
        self._trials, self._finished = {}, queue.SimpleQueue()

    def __len__(self):
        return len(self._trials)

    def submit(self, trial):
        try:
            future = self._executor.submit(self._measure, trial)
        except BaseException as error:
            self._study.fail(trial, repr(error))
            raise
        self._trials[future] = trial
        future.add_done_callback(self._finished.put)

    def tell_next(self):
        """Waits for a measurement and tells it. Returns its exception, if it raised one."""
        patience = self._study._options["lease_seconds"] / 3
        while True:
            try:
                future = self._finished.get(timeout=patience)
                break
            except queue.Empty:  # none is finished: say that all are still being measured
                for trial in self._trials.values():
                    self._study.heartbeat(trial)
        trial = self._trials.pop(future)
        if future.cancelled():
            self._study.fail(trial, "cancelled")
            return None
        error = future.exception()
        if error is not None:
            self._study.fail(trial, repr(error))
            return error
        try:
            self._study._tell_measured(trial, future.result())
        except (TypeError, ValueError, ArithmeticError) as refused:  # measure returned something that is no answer
            return refused
        return None

    def cancel(self):
        """Gives up what has not begun."""
        for future in list(self._trials):
            future.cancel()


def run_at_once(study, measure, trials, executor, workers):
    """Asks and tells `trials` times, `workers` at once."""
    workers = _workers_of(executor) if workers is None else whole_number(workers, "workers")
    if workers < 1:
        raise ValueError(f"workers: {workers}, expected at least 1")
    pending = _Pending(study, measure, _executor_of(executor))
    failure = None
    try:
        while True:
            while failure is None and trials > 0 and len(pending) < workers:
                trial = study.ask()
                if trial is None:
                    trials = 0
                    break
                trials -= 1
                pending.submit(trial)
            if not len(pending):
                break
            error = pending.tell_next()
            if error is not None and failure is None:
                failure = error
                pending.cancel()
    except BaseException:  # Ctrl-C: what is running stays pending until its lease ends
        pending.cancel()
        raise
    if failure is not None:
        raise failure

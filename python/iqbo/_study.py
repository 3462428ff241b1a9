"""A campaign that survives crashes: ask what to measure, tell the answer, stop and continue at any time and place."""
import contextlib
import getpass
import inspect
import itertools
import json
import os
import socket
import threading
import uuid
import warnings

import numpy as np

from iqbo import _iqbo, studies
from iqbo._at_once import run_at_once
from iqbo._frames import points_of
from iqbo._spec import policy_spec, spec_of
from iqbo._spec_text import SpecDict, SpecFiles, meaning, spec_text, with_tables
from iqbo._tables import columns_of, csv_text, is_table, missing, one_number, read_csv, rows_in, whole_number


_opened = itertools.count()


def _worker():
    """A name for a new worker: every object is one, so that none is handed a trial that another is measuring."""
    try:
        user = getpass.getuser()
    except (KeyError, OSError):  # a container without user names
        user = "someone"
    return f"{user}@{socket.gethostname()}:{os.getpid()}.{next(_opened)}"


def _is_spec_text(text):
    return isinstance(text, str) and text.lstrip().startswith(("{", "//", "/*"))


def _require_known(keywords, made_by):
    known = list(inspect.signature(made_by).parameters)
    for keyword in keywords:
        if keyword not in known:
            import difflib  # needed for this message only

            near = difflib.get_close_matches(keyword, known, n=1)
            raise TypeError(f"Study: unexpected keyword {keyword!r}, expected " +
                            (f"{near[0]!r} (one of {', '.join(known)})" if near else f"one of {', '.join(known)}"))


def _told(columns, id_name, counts):
    """The rows that have a value or a count. Columns may have the names that `iqbo.frame` uses."""
    rows_in(columns)
    main = next((name for name in (("count", "cases", "clicks") if counts else ("value",)) if name in columns), None)
    if main is None:
        return columns
    rows = [i for i, value in enumerate(columns[main]) if not missing(value)]
    out = {name: [values[i] for i in rows] for name, values in columns.items()}
    if id_name and id_name not in out and "name" in out:
        out[id_name] = out.pop("name")
    for name in ("noise_sd", "replicates"):
        if name in out:
            out[name] = ["" if missing(value) else value for value in out[name]]
            if not any(value != "" for value in out[name]):
                del out[name]
    return out


def _count_and_exposure(value):
    """Of what a function returned that measures counts."""
    if not isinstance(value, (tuple, list, np.ndarray)) or getattr(value, "ndim", 1) == 0:
        return value, None
    if len(value) != 2:
        raise ValueError(f"measure(trial): {value!r}, expected a count, or (count, exposure)")
    return value


class _Closed:
    """Stands for the study of an object that was closed."""

    def __init__(self, location):
        self._location = location

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise ValueError(f"study: is closed; iqbo.Study({self._location!r}) opens it again")


class Study:
    """A campaign: a spec and the log of what was asked and answered, in memory, in a SQLite file or in PostgreSQL.

    ``Study(spec, location)`` makes a study, or continues the one stored there; ``Study(location)`` opens one. Without a
    location it lives in memory. The spec is a dictionary (tables may stand where it names files), the name of a JSON file, its
    text, or keywords::

        Study(targets=..., queries=..., conditional=..., kernel=..., noise_sd=..., mean=..., policy=..., cost=..., budget=..., stop=...,
              answers="gaussian", exposure=..., link="auto", fit="ensemble", goal="maximize", seed=0, value="rate", name="")

    targets and queries: arrays (n, d), DataFrames (numbers are coordinates, a column of texts the names), boxes, dictionaries
    of ranges such as {"east": (0, 10, 41)} (from, to, values of a grid), a `QueryTree`; conditional: a window, bags, cells or a
    learned one. The columns "cost" and "noise_sd" of a DataFrame of queries give their costs and noise. policy: a name of
    `policy_names()`, or a function of your own (see `Policy`). The study stores only the name of the function: open it again with
    acquisition=function; it can be asked nowhere else. {"name": "level-set", "above": c} seeks all inputs with f > c.
    stop: {"regret": r, "probability": p}, at which `ask` returns None. fit="point" uses the single best fit instead of averaging over
    those that the answers do not rule out.

    ``Study(areas=districts, cells="population.tif", name_field="NAME", location="campaign.db")`` is about the cells of a raster, asked by
    the areas of a GeoDataFrame: each cell belongs to the areas that cover it, by its weight and its share. cells: the name of a raster, a
    dataset of rasterio, an xarray.DataArray, or (weights, transform, crs). coarsen=k merges k x k cells. `to_geodataframe` and `map` give back
    what is believed.

    answers: "gaussian", or "poisson", "negative-binomial", "binomial", "auto" where answers are counts, told with their exposure:
    ``study.tell(trial, count=12, exposure=2000)``. exposure: that of future counts, a number, one for each listed query, a column, or
    {"choices": [100, 500], "cost": 0.01} if you choose it with the query. value={"name": "rate", "per": 1000} makes f a rate per 1,000.

    A study releases its file or connection when the object is dropped, when ``close()`` is called, or at the end of ``with Study(...) as
    study:``. Nothing is lost by either: all that was told is stored at once.

    worker: who asks. By default every object is a new one; a worker with a given name gets its own unfinished trial
    back at once after a crash, rather than when lease_seconds are over.

    >>> x = np.linspace(0, 1, 50)
    >>> study = iqbo.Study(targets=x, queries=np.linspace(0, 1, 20), conditional=iqbo.UniformConditional(half_width=0.1),
    ...                    kernel=iqbo.Rbf(1.0, 0.3), noise_sd=0.01, seed=1)
    >>> for _ in range(8):
    ...     a = study.ask()
    ...     study.tell(a, np.sin(3 * a[0]))
    >>> bool(abs(study.best().x[0] - 0.52) < 0.1)
    True
    """

    _MEMBERS = frozenset(("_asked", "_core", "_given", "_lock", "_options", "_out", "why"))

    def __setattr__(self, name, value):
        if name not in Study._MEMBERS and type(self) is Study:
            raise AttributeError(f"Study: {name!r} cannot be set; a study keeps the spec that it was made with, to change it make a study "
                                 "at another location")
        object.__setattr__(self, name, value)

    def __init__(self, spec=None, location=None, *, files=None, acquisition=None, worker=None, lease_seconds=3600.0,
                 read_only=False, **keywords):
        if callable(keywords.get("policy")):
            policy_spec(keywords["policy"])
            acquisition = keywords["policy"] if acquisition is None else acquisition
        if acquisition is not None:
            policy_spec(acquisition, "acquisition")
        self._begin(worker, float(lease_seconds), acquisition)
        bundle = self._bundle(spec, dict(files or {}), keywords, location)
        if bundle is None:
            self._core = _iqbo.studies._Study.open(os.fspath(spec if location is None else location), read_only, **self._options)
        else:
            self._core = self._create_or_open(bundle, location, read_only)

    def _begin(self, worker, lease_seconds, acquisition):
        self._given = worker, lease_seconds, acquisition
        self._options = dict(worker=worker or _worker(), lease_seconds=lease_seconds, acquisition=acquisition)
        self._out, self._lock, self.why = set(), threading.Lock(), []
        self._asked = {}  # {number: query} of trials that this object was handed

    def _bundle(self, spec, files, keywords, location):
        """(text, files), or None if an existing study is to be opened."""
        if spec is None and ("areas" in keywords or "cells" in keywords):
            from iqbo._maps import map_spec

            _require_known(keywords, map_spec)
            return map_spec(keywords.pop("areas", None), keywords.pop("cells", None), **keywords)
        if spec is None and keywords:
            _require_known(keywords, spec_of)
            if self._options["acquisition"] is not None:
                keywords.setdefault("policy", self._options["acquisition"])
            made, tables = spec_of(**keywords)
            return spec_text(made), tables
        if keywords:
            raise TypeError(f"unexpected keyword {sorted(keywords)[0]!r}: a spec was given too")
        if isinstance(spec, dict):
            tables = SpecFiles()
            made = with_tables(spec, tables)
            if self._options["acquisition"] is not None:
                made.setdefault("policy", policy_spec(self._options["acquisition"]))
            return spec_text(made), {**files, **tables.files}
        if _is_spec_text(spec):
            return spec, files
        if spec is not None and os.fspath(spec).endswith(".json"):
            return _iqbo.studies._read_bundle(os.fspath(spec))
        if spec is None and location is None:
            raise TypeError("Study: nothing given, expected a spec, keywords or the location of a study")
        if spec is not None and location is not None:
            raise TypeError(f"Study: {spec!r} is not a spec, expected a dictionary, JSON or the name of a .json file")
        return None

    def _create_or_open(self, bundle, location, read_only):
        text, files = bundle
        location = f"memory:{uuid.uuid4()}" if location is None else os.fspath(location)
        if not studies.study_exists(location):
            return _iqbo.studies._Study.create(location, text, files, **self._options)
        core = _iqbo.studies._Study.open(location, read_only, **self._options)
        if (core.text, core.files) != (text, files) and meaning(core.text, core.files) != meaning(text, files):
            raise ValueError(f"spec: is not that of the study at {core.shown}, expected the same, or another location")
        return core

    # --- asking and telling ---

    def ask(self, count=None, most=None, beyond=False):
        """The next `Trial`, or None if there is nothing more to ask (`study.why` says why); with a count, a list.

        Trials that were asked for and not told yet are pending: asking again gives another. most: the limit of trials told or
        pending, of all workers together. beyond: also after the rule `stop` of the spec is met.
        """
        number = 1 if count is None else whole_number(count, "count")
        most = None if most is None else whole_number(most, "most")
        with self._lock:
            trials, self.why = self._core.ask(number, sorted(self._out), most, beyond)
            self._out.update(trial.number for trial in trials)
            self._asked.update((trial.number, trial.query) for trial in trials)
        if count is None:
            return trials[0] if trials else None
        return trials

    def tell(self, trial, value=None, noise_sd=None, replicates=1, *, count=None, exposure=None):
        """Tells the answer of a trial, or of the trial with a number. noise_sd: the standard error of the value, if known; 0 says that
        the value is exact.

        A text is the name of a listed query, whether it was asked or not; without a pending trial it becomes a new trial.

        Where answers are counts: count events among exposure, which may be left out if the spec gives it.
        The first answer counts. Telling the same answer again does no harm; a different one is refused (`amend` replaces it).
        """
        answer = self._answer(value, noise_sd, replicates, count, exposure)
        if isinstance(trial, str):
            self._out.discard(self._core.tell_query(trial, answer).number)
            return
        number = self._number(trial)
        self._core.tell(number, answer)
        self._out.discard(number)

    def amend(self, trial, value=None, noise_sd=None, replicates=1, *, count=None, exposure=None):
        """Replaces an answer or a failure; the log keeps the old one."""
        self._core.amend(self._number(trial), self._answer(value, noise_sd, replicates, count, exposure))

    def fail(self, trial, reason=""):
        """Marks a trial as failed; its query is not asked again for a while."""
        number = self._number(trial)
        self._core.fail(number, reason)
        self._out.discard(number)

    def heartbeat(self, trial):
        """Extends the lease of a trial that is still being measured. False if this worker no longer holds it."""
        return self._core.heartbeat(self._number(trial))

    def _number(self, trial):
        """The number of a trial, which must be of this study: one of another study may have the same number."""
        if not isinstance(trial, studies.Trial):
            return whole_number(trial, "trial")
        own = self._asked.get(trial.number)
        if own is None:  # handed out by another object, or before a crash
            own = next((known.query for known in self._core.trials() if known.number == trial.number), trial.query)
        if not np.array_equal(own, trial.query):
            raise ValueError(f"trial: number {trial.number} at {np.asarray(trial.query).tolist()}, expected one of this study, "
                             f"whose number {trial.number} is at {np.asarray(own).tolist()}")
        return trial.number

    @staticmethod
    def _answer(value, noise_sd, replicates, count=None, exposure=None):
        if isinstance(value, studies.Answer):
            return value
        if value is None and count is None:
            raise ValueError("value: None, expected one number, or count and exposure")
        if value is not None and count is not None:
            raise TypeError("tell: value and count, expected one of them")
        given = {} if value is None else {"value": one_number(value, "value")}
        if count is not None:
            given["count"] = whole_number(count, "count")
            if given["count"] < 0:
                raise ValueError(f"count: {count}, expected a whole number, 0 or more")
        if exposure is not None:
            given["exposure"] = one_number(exposure, "exposure")
        noise_sd = None if noise_sd is None else one_number(noise_sd, "noise_sd")
        return studies.Answer(**given, noise_sd=noise_sd, replicates=whole_number(replicates, "replicates"))

    def run(self, measure, trials, executor=None, workers=None):
        """Asks, measures and tells, `trials` times or until nothing is left to ask; returns `best()`.

        measure(trial) returns the value; or, where answers are counts, the count and its exposure. If it raises, or returns what is
        no answer, the trial fails and the exception is raised here.

        executor: measures several trials at once, `workers` of them (default: as many as the executor has). Any executor of
        concurrent.futures will do: ThreadPoolExecutor, ProcessPoolExecutor, a Dask client, joblib's
        ``get_reusable_executor()``, mpi4py's MPIPoolExecutor. Answers are told as they arrive, and each is answered by the next
        query, so the order of the trials may differ between runs. If a measurement raises, nothing more is asked, those already
        running are told, those not yet begun fail with the reason "cancelled", and the exception is raised here.

        >>> study = iqbo.Study(targets=np.linspace(0, 1, 30), queries=np.linspace(0, 1, 10), seed=1, noise_sd=0.01,
        ...                    conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
        >>> best = study.run(lambda a: -(a[0] - 0.4) ** 2, trials=6)
        >>> study.status().told
        6
        >>> from concurrent.futures import ThreadPoolExecutor
        >>> with ThreadPoolExecutor(3) as pool:
        ...     best = study.run(lambda a: -(a[0] - 0.4) ** 2, trials=6, executor=pool)
        >>> study.status().told
        12
        """
        if not callable(measure):
            raise TypeError(f"measure: {type(measure).__name__}, expected a function of a trial")
        trials = whole_number(trials, "trials")
        if trials < 0:
            raise ValueError(f"trials: {trials}, expected 0 or more")
        if executor is not None:
            run_at_once(self, measure, trials, executor, workers)
            return self.best()
        if workers is not None:
            raise TypeError("workers: given without an executor, expected both")
        for _ in range(trials):
            trial = self.ask()
            if trial is None:
                break
            try:
                value = measure(trial)
            except BaseException as error:
                self.fail(trial, repr(error))
                raise
            self._tell_measured(trial, value)
        return self.best()

    def _tell_measured(self, trial, value):
        """Tells the result of `measure`; the trial fails if it is no answer."""
        try:
            if self._counts:
                count, exposure = _count_and_exposure(value)
                self.tell(trial, count=count, exposure=exposure)
            else:
                self.tell(trial, value)
        except (TypeError, ValueError, ArithmeticError, LookupError) as refused:  # a store that cannot be reached is another matter
            with contextlib.suppress(Exception):  # told by another meanwhile
                self.fail(trial, repr(refused))
            raise

    @property
    def _counts(self):
        return self.spec["answers"] != "gaussian"

    # --- imports: DataFrames, Arrow tables, dictionaries of columns, files (CSV, Parquet, Feather, Arrow) or the text of a CSV ---

    def import_observations(self, table, source="python"):
        """Imports past answers: the query's id or coordinates, value, optionally noise_sd and replicates. Returns how many.

        Where answers are counts: count and exposure (also called cases, clicks; population, impressions, trials).

        Of a table, such as `iqbo.frame` makes of another study, rows without a value are left out.
        """
        if is_table(table):
            table = _told(columns_of(table), self.spec["queries"].get("id"), self._counts)
        return self._core.import_observations(csv_text(table), source)

    def import_values(self, table, source="python"):
        """Imports values of f itself: the target's id or coordinates, value, optionally noise_sd and replicates."""
        return self._core.import_values(csv_text(table), source)

    def import_pairs(self, table, source="python"):
        """Imports further logged pairs, if p(x given a) is learned.

        A million rows take a minute. Parquet, Feather and Arrow files, tables of pyarrow and of polars are read through pyarrow,
        without a copy where they are plain numbers.
        """
        return self._core.import_pairs(csv_text(table), source)

    # --- reading ---

    def best(self):
        """The input that is believed to be the best, with an interval of f there: `RecommendationRecord`."""
        return self._core.recommend()

    def recommend(self):
        """The old name of `best`, which version 0.3 drops."""
        warnings.warn("iqbo.Study.recommend is now iqbo.Study.best; the old name works until 0.3", DeprecationWarning, stacklevel=2)
        return self.best()

    def predict_f(self, x):
        """Mean and deviation of f at inputs x (n, d): `Prediction`. Of a DataFrame, the columns that are called as the coordinates are read."""
        return self._core.predict_f(points_of(x, self._core.x_names, "x"))

    def predict_g(self, a):
        """Mean and deviation of averages at queries a (n, d_a): `Prediction`."""
        return self._core.predict_g(self._queries(a))

    def _queries(self, a):
        """Queries as numbers: of a DataFrame by the names of its columns, and of categories their codes."""
        return points_of(a, self._core.a_names, "a", self._categories() if hasattr(a, "columns") else {})

    def _categories(self):
        """{coordinate of a query: its categories, in the order of their codes}"""
        queries = self.spec["queries"]
        if not queries.get("categories"):
            return {}
        table = read_csv(self.files[queries["points"]])
        return {name: sorted(set(table[name]), key=str.encode) for name in queries["categories"]}

    def predict_counts(self, a, exposure=None):
        """Where answers are counts: the next count at queries a (n, d_a) among exposure, `CountForecast`.

        exposure: a number or (n,); without, that of the spec, or the median of those told.
        """
        return self._core.predict_counts(self._queries(a), exposure)

    def chances(self, x=None, a=None, *, above=None, among=1, holds=0.95, draws=1024):
        """P(f > above), P(best) and P(among the best) of inputs x (n, d) or queries a (n, d_a): `Chances`.

        among: how many count as the best. Without x and a, all listed inputs are compared. The best is the largest or the smallest,
        depending on the goal.

        >>> study = iqbo.Study(targets=np.linspace(0, 1, 21), queries=np.linspace(0, 1, 9), kernel=iqbo.Rbf(1.0, 0.2),
        ...                    conditional=iqbo.UniformConditional(half_width=0.1), noise_sd=0.1)
        >>> best = study.run(lambda a: np.sin(3 * a[0]), trials=4)
        >>> chances = study.chances(above=0.5)
        >>> chances.best.shape, bool(abs(chances.best.sum() - 1) < 1e-9)
        ((21,), True)
        """
        if x is not None and a is not None:
            raise TypeError("chances: both x and a, expected one of them")
        if a is not None:
            return self._core.chances(self._queries(a), True, above, among, holds, draws)
        x = np.asarray(self.snapshot().x.points) if x is None else x
        return self._core.chances(points_of(x, self._core.x_names, "x"), False, above, among, holds, draws)

    def stopping(self):
        """What stopping now would cost, and whether the rule `stop` of the spec is met: `Stopping`."""
        return self._core.stopping()

    def status(self):
        """The progress of the study: `StudyStatus`."""
        return self._core.status()

    def fit(self):
        """Fits now, if a fit is due, so that the next `ask` need not; returns the hyperparameters in use: `Hyperparameters`.

        Where f = h(eta) they are those of eta, and their `link` says which h that is.

        None if nothing is fitted: the spec gives the kernel, or there are too few answers. The logger "iqbo" announces fits, at level
        INFO.
        """
        return self._core.fit()

    def to_geodataframe(self, of="inputs", *, above=None, among=None, crs=None):
        """The estimates with their shapes, as a GeoDataFrame: mean, sd, low, high (95 %), rank by mean; needs geopandas.

        of: "inputs" (cells) or "queries" (areas), whose names are the first column: `cell` and `area` in a study made from maps, else the
        column that named them. above: adds P(f > above). among: adds the probabilities of being the best and of being among this many
        best. crs: the system of a study that was not made from maps, such as "EPSG:25832".
        """
        from iqbo._maps import geodataframe

        return geodataframe(self, of, above=above, among=among, crs=crs)

    def map(self, column="mean", of="inputs", *, ax=None, above=None, among=None, crs=None, **style):
        """Draws a column of `to_geodataframe` on a map, with the borders of the areas, thick where there is an answer; returns the axes.

        style: further keywords of GeoDataFrame.plot, such as cmap, vmin and vmax.
        """
        from iqbo._maps import draw

        return draw(self, column, of, ax=ax, above=above, among=among, crs=crs, **style)

    def learned(self):
        """A summary of the learned p(x given a); "" if it is not learned."""
        return self._core.learned()

    def snapshot(self):
        """The present beliefs, for plots: `Snapshot`."""
        return self._core.snapshot()

    def bench_figure(self, policies, *, seeds=10, first_seed=1, steps=None, budget=None):
        """Compares policies for this study, in campaigns with f drawn from its belief: a `Figure`, whose `experiment` is for
        `iqbo.experiment.run`.

        Answers are simulated through the study's own p(x given a), noise, costs and tree; f comes from the kernel of its spec,
        else from its fit, else from an assumed one: `Figure.assumptions` says which. Campaigns end after steps answers (50), or
        when budget is spent; by default it is that of the spec.

        >>> study = iqbo.Study(targets=np.linspace(0, 1, 21), queries=np.linspace(0, 1, 9), kernel=iqbo.Rbf(1.0, 0.2),
        ...                    conditional=iqbo.UniformConditional(half_width=0.1), noise_sd=0.1)
        >>> figure = study.bench_figure(["cmes", "random"], seeds=2, steps=6)
        >>> figure.assumptions[0]
        'f is drawn anew for each seed, from the kernel that the spec gives.'
        >>> import tempfile
        >>> with tempfile.TemporaryDirectory() as folder:
        ...     table, finished = iqbo.experiment.run(figure.experiment, folder)
        >>> len(table), finished
        (24, True)
        """
        if steps is not None and budget is None and self.spec.get("budget") is not None:
            raise ValueError("steps: given, expected budget: the spec has one, so campaigns end by cost")
        if steps is not None and budget is not None:
            raise ValueError("steps: given with budget, expected one of them")
        return _iqbo.experiment._study_figure(self._core.text, self.files, self.fit(), *self._core.pairs(), policies, seeds,
                                              first_seed, 50 if steps is None else steps, budget)

    @property
    def trials(self):
        """All trials, in order of their numbers."""
        return self._core.trials()

    def events(self, after=0):
        """The events after the given number, as dictionaries."""
        return [json.loads(event) for event in self._core.events(after)]

    @property
    def spec(self):
        """The spec as a dictionary, defaults filled in."""
        return SpecDict(json.loads(self._core.spec))

    @property
    def files(self):
        """The tables that the spec names, {name: CSV}."""
        return self._core.files

    @property
    def link(self):
        """The link in use: f = h(eta), where h is "identity", "log" (exp) or "logit" (the logistic function).

        With link="auto" it is chosen by the evidence of the answers, and may change with further ones; so says the `link` of `fit()`.
        """
        return self._core.link()

    @property
    def location(self):
        """Where the study is stored, without password."""
        return self._core.shown

    # --- the end ---

    def close(self):
        """Releases the file or the connection. Another `Study` at the same location continues; this one refuses all further calls."""
        if not isinstance(self._core, _Closed):
            self._core = _Closed(self._core.shown)

    def __enter__(self):
        return self

    def __exit__(self, *error):
        self.close()

    # --- copies are further handles on the same study ---

    def __copy__(self):
        out = Study.__new__(Study)
        out.__setstate__(self._state())
        return out

    def __deepcopy__(self, memo):
        return self.__copy__()

    def _state(self):
        return self._core.location, self._given

    def __getstate__(self):
        if self._core.location.startswith("memory:"):
            raise TypeError("a study in memory lives in its process; give it a location to pickle it")
        return self._state()

    def __setstate__(self, state):
        location, given = state
        self._begin(*given)
        self._core = _iqbo.studies._Study.open(location, False, **self._options)

    def __repr__(self):
        if isinstance(self._core, _Closed):
            return "Study(closed)"
        status = self._core.status()
        kept = "in memory" if self._core.location.startswith("memory:") else f"at {self.location}"
        return f"Study({kept}: {status.told} told, {status.pending} pending, {status.failed} failed)"

"""DataFrames out."""
import pickle

import iqbo
import numpy as np
import pytest

pandas = pytest.importorskip("pandas")
POST = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3, 0.7], [0.2, 1.0], 0.01)


def test_beliefs_and_tables():
    shown = iqbo.frame(POST.f([0.0, 0.5]))
    assert shown.columns.tolist() == ["mean", "var"]
    np.testing.assert_array_equal(shown.to_numpy().T, list(POST.f([0.0, 0.5])))
    run = iqbo.experiment.replicate(iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "random", steps=3), seed=1)
    table = iqbo.frame(run)
    assert table.t.tolist() == [0, 1, 2] and set(table.policy) == {"random"}
    np.testing.assert_array_equal(table.z, run.columns()["z"])


def test_records():
    fit = iqbo.fit(POST, seed=1)
    table = iqbo.frame(fit.parameters)
    assert table.columns.tolist() == ["name", "value", "low", "high"]
    assert table.name.tolist() == [parameter.name for parameter in fit.parameters]


def test_what_has_no_columns_is_refused():
    for thing in (3.0, [], [1.0], np.zeros(3)):
        with pytest.raises(TypeError, match="thing: .*expected a Study"):
            iqbo.frame(thing)


def test_trials_of_a_study():
    districts = pandas.DataFrame({"district": ["n", "m", "s"], "east": [0.1, 0.5, 0.9]})
    study = iqbo.Study(targets=np.linspace(0, 1, 21), queries=districts, conditional=iqbo.UniformConditional(half_width=0.1),
                       kernel=iqbo.Rbf(1.0, 0.2), noise_sd=0.1, seed=1)
    study.tell(study.ask(), 1.5, noise_sd=0.2)
    study.ask()
    table = iqbo.frame(study)
    assert table.columns.tolist() == ["trial", "name", "east", "value", "noise_sd", "cost", "state", "policy", "score"]
    assert table.value[0] == 1.5 and table.noise_sd[0] == 0.2 and np.isnan(table.value[1])
    assert table.state.tolist() == ["told", "pending"] and set(table.name) <= {"n", "m", "s"}
    beliefs = iqbo.frame(study.snapshot().a)
    assert beliefs.columns.tolist() == ["name", "east", "mean", "sd"] and beliefs.name.tolist() == ["n", "m", "s"]
    assert iqbo.frame(study.snapshot().x).columns.tolist() == ["name", "x", "mean", "sd"]
    assert pickle.loads(pickle.dumps(study.snapshot().a)) == study.snapshot().a


PIXELS = pandas.DataFrame({"pixel": [f"p{i}" for i in range(21)], "east": np.linspace(0, 1, 21)})
GIVEN = dict(queries=pandas.DataFrame({"district": ["n", "m", "s"], "east": [0.1, 0.5, 0.9]}), kernel=iqbo.Rbf(1.0, 0.2), noise_sd=0.1,
             conditional=iqbo.UniformConditional(half_width=0.1), seed=1)


@pytest.mark.parametrize("pixels", [PIXELS, PIXELS.set_index("pixel"), PIXELS.set_index("pixel").rename_axis(None), PIXELS[:],
                                    PIXELS.assign(pixel=PIXELS.pixel.astype("category")),
                                    PIXELS.assign(note="free").set_index("pixel")])
def test_an_index_or_a_column_names_the_targets_of_a_study(pixels):
    study = iqbo.Study(targets=pixels, **GIVEN)
    best = study.best()
    assert best.name == f"p{round(20 * best.x[0])}"
    np.testing.assert_array_equal(study.predict_f(pixels).mean, study.predict_f(PIXELS.east).mean)
    assert study.predict_g(GIVEN["queries"]).mean.shape == (3,)


def test_what_one_study_was_told_another_imports():
    one, other = (iqbo.Study(targets=PIXELS, **GIVEN) for _ in range(2))
    one.tell(one.ask(), 1.5, noise_sd=0.2)
    one.tell(one.ask(), 1.0)
    one.ask()  # not told
    assert other.import_observations(iqbo.frame(one)) == 2
    np.testing.assert_allclose(other.predict_f(PIXELS).mean, one.predict_f(PIXELS).mean)
    named = iqbo.BagConditional(PIXELS.east, [PIXELS.east < 0.5, PIXELS.east >= 0.5])
    one, other = (iqbo.Study(targets=PIXELS, conditional=named, queries=["west", "east"], seed=1) for _ in range(2))
    one.tell(one.ask(), 1.5)
    assert other.import_observations(iqbo.frame(one)) == 1


def test_queries_have_costs_and_noises_of_their_own():
    listed = GIVEN["queries"].assign(cost=[1.0, 2.5, 4.0], noise_sd=[0.1, 0.2, 0.3])
    study = iqbo.Study(targets=PIXELS, **{**GIVEN, "queries": listed})
    assert study.spec["queries"]["coordinates"] == ["east"]
    assert (study.spec["queries"]["cost"], study.spec["queries"]["noise_sd"]) == ("cost", "noise_sd")
    costs = dict(zip(listed.district, listed.cost))
    for _ in range(3):
        trial = study.ask()
        assert trial.cost == costs[trial.name]
        study.tell(trial, 1.0)
    own = iqbo.spaces.ListedQueries(listed[["east"]].to_numpy(), cost=listed.cost, noise_var=listed.noise_sd**2)
    same = iqbo.Study(targets=PIXELS, **{**GIVEN, "queries": own})
    for trial in study.trials:
        same.tell(same.ask(), 1.0)
    x = np.linspace(0, 1, 7)[:, None]
    if [trial.query[0] for trial in same.trials] == [trial.query[0] for trial in study.trials]:
        np.testing.assert_allclose(study.predict_f(x).sd, same.predict_f(x).sd)
    by_hand = iqbo.Posterior(GIVEN["kernel"], GIVEN["conditional"]).condition(
        [trial.query[0] for trial in study.trials], np.ones(3), noise_var=[dict(zip(listed.district, listed.noise_sd))[t.name] ** 2 for t in study.trials])
    np.testing.assert_allclose(study.predict_f(x).sd, np.sqrt(by_hand.f(x[:, 0]).var), rtol=1e-6)


def test_maximize_reads_costs_and_noises_of_a_frame():
    listed = GIVEN["queries"].assign(cost=[1.0, 2.0, 3.0], noise_sd=0.1)
    best = iqbo.maximize(lambda row: -(row.east - 0.5) ** 2, conditional=GIVEN["conditional"], queries=listed, targets=PIXELS, budget=7,
                         kernel=GIVEN["kernel"])
    assert sum(best.costs) <= 7 and set(best.costs) <= {1.0, 2.0, 3.0}
    assert best.queries.shape[1] == 1


LINE = pandas.DataFrame({"x": np.linspace(0, 1, 21)})
WINDOW = dict(conditional=iqbo.UniformConditional(half_width=0.05), kernel=iqbo.Rbf(1.0, 0.2), noise_sd=0.1)


@pytest.mark.parametrize("part", [LINE[10:], LINE[LINE.x > 0.499], LINE[::2], LINE[:5]])
def test_rows_keep_the_labels_of_a_frame_that_was_cut(part):
    study = iqbo.Study(targets=part, queries=part, **WINDOW)
    assert study._core.query_ids == study._core.target_ids == [str(label) for label in part.index]
    study.tell(str(part.index[-1]), 1.0)
    assert study.trials[0].query[0] == part.x.iloc[-1]
    named = part.assign(name=[f"n{i}" for i in range(len(part))])
    assert iqbo.Study(targets=LINE, queries=named, **WINDOW)._core.query_ids == named.name.tolist()


PLANE = pandas.DataFrame({"east": [0.1, 0.5, 0.9, 0.2], "north": [0.9, 0.2, 0.4, 0.3]})
IN_PLANE = dict(conditional=iqbo.UniformConditional(half_width=[0.05, 0.05]), kernel=iqbo.Rbf(1.0, [0.2, 0.4]), noise_sd=0.1, seed=1)


def test_points_are_read_by_the_names_of_their_columns():
    study = iqbo.Study(targets=PLANE, queries=PLANE, **IN_PLANE)
    study.tell("1", 2.0)
    for belief in (study.predict_f, study.predict_g, lambda x: study.chances(x), lambda a: study.chances(a=a)):
        want = belief(PLANE.to_numpy()).mean
        for same in (PLANE, PLANE[["north", "east"]], PLANE.assign(note="free", mean=1.0), pandas.DataFrame(PLANE.to_numpy())):
            np.testing.assert_array_equal(belief(same).mean, want)
        with pytest.raises(ValueError, match="[ax]: no column 'east', 'north'"):
            belief(PLANE[[]])
        for wrong in (PLANE.rename(columns={"north": "North"}), PLANE[["east"]]):
            with pytest.raises(ValueError, match="[ax]: no column 'north', expected 'east', 'north'; found 'east'"):
                belief(wrong)
    counts = iqbo.Study(targets=PLANE, queries=PLANE, conditional=IN_PLANE["conditional"], answers="poisson", exposure=100)
    with pytest.raises(ValueError, match="a: no column 'east', 'north'"):
        counts.predict_counts(PLANE.add_suffix("_km"))


def test_a_window_reads_queries_in_the_order_of_the_targets():
    swapped = PLANE[["north", "east"]]
    for given in (dict(targets=PLANE, queries=swapped), dict(targets={"east": (0, 1, 5), "north": (0, 1, 5)}, queries=swapped)):
        with pytest.raises(ValueError, match=r"queries: coordinates \['north', 'east'\], expected them in the order"):
            iqbo.Study(**given, **IN_PLANE)
    with pytest.raises(ValueError, match="expected them in the order of the targets"):
        iqbo.maximize(lambda row: row.east, conditional=IN_PLANE["conditional"], targets=PLANE, queries=swapped, budget=2)
    moved = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.affine([[0.0, 1.0], [1.0, 0.0]], [0.0, 0.0]), [0.1, 0.1])
    iqbo.Study(targets=PLANE, queries=swapped, **{**IN_PLANE, "conditional": moved})


@pytest.mark.parametrize("nothing", [None, np.nan, pandas.NA])
def test_a_missing_name_is_refused(nothing):
    column = pandas.DataFrame({"pixel": ["p", nothing], "x": [0.1, 0.2]})
    for frame, name in ((column, "pixel"), (column.set_index("pixel"), "pixel"), (column.set_index("pixel").rename_axis(None), "id")):
        for what in ("targets", "queries"):
            with pytest.raises(ValueError, match=f'{what}.csv.: row 3, column "{name}" is empty'):
                iqbo.Study(**{"targets": LINE, "queries": LINE, **WINDOW, what: frame})
    bags = iqbo.BagConditional(LINE.x, [LINE.x < 0.5, LINE.x >= 0.5])
    with pytest.raises(ValueError, match='queries.csv.: row 3, column "id" is empty'):
        iqbo.Study(targets=LINE, queries=["west", nothing], conditional=bags)
    spec = iqbo.Study(targets=LINE, queries=LINE, **WINDOW).spec
    for table in (column, {"pixel": ["p", nothing], "x": [0.1, 0.2]}):
        points = {"kind": "points", "points": table, "id": "pixel", "coordinates": ["x"]}
        with pytest.raises(ValueError, match='row 3, column "pixel" is empty'):
            iqbo.Study({**spec, "targets": points, "queries": points})


@pytest.mark.parametrize("frame,held", [
    (pandas.DataFrame({"day": pandas.date_range("2020-01-01", periods=2)}), "'day' holds Timestamp"),
    (pandas.DataFrame({"dose": pandas.Categorical(["low", "high"])}), "'dose' holds str"),
    (pandas.DataFrame({"day": pandas.date_range("2020-01-01", periods=2)}, index=["a", "b"]), "'id' holds str, 'day' holds Timestamp"),
    (["a", "b"], "'id' holds str"),
])
def test_points_without_coordinates_say_why(frame, held):
    for what in ("targets", "queries"):
        with pytest.raises(ValueError, match=f"{what}: no column of numbers .*{held}.*, expected coordinates: .*the days since"):
            iqbo.Study(**{"targets": LINE, "queries": LINE, **WINDOW, what: frame})


def test_columns_of_one_name_are_refused():
    twice = pandas.DataFrame([[0.1, 0.2], [0.3, 0.4]], columns=["e", "e"])
    for call in (lambda: iqbo.Study(targets=twice, queries=LINE, **WINDOW), lambda: iqbo.Study(targets=LINE, queries=twice, **WINDOW),
                 lambda: iqbo.Study(targets=LINE, queries=LINE, **WINDOW).predict_f(twice),
                 lambda: iqbo.maximize(lambda row: 1.0, conditional=WINDOW["conditional"], queries=twice, targets=LINE, budget=2)):
        with pytest.raises(ValueError, match="2 columns called 'e', expected different names"):
            call()


# --- frames for objects that have no spec ---

FLAT = iqbo.GaussianConditional(sd=[0.05, 0.5])
SWAPPED = PLANE[["north", "east"]]
HEIGHT = PLANE.east + 0.3 * PLANE.north


def numbers(found):
    return found if isinstance(found, np.ndarray) else found.mean


def beliefs_about_the_plane():
    kernel = iqbo.Rbf(1.0, [0.3, 0.5])
    post = iqbo.Posterior(kernel, FLAT).condition(PLANE, HEIGHT, noise_var=0.01)
    policy = iqbo.Policy(PLANE, PLANE, FLAT, kernel=kernel, noise_var=0.01)
    policy.observe(SWAPPED, HEIGHT)
    same = pickle.loads(pickle.dumps(policy))
    fitted, ensemble = iqbo.posteriors.fit_ensemble(post, members=2, families=["rbf"])
    for belief in (post, pickle.loads(pickle.dumps(post)), post.with_noise_var(0.02), policy.posterior, policy.belief, fitted.posterior, ensemble,
                   pickle.loads(pickle.dumps(ensemble)), ensemble.members[0], post.with_conditional(FLAT)):
        yield from ((belief.f, "x"), (belief.g, "a"), (lambda x, of=belief: of.g_cov(x).diagonal(), "a"))
    for one in (policy, same):
        yield from ((one.rates_f, "x"), (one.rates_g, "a"), (one.chances, "x"))


def test_names_of_columns_are_kept_with_a_posterior_and_a_policy():
    for belief, name in beliefs_about_the_plane():
        want, more = numbers(belief(PLANE.to_numpy())), PLANE.assign(note=1.0)
        for same in (PLANE, SWAPPED, more, pandas.DataFrame(PLANE.to_numpy())):
            np.testing.assert_array_equal(numbers(belief(same)), want)
    for belief in (iqbo.Policy(PLANE, PLANE, FLAT).rates_f, iqbo.Posterior(iqbo.Rbf(1.0, [1.0, 1.0]), FLAT).condition(x=PLANE, z=HEIGHT, noise_var=1.0).f):
        with pytest.raises(ValueError, match="x: no column 'north', expected 'east', 'north'; found 'east', 'North'"):
            belief(PLANE.rename(columns={"north": "North"}))


def test_a_policy_was_told_what_the_names_say():
    told, swapped = (iqbo.Policy(PLANE, PLANE, FLAT, kernel=iqbo.Rbf(1.0, [0.3, 0.5]), noise_var=0.01) for _ in range(2))
    told.observe(PLANE.to_numpy(), HEIGHT)
    swapped.observe(SWAPPED, HEIGHT)
    np.testing.assert_array_equal(told.rates_f(PLANE).mean, swapped.rates_f(PLANE).mean)
    with pytest.raises(ValueError, match=r"queries: coordinates \['north', 'east'\], expected them in the order of the targets"):
        iqbo.Policy(PLANE, SWAPPED, FLAT)
    refused = iqbo.Policy(PLANE.to_numpy(), PLANE.to_numpy(), FLAT, kernel=iqbo.Rbf(1.0, [0.3, 0.5]), noise_var=0.01)
    with pytest.raises(ValueError, match="z: shape"):
        refused.observe(SWAPPED, [1.0])
    refused.observe(PLANE.to_numpy(), HEIGHT)
    assert (refused.rates_f(PLANE.to_numpy()).mean == told.rates_f(PLANE).mean).all() and not refused.__reduce__()[1][2][1:]
    best = iqbo.maximize(lambda row: row.east, conditional=FLAT, targets=PLANE, queries=PLANE, budget=2)
    np.testing.assert_array_equal(best.policy.rates_f(SWAPPED).mean, best.policy.rates_f(PLANE).mean)


def test_where_no_name_is_known_frames_keep_the_order_of_the_first():
    post = iqbo.Posterior(iqbo.Rbf(1.0, [0.3, 0.5]), iqbo.GaussianConditional(lambda a: a[:, :2] / 2, [0.1, 0.1]))
    post.f(PLANE), post.f(PLANE.rename(columns={"east": "x", "north": "y"}))
    for read, name in ((post.f, "x"), (post.f_cov, "x")):
        with pytest.raises(ValueError, match=rf"{name}: columns \['north', 'east'\], expected the order of the first DataFrame, \['east', 'north'\]"):
            read(SWAPPED)


def test_columns_of_a_window_name_the_inputs():
    window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.columns([1, 0]), [0.1, 0.1])
    post = iqbo.Posterior(iqbo.Rbf(1.0, [0.3, 0.5]), window).condition(SWAPPED, HEIGHT, noise_var=0.01)
    np.testing.assert_array_equal(post.f(SWAPPED).mean, post.f(PLANE.to_numpy()).mean)


def test_the_regressor_reads_inputs_by_name():
    pytest.importorskip("sklearn")
    model = iqbo.AverageGPRegressor(FLAT, iqbo.Rbf(1.0, [0.3, 0.5]), 0.01).fit(PLANE, HEIGHT)
    np.testing.assert_array_equal(model.predict_f(SWAPPED), model.predict_f(PLANE))
    np.testing.assert_array_equal(model.sample_f(SWAPPED), model.sample_f(PLANE))


# --- categories ---

KINDS = list("ABC")
SEEN = pandas.DataFrame({"kind": KINDS * 12, "east": np.tile([0.1, 0.5, 0.9], 12) + 0.05 * np.sin(np.arange(36))})


@pytest.mark.parametrize("as_category", [False, True])
def test_queries_may_be_categories_of_logged_pairs(as_category):
    queries, pairs = pandas.DataFrame({"kind": KINDS}), SEEN
    if as_category:
        queries, pairs = queries.astype("category"), pairs.astype({"kind": "category"})
    study = iqbo.Study(targets=LINE.rename(columns={"x": "east"}), queries=queries, conditional={"kind": "learned", "pairs": pairs}, seed=1)
    assert study.spec["queries"]["categories"] == ["kind"] and study.ask().name in KINDS
    study.tell("B", 1.0)
    study.tell("A", 0.0)
    mean = study.predict_g(queries).mean
    np.testing.assert_array_equal(study.predict_g(queries[::-1]).mean, mean[::-1])
    np.testing.assert_array_equal(study.predict_g([[0.0], [1.0], [2.0]]).mean, mean)
    with pytest.raises(ValueError, match="a: column 'kind': 'Z', expected one of 'A', 'B', 'C'"):
        study.predict_g(pandas.DataFrame({"kind": ["Z"]}))


def test_categories_beside_numbers_and_names():
    queries = pandas.DataFrame({"site": ["p", "q", "r"], "kind": ["A", "A", "B"], "depth": [0.1, 0.2, 0.1]})
    pairs = SEEN[SEEN.kind != "C"].assign(depth=lambda table: 0.1 + 0.1 * (np.arange(len(table)) % 2))
    for given, names in ((queries, ["p", "q", "r"]), (queries.drop(columns="site"), ["0", "1", "2"])):
        study = iqbo.Study(targets=LINE.rename(columns={"x": "east"}), queries=given, conditional={"kind": "learned", "pairs": pairs})
        assert study.spec["queries"]["coordinates"] == ["kind", "depth"] and study._core.query_ids == names
        np.testing.assert_array_equal(study._core.queries, [[0, 0.1], [0, 0.2], [1, 0.1]])


def test_codes_of_categories_are_those_of_the_study():
    codes = np.tile(np.arange(12), 4)
    learned = iqbo.LearnedConditional(codes / 12 + 0.01 * np.sin(np.arange(48)), codes, "nw", categories=[0])
    study = iqbo.Study(targets=LINE, queries=np.arange(12), conditional=learned)
    np.testing.assert_array_equal(study._core.queries[:, 0], np.arange(12))
    for queries in (np.arange(11), iqbo.QueryBox([0.0], [11.0])):
        with pytest.raises(ValueError, match="queries: a is a category of the LearnedConditional, expected a list of queries with all its codes"):
            iqbo.Study(targets=LINE, queries=queries, conditional=learned)


def test_texts_where_numbers_are_expected_say_what_to_write():
    remedy = 'conditional={"kind": "learned", "pairs": frame}'
    for a in (SEEN[["kind"]], SEEN.kind, SEEN[["kind"]].astype("category"), SEEN.kind.tolist()):
        with pytest.raises(ValueError, match="a_pairs: (texts|column 'kind' holds texts), expected numbers; of categories give the codes") as refusal:
            iqbo.LearnedConditional(SEEN.east, a)
        assert remedy in str(refusal.value) and "categories=[0]" in str(refusal.value)
    learned = iqbo.LearnedConditional(SEEN.east, SEEN.kind.astype("category").cat.codes, "nw", categories=[0])
    for queries, conditional in ((KINDS, {"kind": "learned", "pairs": SEEN}), (pandas.DataFrame({"kind": KINDS}), learned)):
        with pytest.raises(ValueError, match="queries: no column of numbers .*holds str.*of categories the same column") as refusal:
            iqbo.Study(targets=LINE, queries=queries, conditional=conditional)
        assert remedy in str(refusal.value)

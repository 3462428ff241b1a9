"""Pictures: what is drawn is what is believed. Looking at them is for people; these tests read the numbers back."""
import doctest
import json
import subprocess
import sys

import iqbo
import numpy as np
import pytest

matplotlib = pytest.importorskip("matplotlib")
matplotlib.use("Agg")
import matplotlib.pyplot as plt  # noqa: E402

LINE = np.linspace(0, 1, 41)
POST = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3, 0.7], [0.2, 1.0], [0.01, 0.04])
PLANE = iqbo.Posterior(iqbo.Rbf(1.0, [0.3, 0.3]), iqbo.GaussianConditional(sd=[0.1, 0.1])).condition(
    [[0.2, 0.3], [0.8, 0.6]], [0.2, 1.0], 0.01)
GRID = iqbo.InputBox([0, 0], [1, 1]).grid([9, 7])


@pytest.fixture(autouse=True)
def close_figures():
    yield
    plt.close("all")


def band(ax):
    """(x, low, high) of the first band."""
    corners = ax.collections[0].get_paths()[0].vertices
    x = np.unique(corners[:, 0])
    return x, *(np.array([pick(corners[corners[:, 0] == at, 1]) for at in x]) for pick in (min, max))


def test_f_is_mean_and_interval():
    ax = iqbo.plot.f(POST, LINE, truth=np.sin)
    mean, var = POST.f(LINE)
    np.testing.assert_array_equal(ax.lines[0].get_xydata(), np.c_[LINE, mean])
    x, low, high = band(ax)
    np.testing.assert_allclose((low, high), (mean - 1.96 * var**0.5, mean + 1.96 * var**0.5), atol=1e-12)
    assert ax.get_xlabel() == "x" and ax.get_ylabel() == "f"
    assert [text.get_text() for text in ax.get_legend().get_texts()][0] == "f, 95 % interval"
    assert ax.lines[-1].get_xydata().tolist() == [[LINE[mean.argmax()], mean.max()]]


def test_answers_lie_over_their_footprints():
    ax = iqbo.plot.f(POST, LINE)
    spans = [c for c in ax.collections if c.get_label() == "answers, over their footprint"][0].get_segments()
    np.testing.assert_allclose(spans, [[[0.2, 0.2], [0.4, 0.2]], [[0.6, 1.0], [0.8, 1.0]]], atol=1e-9)


def test_values_of_f_are_told_from_averages():
    prior = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
    mixed = prior.condition(x=[0.5], z=[3.0], noise_var=0.25).condition([0.3], [2.0], 0.04)
    mixed = mixed.condition(x=[0.9], z=[4.0], noise_var=1.0)
    ax = iqbo.plot.f(mixed, LINE)
    spans = [c for c in ax.collections if c.get_label() == "answers, over their footprint"][0].get_segments()
    np.testing.assert_allclose(spans, [[[0.2, 2.0], [0.4, 2.0]]], atol=1e-9)
    (values,) = [c for c in ax.containers if c.get_label() == "values of f"]
    np.testing.assert_allclose(values.lines[0].get_xydata(), [[0.5, 3.0], [0.9, 4.0]])
    np.testing.assert_allclose(values.lines[2][0].get_segments()[1][:, 1], [4 - 1.96, 4 + 1.96])
    for belief in (prior, prior.condition(x=[0.5], z=[3.0], noise_var=0.25)):
        iqbo.plot.f(belief, LINE)
        iqbo.plot.g(belief, LINE)


def test_g_shows_answers_with_their_noise():
    ax = iqbo.plot.g(POST, LINE)
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), POST.g(LINE).mean)
    (bars,) = ax.containers
    np.testing.assert_allclose(bars.lines[2][0].get_segments(), [[[a, z - 1.96 * s], [a, z + 1.96 * s]]
                                                                 for a, z, s in ((0.3, 0.2, 0.1), (0.7, 1.0, 0.2))])


@pytest.mark.parametrize("draw,mean", [(iqbo.plot.f, lambda: PLANE.f(GRID).mean), (iqbo.plot.g, lambda: PLANE.g(GRID).mean)])
def test_two_coordinates_are_a_field(draw, mean):
    for order in (np.arange(len(GRID)), np.random.default_rng(1).permutation(len(GRID))):
        ax = draw(PLANE, GRID[order])
        np.testing.assert_allclose(np.asarray(ax.collections[0].get_array()).reshape(7, 9), mean().reshape(9, 7).T)


def test_scattered_points_keep_their_values():
    points = np.random.default_rng(1).uniform(size=(30, 2))
    np.testing.assert_allclose(iqbo.plot.f(PLANE, points).collections[0].get_array(), PLANE.f(points).mean)


def test_any_belief_can_be_drawn():
    policy = iqbo.Policy(LINE, LINE, iqbo.UniformConditional(half_width=0.1), kernel=iqbo.Rbf(1.0, 0.2), noise_var=0.01)
    policy.observe([0.3, 0.7], [0.2, 1.0])
    plain = iqbo.posteriors.PlainGp(iqbo.Rbf(1.0, 0.2)).condition([0.3, 0.7], [0.2, 1.0], 0.01)
    finite = iqbo.posteriors.FiniteBelief(POST, LINE, LINE)
    for belief in (policy, POST, finite):
        iqbo.plot.f(belief, LINE)
    for belief in (policy, POST, finite, plain):
        iqbo.plot.g(belief, LINE)
    with pytest.raises(ValueError, match="those that the belief is about"):
        iqbo.plot.f(finite, LINE[:3])


def test_a_study_knows_names_and_units():
    study = iqbo.Study({"targets": {"kind": "box", "axes": [{"name": "dose", "unit": "mg", "from": 0, "to": 1, "grid": 11}]},
                        "queries": {"kind": "box", "axes": [{"name": "level", "from": 0, "to": 1, "grid": 11}]},
                        "conditional": {"kind": "uniform", "width": 0.1}, "value": {"name": "effect", "unit": "%"},
                        "kernel": {"family": "rbf", "lengthscale": 0.2, "variance": 1}, "noise_sd": 0.1, "version": 2})
    study.tell(study.ask(), 2.0, noise_sd=0.5)
    ax = iqbo.plot.f(study, LINE)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("dose [mg]", "effect [%]")
    np.testing.assert_array_equal(ax.lines[0].get_ydata(), study.predict_f(LINE).mean)
    ax = iqbo.plot.g(study, LINE)
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("level", "effect [%]")
    np.testing.assert_allclose(ax.containers[0].lines[2][0].get_segments()[0][:, 1], [2 - 0.98, 2 + 0.98])


def test_names_of_columns_become_labels_and_boxes_grids():
    pandas = pytest.importorskip("pandas")
    ax = iqbo.plot.f(PLANE, pandas.DataFrame(GRID, columns=["east [km]", "north [km]"]))
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("east [km]", "north [km]")
    assert iqbo.plot.f(POST, iqbo.InputBox([0.0], [2.0])).get_xlim() == (0.0, 2.0)


def test_draws_on_given_axes():
    _, ax = plt.subplots()
    assert iqbo.plot.f(POST, LINE, ax=ax) is ax and iqbo.plot.acquisition(LINE, LINE, ax=ax) is ax


def test_acquisition_marks_the_best_and_survives_minus_infinity():
    score = np.r_[-np.inf, np.linspace(0, 1, 39), -np.inf]
    ax = iqbo.plot.acquisition(LINE, score, label="log CMES")
    assert ax.lines[-1].get_xdata() == LINE[39] and ax.get_ylabel() == "log CMES"
    iqbo.plot.acquisition(GRID, GRID[:, 0])


def test_footprint_of_bags_is_mean_and_spread():
    bags = iqbo.BagConditional([[0.0, 0.0], [1.0, 0.0]], [[0.5, 0.5]])
    centre, half = iqbo.plot.footprint(bags, [0])
    np.testing.assert_allclose((centre, half), ([[0.5, 0.0]], [[np.sqrt(3) / 2, 0.0]]), atol=1e-9)


def test_regret_is_a_geometric_mean_with_students_interval():
    scipy_stats = pytest.importorskip("scipy.stats")
    runs = 10.0 ** np.random.default_rng(1).normal(size=(6, 4))
    ax = iqbo.plot.regret({"cmes": runs, "random": runs[:1]}, least=1e-9, floor=0.01)
    logs = np.log10(runs)
    np.testing.assert_allclose(ax.lines[0].get_ydata(), scipy_stats.gmean(runs))
    low, high = scipy_stats.t.interval(0.95, 5, logs.mean(axis=0), scipy_stats.sem(logs, axis=0))
    _, drawn_low, drawn_high = band(ax)
    np.testing.assert_allclose((drawn_low, drawn_high), (10**low, 10**high), rtol=1e-6)
    assert ax.get_yscale() == "log" and len(ax.collections) == 1  # one run has no interval


def test_regret_reads_tables_rows_and_frames():
    table = {"policy": ["a", "a", "b", "b"] * 2, "seed": [1, 1, 1, 1, 2, 2, 2, 2], "t": [0, 1] * 4,
             "simple_regret": [1.0, 0.1, 2.0, 0.2, 4.0, 0.4, 8.0, 0.8], "cost": [1.0, 2.0, 1.0, 3.0, 1.0, 2.0, 2.0, 3.0]}
    ax = iqbo.plot.regret(table)
    np.testing.assert_allclose([line.get_ydata() for line in ax.lines], [[2.0, 0.2], [4.0, 0.4]])
    by_cost = iqbo.plot.regret(table, by="cost").lines[1].get_xydata()
    np.testing.assert_allclose(by_cost, [[2.0, 4.0], [3.0, 0.4]])  # from where both runs have begun
    run = iqbo.experiment.replicate(iqbo.experiment.Entry(iqbo.problems.problem("two-peaks"), "random", steps=3), seed=1)
    assert len(iqbo.plot.regret(run, regret="instant").lines[0].get_xdata()) == 3


SQUARES = {"type": "FeatureCollection", "features": [
    {"type": "Feature", "id": i, "properties": {"name": f"r{i}"}, "geometry": {"type": "Polygon", "coordinates": [
        [[i, 0], [i + 1, 0], [i + 1, 1], [i, 1], [i, 0]], [[i + 0.4, 0.4], [i + 0.6, 0.4], [i + 0.6, 0.6], [i + 0.4, 0.4]]]}}
    for i in range(3)]}


@pytest.mark.parametrize("shapes", [SQUARES, json.dumps(SQUARES)])
def test_regions_of_geojson(shapes):
    ax = iqbo.plot.regions(shapes, {"r0": 1.0, "r1": 2.0, "r2": 3.0}, sd=[0.1, 0.2, 0.3], id="name", asked=["r1"], label="rate")
    colours = [patch.get_facecolor() for patch in ax.patches]
    scale = matplotlib.colormaps["cividis"]
    assert colours == [scale(0.0), scale(0.5), scale(1.0)]
    assert [text.get_text() for text in ax.texts] == ["1\n± 0.2", "2\n± 0.39", "3\n± 0.59"]
    assert ax.patches[0].get_path().contains_point((0.1, 0.1))


def test_regions_of_a_file_and_of_bags(tmp_path):
    (tmp_path / "r.geojson").write_text(json.dumps(SQUARES))
    assert len(iqbo.plot.regions(tmp_path / "r.geojson", [1, 2, 3]).patches) == 3
    bags = iqbo.BagConditional(GRID, (GRID[:, 0] < 0.4, GRID[:, 0] >= 0.4))
    ax = iqbo.plot.regions(bags, [0.0, 1.0])
    edges = ax.collections[0].get_segments()  # of the left district: its outline, not that of each pixel
    assert len(edges) == 2 * (7 + sum(np.unique(GRID[:, 0]) < 0.4))


def test_tree_shows_cells_by_level():
    tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=3)
    cond = iqbo.UniformConditional(iqbo.conditionals.QueryMap.columns([0]), iqbo.conditionals.QueryMap.columns([1]))
    post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), cond)
    asked = [tree.root, *tree.children(tree.root), tree.root]
    ax = iqbo.plot.tree(tree, post.condition(tree.queries(asked), [0.0, 1.0, 2.0, 0.0], 0.01), asked=asked)
    assert len(ax.patches) == 1 + 2 + 4 and [t.get_text() for t in ax.texts] == ["1 (2×)", "2", "3"]
    widths = sorted(patch.get_width() for patch in ax.patches)
    assert widths == [0.25] * 4 + [0.5] * 2 + [1.0]
    plane = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0, 0.0], [1.0, 1.0]), l_max=3)
    assert len(iqbo.plot.tree(plane, asked=plane.queries([plane.root])).patches) == 1 + 4


def test_a_study_that_minimises_with_its_footprints():
    pandas = pytest.importorskip("pandas")
    pixels = pandas.DataFrame({"pixel": [f"p{i}" for i in range(41)], "east": LINE})
    study = iqbo.Study(targets=pixels, queries=LINE[::4], conditional=iqbo.UniformConditional(half_width=0.1), goal="minimize",
                       kernel=iqbo.Rbf(1.0, 0.2), noise_sd=0.01, seed=1)
    study.run(lambda a: float((a[0] - 0.3) ** 2), trials=5)
    ax = iqbo.plot.f(study, pixels)
    (star,) = [line for line in ax.lines if line.get_label() == "smallest mean"]
    assert star.get_xdata()[0] == study.best().x[0] and ax.get_xlabel() == "east"
    (windows,) = [lines for lines in ax.collections if lines.get_label() == "answers, over their footprint"]
    np.testing.assert_allclose([segment[:, 0] for segment in windows.get_segments()],
                               [[trial.query[0] - 0.1, trial.query[0] + 0.1] for trial in study.trials])


@pytest.mark.parametrize("call,words", [
    (lambda: iqbo.plot.f(POST, LINE, truth=[1, 2]), ["truth: shape (2,)", "shape (41,)"]),
    (lambda: iqbo.plot.f(3, LINE), ["belief: int", "expected a Posterior"]),
    (lambda: iqbo.plot.f(POST, np.zeros((3, 3))), ["x: shape (3, 3)", "draw a slice"]),
    (lambda: iqbo.plot.acquisition(LINE, LINE[:3]), ["score: shape (3,)", "shape (41,)"]),
    (lambda: iqbo.plot.acquisition(LINE, np.full(41, -np.inf)), ["score: no finite number"]),
    (lambda: iqbo.plot.regret({"policy": ["a"]}), ["no column 'seed'"]),
    (lambda: iqbo.plot.regret({"a": [[1.0]]}, by="time"), ['by: "time"']),
    (lambda: iqbo.plot.regret({"problem": ["p", "q"], "policy": ["a", "a"]}), ["of 2 problems"]),
    (lambda: iqbo.plot.regions(SQUARES, [1.0]), ["value: shape (1,)", "shape (3,)"]),
    (lambda: iqbo.plot.regions(SQUARES, {0: 1.0}), ["nothing for region 1"]),
    (lambda: iqbo.plot.regions(SQUARES, [1, 2, 3], id="nme"), ["no property 'nme'", "name"]),
    (lambda: iqbo.plot.regions(SQUARES, [1, 2, 3], asked=["x"]), ["asked: 'x'"]),
    (lambda: iqbo.plot.regions("{}", [1]), ["no features"]),
    (lambda: iqbo.plot.regions(iqbo.BagConditional([0.0, 1.0], np.eye(2)), [1, 2]), ["1 coordinates, expected two"]),
    (lambda: iqbo.plot.tree(iqbo.spaces.QueryTree(iqbo.QueryBox([0.0] * 3, [1.0] * 3), l_max=1)), ["3 coordinates"]),
])
def test_refusals(call, words):
    with pytest.raises((ValueError, TypeError)) as refusal:
        call()
    for word in words:
        assert word in str(refusal.value)


def test_examples_in_the_documentation_are_true():
    for example in doctest.DocTestFinder().find(iqbo.plot, globs={"iqbo": iqbo, "np": np}):
        if example.name.rpartition(".")[2] in iqbo.plot.__all__:
            assert example.examples, f"{example.name}: no example"
        assert not doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE).run(example).failed


def test_matplotlib_is_imported_when_something_is_drawn():
    code = "import iqbo, sys; assert not {'matplotlib', 'pandas', 'scipy'} & set(sys.modules), 'imported'"
    subprocess.run([sys.executable, "-c", code], check=True)
    hidden = "import sys; sys.modules['matplotlib'] = None; import iqbo; iqbo.plot.acquisition([0.0, 1.0], [0.0, 1.0])"
    done = subprocess.run([sys.executable, "-c", hidden], capture_output=True, text=True)
    assert "iqbo.plot needs matplotlib: apt-get install python3-matplotlib" in done.stderr


def test_points_of_a_study_are_read_by_name():
    pandas = pytest.importorskip("pandas")
    plane = pandas.DataFrame({"east": [0.1, 0.5, 0.9, 0.2], "north": [0.9, 0.2, 0.4, 0.3]})
    study = iqbo.Study(targets=plane, queries=plane, conditional=iqbo.UniformConditional(half_width=[0.05, 0.05]),
                       kernel=iqbo.Rbf(1.0, [0.2, 0.4]), noise_sd=0.1, seed=1)
    study.tell("1", 2.0)
    for draw in (iqbo.plot.f, iqbo.plot.g):
        ax = draw(study, plane[["north", "east"]])
        assert (ax.get_xlabel(), ax.get_ylabel()) == ("east", "north")
        with pytest.raises(ValueError, match="no column 'north'"):
            draw(study, plane.rename(columns={"north": "North"}))

"""Every name has one home, the everyday names are on top as well, and the old names still work."""
import base64
import inspect
import json
import os
import pathlib
import pickle
import pprint
import pydoc
import subprocess
import sys
import warnings

import iqbo
import numpy as np
import pytest
from iqbo import _iqbo

PARTS = {name: module for name, module in vars(_iqbo).items() if inspect.ismodule(module)}
GOLDEN = json.loads((pathlib.Path(__file__).parent / "golden" / "pickles_0.1.json").read_text())
EVERYDAY = [name for name in iqbo.__all__ if not inspect.ismodule(getattr(iqbo, name))]
X = np.linspace(0, 1, 9)
WINDOW = iqbo.GaussianConditional(sd=0.1)


def public(module):
    return [name for name in vars(module) if not name.startswith("_")]


def homes_of(name):
    return [part for part in PARTS if hasattr(getattr(iqbo, part), name)]


# --- homes ---


@pytest.mark.parametrize("part", PARTS)
def test_a_submodule_has_all_that_is_bound_in_it(part):
    module = getattr(iqbo, part)
    assert set(public(PARTS[part])) <= set(public(module)) and part in iqbo.__all__
    for name in public(module):
        assert homes_of(name) == [part], name
        assert getattr(module, name).__module__ == f"iqbo.{part}", name


def test_nothing_public_is_outside_the_submodules():
    assert public(_iqbo) == list(PARTS)


@pytest.mark.parametrize("part", PARTS)
def test_pprint_finds_the_repr_of_every_class(part):
    for name in public(PARTS[part]):
        thing = getattr(PARTS[part], name)
        assert not inspect.isclass(thing) or {thing.__repr__}, name
    shown = pprint.pformat({"window": iqbo.Posterior(iqbo.Rbf(), iqbo.UniformConditional(half_width=0.1))}, width=20)
    assert "Rbf(variance=1, lengthscale=1)" in shown


def test_the_version():
    project = (pathlib.Path(__file__).parents[2] / "CMakeLists.txt").read_text()
    assert f"VERSION {iqbo.__version__}\n" in project


def test_the_everyday_names():
    assert 10 <= len(EVERYDAY) <= 16 and iqbo.__all__ == sorted(iqbo.__all__)
    for name in EVERYDAY:
        (part,) = homes_of(name)
        assert getattr(iqbo, name) is getattr(getattr(iqbo, part), name)


def test_a_shell_shows_the_everyday_names_and_the_submodules():
    assert dir(iqbo) == iqbo.__all__
    assert "class Rbf(Stationary)" in pydoc.render_doc(iqbo.kernels, renderer=pydoc.plaintext)
    assert "conditional: iqbo.conditionals.Conditional" not in iqbo.Posterior.__init__.__doc__  # any object, checked by name
    assert "kernel: iqbo.kernels.Kernel" in iqbo.Posterior.__init__.__doc__


def test_importing_is_quick():
    def seconds(code):
        """Of the processor, the least of several: others on the machine only add."""
        took = []
        for _ in range(7):
            before = os.times()
            subprocess.run([sys.executable, "-c", code], check=True)
            after = os.times()
            took.append(after.children_user + after.children_system - before.children_user - before.children_system)
        return min(took)

    assert seconds("import iqbo") - seconds("import numpy") < 0.2


# --- old names ---


def old_names():
    before = [part for part in PARTS if part != "likelihoods"]  # which 0.1 did not have
    return [(part, name) for part in before for name in public(getattr(iqbo, part)) if name not in EVERYDAY]


@pytest.mark.parametrize("part,name", old_names())
def test_old_names_work_with_a_warning_that_says_where_they_are(part, name):
    with pytest.warns(DeprecationWarning) as seen:
        assert getattr(iqbo, name) is getattr(getattr(iqbo, part), name)
    assert [str(warning.message) for warning in seen] == [
        f"iqbo.{name} moved to iqbo.{part}.{name}; the old name works until 0.3"]
    assert seen[0].filename == __file__


def test_importing_an_old_name_warns_once():
    with pytest.warns(DeprecationWarning, match="iqbo.cmes moved to iqbo.acquisition.cmes") as seen:
        from iqbo import cmes
    assert cmes is iqbo.acquisition.cmes and len(seen) == 1 and seen[0].filename == __file__


def test_what_there_never_was():
    with pytest.raises(AttributeError, match="module 'iqbo' has no attribute 'Rfb'"):
        iqbo.Rfb
    with pytest.raises(ImportError, match="cannot import name 'Rfb' from 'iqbo'"):
        from iqbo import Rfb  # noqa: F401
    assert not hasattr(iqbo, "_Study")


def asked(policy):
    policy.observe([0.5], [1.0])
    return policy.suggest().queries.tolist(), policy.best().x.tolist()


def test_old_keywords_of_a_policy():
    given = dict(conditional=WINDOW, kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.01, seed=1)
    today = asked(iqbo.Policy(targets=X, queries=X[::2], policy="ei", **given))
    with pytest.warns(DeprecationWarning) as seen:
        old = iqbo.Policy(x=X, a=X[::2], kind="ei", **given)
    assert asked(old) == today
    assert {str(warning.message) for warning in seen} == {
        f"iqbo.Policy: keyword {name} is now {new}; the old name works until 0.3"
        for name, new in (("x", "targets"), ("a", "queries"), ("kind", "policy"))}
    assert all(warning.filename == __file__ for warning in seen)
    with pytest.raises(TypeError, match="Policy: kind and policy given, expected policy alone"):
        iqbo.Policy(X, X, kind="ei", policy="ei", **given)


def test_old_keywords_of_schedules_and_flat_queries():
    window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.columns([0]), iqbo.conditionals.QueryMap.columns([1]))
    given = dict(prior=iqbo.Posterior(iqbo.Rbf(), window), schedule=iqbo.theory.ResolutionSchedule.constant(0.1), noise_var=0.1)
    with pytest.warns(DeprecationWarning, match="iqbo.ScheduledUcb: keyword x is now targets"):
        iqbo.policies.ScheduledUcb(x=X, **given)
    with pytest.warns(DeprecationWarning, match="iqbo.FlatQueries.setting: keyword x is now targets"):
        assert set(iqbo.policies.FlatQueries(X, [0.1]).setting(x=X)) >= {"targets", "queries", "conditional"}


def test_recommend_is_best():
    policy = iqbo.Policy(X, X, WINDOW, kernel=iqbo.Rbf(1.0, 0.3), noise_var=0.01)
    study = iqbo.Study(targets=X, queries=X, conditional=WINDOW, kernel=iqbo.Rbf(1.0, 0.3), noise_sd=0.1)
    for thing, name in ((policy, "Policy"), (study, "Study")):
        with pytest.warns(DeprecationWarning, match=f"iqbo.{name}.recommend is now iqbo.{name}.best"):
            assert np.array_equal(thing.recommend().x, thing.best().x)


def test_refusals_of_a_policy_name_its_arguments():
    with pytest.raises(ValueError, match=r"targets: shape \(1, 1, 1\)"):
        iqbo.Policy([[[0.0]]], X, WINDOW)
    with pytest.raises(ValueError, match="queries: row 0"):
        iqbo.Policy(X, [np.nan], WINDOW)
    window = iqbo.GaussianConditional(iqbo.conditionals.QueryMap.columns([0]), iqbo.conditionals.QueryMap.columns([1]))
    with pytest.raises(ValueError, match="targets: "):
        iqbo.policies.ScheduledUcb(iqbo.Posterior(iqbo.Rbf(), window), "abc", iqbo.theory.ResolutionSchedule.constant(0.1), 0.1)


# --- pickles of version 0.1: their classes are said to be in iqbo, and policies to be made with x, a and kind ---

ANSWERS = {
    "FlatQueries": lambda thing: thing.a.points, "Figure.study": lambda figure: figure.grid,
    "Maximum": lambda best: best.queries, "Policy.flat": lambda policy: policy.suggest().queries,
    "Recommendation": lambda best: best.x, "RecommendationRecord": lambda best: best.x, "ScheduledUcb": lambda ucb: ucb.best(),
    "Snapshot": lambda snapshot: snapshot.x.mean, "StudyStatus": lambda status: [status.told],
    "Suggestion": lambda suggestion: suggestion.queries, "Trial": lambda trial: trial.query,
}


@pytest.mark.parametrize("name", GOLDEN)
def test_old_pickles_load(name):
    import test_pickle  # which says what the other objects are asked

    answers = ANSWERS.get(name) or test_pickle.CASES[name][1]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        thing = pickle.loads(base64.b64decode(GOLDEN[name]["pickle"]))
    assert type(thing).__name__ == GOLDEN[name]["type"] and homes_of(GOLDEN[name]["type"])
    np.testing.assert_allclose(np.ravel(np.asarray(answers(thing), float)), GOLDEN[name]["answers"], rtol=1e-6, atol=1e-8)


def test_pickles_of_today_say_where_a_class_is_at_home():
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        data = pickle.dumps(iqbo.kernels.Matern32(1.0, 0.2))
        assert b"iqbo.kernels" in data and pickle.loads(data) == iqbo.kernels.Matern32(1.0, 0.2)

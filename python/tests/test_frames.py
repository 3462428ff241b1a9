"""DataFrames out."""
import iqbo
import numpy as np
import pytest

pandas = pytest.importorskip("pandas")
POST = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1)).condition([0.3, 0.7], [0.2, 1.0], 0.01)


def test_beliefs_and_tables():
    shown = iqbo.frame(POST.f([0.0, 0.5]))
    assert shown.columns.tolist() == ["mean", "var"]
    np.testing.assert_array_equal(shown.to_numpy().T, list(POST.f([0.0, 0.5])))
    run = iqbo.replicate(iqbo.Entry(iqbo.problem("two-peaks"), "random", steps=3), seed=1)
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
                       kernel=iqbo.Rbf(1.0, 0.2), noise=0.1, seed=1)
    study.tell(study.ask(), 1.5, noise_sd=0.2)
    study.ask()
    table = iqbo.frame(study)
    assert table.columns.tolist() == ["trial", "name", "east", "value", "noise_sd", "cost", "state", "policy", "score"]
    assert table.value[0] == 1.5 and table.noise_sd[0] == 0.2 and np.isnan(table.value[1])
    assert table.state.tolist() == ["told", "pending"] and set(table.name) <= {"n", "m", "s"}
    beliefs = iqbo.frame(study.snapshot().a)
    assert beliefs.columns.tolist() == ["name", "c0", "mean", "sd"] and beliefs.name.tolist() == ["n", "m", "s"]

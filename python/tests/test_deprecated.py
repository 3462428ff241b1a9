"""Names that have become others go on working for a version, and say so."""
import numpy as np
import pytest

import iqbo


@pytest.mark.parametrize("old, new", [("Outcome", "Answer"), ("FitRecord", "Hyperparameters"), ("ParameterRecord", "FittedParameter")])
def test_old_names_mean_the_new_ones(old, new):
    home = iqbo.studies if new == "Answer" else iqbo.posteriors
    with pytest.warns(DeprecationWarning, match=f"iqbo.{old} moved to {home.__name__}.{new}"):
        assert getattr(iqbo, old) is getattr(home, new)


def test_a_name_that_never_was_is_missing():
    with pytest.raises(AttributeError, match="Outcom"):
        iqbo.Outcom


def test_the_outcome_of_a_trial_is_its_answer():
    study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise_sd=0.1,
                       conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
    study.tell(study.ask(), 1.5)
    with pytest.warns(DeprecationWarning, match="Trial.answer"):
        assert study.trials[0].outcome == iqbo.studies.Answer(value=1.5)


def test_keys_of_the_spec_go_by_their_old_names(tmp_path):
    given = dict(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), conditional=iqbo.GaussianConditional(sd=0.1),
                 kernel=iqbo.Rbf(1.0, 0.3))
    with pytest.warns(DeprecationWarning, match="Study: keyword noise is now noise_sd"):
        study = iqbo.Study(location=tmp_path / "s.db", noise=0.1, **given)
    assert study.spec["noise_sd"] == 0.1
    for old, new in (("target", "targets"), ("query", "queries"), ("noise", "noise_sd")):
        with pytest.warns(DeprecationWarning, match=f"key {old} is now {new}"):
            assert study.spec[old] == study.spec[new]
    with pytest.raises(KeyError, match="quarry"):
        study.spec["quarry"]
    with pytest.raises(TypeError, match="noise and noise_sd given, expected noise_sd alone"):
        iqbo.Study(noise=0.1, noise_sd=0.1, **given)


def test_a_study_of_version_1_goes_on_by_keywords_of_today(tmp_path):
    given = dict(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), conditional=iqbo.GaussianConditional(sd=0.1),
                 kernel=iqbo.Rbf(1.0, 0.3), noise_sd=0.1, seed=1)
    now = iqbo.Study(**given)
    old = {{"targets": "target", "queries": "query", "noise_sd": "noise"}.get(key, key): value for key, value in now.spec.items()}
    old["version"] = 1
    old["target"]["points"], old["query"]["points"] = "target.csv", "query.csv"
    files = {"target.csv": now.files["targets.csv"], "query.csv": now.files["queries.csv"]}
    place = tmp_path / "old.db"
    iqbo.Study(old, place, files=files).run(lambda a: a[0], trials=3)
    assert iqbo.Study(location=place, **given).status().told == 3
    assert [t.query.tolist() for t in iqbo.Study(place).trials] == [t.query.tolist() for t in first(now, 3)]
    with pytest.raises(ValueError, match="spec: is not that of the study"):
        iqbo.Study(location=place, **{**given, "noise_sd": 0.2})


def first(study, trials):
    study.run(lambda a: a[0], trials=trials)
    return study.trials


def test_centres_go_by_their_old_name():
    with pytest.warns(DeprecationWarning, match="FlatQueries: keyword places is now centres"):
        flat = iqbo.policies.FlatQueries(places=[0.3, 0.6], resolutions=[0.1, 0.2])
    with pytest.warns(DeprecationWarning, match="FlatQueries.places is now iqbo.FlatQueries.centres"):
        assert flat.places([[0.3, 0.1]]).tolist() == [[0.3]]
    with pytest.warns(DeprecationWarning, match="keyword over_places is now over_centres"):
        flat.kernel(over_places=iqbo.Rbf(1.0, 0.2), over_resolutions=iqbo.Rbf(1.0, 0.2))

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
    study = iqbo.Study(targets=np.linspace(0, 1, 9), queries=np.linspace(0, 1, 5), seed=1, noise=0.1,
                       conditional=iqbo.GaussianConditional(sd=0.1), kernel=iqbo.Rbf(1.0, 0.3))
    study.tell(study.ask(), 1.5)
    with pytest.warns(DeprecationWarning, match="Trial.answer"):
        assert study.trials[0].outcome == iqbo.studies.Answer(value=1.5)

"""Counts and proportions: told, predicted, maximised; and the posterior against one that SciPy integrates."""
import pickle

import numpy as np
import pytest
from scipy import integrate, stats

import iqbo


def study_of_counts(**more):
    return iqbo.Study(targets=np.linspace(0, 1, 20), queries=np.linspace(0, 1, 8), answers="poisson", seed=1,
                      conditional=iqbo.UniformConditional(half_width=0.1), value={"name": "rate", "per": 1000}, **more)


def test_a_study_takes_counts_and_states_rates():
    study = study_of_counts(exposure=np.arange(1.0, 9.0) * 1000)
    trial = study.ask()
    study.tell(trial, count=0, exposure=500)
    study.tell(study.ask(), count=12)
    answer = study.trials[1].answer
    assert answer.count == 12 and answer.exposure % 1000 == 0 and answer.value == pytest.approx(12e3 / answer.exposure)
    assert "12 of" in repr(study.trials[1])
    assert study.best().low > 0
    forecast = study.predict_counts([[0.5]], exposure=[2000])
    assert forecast.exposure[0] == 2000 and forecast.low[0] <= forecast.mean[0] <= forecast.high[0]
    said = study.predict_g([[0.5]])
    mean, sd = said
    assert mean[0] == said.mean[0] and 0 < said.low[0] < said.high[0]


def test_what_is_no_count_is_refused():
    study = study_of_counts()
    trial = study.ask()
    for given, word in ((dict(value=1.5), "count"), (dict(count=-1, exposure=2), "count"), (dict(count=1.5, exposure=2), "whole"),
                        (dict(count=1), "exposure"), (dict(count=1, exposure=0), "exposure")):
        with pytest.raises(ValueError, match=word):
            study.tell(trial, **given)
    with pytest.raises(TypeError, match="one of them"):
        study.tell(trial, 1.0, count=1, exposure=2)


def test_run_takes_a_count_and_its_exposure():
    study = study_of_counts()
    rng = np.random.default_rng(3)
    best = study.run(lambda a: (rng.poisson(1000 * 0.01 * np.exp(2 * a[0])), 1000), trials=7)
    assert best.low > 0 and study.status().told == 7
    pandas = pytest.importorskip("pandas")
    table = iqbo.frame(study)
    assert isinstance(table, pandas.DataFrame) and (table.exposure == 1000).all() and (table.value == table["count"]).all()
    other = study_of_counts()
    assert other.import_observations(table) == 7


def test_a_policy_takes_counts_and_can_be_pickled():
    policy = iqbo.Policy(np.linspace(0, 1, 20), np.linspace(0, 1, 8), iqbo.UniformConditional(half_width=0.1), answers="binomial",
                         exposure=50, link="logit", seed=2)
    policy.observe([0.0, 0.5, 1.0], count=[3, 20, 9], exposure=50)
    again = pickle.loads(pickle.dumps(policy))
    assert again.link == "logit" and (again.suggest().queries == policy.suggest().queries).all()
    mean, var = policy.rates_f(np.linspace(0, 1, 20))
    assert (mean > 0).all() and (mean < 1).all()
    with pytest.raises(ValueError, match="row 0"):
        policy.observe([0.0], count=[51], exposure=[50])
    with pytest.raises(ValueError, match="poison"):
        iqbo.Policy(np.linspace(0, 1, 9), np.linspace(0, 1, 5), iqbo.GaussianConditional(sd=0.1), answers="poison")


def test_maximize_counts():
    rng = np.random.default_rng(1)
    best = iqbo.maximize(lambda a: (rng.poisson(200 * np.exp(-((a[0] - 0.6) / 0.2) ** 2)), 100), answers="poisson", budget=8,
                         conditional=iqbo.GaussianConditional(sd=0.03), queries=np.linspace(0, 1, 15), targets=np.linspace(0, 1, 15))
    assert abs(best.x[0] - 0.6) < 0.2 and best.low > 0


# One point, so that the posterior of eta is an integral over a line.
def test_the_posterior_is_that_of_an_integral():
    prior = iqbo.Posterior(iqbo.Rbf(0.5, 1.0), iqbo.GaussianConditional(sd=0.0), mean=np.log(0.02))
    post = iqbo.likelihoods.LinkedPosterior(prior, [0.0], count=[7], exposure=200, answers="poisson", link="log")

    def weight(eta, power=0):
        return stats.norm.pdf(eta, np.log(0.02), np.sqrt(0.5)) * stats.poisson.pmf(7, 200 * np.exp(eta)) * np.exp(power * eta)

    total, first, second = (integrate.quad(weight, -9, 1, args=(power,))[0] for power in (0, 1, 2))
    mean, var = post.f([0.0])
    sd = np.sqrt(second / total - (first / total) ** 2)
    assert abs(mean[0] - first / total) < 0.03 * sd
    assert np.sqrt(var[0]) == pytest.approx(sd, rel=0.08)
    assert post.log_evidence == pytest.approx(np.log(total), abs=0.05)
    assert post.settled and post.iterations <= 40


def test_what_is_no_count_fails_its_trial():
    for wrong, words in (((1, 2, 3), r"measure\(trial\): \(1, 2, 3\), expected a count, or \(count, exposure\)"), ((1,), "expected a count, or"),
                         (None, "value: None"), ("many", "count: 'many'"), ((3, 0), "exposure 0")):
        study = study_of_counts(exposure=100)
        with pytest.raises(ValueError, match=words) as refused:
            study.run(lambda a: wrong, trials=2)
        (trial,) = study.trials
        assert trial.state == "failed" and str(refused.value) in trial.reason.replace('\\', "")
    study.run(lambda a: np.array(3), trials=1)
    assert study.trials[-1].answer.count == 3


@pytest.mark.parametrize("names", [("count", "exposure"), ("cases", "population"), ("clicks", "impressions")])
def test_rows_without_a_count_are_left_out(names):
    pandas = pytest.importorskip("pandas")
    table = pandas.DataFrame({"id": ["1", "2"], names[0]: [np.nan, 2], names[1]: [100.0, 200.0]})
    study = study_of_counts()
    assert study.import_observations(table) == 1 and study.status().imported == 1

"""Fits are announced by logging, and can be asked for."""
import logging
import subprocess
import sys

import iqbo
import numpy as np


def fitted():
    study = iqbo.Study(targets=np.linspace(0, 1, 21), queries=np.linspace(0, 1, 9), conditional=iqbo.UniformConditional(half_width=0.1), seed=1)
    for i in range(5):
        study.tell(study.ask(), float(np.sin(3 * i)))
    return study


def test_fits_are_announced_and_can_be_asked_for(caplog):
    study = fitted()
    with caplog.at_level(logging.INFO, logger="iqbo"):
        made = study.fit()
    said = [record.getMessage() for record in caplog.records if record.name == "iqbo"]
    assert made is not None and made.noise_var > 0
    assert said[0] == "fitting the model to 5 answers" and said[1].startswith("fitting the model to 5 answers took ")
    caplog.clear()
    with caplog.at_level(logging.INFO, logger="iqbo"):
        study.best()
    assert not caplog.records, "the fit was made before"


def test_nobody_who_does_not_listen_is_told(caplog):
    fitted().fit()
    assert not [record for record in caplog.records if record.name == "iqbo"]


def test_an_interpreter_ends_in_peace():
    done = subprocess.run([sys.executable, "-c", "import iqbo, numpy; iqbo.LearnedConditional(2 * numpy.arange(9.0), numpy.arange(9.0))"],
                          capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (0, "")

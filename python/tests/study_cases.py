"""A study to try, and what answers it."""
import iqbo
import numpy as np

X, A = np.linspace(0, 1, 40), np.linspace(0.05, 0.95, 16)
WINDOW = iqbo.UniformConditional(half_width=0.08)
GIVEN = dict(targets=X, queries=A, conditional=WINDOW, kernel=iqbo.Rbf(1.0, 0.15), noise_sd=0.02, seed=3)


def measure(trial):
    return float(np.exp(-0.5 * ((trial.query[0] - 0.6) / 0.15) ** 2))

"""Test problems with known optima.

>>> iqbo.problems.problem("two-peaks").noise_sd > 0
True
"""
from iqbo._iqbo.problems import *  # noqa: F401,F403

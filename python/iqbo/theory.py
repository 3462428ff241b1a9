"""Theorems about regret: bounds, information gains, coverage and schedules of resolutions.

>>> round(iqbo.theory.beta(1.0, 100, 0.1), 4)
13.8155
"""
from iqbo._iqbo.theory import *  # noqa: F401,F403

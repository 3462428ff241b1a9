"""Scores of queries, as classes and as functions of arrays.

>>> iqbo.acquisition.cmes([0.0, 0.5], [1.0, 0.5], fstar=[1.0, 1.5]).shape
(2,)
"""
from iqbo._iqbo.acquisition import *  # noqa: F401,F403

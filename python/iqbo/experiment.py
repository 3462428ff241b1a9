"""Comparisons of policies: paired replications, regrets, and the conclusions they allow.

>>> interval = iqbo.experiment.paired_difference([1.0, 1.1, 0.9], [2.0, 2.2, 2.1])
>>> iqbo.experiment.is_smaller(interval)
'holds'
"""
from iqbo._iqbo.experiment import *  # noqa: F401,F403

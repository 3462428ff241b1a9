"""Loops: from the answers so far to the next query, and to the recommendation.

>>> iqbo.policies.policy_names()[:3]
['random', 'max-variance', 'cmes']
"""
from iqbo._iqbo.policies import *  # noqa: F401,F403
from iqbo._maximize import Maximum, maximize  # noqa: F401

Maximum.__module__ = maximize.__module__ = __name__

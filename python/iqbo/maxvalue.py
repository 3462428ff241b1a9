"""Samples of f* = max f, which entropy searches need.

>>> post = iqbo.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> iqbo.maxvalue.sample_max(post, np.linspace(0, 1, 20), n=5, seed=1).values.shape
(5,)
"""
from iqbo._iqbo.maxvalue import *  # noqa: F401,F403

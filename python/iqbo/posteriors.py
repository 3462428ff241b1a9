"""What answers say about f and g: posteriors, fits of hyperparameters, ensembles, and beliefs about listed points.

>>> post = iqbo.posteriors.Posterior(iqbo.Rbf(1.0, 0.2), iqbo.UniformConditional(half_width=0.1))
>>> post.condition([0.5], [1.0], noise_var=0.01).f([0.5]).mean.round(3)
array([1.027])
"""
from iqbo._iqbo.posteriors import *  # noqa: F401,F403

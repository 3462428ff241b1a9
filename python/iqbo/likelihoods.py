"""What answers are: measured averages, counts, proportions; and f = h(eta), positive or between 0 and 1.

>>> iqbo.likelihoods.likelihood_names()
['gaussian', 'poisson', 'negative-binomial', 'binomial']
"""
from iqbo._iqbo.likelihoods import *  # noqa: F401,F403

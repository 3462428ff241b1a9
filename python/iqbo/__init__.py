"""Optimise what you can only measure as averages.

You want the x where f is largest, but may only ask queries a, and what comes back is z = E[f(X) | A = a] + noise.

>>> k = iqbo.Rbf(variance=1.0, lengthscale=0.2)
>>> cond = iqbo.UniformConditional(half_width=0.1)               # a query averages f over a +- 0.1
>>> post = iqbo.Posterior(k, cond).condition([0.2, 0.5, 0.8], [0.1, 0.9, 0.1], noise_var=1e-4)
>>> mean, var = post.f(np.linspace(0, 1, 101))                   # what that says about f itself
>>> int(mean.argmax())
50
"""
from iqbo import _iqbo
from iqbo._iqbo import *  # noqa: F401,F403
from iqbo import plot  # noqa: F401
from iqbo._frames import frame  # noqa: F401
from iqbo._maximize import Maximum, maximize  # noqa: F401

for _thing in vars(_iqbo).values():
    if isinstance(_thing, type):
        _thing.__module__ = "iqbo"  # where people find it, and pickles look for it
del _thing
from iqbo._study import Study  # noqa: E402

Study.__module__ = "iqbo"

"""Where inputs and queries come from: boxes, lists, mixtures of both, and trees of cells with a budget.

>>> tree = iqbo.spaces.QueryTree(iqbo.QueryBox([0.0], [1.0]), l_max=2)
>>> [len(tree.nodes_at(level)) for level in range(3)]
[1, 2, 4]
"""
from iqbo._iqbo.spaces import *  # noqa: F401,F403

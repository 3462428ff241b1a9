"""Which inputs a query averages over: p(x|a), known or learned from logged pairs.

>>> bags = iqbo.conditionals.BagConditional(points=[0.0, 1.0, 2.0], weight=[[1, 1, 0], [0, 1, 1]])
>>> bags.nu(lambda x: x[:, 0], [0, 1])       # the mean of x in each bag
array([0.5, 1.5])
"""
from iqbo._iqbo.conditionals import *  # noqa: F401,F403

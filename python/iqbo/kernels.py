"""Kernels of f, sums and products of them, and prior means.

>>> k = iqbo.kernels.Matern32(1.0, 0.2) + iqbo.kernels.White(0.01, 1)
>>> k([0.0, 1.0]).shape
(2, 2)
"""
from iqbo._iqbo.kernels import *  # noqa: F401,F403

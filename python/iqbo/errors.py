"""What iqbo raises beside `ValueError` and `TypeError`, which it raises for a user's mistakes.

>>> issubclass(iqbo.errors.NumericalError, ArithmeticError)
True
"""
from iqbo._iqbo.errors import *  # noqa: F401,F403

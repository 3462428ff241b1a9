# Made by tools/python_stubs.py. Do not edit.
from typing import Any, Callable, Iterator, Optional, Sequence, overload

import numpy as np
from numpy.typing import ArrayLike, NDArray

_Array = NDArray[np.float64]

class _Type(type): ...

class NumericalError(ArithmeticError): ...

class StorageError(OSError): ...

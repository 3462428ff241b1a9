# The extension. Its public names are in the submodules of iqbo, which have stubs of their own.
from typing import Any

def __getattr__(name: str) -> Any: ...

"""Long work of the library is announced by the logger "iqbo", at level INFO: logging.basicConfig(level=logging.INFO) shows it."""
import atexit
import logging

from iqbo import _iqbo

_log = logging.getLogger("iqbo")
_log.addHandler(logging.NullHandler())


def _announced(what, seconds):
    if seconds < 0:
        _log.info("%s", what)
    else:
        _log.info("%s took %.2f s", what, seconds)


_iqbo.studies._announce(_announced)
atexit.register(_iqbo.studies._announce, None)  # the library outlives the interpreter

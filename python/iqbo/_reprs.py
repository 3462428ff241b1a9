"""Methods of the extension are no ordinary functions; where Python expects those, they are replaced by such."""
import functools
import inspect

from iqbo import _iqbo


def _plain(method):
    """`pprint`, and with it the repr of scikit-learn's estimators, looks `__repr__` up in a dictionary, so it must have a hash."""
    call = getattr(method, "__func__", method)

    @functools.wraps(call)
    def __repr__(self):
        return call(self)

    return __repr__


for _module in filter(inspect.ismodule, list(vars(_iqbo).values())):
    for _class in filter(inspect.isclass, list(vars(_module).values())):
        if "__repr__" in vars(_class):
            _class.__repr__ = _plain(vars(_class)["__repr__"])

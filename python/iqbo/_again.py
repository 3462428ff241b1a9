"""How pickle makes an object that changes: as it was made, and then what was told to it, in order."""


def made_again(cls, arguments, log):
    out = cls(**arguments)
    for method, told in log:
        getattr(out, method)(**told)
    return out

"""Studies that are stored in a file or a database, the records they return, and DataFrames of these.

>>> iqbo.studies.template_names()
['districts', 'counts', 'tiles', 'trial', 'map', 'carolina', 'tokyo']
"""
from iqbo._frames import frame  # noqa: F401
from iqbo._iqbo.studies import *  # noqa: F401,F403
from iqbo._study import Study  # noqa: F401

Study.__module__ = frame.__module__ = __name__

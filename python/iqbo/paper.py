"""The figures and the claims of the paper.

>>> sorted({finding.about for finding in iqbo.paper.figure5_findings()})
['figure 5']
"""
from iqbo._iqbo.paper import *  # noqa: F401,F403

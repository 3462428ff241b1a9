#!python
"""The command iqbo of a wheel: starts the program, which is in the package."""
import importlib.util
import os
import sys

package = importlib.util.find_spec("iqbo").submodule_search_locations[0]  # found, not imported: that would take longer than most commands
program = os.path.join(package, "bin", "iqbo")
os.execv(program, sys.argv)

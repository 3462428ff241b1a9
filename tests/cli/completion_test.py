#!/usr/bin/env python3
"""What bash completes, in the real program. IQBO_PROGRAM: the program."""
import subprocess
import sys
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import iqbo


class Completion(unittest.TestCase):
    def test_bash_completion(self):
        def completed(*words):
            script = f"{iqbo('completion')[0]}\nCOMP_WORDS=(iqbo {' '.join(words)} ''); COMP_CWORD={len(words)}; _iqbo; "
            done = subprocess.run(["bash", "-c", script + "echo ${COMPREPLY[@]}"], capture_output=True, text=True)
            return done.stdout.split()

        self.assertEqual(completed("stat"), ["status"])
        self.assertEqual(sorted(completed("new", "--template", "t")), ["tiles", "tokyo", "trial"])
        self.assertEqual(completed("export", "--what", "s"), ["snapshot", "spec"])
        self.assertEqual(completed("bench", "--policies", "ckg"), ["ckg"])
        self.assertEqual(completed("paper", "fig"), ["fig1", "fig2", "fig3", "fig4", "fig5"])
        self.assertIn("branin-linear", completed("bench", "branin"))
        self.assertNotIn("--json", completed("ask", "--study", "''"))
        self.assertEqual(completed("export", "--what", "=", "s"), ["snapshot", "spec"])
        self.assertEqual(completed("bench", "--policies", "auto,ckg"), ["auto,ckg"])


if __name__ == "__main__":
    unittest.main()

"""Run the tutorials: every command and program of docs/tutorials, in order, in an empty folder.

A block marked console holds commands after "$ " (continued after "> ") and what they print. "..." stands for any text, also
over several lines. Blocks marked python are one program, whose output is not shown by the page.

  IQBO_PROGRAM=build/dev/apps/cli/iqbo python3 tests/docs/tutorials_test.py [name ...]
"""
import os
import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGES = ROOT / "docs/tutorials"
BLOCK = re.compile(r"^```(console|python)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
END = "--- the command has ended with code"


def commands(block):
    """Pairs of a command and what the page says that it prints."""
    pairs = []
    for line in block.splitlines():
        if line.startswith("$ "):
            pairs.append([line[2:], []])
        elif line == ">" or line.startswith("> "):
            pairs[-1][0] += "\n" + line[2:]
        else:
            pairs[-1][1].append(line)
    return [(command, "\n".join(shown)) for command, shown in pairs]


def agrees(shown, printed):
    pattern = ".*?".join(re.escape(part) for part in shown.strip().split("..."))
    return re.fullmatch(pattern, printed.strip(), re.DOTALL) is not None


class Shell:
    """One bash for the whole page, so that variables and folders last."""

    def __init__(self, folder):
        program = Path(os.environ["IQBO_PROGRAM"]).absolute()
        environment = dict(os.environ, PATH=f"{program.parent}:{os.environ['PATH']}", LC_ALL="C.UTF-8")
        environment.pop("IQBO_STUDY", None)
        self.process = subprocess.Popen(["bash"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                        cwd=folder, env=environment, text=True)

    def run(self, command):
        self.process.stdin.write(f"{command}\necho \"\n{END} $?\"\n")
        self.process.stdin.flush()
        printed = ""
        for line in self.process.stdout:
            if line.startswith(END):
                return printed, int(line.split()[-1])
            printed += line
        raise AssertionError(f"the shell ended: {printed}")

    def close(self):
        self.process.stdin.close()
        self.process.wait(timeout=60)
        self.process.stdout.close()


class Tutorials(unittest.TestCase):
    def follow(self, page):
        text = page.read_text()
        with tempfile.TemporaryDirectory() as folder:
            shell = Shell(folder)
            self.addCleanup(shell.close)
            programs = ""
            for kind, block in BLOCK.findall(text):
                if kind == "python":
                    programs += block
                    continue
                for command, shown in commands(block):
                    printed, code = shell.run(command)
                    self.assertEqual(code, 0, f"{page.name}: {command}\n{printed}")
                    self.assertTrue(agrees(shown, printed), f"{page.name}: {command}\nprints\n{printed}\nnot\n{shown}")
            if programs:
                subprocess.run([sys.executable, "-c", programs], cwd=folder, check=True, stdout=subprocess.DEVNULL)

    def test_the_check_notices_a_changed_word(self):
        self.assertTrue(agrees("trial 0: ask ...\n...", "trial 0: ask d4\nthen: tell"))
        self.assertFalse(agrees("trial 1: ask ...", "trial 0: ask d4"))
        self.assertEqual(commands("$ a <<'X'\n> b\n> X\nc\n$ d\n"), [("a <<'X'\nb\nX", "c"), ("d", "")])

    def test_every_page(self):
        pages = sorted(PAGES.glob("*.md"))
        self.assertGreaterEqual(len(pages), 5)
        for page in pages:
            with self.subTest(page.name):
                self.follow(page)


if __name__ == "__main__":
    unittest.main()

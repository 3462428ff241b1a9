"""tools/tidy.py must check what changed, remember what passed, and say what it did not reach."""
import json
import os
import stat
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools/tidy.py"

TREE = {
    ".clang-tidy": "Checks: '*'\n",
    "include/iqbo/core/deep.hpp": "int deep();\n",
    "src/core/near.hpp": '#include "iqbo/core/deep.hpp"\n',
    "src/core/one.cpp": '#include "near.hpp"\n',
    "src/core/two.cpp": "int two();\n",
    "apps/cli/deep.cpp": '#include "iqbo/core/deep.hpp"\n',
    "tests/core/one_test.cpp": '#include "iqbo/core/deep.hpp"\n',
}

# In place of clang-tidy: writes down which files it is given, and finds fault with the word "bad".
FAKE = """#!/bin/sh
for file; do :; done
echo "$(basename "$file")" >> "$SEEN"
[ -z "$SLOW" ] || sleep "$SLOW"
if grep -q bad "$file"; then echo "$file:1: error: bad"; exit 1; fi
"""


class Tidy(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name, "tree")
        self.bin, self.seen = Path(folder.name, "bin"), Path(folder.name, "seen")
        self.bin.mkdir()
        fake = self.bin / "clang-tidy-14"
        fake.write_text(FAKE)
        fake.chmod(fake.stat().st_mode | stat.S_IXUSR)
        for name, text in TREE.items():
            self.write(name, text)
        commands = [{"file": str(self.tree / name)} for name in TREE if name.endswith(".cpp")]
        self.write("build/compile_commands.json", json.dumps(commands))
        self.write(".gitignore", "build/\n")
        self.git("init", "-q", "-b", "main")
        self.commit()

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], cwd=self.tree, check=True)

    def commit(self):
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "c")

    def run_it(self, *arguments, slow=""):
        """Exit code, what was said, and the names of the files that clang-tidy saw."""
        self.seen.write_text("")
        environment = {**os.environ, "PATH": f"{self.bin}:{os.environ['PATH']}", "SEEN": str(self.seen), "SLOW": slow}
        done = subprocess.run([sys.executable, SCRIPT, "build", "--jobs", "1", *arguments], cwd=self.tree, env=environment,
                              capture_output=True, text=True)
        self.assertEqual(done.stderr, "")
        return done.returncode, done.stdout, sorted(self.seen.read_text().split())

    def test_a_first_commit_has_nothing_to_be_compared_with(self):
        code, said, seen = self.run_it("--since", "main")
        self.assertEqual((code, seen), (0, []))
        self.assertIn("nothing is known to have changed", said)

    def test_changed_sources_are_checked_until_they_pass(self):
        self.write("src/core/two.cpp", "int bad();\n")
        code, said, seen = self.run_it("--since", "main")
        self.assertEqual((code, seen), (1, ["two.cpp"]))
        self.assertIn("two.cpp:1: error: bad", said)
        self.assertIn("1 files checked, 1 with findings", said)
        self.write("src/core/two.cpp", "int good();\n")
        self.assertEqual(self.run_it("--since", "main")[::2], (0, ["two.cpp"]))
        self.assertEqual(self.run_it("--since", "main")[::2], (0, []))  # it passed
        self.commit()
        self.write("build/tidy/src_core_two.cpp", "another digest")
        self.assertEqual(self.run_it("--since", "main")[::2], (0, ["two.cpp"]))  # the last commit, if nothing came after it

    def test_a_changed_header_is_checked_with_a_source_that_includes_it(self):
        self.write("include/iqbo/core/deep.hpp", "int deeper();\n")
        self.assertEqual(self.run_it("--since", "main")[2], ["deep.cpp"])  # of the same name
        self.write("src/core/near.hpp", '#include "iqbo/core/deep.hpp"\nint x();\n')
        self.assertEqual(self.run_it("--since", "main")[2], ["one.cpp"])  # which includes both

    def test_all_are_checked_again_if_a_header_deep_below_changes(self):
        self.assertEqual(self.run_it("--all")[2], ["deep.cpp", "one.cpp", "two.cpp"])
        self.assertEqual(self.run_it("--all")[2], [])
        self.write("include/iqbo/core/deep.hpp", "int deeper();\n")
        self.assertEqual(self.run_it("--all")[2], ["deep.cpp", "one.cpp"])
        self.write(".clang-tidy", "Checks: '-*'\n")
        self.assertEqual(self.run_it("--all")[2], ["deep.cpp", "one.cpp", "two.cpp"])

    def test_what_was_not_reached_is_said(self):
        for name in ("one", "two"):
            self.write(f"src/core/{name}.cpp", f"int {name}_();\n")
        code, said, seen = self.run_it("--since", "main", "--seconds", "0.2", slow="2")
        self.assertEqual((code, seen), (0, ["one.cpp"]))
        self.assertIn("0 files checked, 0 with findings; not reached in 0.2 s: src/core/one.cpp src/core/two.cpp", said)


if __name__ == "__main__":
    unittest.main()

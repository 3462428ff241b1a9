"""tools/changed.py must find the rooms and headers that a change touches, and nothing else."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools/changed.py"

TREE = {
    "tools/layers.txt": "# comment: not a room\ncore:   # all\nkernel: core\npolicy: core kernel\n",
    "include/iqbo/core/deep.hpp": "int deep();\n",
    "include/iqbo/core/other.hpp": "int other();\n",
    "include/iqbo/kernel/near.hpp": '#include "iqbo/core/deep.hpp"\n',
    "include/iqbo/policy/far.hpp": '#include "iqbo/kernel/near.hpp"\n',
    "src/kernel/near.cpp": '#include "iqbo/kernel/near.hpp"\n',
    "tests/policy/far_test.cpp": "int test();\n",
    "docs/page.md": "words\n",
}


class Changed(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.tree = Path(folder.name)
        for name, text in TREE.items():
            self.write(name, text)
        self.git("init", "-q", "-b", "main")
        self.git("add", "-A")
        self.git("commit", "-q", "-m", "c")

    def write(self, name, text):
        path = self.tree / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def git(self, *arguments):
        subprocess.run(["git", "-c", "user.name=t", "-c", "user.email=t@t", *arguments], cwd=self.tree, check=True)

    def run_script(self, what, since="HEAD"):
        made = subprocess.run([sys.executable, SCRIPT, what, "--since", since], cwd=self.tree, capture_output=True, text=True)
        self.assertEqual(made.returncode, 0, made.stderr)
        return made.stdout.split(), made.stderr

    def test_nothing_changed(self):
        self.write("docs/page.md", "other words\n")
        self.assertEqual(self.run_script("rooms"), ([], ""))
        self.assertEqual(self.run_script("headers"), ([], ""))

    def test_sources_headers_and_tests_touch_their_room(self):
        self.write("src/kernel/new.cpp", "int added();\n")  # not committed, not even added
        self.write("tests/policy/far_test.cpp", "int other();\n")
        self.assertEqual(self.run_script("rooms")[0], ["kernel", "policy"])
        self.assertEqual(self.run_script("headers")[0], [])

    def test_a_header_touches_all_that_include_it(self):
        self.write("include/iqbo/core/deep.hpp", "long deep();\n")
        self.git("commit", "-q", "-a", "-m", "d")
        self.assertEqual(self.run_script("headers")[0],
                         [f"include/iqbo/{name}.hpp" for name in ("core/deep", "kernel/near", "policy/far")])
        self.assertEqual(self.run_script("rooms")[0], ["core"])

    def test_a_branch_is_compared_with_where_it_left(self):
        self.git("checkout", "-q", "-b", "branch")
        for name in ("src/kernel/near.cpp", "tests/policy/far_test.cpp"):
            self.write(name, "int changed();\n")
            self.git("commit", "-q", "-a", "-m", name)
        self.assertEqual(self.run_script("rooms", "main")[0], ["kernel", "policy"])
        self.assertEqual(self.run_script("rooms", "branch")[0], ["policy"])

    def test_an_unknown_commit_means_everything(self):
        found, said = self.run_script("rooms", "0123456789abcdef0123456789abcdef01234567")
        self.assertEqual(found, ["core", "kernel", "policy"])
        self.assertIn("no common history with 0123456789abcdef", said)
        self.assertEqual(len(self.run_script("headers", "0123456789abcdef0123456789abcdef01234567")[0]), 4)


if __name__ == "__main__":
    unittest.main()

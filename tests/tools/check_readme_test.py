"""The README check must notice one changed byte."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools/check_readme.py"
EXAMPLE = '#include "iqbo/core/points.hpp"\n\nint main() {}\n'


def exit_code(readme):
    with tempfile.TemporaryDirectory() as folder:
        Path(folder, "examples").mkdir()
        Path(folder, "examples/quickstart.cpp").write_text(EXAMPLE)
        Path(folder, "README.md").write_text(readme)
        return subprocess.run([sys.executable, SCRIPT, folder], capture_output=True).returncode


class CheckReadme(unittest.TestCase):
    def test_accepts_the_example(self):
        self.assertEqual(exit_code(f"# iqbo\n```sh\n./dev demo\n```\n\n```cpp\n{EXAMPLE}```\ntext\n"), 0)

    def test_refuses_one_byte_of_difference(self):
        self.assertEqual(exit_code(f"```cpp\n{EXAMPLE.replace('{}', '{ }')}```\n"), 1)
        self.assertEqual(exit_code(f"```cpp\n{EXAMPLE}\n```\n"), 1)

    def test_refuses_a_readme_without_example(self):
        self.assertEqual(exit_code("# iqbo\n"), 1)


if __name__ == "__main__":
    unittest.main()

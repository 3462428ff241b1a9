"""The layers check must pass on a tree in order and name every way of being out of order."""
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "tools/check_layers.py"

TREE = {
    "tools/layers.txt": "# the order\ncore:   # points\nkernel: core  # k\nspace: core\nposterior: core kernel\n",
    "CMakeLists.txt": """
iqbo_room(core HEADERS points.hpp SOURCES points.cpp)
iqbo_room(
  kernel
  DEPENDS core   # DEPENDS posterior
  HEADERS kernel.hpp)
iqbo_room(space DEPENDS core SOURCES box.cpp)
iqbo_room(posterior
  HEADERS posterior.hpp DEPENDS kernel core)
""",
    "tests/CMakeLists.txt": "iqbo_room_tests(core points_test.cpp)\niqbo_room_tests(kernel kernel_test.cpp LINK iqbo_space)\n",
    "include/iqbo/core/points.hpp": "#include <vector>\n",
    "include/iqbo/kernel/kernel.hpp": '#include "iqbo/core/points.hpp"\n',
    "src/posterior/posterior.cpp": '#include "iqbo/posterior/posterior.hpp"\n#include "iqbo/kernel/kernel.hpp"\n',
    "tests/kernel/kernel_test.cpp": '#include "support/tolerance.hpp"\n#include "iqbo/kernel/kernel.hpp"\n',
    "tests/kernel/box_test.cpp": '#include "iqbo/space/box.hpp"\n#include "space/cells.hpp"\n',
    "src/space/box.cpp": '#include "cells.hpp"\n#include "core/nearest.hpp"\n',
    "tests/support/tolerance.hpp": '#include "iqbo/posterior/posterior.hpp"\n',
}


def run(**changes):
    """Exit code and lines of the check on TREE with some files replaced."""
    with tempfile.TemporaryDirectory() as folder:
        for name, text in {**TREE, **changes}.items():
            path = Path(folder, name)
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
        done = subprocess.run([sys.executable, SCRIPT, folder], capture_output=True, text=True)
        return done.returncode, done.stdout.splitlines()


class CheckLayers(unittest.TestCase):
    def refuses(self, file, text, complaint):
        self.assertEqual(run(**{file: text}), (1, [complaint]))

    def test_accepts_a_tree_in_order(self):
        self.assertEqual(run(), (0, ["4 rooms in order"]))

    def test_refuses_an_upward_include(self):
        self.refuses("include/iqbo/core/points.hpp", '#include "iqbo/kernel/kernel.hpp"\n',
                     "include/iqbo/core/points.hpp: core includes kernel, which its line does not list")

    def test_refuses_a_sideways_include_in_any_spelling(self):
        self.refuses("src/kernel/kernel.cpp", "  #  include <iqbo/space/box.hpp>\n",
                     "src/kernel/kernel.cpp: kernel includes space, which its line does not list")

    def test_refuses_an_upward_include_in_a_test(self):
        self.refuses("tests/kernel/deep/kernel_test.cpp", '#include "iqbo/posterior/posterior.hpp"\n',
                     "tests/kernel/deep/kernel_test.cpp: kernel includes posterior, which its line does not list")

    def test_refuses_a_private_header_of_a_room_that_is_not_listed(self):
        self.refuses("src/kernel/kernel.cpp", '#include "space/cells.hpp"\n',
                     "src/kernel/kernel.cpp: kernel includes space, which its line does not list")

    def test_refuses_a_private_header_in_an_installed_one(self):
        self.refuses("include/iqbo/kernel/kernel.hpp", '#include "core/nearest.hpp"\n',
                     "include/iqbo/kernel/kernel.hpp: an installed header includes one of src/core")

    def test_refuses_in_sources_what_only_tests_link(self):
        self.refuses("src/kernel/kernel.cpp", '#include "iqbo/space/box.hpp"\n',
                     "src/kernel/kernel.cpp: kernel includes space, which its line does not list")

    def test_refuses_an_unknown_room(self):
        self.refuses("src/utils/misc.cpp", "", "src/utils/misc.cpp: room utils is not in layers.txt")

    def test_refuses_an_include_of_an_unknown_room(self):
        self.refuses("src/core/points.cpp", '#include "iqbo/utils/misc.hpp"\n',
                     "src/core/points.cpp: core includes utils, which its line does not list")

    def test_refuses_a_room_that_lists_one_below_it(self):
        layers = TREE["tools/layers.txt"].replace("kernel: core", "kernel: core space")
        code, lines = run(**{"tools/layers.txt": layers})
        self.assertEqual(code, 1)
        self.assertIn("layers.txt:3: kernel lists space, which is not above it", lines)

    def test_refuses_a_cmake_dependency_that_is_not_listed(self):
        targets = TREE["CMakeLists.txt"].replace("space DEPENDS core", "space DEPENDS core kernel")
        self.refuses("CMakeLists.txt", targets, "CMakeLists.txt: space DEPENDS core kernel, layers.txt lists core")

    def test_refuses_a_listed_dependency_that_cmake_lacks(self):
        self.refuses("CMakeLists.txt", TREE["CMakeLists.txt"].replace("DEPENDS kernel core", "DEPENDS core"),
                     "CMakeLists.txt: posterior DEPENDS core, layers.txt lists core kernel")

    def test_refuses_a_room_without_target_and_a_target_without_room(self):
        self.refuses("CMakeLists.txt", TREE["CMakeLists.txt"] + "iqbo_room(report DEPENDS core)\n",
                     "room report: in CMakeLists.txt only")
        self.refuses("tools/layers.txt", TREE["tools/layers.txt"] + "report: core\n", "room report: in layers.txt only")


if __name__ == "__main__":
    unittest.main()

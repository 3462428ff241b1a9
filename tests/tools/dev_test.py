"""./dev on machines we do not have: its commands are faked, its decisions are real."""
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
COMMANDS = ["demo", "test", "build", "bench", "peers", "study", "docs", "wheel", "deb", "archive", "image", "kill-test", "load-test", "sanitize", "fuzz", "format", "style", "headers", "tidy", "lint", "clean", "help"]
PACKAGES = """# comment
[build]
cmake           # builds
libeigen3-dev

[test]
libgtest-dev
[plot]
python3-x
[lint]
tidy-14"""

# Every fake writes what it was called with to $CALLS. dpkg-query knows what $INSTALLED lists.
DPKG_QUERY = 'for p in $INSTALLED; do echo "$p installed"; done; echo "libgtest-dev not-installed"; exit 1'
APT_FAILS_WITHOUT_INDEX = '[ "$4" = update ] && touch index; [ -e index ]'


class Machine:
    """A folder with ./dev in it and nothing on the PATH but the given fakes and some harmless tools."""

    def __init__(self, **fakes):
        self.folder = tempfile.TemporaryDirectory()
        self.tree = Path(self.folder.name, "iqbo")
        self.bin = Path(self.folder.name, "bin")
        self.calls = Path(self.folder.name, "calls")
        (self.tree / "tools").mkdir(parents=True)
        self.bin.mkdir()
        self.calls.touch()
        shutil.copy(ROOT / "dev", self.tree)
        (self.tree / "tools/packages.txt").write_text(PACKAGES)
        for tool in ["bash", "sh", "cat", "cut", "dirname", "env", "grep", "head", "mkdir", "nproc", "rm", "tail", "touch", "uname"]:
            (self.bin / tool).symlink_to(shutil.which(tool))
        defaults = {"cmake": "", "ctest": "", "apt-get": "", "id": "echo 1000", "dpkg-query": DPKG_QUERY}
        for name, body in {**defaults, **{k.replace("_", "-"): v for k, v in fakes.items()}}.items():
            if body is not None:
                (self.bin / name).write_text(f"#!/bin/sh\nprintf '%s\\n' \"{name} $*\" >>$CALLS\n{body}\n")
                (self.bin / name).chmod(0o755)

    def run(self, *arguments, installed="", **environment):
        env = {"PATH": str(self.bin), "CALLS": str(self.calls), "INSTALLED": installed, "JOBS": "1", **environment}
        return subprocess.run([self.tree / "dev", *arguments], env=env, stdin=subprocess.DEVNULL, capture_output=True,
                              text=True, cwd=self.folder.name)

    def called(self, program):
        return [c for c in self.calls.read_text().splitlines() if c.split()[0] == program]


class Dev(unittest.TestCase):
    def machine(self, **fakes):
        machine = Machine(**fakes)
        self.addCleanup(machine.folder.cleanup)
        return machine

    def test_is_valid_bash(self):
        for script in ["dev", ".ci/run"]:
            subprocess.run(["bash", "-n", ROOT / script], check=True)
            self.assertTrue(os.access(ROOT / script, os.X_OK), script)

    def test_help_explains_each_command(self):
        for arguments in [["help"], ["--help"], []]:
            done = self.machine().run(*arguments)
            self.assertEqual(done.returncode, 0)
            for command in COMMANDS:
                self.assertRegex(done.stdout, rf"(?m)^  {command} +\w")

    def test_unknown_command(self):
        done = self.machine().run("tset")
        self.assertEqual(done.returncode, 2)
        self.assertIn("unknown command 'tset'", done.stderr)

    def test_without_root_lists_what_is_missing_and_changes_nothing(self):
        for sudo in [None, "exit 1"]:
            machine = self.machine(sudo=sudo)
            before = sorted(machine.tree.rglob("*"))
            done = machine.run("test", installed="cmake")
            self.assertEqual(done.returncode, 1)
            self.assertIn("apt-get install --no-install-recommends libeigen3-dev libgtest-dev python3-x\n", done.stderr)
            self.assertIn("Nothing was changed", done.stderr)
            self.assertEqual(sorted(machine.tree.rglob("*")), before)
            self.assertEqual(machine.called("apt-get") + machine.called("cmake"), [])

    def test_root_installs_only_what_is_missing_then_builds(self):
        machine = self.machine(id="echo 0")
        done = machine.run("test", installed="libeigen3-dev")
        self.assertEqual(done.returncode, 0, done.stderr)
        (call,) = machine.called("apt-get")
        self.assertTrue(call.endswith(" install --no-install-recommends cmake libgtest-dev python3-x"), call)
        self.assertEqual(len(machine.called("cmake")), 2)
        self.assertEqual(machine.calls.read_text().splitlines()[-1].split()[0], "ctest")

    def test_sudo_is_used_for_apt_alone(self):
        machine = self.machine(sudo='[ "$1" = -n ] || exec "$@"')
        done = machine.run("build", installed="cmake libeigen3-dev")
        self.assertEqual(done.returncode, 0, done.stderr)
        asked, installed = machine.called("sudo")
        self.assertEqual(asked, "sudo -n true")
        self.assertIn("apt-get -y", installed)
        self.assertTrue(installed.endswith("libgtest-dev"), installed)

    def test_fetches_the_index_once_when_it_is_absent(self):
        machine = self.machine(id="echo 0", apt_get=APT_FAILS_WITHOUT_INDEX)
        done = machine.run("build")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual([c.split()[4] for c in machine.called("apt-get")], ["install", "update", "install"])

    def test_shows_why_apt_failed(self):
        machine = self.machine(id="echo 0", apt_get="echo E: no network; exit 100")
        done = machine.run("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("E: no network", done.stderr)
        self.assertEqual(machine.called("cmake"), [])

    def test_asks_apt_nothing_when_all_is_there(self):
        machine = self.machine()
        self.assertEqual(machine.run("build", installed="cmake libeigen3-dev libgtest-dev").returncode, 0)
        self.assertEqual(machine.called("apt-get"), [])

    def test_demo_builds_without_what_only_tests_need(self):
        node = {"node": "", "npm": ""}
        for installed, tests in [("cmake libeigen3-dev python3-x", "OFF"), ("cmake libeigen3-dev python3-x libgtest-dev", "ON")]:
            machine = self.machine(**node)
            machine.run("demo", installed=installed)
            self.assertEqual(machine.called("apt-get"), [])
            self.assertIn(f"-DIQBO_TESTS={tests}", machine.called("cmake")[0])
        machine = self.machine(**node)
        machine.run("test", installed="cmake libeigen3-dev python3-x libgtest-dev")
        self.assertIn("-DIQBO_TESTS=ON", machine.called("cmake")[0])

    def test_demo_needs_no_linters(self):
        done = self.machine().run("demo")
        self.assertIn("python3-x", done.stderr)
        self.assertNotIn("tidy-14", done.stderr)

    def test_goes_on_without_node(self):
        machine = self.machine()
        with (machine.tree / "tools/packages.txt").open("a") as packages:
            packages.write("\n[web]\nnodejs\nnpm\n")
        done = machine.run("build", installed="cmake libeigen3-dev libgtest-dev")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("apt-get install --no-install-recommends nodejs npm", done.stderr)
        self.assertIn("going on without node", done.stdout)
        for tool in ["node", "npm"]:
            (machine.bin / tool).write_text("#!/bin/sh\n")
            (machine.bin / tool).chmod(0o755)
        done = machine.run("build", installed="cmake libeigen3-dev libgtest-dev")
        self.assertNotIn("nodejs", done.stdout + done.stderr)

    def test_elsewhere_than_debian_says_what_is_needed(self):
        machine = self.machine(dpkg_query=None, apt_get=None)
        done = machine.run("build")
        self.assertEqual(done.returncode, 1)
        self.assertIn("cmake libeigen3-dev libgtest-dev", done.stderr)
        self.assertEqual(machine.run("build", IQBO_PACKAGES="have").returncode, 0)

    def test_arguments_and_failures_of_ctest_pass_through(self):
        machine = self.machine(ctest="exit 8")
        done = machine.run("test", "-R", "kernel", IQBO_PACKAGES="have")
        self.assertEqual(done.returncode, 8)
        self.assertTrue(machine.called("ctest")[0].endswith("-R kernel"))

    def test_study_is_listed_built_and_run_with_its_arguments(self):
        machine = self.machine()
        (machine.tree / "studies").mkdir()
        (machine.tree / "studies/deep.cpp").write_text("// How deep is it?\n")
        for arguments in [[], ["shallow"]]:
            done = machine.run("study", *arguments, IQBO_PACKAGES="have")
            self.assertEqual(done.returncode, len(arguments))
            self.assertRegex(done.stdout + done.stderr, r"deep +How deep is it\?")
        self.assertEqual(machine.called("cmake"), [])
        program = machine.tree / "build/dev/studies/deep"
        program.parent.mkdir(parents=True)
        program.write_text('#!/bin/sh\necho "ran $*"\n')
        program.chmod(0o755)
        done = machine.run("study", "deep", "--draws", "3", IQBO_PACKAGES="have")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ran --draws 3", done.stdout)
        self.assertIn("--target deep", machine.called("cmake")[-1])

    def test_architecture_comes_from_the_environment(self):
        machine = self.machine()
        machine.run("build", IQBO_PACKAGES="have", IQBO_ARCH="native")
        self.assertIn("-DIQBO_ARCH=native", machine.called("cmake")[0])


class Packages(unittest.TestCase):
    def test_every_package_stands_in_a_section_and_only_once(self):
        lines = [line.split("#")[0].strip() for line in (ROOT / "tools/packages.txt").read_text().splitlines()]
        lines = [line for line in lines if line]
        self.assertEqual([line for line in lines if line.startswith("[")], ["[build]", "[test]", "[web]", "[python]", "[plot]", "[lint]", "[docs]", "[packaging]", "[fuzz]", "[fields]"])
        self.assertTrue(lines[0].startswith("["))
        self.assertEqual(len(lines), len(set(lines)))
        self.assertTrue(all(len(line.split()) == 1 for line in lines))


if __name__ == "__main__":
    unittest.main()

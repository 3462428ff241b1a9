"""tools/image.py must read a Containerfile as an engine does, and refuse what it does not follow."""
import importlib.util
import os
import pathlib
import subprocess
import tempfile
import unittest
import unittest.mock

TREE = pathlib.Path(__file__).resolve().parents[2]
spec = importlib.util.spec_from_file_location("image", TREE / "tools/image.py")
image = importlib.util.module_from_spec(spec)
spec.loader.exec_module(image)


class Steps(unittest.TestCase):
    def test_comments_and_continued_lines(self):
        text = "# a comment\nFROM debian:12\n\nRUN one && \\\n    two\nentrypoint [\"iqbo\"]\n"
        self.assertEqual([(word, " ".join(rest.split())) for word, rest in image.steps(text)],
                         [("FROM", "debian:12"), ("RUN", "one && two"), ("ENTRYPOINT", '["iqbo"]')])

    def test_every_step_of_ours_is_known(self):
        words = [word for word, _ in image.steps((TREE / "Containerfile").read_text())]
        self.assertEqual(words, ["FROM", "COPY", "RUN", "WORKDIR", "ENTRYPOINT"])


class Follow(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name, "root")
        self.context = pathlib.Path(folder.name, "context")
        self.context.mkdir()
        (self.context / "a_1.txt").write_text("one")
        self.image = image.Image(self.root, self.context)

    def test_copies_by_pattern_into_the_folder_of_work(self):
        self.image.follow("WORKDIR", "/study")
        self.image.follow("COPY", "a_*.txt in/")
        self.assertEqual((self.root / "study/in/a_1.txt").read_text(), "one")
        with self.assertRaisesRegex(SystemExit, "nothing in .* is called so"):
            self.image.follow("COPY", "b.txt /tmp/")

    def test_environment_and_entry(self):
        self.image.follow("ENV", "A=1 B='two words'")
        self.image.follow("ENTRYPOINT", '["iqbo", "best"]')
        self.assertEqual((self.image.env["B"], self.image.entry), ("two words", ["iqbo", "best"]))

    def test_commands_see_proc_as_in_a_container(self):
        if subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode != 0:
            self.skipTest("mounting needs root")
        for name in ("proc", "usr/bin", "bin", "work"):
            (self.root / name).mkdir(parents=True)
        # A root file system of one program: what env and sh would do is done outside, in place of chroot.
        program = self.context / "chroot"
        program.write_text('#!/bin/sh\nls "$1/proc/self" >/dev/null && cat "$1/proc/uptime" >"$1/work/seen"\n')
        program.chmod(0o755)
        with unittest.mock.patch.dict(os.environ, {"PATH": f"{self.context}:{os.environ['PATH']}"}):
            self.image.follow("RUN", "true")
        self.assertGreater(float((self.root / "work/seen").read_text().split()[0]), 0)
        self.assertEqual(list((self.root / "proc").iterdir()), [])  # the mount was the command's own

    def test_refuses_what_it_does_not_follow(self):
        with self.assertRaisesRegex(SystemExit, "USER: not followed here"):
            self.image.follow("USER", "me")
        with self.assertRaisesRegex(SystemExit, "FROM alpine: cannot be made here"):
            self.image.follow("FROM", "alpine")


if __name__ == "__main__":
    unittest.main()

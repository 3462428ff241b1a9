"""Run the commands of the README and of the how-to pages, and check every option that any page shows.

Blocks marked sh are run in order, in one shell and an empty folder. `./measure` is a program that prints a number; pages that begin
with a study find one in campaign.db. Campaigns are shortened, and servers listen on a free port and end with the page.

  IQBO_PROGRAM=build/dev/apps/cli/iqbo python3 tests/docs/pages_test.py
"""
import functools
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PROGRAM = Path(os.environ["IQBO_PROGRAM"]).absolute()
RUN = ["README.md", "docs/studies.md", "docs/counts.md", "docs/report.md", "docs/serve.md"]
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
ENVIRONMENT = {**os.environ, "PATH": f"{PROGRAM.parent}:{os.environ['PATH']}", "LC_ALL": "C.UTF-8"}
ENVIRONMENT.pop("IQBO_STUDY", None)
WAIT = "for _ in $(seq 100); do curl -s -o answer.json http://127.0.0.1:{port}/api/status && break; sleep 0.1; done; test -s answer.json"


def pages():
    return [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]


def blocks(page, *languages):
    return [text for language, text in BLOCK.findall((ROOT / page).read_text()) if language in languages]


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


def shown_commands(text):
    """Every "iqbo <command> ..." in code: lines of blocks and `inline code`, without what follows # or a pipe."""
    code = [line for _, block in BLOCK.findall(text) for line in block.splitlines()]
    code += re.findall(r"`([^`\n]+)`", BLOCK.sub("", text))
    for line in code:
        for found in re.finditer(r"(?:^|[\s;(])iqbo ([a-z]+)((?: [^#|;]*)?)", line):
            yield found[1], found[2]


@functools.lru_cache(maxsize=None)
def help_of(*command):
    done = subprocess.run([PROGRAM, *command, "--help"], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def unknown_options(text):
    """(command, option) for every option that a page shows and --help does not."""
    for command, rest in shown_commands(text):
        said = help_of(command)
        if said is None:
            yield command, ""
            continue
        sub = rest.split()[:1]
        if command == "paper" and sub and sub[0] in ("decide", "matrix", "table"):
            said += help_of(command, sub[0])
        for option in re.findall(r"(?<=\s)(--[a-z][a-z-]*|-[a-z])(?=[\s=,)]|$)", re.sub(r"'[^']*'|\"[^\"]*\"", "''", rest)):
            if not re.search(rf"(^|[\s,]){re.escape(option)}\b", said, re.MULTILINE):
                yield command, option


class Pages(unittest.TestCase):
    def setUp(self):
        self.folder = Path(tempfile.mkdtemp())
        self.addCleanup(shutil.rmtree, self.folder)
        measure = self.folder / "measure"
        measure.write_text("#!/bin/sh\nprintf '%s' \"$1\" | cksum | cut -c1-2\n")
        measure.chmod(0o755)

    def shell(self, script):
        done = subprocess.run(["bash", "-euo", "pipefail", "-c", script], cwd=self.folder, env=ENVIRONMENT, capture_output=True, text=True,
                              timeout=300)
        self.assertEqual(done.returncode, 0, f"{script}\n{done.stdout}\n{done.stderr}")
        return done.stdout

    def follow(self, page):
        commands = "\n".join(blocks(page, "sh"))
        self.assertIn("iqbo ", commands)
        if "iqbo new" not in commands:
            self.shell("iqbo new --template districts --folder campaign --study campaign.db && iqbo ask -s campaign.db && "
                       "iqbo tell -s campaign.db 0 3.5")
        commands = re.sub(r"--trials \d+", "--trials 8", commands)
        for line in re.findall(r"^iqbo serve.*$", commands, re.MULTILINE):
            port = free_port()
            started = line.split("#")[0].replace("iqbo serve", f"iqbo serve --port {port}").rstrip(" &")
            commands = commands.replace(line, f"{started} &\ntrap 'kill $(jobs -p)' EXIT\n{WAIT.format(port=port)}", 1)
            commands = re.sub(r"127\.0\.0\.1:8080(?=/api/ask)", f"127.0.0.1:{port}", commands) if "token" in line else commands
        return self.shell(commands)

    def test_commands_of_the_pages_run(self):
        for page in RUN:
            with self.subTest(page):
                self.follow(page)
                for left in self.folder.iterdir():
                    if left.name != "measure":
                        shutil.rmtree(left) if left.is_dir() else left.unlink()

    def test_the_study_from_r_finds_the_hot_spot(self):
        if shutil.which("Rscript") is None or subprocess.run(["Rscript", "-e", "library(jsonlite)"], capture_output=True).returncode:
            self.skipTest("no R with jsonlite (Debian: r-base-core, r-cran-jsonlite)")
        (self.folder / "page.R").write_text("".join(blocks("docs/r.md", "r")) + 'cat(best$x$east, best$x$north, "\\n")\n')
        east, north = map(float, self.shell("Rscript page.R").splitlines()[-1].split())
        self.assertLess(abs(east - 8) + abs(north - 3), 3)
        self.assertGreater((self.folder / "map.png").stat().st_size, 1000)

    def test_every_option_that_a_page_shows_exists(self):
        seen = 0
        for page in pages():
            text = page.read_text()
            seen += len(list(shown_commands(text)))
            with self.subTest(page.name):
                self.assertEqual(list(unknown_options(text)), [])
        self.assertGreater(seen, 100)

    def test_the_check_notices_an_unknown_option(self):
        self.assertEqual(list(unknown_options("Run `iqbo ask --soon` or\n\n```sh\niqbo tall 0 1  # --no\n```\n")),
                         [("tall", ""), ("ask", "--soon")])

    def test_documents_of_the_spec_page_are_read(self):
        """The first is a whole spec; the others are the values of a key, put into a spec that has the rest."""
        self.shell("iqbo new --template districts --folder campaign")
        whole, *parts = blocks("docs/spec.md", "json")
        box = {"kind": "box", "axes": [{"name": name, "from": 0, "to": 10} for name in ("east", "north")]}
        window = {"kind": "gaussian", "width": 1}
        specs = [json.loads(whole)]
        for part in map(json.loads, parts):
            if "levels" in part:
                specs.append({"version": 2, "targets": box, "queries": {**box, "tree": part},
                              "conditional": {"kind": "gaussian", "width": "resolution"}})
            elif part["kind"] == "box":
                specs.append({"version": 2, "targets": part, "queries": part, "conditional": window})
            else:
                specs.append({**specs[0], "targets": part})
        self.assertEqual(len(specs), 4)
        for spec in specs:
            (self.folder / "campaign/page.json").write_text(json.dumps(spec))
            self.shell("iqbo new campaign/page.json --dry-run")


if __name__ == "__main__":
    unittest.main()

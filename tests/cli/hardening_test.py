#!/usr/bin/env python3
"""Full disks, endless input, outputs that are no files, damaged studies, clocks that jump, numbers at the edge, limits.

IQBO_PROGRAM: the program; IQBO_CLOCK: a library that shifts the clock of a process (JUMP seconds).
IQBO_LONG=1 runs more of each (./dev attack).
"""
import json
import os
import random
import re
import resource
import signal
import sqlite3
import stat
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import IQBO, fitted_study, given_study, iqbo, large_study, lines, start, told
from case import Case

LONG = os.environ.get("IQBO_LONG") == "1"


def run(*words, timeout=120, limit=None, environment=None, **more):
    """Any exit code: (code, stdout, stderr)."""
    done = subprocess.run([IQBO, *map(str, words)], capture_output=True, timeout=timeout, preexec_fn=limit,
                          env={**os.environ, **(environment or {})}, **more)
    return done.returncode, done.stdout.decode(errors="replace"), done.stderr.decode(errors="replace")


def telling(study, count):
    """Asks and tells `count` trials."""
    for _ in range(count):
        trial = lines(iqbo("ask", "--study", study, "--json")[0])[0]["number"]
        iqbo("tell", "--study", study, trial, trial + 0.5)


class Creation(Case):
    def test_a_full_disk_leaves_nothing(self):
        iqbo("new", "--template", "districts", "--folder", self.folder / "d")
        disk = self.folder / "disk"
        disk.mkdir()
        made = refused = 0
        for kilobytes in range(40, 201, 4):
            if subprocess.run(["mount", "-t", "tmpfs", "-o", f"size={kilobytes}k", "tmpfs", disk],
                              capture_output=True).returncode != 0:
                self.skipTest("mounting needs more rights; tests/storage/creation_test.cpp limits the size of files instead")
            try:
                study = disk / "s.db"
                code, _, err = run("new", self.folder / "d/study.json", "--study", study)
                self.assertIn(code, (0, 2), err)
                if code == 0:
                    made += 1
                    self.assertEqual(run("check", "--study", study)[0], 0)
                else:
                    refused += 1
                    self.assertIn("cannot be created", err)
                    self.assertEqual(os.listdir(disk), [], f"{kilobytes} kB: {err}")
            finally:
                subprocess.run(["umount", disk], check=True)
        self.assertGreater(made, 5)
        self.assertGreater(refused, 2)

    def test_killed_new_leaves_no_files(self):
        iqbo("new", "--template", "districts", "--folder", self.folder / "d")
        place = self.folder / "k"
        place.mkdir()
        for i in range(100 if LONG else 12):
            process = subprocess.Popen([IQBO, "new", self.folder / "d/study.json", "--study", place / f"{i}.db"],
                                       stdout=subprocess.DEVNULL)
            time.sleep(0.002 * i % 0.05)
            process.send_signal(signal.SIGKILL)
            process.wait()
        iqbo("new", self.folder / "d/study.json", "--study", place / "last.db")
        studies = [name for name in os.listdir(place) if name.endswith(".db")]
        for name in os.listdir(place):  # a kill after the study was made leaves SQLite's own files beside it
            self.assertIn(name.removesuffix("-wal").removesuffix("-shm"), studies)
        for name in studies:
            self.assertEqual(run("check", "--study", place / name)[0], 0, name)


class Damage(Case):
    def change(self, statement):
        with sqlite3.connect(self.study) as database:
            database.execute(statement)

    def test_an_edited_answer_is_noticed_by_all(self):
        fitted_study(self.folder, self.study)
        telling(self.study, 4)
        self.assertIn("Everything is as iqbo wrote it", iqbo("check", "--study", self.study)[0])
        self.change("""UPDATE iqbo_event SET body = replace(body, '"value":', '"value":9') WHERE seq = 2""")
        for command in (["ask"], ["best"], ["export"], ["status"], ["log"], ["log", "--after", "3"], ["predict"],
                        ["export", "--what", "spec"], ["export", "--what", "files", "--folder", self.folder / "copy"],
                        ["tell", "0", "9", "--amend"]):
            err = self.refused(["event 2 is damaged", "iqbo check"], *command, "--study", self.study)
            self.assertNotIn("defect", err)
        out, err = iqbo("check", "--study", self.study, check=2)
        self.assertIn("wrong: event 2 was changed after it was written", out)
        self.assertIn("intact: everything about trials 1 to 3", out)
        self.assertIn("in doubt: trials 0", out)
        found = json.loads(iqbo("check", "--study", self.study, "--json", check=2)[0])
        self.assertEqual((found["good"], found["bad_events"], found["bad_trials"]), (False, [2], [0]))

    def test_who_asks_again_for_a_pending_trial_learns_of_damage(self):
        given_study(self.folder, self.study)
        telling(self.study, 2)
        iqbo("ask", "--study", self.study)
        self.change("""UPDATE iqbo_event SET body = replace(body, '"value":', '"value":9') WHERE seq = 2""")
        self.refused(["event 2 is damaged"], "ask", "--study", self.study)

    def test_an_edited_spec_is_noticed_by_all(self):
        given_study(self.folder, self.study)
        telling(self.study, 2)
        self.change("UPDATE iqbo_file SET contents = replace(contents, '0.5', '0.6')")
        for command in (["ask"], ["best"], ["export"], ["status"], ["log", "--after", "1"], ["predict"], ["report", "--json"],
                        ["export", "--what", "spec"], ["export", "--what", "files", "--folder", self.folder / "copy"]):
            self.refused(["the spec or one of its files is damaged"], *command, "--study", self.study)
        self.assertFalse((self.folder / "copy").exists())

    def test_a_deleted_last_event_is_noticed_by_tell(self):
        given_study(self.folder, self.study)
        telling(self.study, 2)
        iqbo("ask", "--study", self.study)
        self.change("DELETE FROM iqbo_event WHERE seq = 5")
        self.refused(["damaged"], "tell", "2", "1", "--study", self.study)
        self.refused(["damaged"], "ask", "--new", "--study", self.study)


    def test_whatever_byte_changes_every_command_says_the_same_or_refuses(self):
        given_study(self.folder, self.study)
        telling(self.study, 4)
        iqbo("tell", "--study", self.study, 1, 9.5, "--amend")
        iqbo("ask", "--study", self.study)
        whole = Path(self.study).read_bytes()
        changed = self.folder / "changed.db"
        commands = (["status"], ["export"], ["export", "--json"], ["export", "--what", "snapshot"], ["export", "--what", "spec"],
                    ["log"], ["log", "--json"], ["best"], ["predict"], ["report", "--json"], ["check"])

        def said(command, data):
            for suffix in ("-wal", "-shm"):
                Path(f"{changed}{suffix}").unlink(missing_ok=True)
            changed.write_bytes(data)
            code, out, err = run(*command, "--study", changed)
            self.assertIn(code, (0, 2), f"{command}: {err}")
            self.assertNotIn("defect", err)
            # Leases have no digest, and when a report was made is no part of the study.
            return re.sub(r'lease [0-9.]+ h|"made":[0-9.]+|"lease_until":[0-9.e+]+', "", out) if code == 0 else None

        expected = [said(command, whole) for command in commands]
        rng = random.Random(22)
        places = [at for at, byte in enumerate(whole) if byte != 0]  # most of the file is empty
        for _ in range(300 if LONG else 4):
            at, bit = rng.choice(places), rng.randrange(8)
            data = whole[:at] + bytes([whole[at] ^ (1 << bit)]) + whole[at + 1:]
            for command, usual in zip(commands, expected):
                self.assertIn(said(command, data), (usual, None), f"{command}: bit {bit} of byte {at}")


class Clock(Case):
    def test_a_clock_that_jumps_measures_nothing_twice(self):
        given_study(self.folder, self.study)
        count = self.folder / "count"
        command = f"sh -c 'echo $IQBO_TRIAL >> {count}; sleep 0.2; echo $IQBO_TRIAL'"
        first = start(self.study, 12, "--lease", "30", command=command)
        time.sleep(0.5)
        words = [IQBO, "run", "--study", self.study, "--command", command, "--trials", "12", "--lease", "30"]
        shifted = {**os.environ, "LD_PRELOAD": os.environ["IQBO_CLOCK"], "JUMP": "86400"}
        second = subprocess.run(words, env=shifted, capture_output=True, text=True, timeout=120)
        first.communicate(timeout=120)
        self.assertEqual(second.returncode, 0, second.stderr)
        self.assertEqual(len(told(self.study)), 12)
        measured = count.read_text().split()
        self.assertEqual(len(measured), len(set(measured)), f"measured twice: {measured}")


class Input(Case):
    def test_endless_input_is_refused(self):
        given_study(self.folder, self.study)
        bounded = lambda: resource.setrlimit(resource.RLIMIT_AS, (3 << 30, 3 << 30))
        for words in (["predict", "--inputs"], ["predict", "--queries"], ["import", "--observations"],
                      ["import", "--values"], ["serve", "--port", "0", "--token-file"]):
            code, _, err = run(*words, "/dev/zero", "--study", self.study, limit=bounded)
            self.assertEqual(code, 2, err)
            self.assertIn("/dev/zero: is a device", err)
        pipe = self.folder / "pipe"
        os.mkfifo(pipe)
        with subprocess.Popen(["sh", "-c", f"yes 0123456789abcdef > {pipe}"]):
            code, _, err = run("serve", "--port", 0, "--token-file", pipe, "--study", self.study, limit=bounded)
        self.assertEqual(code, 2)
        self.assertIn("more than 4096 bytes", err)
        with subprocess.Popen(["sh", "-c", f"yes 0123456789abcdef > {pipe}"]):
            code, _, err = run("predict", "--inputs", pipe, "--study", self.study, limit=bounded)
        self.assertEqual(code, 2)
        self.assertIn("more than 256 MB", err)

    def test_no_message_quotes_much_of_its_input(self):
        given_study(self.folder, self.study)
        (self.folder / "long.csv").write_text("q,value\n" + "x" * 5000 + ",1\n")
        (self.folder / "name.csv").write_text("y" * 5000 + ",value\nq1,1\n")
        for words in (["import", "--observations", self.folder / "long.csv"],
                      ["import", "--observations", self.folder / "name.csv"],
                      ["predict", "--inputs", "z" * 3000], ["tell", "0", "w" * 3000], ["v" * 3000],
                      ["status", "--study", "u" * 300], ["new", self.folder / "given.json", "--study", "t" * 300],
                      ["best", "--study", self.folder / ("r/" * 1000)], ["best", "--timeout", "9" * 3000 + "x"]):
            err = run(*words, *([] if len(words) == 1 or "--study" in words else ["--study", self.study]))[2]
            longest = max(max(map(len, piece.split())) for piece in err.splitlines() if piece.strip())
            self.assertLessEqual(longest, 260, err)

    def test_extreme_values(self):
        fitted_study(self.folder, self.study)
        rows = (self.folder / "districts/districts.csv").read_text().splitlines()
        column, ids = rows[0].split(",")[0], [row.split(",")[0] for row in rows[1:9]]
        values = [0.3, -1, 0.7, 1, -0.4, 0.1, 0.9, -0.8]

        def imported(study, level, scale, code=0):
            rows = "".join(f"{name},{level + scale * value!r}\n" for name, value in zip(ids, values))
            (self.folder / "z.csv").write_text(f"{column},value\n{rows}")
            fitted_study(self.folder, study)
            return iqbo("import", "--study", study, "--observations", self.folder / "z.csv", check=code)[1]

        self.assertIn("smaller than 1e-130", imported(str(self.folder / "tiny.db"), 0, 1e-150, code=2))
        best = {}
        for name, level, scale in (("usual", 0, 1), ("high", 1e12, 1), ("small", 0, 1e-120), ("large", 0, 1e90)):
            study = str(self.folder / f"{name}.db")
            imported(study, level, scale)
            best[name] = lines(iqbo("best", "--study", study, "--json")[0])[0]
        for name, level, scale in (("high", 1e12, 1), ("small", 0, 1e-120), ("large", 0, 1e90)):
            self.assertEqual(best[name]["x"], best["usual"]["x"], name)
            self.assertAlmostEqual(best[name]["sd"] / scale, best["usual"]["sd"], delta=0.02 * best["usual"]["sd"], msg=name)
            self.assertAlmostEqual((best[name]["mean"] - level) / scale, best["usual"]["mean"], delta=0.02, msg=name)
            iqbo("ask", "--study", str(self.folder / f"{name}.db"))


class Output(Case):
    def setUp(self):
        super().setUp()
        given_study(self.folder, self.study)

    def files(self):
        """All but the study's; a reader leaves SQLite's log beside it."""
        return sorted(name for name in os.listdir(self.folder) if not name.startswith("s.db"))

    def report(self, out, **more):
        return run("report", "--study", self.study, "--out", out, cwd=self.folder, **more)

    def test_a_report_replaces_files_only(self):
        pipe, folder, device = self.folder / "pipe", self.folder / "folder", self.folder / "device"
        os.mkfifo(pipe)
        folder.mkdir()
        try:  # a device of our own: whoever may make one could also lose /dev/full
            os.mknod(device, stat.S_IFCHR | 0o666, os.makedev(1, 7))
        except PermissionError:
            device = Path("/dev/full")
        before = self.files()
        for out in ("", "/", pipe, folder, device, self.folder / "no/such/folder.html"):
            code, _, err = self.report(out)
            self.assertEqual(code, 2, f"{out}: {err}")
            self.assertNotIn("defect", err)
        self.assertTrue(pipe.is_fifo() and folder.is_dir() and device.is_char_device())
        self.assertEqual(self.files(), before)
        self.assertFalse(Path("/.part").exists())
        target, link = self.folder / "target.html", self.folder / "link.html"
        target.write_text("old")
        link.symlink_to(target)
        for out in ("new.html", target, link):
            code, _, err = self.report(out)
            self.assertEqual(code, 0, err)
        self.assertTrue(link.is_symlink() and target.stat().st_size > 1000)
        self.assertEqual(sorted(set(self.files()) - set(before)), ["link.html", "new.html", "target.html"])

    def test_standard_output(self):
        code, out, _ = self.report("-")
        self.assertEqual(code, 0)
        self.assertTrue(out.rstrip().endswith("</html>"))
        self.assertFalse((self.folder / "-").exists())


class Limits(Case):
    def test_time(self):
        large_study(self.folder, self.study)
        began = time.monotonic()
        code, _, err = run("ask", "-n", 1000, "--study", self.study, "--timeout", "0.5")
        self.assertEqual(code, 124, err)
        self.assertIn("gave up after 0.5 s (--timeout)", err)
        self.assertLess(time.monotonic() - began, 30)
        for long in ("1e19", "inf"):
            self.assertEqual(run("status", "--study", self.study, "--timeout", long)[0], 0)
        self.assertEqual(run("check", "--study", self.study)[0], 0)

    def test_memory(self):
        given_study(self.folder, self.study)
        with open(self.folder / "large.csv", "w") as file:
            file.truncate(240_000_000)
        for kind in (resource.RLIMIT_AS, resource.RLIMIT_DATA):
            small = lambda: resource.setrlimit(kind, (160 << 20, 160 << 20))
            code, _, err = run("predict", "--inputs", self.folder / "large.csv", "--study", self.study, limit=small)
            self.assertEqual(code, 3, err)
            self.assertIn("not enough memory for this: ulimit allows 0.16", err)
            self.assertNotIn("defect", err)

    def test_memory_of_a_control_group(self):
        """Version 2 of Linux's control groups, as containers have it; here only its files, seen by one process."""
        given_study(self.folder, self.study)
        with open(self.folder / "large.csv", "w") as file:
            file.truncate(240_000_000)
        files = {"memory.max": 240_000_000, "memory.current": 90_000_000, "memory.stat": "anon 5\ninactive_file 10000000"}
        group = "cd /sys/fs/cgroup && " + " && ".join(f"printf '{text}\n' > {name}" for name, text in files.items())
        words = ["predict", "--inputs", self.folder / "large.csv", "--study", self.study]
        done = subprocess.run(["unshare", "--mount", "sh", "-c", f'mount -t tmpfs tmpfs /sys/fs/cgroup && {group} && exec "$@"',
                               "sh", IQBO, *map(str, words)], capture_output=True, text=True)
        if "unshare" in done.stderr or "mount" in done.stderr:
            self.skipTest("a file system of one's own needs more rights")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertIn("0.16 GB were free, by the control group (/sys/fs/cgroup/memory.max)", done.stderr)

    def test_exit_codes_are_documented(self):
        out, _ = iqbo("--help")
        for code in ("0 success", "1 a defect", "2 the request", "3 not enough memory", "124", "130"):
            self.assertIn(code, out)


class Names(Case):
    def test_old_names_do_not_reach_the_terminal(self):
        given_study(self.folder, self.study)
        self.refused(["control character"], "ask", "--worker", "a\x1b[31mb", "--study", self.study)
        golden = Path(__file__).parents[1] / "golden/study_v1.db"  # earlier versions stored such names
        for letter in ("\x1b", "\x9b", "\u202e", "\u2067"):  # the last two reverse the writing
            old = self.folder / f"{ord(letter)}.db"
            old.write_bytes(golden.read_bytes())
            with sqlite3.connect(old) as database:
                database.execute("UPDATE iqbo_trial SET worker = ? WHERE number = 1", (f"e{letter}[31mvil",))
                database.execute("""UPDATE iqbo_event SET body = replace(body, '"worker":"w"', '"worker":' || ?)
                                    WHERE seq = 2""", (json.dumps(f"e{letter}[31mvil"),))
            for command in (["status"], ["status", "--quiet"], ["status", "--json"], ["export"], ["log"], ["log", "--json"]):
                code, out, err = run(*command, "--study", old)
                # The golden study has pairs that its spec does not allow: status refuses to name the pending queries.
                self.assertEqual(code, 2 if command == ["status"] else 0, f"{command}: {err}")
                self.assertNotIn(letter, out + err, command)
                if command[0] != "status":
                    self.assertIn("[31mvil", out, command)

    def test_no_text_of_a_log_looks_like_another_event(self):
        old = self.folder / "old.db"
        old.write_bytes((Path(__file__).parents[1] / "golden/study_v1.db").read_bytes())
        with sqlite3.connect(old) as database:
            name = "w\n9      2026-01-01 00:00:00  told  trial 1 7"
            database.execute("UPDATE iqbo_trial SET worker = ? WHERE number = 1", (name,))
            database.execute("""UPDATE iqbo_event SET body = replace(body, '"worker":"w"', '"worker":' || ?)
                                WHERE seq = 2""", (json.dumps(name),))
        code, out, err = run("log", "--study", old)
        self.assertEqual(code, 0, err)
        self.assertIn("2026-01-01", out)
        self.assertFalse([line for line in out.splitlines() if line.startswith("9 ")], out)

    def test_a_query_that_does_not_fit_the_spec_is_shown(self):
        """Version 1 had no digests: the golden study has a query of two coordinates where the spec has one."""
        old = self.folder / "old.db"
        old.write_bytes((Path(__file__).parents[1] / "golden/study_v1.db").read_bytes())
        code, out, err = run("log", "--study", old)
        self.assertEqual(code, 0, err)
        self.assertRegex(out, r"trial 0 \S+ 0\.1, \? 0")

    def test_names_of_files_do_not_reach_the_terminal(self):
        given_study(self.folder, self.study)
        for letter in ("\x1b", "\x9b", "\u202e", "\u2067"):  # the last two reverse the writing
            table = self.folder / f"e{letter}[31mvil.csv"
            table.write_text("q,value\nq1,1\n")
            for _ in range(2):  # the second time there is a note that names the file
                code, out, err = run("import", "--observations", table, "--study", self.study)
                self.assertEqual(code, 0)
                self.assertNotIn(letter, out + err)
            self.assertIn("vil.csv", err)


if __name__ == "__main__":
    unittest.main()

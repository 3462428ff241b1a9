#!/usr/bin/env python3
"""Runs that are killed, and runs that share a study.

IQBO_PROGRAM: the program; IQBO_POSTGRESQL: a file with a server's URL.
"""
import os
import subprocess
import sys
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent))
from campaigns import check_crowd, check_killed, given_study, start, told
from case import Case

POSTGRESQL = os.environ["IQBO_POSTGRESQL"]


def server_study(name):
    return f"{Path(POSTGRESQL).read_text().splitlines()[0]}?study={name}-{os.getpid()}"


class Survival(Case):
    def test_killed_runs_resume_to_the_same_trace(self):
        kills, _ = check_killed(self.folder, lambda i: str(self.folder / f"k{i}.db"), kills=6, trials=14)
        self.assertGreaterEqual(kills, 6)

    def test_killed_runs_resume_on_postgresql(self):
        kills, _ = check_killed(self.folder, lambda i: server_study(f"killed{i}"), kills=4, trials=14)
        self.assertGreaterEqual(kills, 4)

    def test_shards_of_a_bench_meet_on_a_server(self):
        program = os.environ["IQBO_PROGRAM"]
        bench = [program, "bench", "two-peaks", "--policies", "random,ei", "--seeds", "3", "--steps", "6", "--no-figures"]
        shared = ["--shared", server_study("bench")]
        for shard in ("3/3", "1/3"):  # each in a folder of its own, as on hosts without a common file system
            out = self.folder / shard[0]
            said = subprocess.run([*bench, *shared, "--out", out, "--shard", shard], check=True, capture_output=True, text=True)
            self.assertIn(f"shard {shard[0]} of 3", said.stdout)
            self.assertFalse((out / "bench.csv").exists())
        subprocess.run([*bench, *shared, "--out", self.folder / "all"], check=True, capture_output=True)
        subprocess.run([*bench, "--out", self.folder / "one"], check=True, capture_output=True)
        for name in ("bench.csv", "bench.curves.csv", "verdicts.md"):
            self.assertEqual((self.folder / "all" / name).read_bytes(), (self.folder / "one" / name).read_bytes(), name)
        refused = subprocess.run([*bench, "--shared", "postgresql://me:hunter2@127.0.0.1:1/db", "--out", self.folder / "x"],
                                 capture_output=True, text=True)
        self.assertEqual(refused.returncode, 2)
        self.assertIn("postgresql://me:***@127.0.0.1:1/db", refused.stderr)

    def test_a_server_that_cuts_connections(self):
        study = server_study("cut") + "&application_name=iqbo_cut"
        given_study(self.folder, study)
        process = start(study, 4, command="sh -c 'echo $IQBO_TRIAL; sleep 1'")
        url = Path(POSTGRESQL).read_text().splitlines()[0]
        cut = "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'iqbo_cut'"
        deadline = time.monotonic() + 120
        while process.poll() is None and time.monotonic() < deadline:
            subprocess.run(["psql", "-q", "-c", cut, url], capture_output=True, timeout=60)
            time.sleep(0.7)
        _, err = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, err)
        self.assertEqual(told(study), {i: float(i) for i in range(4)})

    def test_four_processes_share_a_file(self):
        given_study(self.folder, self.study)
        check_crowd(self.study, workers=4, trials=40, kills=1)

    def test_processes_share_a_server(self):
        study = server_study("crowd")
        given_study(self.folder, study)
        check_crowd(study, workers=4, trials=40, kills=1)


if __name__ == "__main__":
    unittest.main()

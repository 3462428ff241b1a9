#!/usr/bin/env python3
"""What a person waits for by default: commands of the real program on studies with everything fitted, beside their bars.

    bench/study/default_path.py build/dev/apps/cli/iqbo

Answers come from a known function with noise of sd 0.2; a command whose result is far from it is reported as wrong.
"""
import json
import math
import os
import random
import resource
import subprocess
import sys
import tempfile
import time
from pathlib import Path

PROGRAM = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else "build/dev/apps/cli/iqbo")


def f(u, v):
    return math.sin(5 * u) + math.cos(4 * v)  # at most 2


def iqbo(*words):
    done = subprocess.run([PROGRAM, *map(str, words)], capture_output=True, text=True)
    if done.returncode != 0:
        raise SystemExit(f"iqbo {' '.join(map(str, words))}: {done.stderr}")
    return done.stdout


def cpu_seconds():
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def show(what, seconds, clock, bar, sound):
    verdict = "" if bar is None else f"  bar {bar:4.1f} {'met' if seconds <= bar else 'MISSED'}"
    print(f"{what:62} {seconds:6.2f} s {clock}{verdict}{'' if sound else '  WRONG'}", flush=True)
    return sound


def timed(what, bar, *words):
    begin = cpu_seconds()
    out = iqbo(*words)
    return out, lambda sound: show(what, cpu_seconds() - begin, "cpu", bar, sound)


def new_study(folder, name, queries):
    (folder / "windows.csv").write_text(
        "id,u,v\n" + "".join(f"w{i},{u:.4f},{v:.4f}\n" for i, (u, v) in enumerate(queries)))
    axes = [{"name": name, "from": 0, "to": 1, "grid": 50} for name in "xy"]
    (folder / "study.json").write_text(json.dumps({
        "version": 2, "targets": {"kind": "box", "axes": axes},
        "queries": {"kind": "points", "points": "windows.csv", "id": "id", "coordinates": ["u", "v"]},
        "conditional": {"kind": "uniform", "width": 0.05}}))
    iqbo("new", folder / "study.json", "--study", folder / name)
    return folder / name


def past_answers(folder, study, queries, which, rng):
    table = folder / "past.csv"
    table.write_text("id,value\n" + "".join(f"w{i},{f(*queries[i]) + rng.gauss(0, 0.2)}\n" for i in which))
    iqbo("import", "--observations", table, "--study", study)


def one_process(folder, name, queries, which, rng):
    study = new_study(folder, name + ".db", queries)
    past_answers(folder, study, queries, which, rng)
    answers = f"{len(which)} answers over {len(set(which))} uniform windows: "
    _, done = timed(answers + "ask, with the fit", 2.5, "ask", "--study", study)  # 1 s with a point fit, 2.5 times that
    right = done(True)
    out, done = timed(answers + "best", None, "best", "--study", study, "--json")
    best = json.loads(out)
    right &= done(best["low"] - 0.3 <= f(*(best["x"][axis] for axis in "xy")) <= best["high"] + 0.3)
    _, done = timed(answers + "predict", None, "predict", "--study", study, "--top", 3)
    return right & done(True)


def eight_processes(folder, queries):
    study = new_study(folder, "eight.db", queries)
    lines = f"""
        while [ "$({PROGRAM} status --study {study} --json | tr ',' '\\n' | sed -n 's/.*"told": *//p')" -lt 60 ]; do
          trial=$({PROGRAM} ask --study {study} --worker $1 --json | tr ',' '\\n' | sed -n 's/.*"number": *//p' | head -n 1)
          {PROGRAM} tell --study {study} "$trial" "0.$RANDOM" >/dev/null
        done"""
    begin = time.monotonic()
    workers = [subprocess.Popen(["bash", "-c", lines, "worker", f"w{i}"]) for i in range(8)]
    right = all(worker.wait() == 0 for worker in workers)
    seconds = time.monotonic() - begin
    right &= json.loads(iqbo("status", "--study", study, "--json"))["told"] >= 60
    return show("eight processes on one SQLite study: 60 tells", seconds, "wall", 15.0, right)


def main():
    rng = random.Random(1)
    queries = [(rng.random(), rng.random()) for _ in range(60)]
    with tempfile.TemporaryDirectory(prefix="iqbo-bench-") as name:
        folder = Path(name)
        right = one_process(folder, "many", queries, [i % 60 for i in range(221)], rng)
        right &= one_process(folder, "one", queries, [0, 1, 2, 3] + [7] * 496, rng)
        right &= eight_processes(folder, queries)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

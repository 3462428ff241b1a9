"""Runs the same work in iqbo and in other libraries, in turn, and prints how long each took: ./dev peers

    ./dev peers [comparison ...] [--repetitions N]

A comparison is one file of this folder that defines

    TITLE        what is compared
    SIDES        {name: side}; side() imports and prepares what is not timed, and returns work(repetition) -> answer,
                 which is timed; an answer is anything that JSON can write
    RATIOS       [(our side, their side, clock, bar)]; clock: "cpu" or "wall"; bar: the largest ratio allowed, or None
    check        check(answers) -> [(sentence, holds)]; answers[name] lists the answers of a side by repetition

and, where the defaults do not fit, THREADS {name: threads of a side; 1} and REPETITIONS (5). Files without SIDES are named and
left out. The file is imported without its peers, so only what SIDES does may import them.

Every side has a process of its own, which waits while another side works. Repetition 0 warms up and is not counted. A ratio is
taken within each repetition; the table shows the median and the range. An answer that is a dictionary with the key
"cpu_seconds" says itself how long the work took, for programs that measure only a part of what they do.

The exit code is 1 if a side fails or a check does not hold. A bar that is missed is shown but does not fail: times depend on
what else the machine is doing.
"""
import argparse
import contextlib
import importlib.metadata
import importlib.util
import json
import os
import platform
import statistics
import subprocess
import sys
import time
import traceback
from pathlib import Path
from typing import NamedTuple, Optional

FOLDER = Path(__file__).resolve().parent
THREAD_VARIABLES = ["IQBO_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"]


class Failed(Exception):
    """A side stopped with an error, which it has printed."""


class Spread(NamedTuple):
    middle: float
    least: float
    largest: float

    def __str__(self):
        return f"{self.middle:.2g} ({self.least:.2g} to {self.largest:.2g})"


class Row(NamedTuple):
    title: str
    ours: str
    theirs: str
    clock: str
    our_seconds: float  # medians
    their_seconds: float
    ratio: Spread
    bar: Optional[float]

    @property
    def verdict(self):
        if self.bar is None:
            return ""
        return f"at most {self.bar:g}: {'met' if self.ratio.middle <= self.bar else 'MISSED'}"

    @property
    def slower(self):
        return self.ratio.middle > 1.0


def spread(values):
    return Spread(statistics.median(values), min(values), max(values))


def make_row(title, ratio, seconds):
    """seconds[side][clock] lists the seconds of the repetitions, in the same order for every side."""
    ours, theirs, clock, bar = ratio
    mine, other = seconds[ours][clock], seconds[theirs][clock]
    ratios = [m / o for m, o in zip(mine, other, strict=True)]
    return Row(title, ours, theirs, clock, statistics.median(mine), statistics.median(other), spread(ratios), bar)


def table(rows):
    """In Markdown, for docs/performance.md."""
    lines = ["| work | ours, s | theirs, s | clock | ours / theirs | bar |", "|---|---|---|---|---|---|"]
    for row in rows:
        lines.append(f"| {row.title} | {row.ours}: {row.our_seconds:.3g} | {row.theirs}: {row.their_seconds:.3g} | {row.clock} "
                     f"| {row.ratio} | {row.verdict} |")
    return "\n".join(lines)


def losses(rows):
    """Where iqbo is slower, the worst first."""
    slower = sorted((row for row in rows if row.slower), key=lambda row: -row.ratio.middle)
    if not slower:
        return "iqbo is slower than no peer here."
    return "\n".join(["iqbo is slower than"] + [f"- {row.theirs} by {row.ratio} times ({row.clock}): {row.title}, {row.ours}"
                                                for row in slower])


def load(file):
    spec = importlib.util.spec_from_file_location(file.stem, file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def serve(file, name):
    """A side's process: does the repetition that each line of the input names, and writes a line of JSON."""
    replies = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)  # what libraries print must not come between the replies
    try:
        work = load(file).SIDES[name]()
        for line in sys.stdin:
            wall, cpu = time.perf_counter(), time.process_time()
            answer = work(int(line))
            cpu, wall = time.process_time() - cpu, time.perf_counter() - wall
            if isinstance(answer, dict):
                cpu = answer.pop("cpu_seconds", cpu)
            print(json.dumps({"cpu": cpu, "wall": wall, "answer": answer}), file=replies, flush=True)
    except Exception:
        traceback.print_exc()
        sys.exit(1)


@contextlib.contextmanager
def started(file, name, threads):
    """The process of a side, and its end."""
    environment = {**os.environ, **dict.fromkeys(THREAD_VARIABLES, str(threads)), "CUDA_VISIBLE_DEVICES": "",
                   "PYTHONWARNINGS": "ignore::FutureWarning"}
    command = [sys.executable, __file__, "--side", str(file), name]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        try:
            yield process
        finally:
            process.stdin.close()


def ask(process, name, repetition):
    with contextlib.suppress(BrokenPipeError):
        print(repetition, file=process.stdin, flush=True)
    line = process.stdout.readline()
    if not line:
        raise Failed(f"the side '{name}' failed; its message is above")
    return json.loads(line)


def measure(file, repetitions=None):
    """Returns the rows of a comparison and what its check says."""
    module = load(file)
    threads = getattr(module, "THREADS", {})
    repetitions = repetitions or getattr(module, "REPETITIONS", 5)
    replies = {name: [] for name in module.SIDES}
    with contextlib.ExitStack() as stack:
        processes = {name: stack.enter_context(started(file, name, threads.get(name, 1))) for name in module.SIDES}
        for repetition in range(repetitions + 1):
            for name, process in processes.items():
                reply = ask(process, name, repetition)
                if repetition > 0:
                    replies[name].append(reply)
                print(f"-- {file.stem}, {name}, {repetition or 'warming up'}: {reply['cpu']:.3g} s", file=sys.stderr, flush=True)
    seconds = {name: {clock: [reply[clock] for reply in of_side] for clock in ("cpu", "wall")}
               for name, of_side in replies.items()}
    rows = [make_row(module.TITLE, ratio, seconds) for ratio in module.RATIOS]
    return rows, module.check({name: [reply["answer"] for reply in of_side] for name, of_side in replies.items()})


def versions():
    def version(package):
        try:
            return f"{package} {importlib.metadata.version(package)}"
        except importlib.metadata.PackageNotFoundError:
            return f"no {package}"

    required = (FOLDER / "requirements.txt").read_text().splitlines()
    packages = [line.split("==")[0] for line in required if not line.startswith("#")]
    return ", ".join([f"Python {platform.python_version()}", *map(version, packages)])


def processor():
    with contextlib.suppress(OSError):
        for line in Path("/proc/cpuinfo").read_text().splitlines():
            if line.startswith("model name"):
                return line.split(":", 1)[1].strip()
    return platform.machine()


def chosen(folder, names):
    """The comparisons to run: those named, or all."""
    files = {file.stem: file for file in sorted(folder.glob("*.py")) if file.name != Path(__file__).name}
    unknown = [name for name in names if name not in files]
    if unknown:
        raise SystemExit(f"no comparison {', '.join(unknown)}; there are {', '.join(files)}")
    for name in names or files:
        if hasattr(load(files[name]), "SIDES"):
            yield files[name]
        else:
            print(f"-- {name} has no SIDES and is left out", file=sys.stderr)


def main(arguments, folder=FOLDER):
    parser = argparse.ArgumentParser(prog="./dev peers", description="iqbo against other libraries, in turn, in one run")
    parser.add_argument("comparison", nargs="*", help="the name of a file of bench/peers; all if none is given")
    parser.add_argument("--repetitions", type=int, help="instead of each comparison's own number")
    parser.add_argument("--side", nargs=2, metavar=("FILE", "NAME"), help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.side:
        serve(Path(options.side[0]), options.side[1])
        return 0
    if options.repetitions is not None and options.repetitions < 1:
        parser.error("--repetitions must be at least 1")

    rows, checks, failures = [], [], []
    for file in chosen(folder, options.comparison):
        try:
            more_rows, more_checks = measure(file, options.repetitions)
        except Failed as failure:
            failures.append(f"{file.stem}: {failure}")
            continue
        rows += more_rows
        checks += [(f"{file.stem}: {sentence}", holds) for sentence, holds in more_checks]
    print(f"{versions()}; {processor()}, {os.cpu_count()} cores\n")
    print(f"{table(rows)}\n")
    for sentence, holds in checks:
        print(f"- {sentence}{'' if holds else ' WRONG ANSWER'}")
    if rows:
        print(f"\n{losses(rows)}")
    for failure in failures:
        print(f"FAILED: {failure}")
    return 1 if failures or not all(holds for _, holds in checks) else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

#!/usr/bin/env python3
"""Runs clang-tidy on the C++ sources that a change touches, and remembers what passed.

    tools/tidy.py build/lint --since origin/main --seconds 120
    tools/tidy.py build/lint --all

With --all every source is checked, however long it takes. Else checked are the sources of src, apps, bench, examples and studies that differ from the given commit, and for each header that
differs one source that includes it. A source that passed is not checked again until it, a header of this tree that it includes,
or .clang-tidy changes: build/lint/tidy keeps a stamp for each. When the time is over, the sources that were not reached
are listed; that is no failure, as `./dev lint` checks all.
"""
import argparse
import concurrent.futures
import hashlib
import json
import os
import pathlib
import subprocess
import sys
import time

from changed import files_since, included

ROOTS = ("src", "apps", "bench", "examples", "studies")


def changed_files(tree, since):
    names = files_since(tree, since)
    if names is None:
        print(f"clang-tidy: no common history with {since}, so nothing is known to have changed")
    return [tree / name for name in names or [] if name.endswith((".cpp", ".hpp"))]


def to_check(sources, changed, tree):
    """The changed sources, and for each changed header the first source that includes it and is not checked anyway."""
    known = {}
    chosen = [path for path in sources if path in changed]
    for header in sorted(path for path in changed if path.suffix == ".hpp"):
        users = [path for path in sources if header in included(path, tree, known)]
        if users and not any(path in chosen for path in users):
            own = [path for path in users if path.stem == header.stem]
            chosen.append((own or users)[0])
    return chosen


def stamp_of(path, tree, known):
    digest = hashlib.sha256()
    for each in [tree / ".clang-tidy", path, *sorted(included(path, tree, known))]:
        digest.update(each.read_bytes())
    return digest.hexdigest()


def check(path, build, left):
    """What clang-tidy says about a file; None if the time is over."""
    if left() <= 0:
        return None
    try:
        made = subprocess.run(["clang-tidy-14", "--quiet", "-p", build, path], capture_output=True, text=True,
                              timeout=None if left() == float("inf") else left())
    except subprocess.TimeoutExpired:
        return None
    return made.stdout + (made.stderr if made.returncode and not made.stdout else "") if made.returncode else ""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("build", type=pathlib.Path, help="a folder with compile_commands.json")
    parser.add_argument("--since", default="HEAD", help="the commit to compare with")
    parser.add_argument("--all", action="store_true", help="every source, without a limit of time")
    parser.add_argument("--seconds", type=float, default=120, help="when to stop starting files")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    options = parser.parse_args()
    tree, build = pathlib.Path.cwd(), options.build.resolve()
    commands = json.loads((build / "compile_commands.json").read_text())
    sources = sorted({pathlib.Path(each["file"]) for each in commands
                      if pathlib.Path(each["file"]).is_relative_to(tree) and
                      pathlib.Path(each["file"]).relative_to(tree).parts[0] in ROOTS})
    stamps, known = build / "tidy", {}
    stamps.mkdir(exist_ok=True)
    begin = time.monotonic()
    queue = []
    seconds = float("inf") if options.all else options.seconds
    for path in sources if options.all else to_check(sources, set(changed_files(tree, options.since)), tree):
        stamp = stamps / str(path.relative_to(tree)).replace("/", "_")
        digest = stamp_of(path, tree, known)
        if not stamp.is_file() or stamp.read_text() != digest:
            queue.append((path, stamp, digest))

    def work(item):
        path, stamp, digest = item
        said = check(path, build, lambda: seconds - (time.monotonic() - begin))
        if said == "":
            stamp.write_text(digest)
        return said

    with concurrent.futures.ThreadPoolExecutor(options.jobs) as pool:
        results = list(pool.map(work, queue))
    bad = [said for said in results if said]
    late = [str(path.relative_to(tree)) for (path, _, _), said in zip(queue, results) if said is None]
    print("".join(bad), end="")
    print(f"clang-tidy: {len(queue) - len(late)} files checked, {len(bad)} with findings" +
          (f"; not reached in {seconds:g} s: {' '.join(late)}" if late else ""))
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())

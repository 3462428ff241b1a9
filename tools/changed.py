#!/usr/bin/env python3
"""What a change touches, so that slow checks can be made of that alone.

    tools/changed.py rooms --since origin/main       rooms with a source, a header or a test that differs
    tools/changed.py headers --since origin/main     installed headers that differ, or that include one that does, directly or not

Compared is with the commit where this branch left the one that is named; if it has not left it, with the commit before this one. Names
are printed one a line. Files that are not committed count; files that were removed do not. If there is nothing to compare with
(a shallow clone), everything counts as changed, and that is said on standard error.
"""
import argparse
import pathlib
import re
import subprocess
import sys

INCLUDE = re.compile(r'^\s*#include "([^"]+)"', re.MULTILINE)


def git(tree, *arguments):
    return subprocess.run(["git", "-C", tree, *arguments], capture_output=True, text=True, check=True).stdout


def files_since(tree, since):
    """Files that differ from where this branch left `since`, or, if it has not left it, from the commit before. None: not known."""
    try:
        base = git(tree, "merge-base", "HEAD", since).strip()
        if base == git(tree, "rev-parse", "HEAD").strip() and not git(tree, "status", "--porcelain").strip():
            base = git(tree, "rev-parse", "--verify", "--quiet", "HEAD^").strip()
    except subprocess.CalledProcessError:
        return None
    names = git(tree, "diff", "--name-only", "--diff-filter=d", base).splitlines()
    return names + git(tree, "ls-files", "--others", "--exclude-standard").splitlines()


def included(path, tree, known):
    """The headers of this tree that a file includes, directly or not."""
    if path not in known:
        known[path] = set()  # ends a circle of includes
        found = set()
        for name in INCLUDE.findall(path.read_text()):
            near = [path.parent / name, tree / "include" / name, tree / "src" / name, tree / "apps" / name]
            header = next((each.resolve() for each in near if each.is_file()), None)
            if header is not None:
                found |= {header} | included(header, tree, known)
        known[path] = found
    return known[path]


def rooms(tree, names):
    known = [line.split(":")[0] for line in (tree / "tools/layers.txt").read_text().splitlines() if re.match(r"\w+:", line)]
    found = {re.match(r"(?:include/iqbo|src|tests)/([^/]+)/[^/].*\.[ch]pp$", name) for name in names or []}
    touched = {match.group(1) for match in found if match}
    return known if names is None else [room for room in known if room in touched]


def headers(tree, names):
    installed, known = sorted((tree / "include/iqbo").rglob("*.hpp")), {}
    changed = None if names is None else {(tree / name).resolve() for name in names}
    return [str(path.relative_to(tree)) for path in installed
            if changed is None or changed & ({path.resolve()} | included(path, tree, known))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=["rooms", "headers"])
    parser.add_argument("--since", required=True, help="the commit to compare with")
    options = parser.parse_args()
    tree = pathlib.Path.cwd()
    names = files_since(tree, options.since)
    if names is None:
        print(f"changed.py: no common history with {options.since}, so everything counts as changed", file=sys.stderr)
    print("\n".join({"rooms": rooms, "headers": headers}[options.what](tree, names)))


if __name__ == "__main__":
    main()

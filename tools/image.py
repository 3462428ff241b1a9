#!/usr/bin/env python3
"""Follows a Containerfile without a container engine: its steps, in a chroot of Debian.

    tools/image.py Containerfile CONTEXT FOLDER [-- COMMAND...]

FROM debian:12 and its slim variant are made with debootstrap; COPY, RUN, ENV, WORKDIR and ENTRYPOINT are followed, everything else is
refused by name. Afterwards the entry point is started with COMMAND, as `podman run` would. Needs root. What this cannot show: layers,
users and networks of a real engine.
"""
import argparse
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys

BASES = {"debian:12": "bookworm", "debian:12-slim": "bookworm", "debian:bookworm-slim": "bookworm"}


def steps(text):
    """(instruction, rest) of every step; a backslash continues a line, # begins a comment."""
    whole = text.replace("\\\n", " ")
    for line in whole.splitlines():
        line = line.strip()
        if line and not line.startswith("#"):
            word, _, rest = line.partition(" ")
            yield word.upper(), rest.strip()


class Image:
    def __init__(self, root, context):
        self.root, self.context = root, context
        self.env, self.folder, self.entry = {"PATH": "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin"}, "/", []

    def run(self, command):
        inside = f"cd {shlex.quote(self.folder)} && exec " + " ".join(map(shlex.quote, command))
        there = ["chroot", self.root, "/usr/bin/env", "-i", *(f"{k}={v}" for k, v in self.env.items()), "/bin/sh", "-ec", inside]
        # With /proc, as in a container; the mount is seen by this command alone and ends with it.
        mount = ["unshare", "--mount", "/bin/sh", "-ec", 'mount -t proc proc "$1/proc"; shift; exec "$@"', "sh", self.root]
        subprocess.run(mount + there, check=True)

    def begin(self, base):
        if base not in BASES:
            sys.exit(f"image.py: FROM {base}: cannot be made here, expected one of {', '.join(BASES)}")
        shutil.rmtree(self.root, ignore_errors=True)
        # From where this machine gets its own packages.
        mirror = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI)", "Created-By: Packages", f"Codename: {BASES[base]}"],
                                capture_output=True, text=True, check=True).stdout.split()[0]
        subprocess.run(["debootstrap", "--variant=minbase", BASES[base], self.root, mirror], check=True, stdout=subprocess.DEVNULL)
        for each in pathlib.Path("/etc/apt/apt.conf.d").iterdir():
            shutil.copy(each, self.root / "etc/apt/apt.conf.d")

    def copy(self, rest):
        *sources, target = shlex.split(rest)
        into = self.root / os.path.join(self.folder, target).lstrip("/")
        found = [path for pattern in sources for path in sorted(self.context.glob(pattern))]
        if not found:
            sys.exit(f"image.py: COPY {rest}: nothing in {self.context} is called so")
        if target.endswith("/") or len(found) > 1:
            into.mkdir(parents=True, exist_ok=True)
        for path in found:
            shutil.copy(path, into)

    def follow(self, word, rest):
        if word == "FROM":
            self.begin(rest)
        elif word == "COPY":
            self.copy(rest)
        elif word == "RUN":
            self.run(["/bin/sh", "-ec", rest])
        elif word == "ENV":
            self.env.update(each.split("=", 1) for each in shlex.split(rest))
        elif word == "WORKDIR":
            self.folder = os.path.join(self.folder, rest)
            (self.root / self.folder.lstrip("/")).mkdir(parents=True, exist_ok=True)
        elif word == "ENTRYPOINT":
            self.entry = json.loads(rest)
        else:
            sys.exit(f"image.py: {word}: not followed here, expected FROM, COPY, RUN, ENV, WORKDIR or ENTRYPOINT")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("recipe", type=pathlib.Path)
    parser.add_argument("context", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("command", nargs="*")
    args = parser.parse_args()
    if os.geteuid() != 0:
        sys.exit("image.py: a chroot needs root")
    image = Image(args.folder.resolve(), args.context)
    for word, rest in steps(args.recipe.read_text()):
        print(f"-- {word} {rest}", flush=True)
        image.follow(word, rest)
    image.run(image.entry + args.command)


if __name__ == "__main__":
    main()

#!/usr/bin/env python3
"""Check the tree against tools/layers.txt: python3 tools/check_layers.py <root>

A room lists only rooms above it. Its files include only its own headers and those of the rooms it lists: public ones as
"iqbo/<room>/<file>", those of src/ as "<room>/<file>"; installed headers include no header of src/. Its tests may also use
the rooms that iqbo_room_tests(... LINK iqbo_<room>) names. Its DEPENDS in CMakeLists.txt are its line. One line per
violation, exit code 1.
"""
import re
import sys
from pathlib import Path

PUBLIC = re.compile(r'^\s*#\s*include\s*["<]iqbo/(\w+)/', re.MULTILINE)
PRIVATE = re.compile(r'^\s*#\s*include\s*"(?!iqbo/)(\w+)/', re.MULTILINE)
TESTS = re.compile(r"^iqbo_room_tests\(\s*(\w+)(.*?)\)", re.MULTILINE | re.DOTALL)
TARGET = re.compile(r"^\s*iqbo_room\(\s*(\w+)(.*?)\)", re.MULTILINE | re.DOTALL)
DEPENDS = re.compile(r"\bDEPENDS\s+((?:[a-z]\w*\s*)+)")


def read_layers(path):
    """{room: rooms it may see} in the order of the file, and the errors in the file itself."""
    layers, wrong = {}, []
    for number, line in enumerate(path.read_text().splitlines(), 1):
        room, colon, below = line.split("#")[0].partition(":")
        if not room.strip():
            continue
        where = f"{path.name}:{number}"
        if not colon:
            wrong.append(f"{where}: expected '<room>: <rooms it sees>'")
        wrong += [f"{where}: {room.strip()} lists {r}, which is not above it" for r in below.split() if r not in layers]
        layers[room.strip()] = set(below.split())
    return layers, wrong


def linked_by_tests(root):
    """{room: rooms that its tests link besides those the room itself sees}"""
    calls = TESTS.findall((root / "tests/CMakeLists.txt").read_text())
    return {room: set(re.findall(r"\biqbo_(\w+)", rest)) for room, rest in calls}


def check_includes(root, layers):
    linked = linked_by_tests(root)
    for folder in ("include/iqbo", "src", "tests"):
        for path in sorted((root / folder).glob("*/**/*.[ch]pp")):
            room = path.relative_to(root / folder).parts[0]
            if room not in layers:
                if folder != "tests":  # tests/support and the like belong to no room and may see everything
                    yield f"{path.relative_to(root)}: room {room} is not in layers.txt"
                continue
            text = path.read_text()
            private = set(PRIVATE.findall(text)) & layers.keys()
            if private and folder == "include/iqbo":
                yield f"{path.relative_to(root)}: an installed header includes one of src/{min(private)}"
            allowed = layers[room] | {room} | (linked.get(room, set()) if folder == "tests" else set())
            for seen in sorted((set(PUBLIC.findall(text)) | private) - allowed):
                yield f"{path.relative_to(root)}: {room} includes {seen}, which its line does not list"


def check_targets(root, layers):
    text = re.sub(r"#.*", "", (root / "CMakeLists.txt").read_text())
    targets = dict(TARGET.findall(text))
    for room in sorted(targets.keys() ^ layers.keys()):
        yield f"room {room}: in {'CMakeLists.txt' if room in targets else 'layers.txt'} only"
    for room in targets.keys() & layers.keys():
        found = DEPENDS.search(targets[room])
        depends = set(found[1].split()) if found else set()
        if depends != layers[room]:
            listed = " ".join(sorted(layers[room])) or "nothing"
            yield f"CMakeLists.txt: {room} DEPENDS {' '.join(sorted(depends)) or 'nothing'}, layers.txt lists {listed}"


def main(root):
    layers, wrong = read_layers(root / "tools/layers.txt")
    wrong += [*check_includes(root, layers), *check_targets(root, layers)]
    print(*wrong or [f"{len(layers)} rooms in order"], sep="\n")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))

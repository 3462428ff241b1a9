#!/usr/bin/env python3
"""Check that README.md shows examples/quickstart.cpp, byte for byte: python3 tools/check_readme.py <root>

The example in the README is its first block marked cpp. The file itself is compiled and run by another test.
"""
import difflib
import re
import sys
from pathlib import Path


def main(root):
    example = (root / "examples/quickstart.cpp").read_bytes().decode()
    block = re.search(r"^```cpp\n(.*?)^```$", (root / "README.md").read_bytes().decode(), re.MULTILINE | re.DOTALL)
    if not block:
        print("README.md: no ```cpp block")
        return 1
    if block[1] == example:
        print("README.md shows examples/quickstart.cpp")
        return 0
    print("README.md: the first cpp block is not examples/quickstart.cpp")
    shown, wanted = block[1].splitlines(), example.splitlines()
    print(*difflib.unified_diff(shown, wanted, "README.md", "quickstart.cpp", lineterm=""), sep="\n")
    return 1


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1] if len(sys.argv) > 1 else ".")))

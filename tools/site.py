#!/usr/bin/env python3
"""Put the pages of the documentation site together: python3 tools/site.py <root> <iqbo program> <out>

Copies docs/ to <out> and adds what is generated: the command line from --help, Python from docstrings (PYTHONPATH must
have the package), C++ from the headers. A link to a file of the tree that is no page becomes the name of that file, since
the site holds pages only.
"""
import inspect
import re
import shutil
import subprocess
import sys
from pathlib import Path

LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)\s]+)\)")


def command_line(program):
    def shown(*arguments):
        return subprocess.run([program, *arguments], check=True, capture_output=True, text=True).stdout

    overview = shown("--help")
    commands = re.findall(r"^  ([a-z]+) ", overview[overview.index("Subcommands:"):], re.MULTILINE)
    parts = ["# Command line", f"```text\n{overview}```"]
    parts += [f"## iqbo {name}\n\n```text\n{shown(name, '--help')}```" for name in commands]
    return "\n\n".join(parts) + "\n"


def documented(name, item):
    text = inspect.getdoc(item) or ""
    return f"### {name}\n\n```text\n{text}\n```\n" if text else ""


def python_reference():
    import iqbo

    pages = ["# Python\n\nEvery docstring has an example, and each of them is run by the tests.\n"]
    modules = [("iqbo", iqbo)] + sorted(
        (f"iqbo.{name}", part) for name, part in vars(iqbo).items() if inspect.ismodule(part) and not name.startswith("_")
    )
    for title, module in modules:
        names = getattr(module, "__all__", [name for name in dir(module) if not name.startswith("_")])
        parts = [documented(name, getattr(module, name)) for name in sorted(names)
                 if not inspect.ismodule(getattr(module, name, None)) and hasattr(module, name)]
        pages.append(f"## {title}\n\n{inspect.getdoc(module) or ''}\n\n" + "\n".join(parts))
    return "\n".join(pages)


def header_page(root, room, headers):
    parts = [f"# {room}\n"]
    for header in headers:
        lines = header.read_text().splitlines()
        opening = []
        while lines and lines[0].startswith("//"):
            opening.append(lines.pop(0)[2:].removeprefix(" "))
        name = header.relative_to(root / "include")
        summary, body = "\n".join(opening), "\n".join(lines).strip()
        parts.append(f"## {name}\n\n```text\n{summary}\n```\n\n```cpp\n{body}\n```\n")
    return "\n".join(parts)


def cpp_reference(root, folder):
    folder.mkdir(parents=True)
    rooms = sorted(each for each in (root / "include/iqbo").iterdir() if each.is_dir())
    index = ["# C++\n", "`#include <iqbo/iqbo.hpp>` gives what most programs need. Each header opens with the formula, its symbols and",
             "its source; then comes the interface. One page per room:\n", "```{toctree}", ":maxdepth: 1"]
    for room in rooms:
        (folder / f"{room.name}.md").write_text(header_page(root, room.name, sorted(room.glob("*.hpp"))))
        index.append(f"cpp/{room.name}")
    (folder.parent / "cpp.md").write_text("\n".join(index + ["```", ""]))


def without_foreign_links(text, page, docs):
    def kept(match):
        label, target = match[1], match[2].split("#")[0]
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        file = (page.parent / target).resolve()
        if file.suffix == ".md" and docs in file.parents:
            return match[0]
        return f"{label} (`{file.relative_to(docs.parent)}`)" if file.exists() else match[0]

    return LINK.sub(kept, text)


def main(root, program, out):
    docs = root / "docs"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(docs, out)
    shutil.copytree(root / "examples", out / "examples", ignore=shutil.ignore_patterns("*.py", "districts"))
    for page in out.rglob("*.md"):
        original = docs / page.relative_to(out)
        text = without_foreign_links(page.read_text(), original, docs)
        depth = len(page.relative_to(out).parents) - 1
        page.write_text(text.replace("../../examples/", "../" * depth + "examples/"))
    reference = out / "reference"
    reference.mkdir()
    (reference / "command_line.md").write_text(command_line(program))
    (reference / "python.md").write_text(python_reference())
    cpp_reference(root, reference / "cpp")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3]).resolve())

#!/usr/bin/env python3
"""Put the pages of the documentation site together: python3 tools/site.py <root> <iqbo program> <out>

Copies docs/ to <out> and adds the generated pages: the command line from --help, the keys of a spec from its schema, Python from
docstrings (PYTHONPATH must have the package), C++ from the headers, and the programs that drew the pictures of the gallery. Links to
files of the tree that are no pages become the names of these files, since the site holds pages only.
"""
import inspect
import json
import re
import shutil
import subprocess
import sys
import textwrap
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


def kind_of(schema):
    """A few words: what a value may be."""
    if "const" in schema:
        return f"`{json.dumps(schema['const'])}`"
    if "enum" in schema:
        return ", ".join(f"`{json.dumps(each)}`" for each in schema["enum"])
    for several in ("oneOf", "anyOf"):
        if several in schema:
            return " or ".join(dict.fromkeys(kind_of(each) for each in schema[several]))
    if schema.get("type") == "array":
        return f"a list: {kind_of(schema['items'])}" if "items" in schema else "a list"
    limits = {"minimum": "at least", "exclusiveMinimum": "above", "maximum": "at most", "exclusiveMaximum": "below"}
    words = {"object": "an object", "string": "a text", "number": "a number", "integer": "a whole number", "boolean": "`true` or `false`"}
    text = words.get(schema.get("type"), str(schema.get("type", "")))
    bounds = " and ".join(f"{word} {schema[key]:.16g}" for key, word in limits.items() if key in schema)
    return f"{text} {bounds}".strip()


def cell(text):
    return text.replace("|", "\\|").replace("\n", " ")


def keys_of(schema, path, out):
    """Appends a table for every object below `schema`: [(path, rows)]."""
    if schema.get("type") == "object" and schema.get("properties"):
        required = schema.get("required", [])
        rows = []
        for name, part in schema["properties"].items():
            default = f"`{json.dumps(part['default'])}`" if "default" in part else "required" if name in required else ""
            rows.append(f"| `{name}` | {cell(kind_of(part))} | {cell(part.get('description', ''))} | {cell(default)} |")
        kind = schema["properties"].get("kind", {}).get("const")
        out.append((f"{path}, kind {kind}" if kind else path, rows))
        for name, part in schema["properties"].items():
            keys_of(part, f"{path}.{name}" if path else name, out)
    for each in schema.get("oneOf", []) + schema.get("anyOf", []):
        keys_of(each, path, out)
    if "items" in schema:
        keys_of(schema["items"], f"{path}[]", out)
    return out


def spec_keys(schema):
    parts = ["# Keys of the spec", "This page is generated from [the schema](../spec.md), by which editors complete and check specs. "
             "[The spec](../spec.md) explains the keys and has examples."]
    for path, rows in keys_of(schema, "", []):
        parts.append(f"## {path or 'The document'}\n\n| key | value | meaning | default |\n|---|---|---|---|\n" + "\n".join(rows))
    return "\n\n".join(parts) + "\n"


def members(owner):
    """(name, docstring) of the documented methods and properties of a class."""
    for name, item in vars(owner).items():
        if name.startswith("_"):
            continue
        text = inspect.getdoc(item.__func__ if isinstance(item, (staticmethod, classmethod)) else item)
        if not text or text.startswith("Members:"):
            continue
        signature = ""
        if callable(item) and not re.match(rf"{name}\(", text):  # pybind11 puts signatures into docstrings
            try:
                signature = f"{name}{inspect.signature(item)}\n\n"
            except (TypeError, ValueError):
                pass
        yield name, signature + text


def prose(text):
    """Plain text as Markdown, in which nothing is marked up but `code`."""
    parts = re.split(r"(`+[^`]+`+)", text)
    return "".join(part if i % 2 else re.sub(r"([\\*_\[\]<>|#~{}])", r"\\\1", part) for i, part in enumerate(parts))


def as_markdown(docstring):
    """A docstring, or the opening comment of a header, as a page shows it: signatures, examples, tables and what is indented as
    code, the rest as prose."""
    out = []
    for block in re.split(r"\n\s*\n|\n(?=>>>)(?<!\n\n)", docstring.strip("\n")):
        lines = block.splitlines()
        if block.startswith(">>>"):
            kind = "pycon"
        elif re.match(r"(\d+\. )?\w+\(.*\)( -> .*)?$", lines[0]):
            kind = "python"
        elif lines[0].startswith("  ") or any(re.match(r"\S+ {2,}\S", line) for line in lines):
            kind = "text"
        else:
            out.append(prose(block[:-1] if block.endswith("::") else block))
            continue
        if kind == "pycon" and out and out[-1].startswith("```pycon"):
            out[-1] = out[-1].removesuffix("\n```") + f"\n{block}\n```"
        else:
            out.append(f"```{kind}\n{textwrap.dedent(block)}\n```")
    return "\n\n".join(out)


def documented(name, item):
    text = inspect.getdoc(item) or ""
    if not text:
        return ""
    if inspect.isfunction(item):
        text = f"{name}{inspect.signature(item)}\n\n{text}"
    out = f"## {name}\n\n{as_markdown(text)}\n"
    if inspect.isclass(item):
        known = list(members(item))
        short = [(member, said) for member, said in known if isinstance(vars(item)[member], property) and "\n" not in said]
        out += "\n" + "".join(f"- `{member}`: {prose(said)}\n" for member, said in short)
        out += "".join(f"\n### {name}.{member}\n\n{as_markdown(said)}\n" for member, said in known if (member, said) not in short)
    return out


def python_reference(folder):
    """One page per submodule, and an index of them."""
    import iqbo
    import iqbo.regression  # noqa: F401  (needs scikit-learn, so iqbo does not import it)
    import iqbo.xarray  # noqa: F401  (likewise xarray; iqbo.botorch has docs/ecosystem.md, as Debian has no BoTorch)

    folder.mkdir(parents=True)
    modules = sorted((f"iqbo.{name}", part) for name, part in vars(iqbo).items() if inspect.ismodule(part) and not name.startswith("_"))
    index = ["# Python", "", "Every docstring that has an example is a test. The everyday names are in `iqbo` as well:", "",
             ", ".join(f"`{name}`" for name in sorted(iqbo.__all__) if not inspect.ismodule(getattr(iqbo, name))), "",
             "```{toctree}", ":maxdepth: 1"]
    for title, module in modules:
        names = getattr(module, "__all__", [name for name in dir(module) if not name.startswith("_")])
        parts = [documented(name, getattr(module, name)) for name in sorted(names)
                 if not inspect.ismodule(getattr(module, name, None)) and hasattr(module, name)]
        (folder / f"{title}.md").write_text(f"# {title}\n\n{as_markdown(inspect.getdoc(module) or '')}\n\n" + "\n".join(parts))
        index.append(f"python/{title}")
    (folder.parent / "python.md").write_text("\n".join(index + ["```", ""]))


def gallery_programs(root, page, folder):
    """The programs that the gallery names, a page each; the names become links to them."""
    folder.mkdir(parents=True)
    text = page.read_text()
    for name in dict.fromkeys(re.findall(r"`((?:examples|python/examples|studies|apps/cli)/[\w/.]+)`", text)):
        program = root / name
        language = {".cpp": "cpp", ".py": "python"}[program.suffix]
        made = name.replace("/", "_")
        (folder / f"{made}.md").write_text(f"---\norphan: true\n---\n\n# {name}\n\n````{language}\n{program.read_text()}````\n")
        text = text.replace(f"`{name}`", f"[{name}](reference/programs/{made}.md)")
    page.write_text(text)


def header_page(root, room, headers):
    parts = [f"# {room}\n"]
    for header in headers:
        lines = header.read_text().splitlines()
        opening = []
        while lines and lines[0].startswith("//"):
            opening.append(lines.pop(0)[2:].removeprefix(" "))
        name = header.relative_to(root / "include")
        summary, body = "\n".join(opening), "\n".join(lines).strip()
        parts.append(f"## {name}\n\n{as_markdown(summary)}\n\n```cpp\n{body}\n```\n")
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


def with_links_of_the_site(text, page, docs):
    """A page is called by its title, not by the name of its file; a header leads to the reference; other files are named."""
    def kept(match):
        label, target = match[1], match[2].split("#")[0]
        if not target or "://" in target or target.startswith("mailto:"):
            return match[0]
        file = (page.parent / target).resolve()
        if file.suffix == ".md" and docs in file.parents:
            return f"[]({match[2]})" if label == file.name else match[0]
        if not file.exists():
            return match[0]
        inside = file.relative_to(docs.parent).parts
        if inside[:2] == ("include", "iqbo") and len(inside) > 2:
            return f"[{label}]({'../' * (len(page.relative_to(docs).parents) - 1)}reference/cpp/{inside[2]}.md)"
        name = file.relative_to(docs.parent)
        return f"`{name}`" if label == file.name else f"{label} (`{name}`)"

    return LINK.sub(kept, text)


def main(root, program, out):
    docs = root / "docs"
    shutil.rmtree(out, ignore_errors=True)
    shutil.copytree(docs, out)
    shutil.copytree(root / "examples", out / "examples", ignore=shutil.ignore_patterns("*.py", "districts"))
    for page in out.rglob("*.md"):
        original = docs / page.relative_to(out)
        text = with_links_of_the_site(page.read_text(), original, docs)
        depth = len(page.relative_to(out).parents) - 1
        page.write_text(text.replace("../../examples/", "../" * depth + "examples/"))
    reference = out / "reference"
    reference.mkdir()
    (reference / "command_line.md").write_text(command_line(program))
    (reference / "spec_keys.md").write_text(spec_keys(json.loads((docs / "spec.schema.json").read_text())))
    python_reference(reference / "python")
    gallery_programs(root, out / "gallery.md", reference / "programs")
    cpp_reference(root, reference / "cpp")


if __name__ == "__main__":
    main(Path(sys.argv[1]).resolve(), sys.argv[2], Path(sys.argv[3]).resolve())

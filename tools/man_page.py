#!/usr/bin/env python3
"""The commands in the manual page docs/iqbo.1, taken from the program's own help.

    tools/man_page.py PROGRAM            checks that the page agrees with the help
    tools/man_page.py PROGRAM --write    updates the page
"""
import re
import subprocess
import sys
from pathlib import Path

PAGE = Path(__file__).parent.parent / "docs" / "iqbo.1"
BEGIN, END = '.\\" begin: tools/man_page.py\n', '.\\" end\n'
OF_ALL = {"--help", "--json", "--quiet", "--study"}  # described once, under OPTIONS


def help_of(program, *command):
    return subprocess.run([program, *command, "--help"], capture_output=True, text=True, check=True).stdout


def commands(program):
    listed = help_of(program).split("Subcommands:\n")[1].split("\n\n")[0]
    return re.findall(r"^  (\w+) ", listed, re.M)


def afterword(text):
    """The text after the options: examples and remarks."""
    return text.split("\nOptions:\n")[1].partition("\n\n")[2].rstrip()


def entries(text, title):
    """(option, description) for each entry under a title; continued lines are joined."""
    if f"\n{title}:\n" not in text:
        return
    lines = re.sub(r"\n {20,}", "  ", text.split(f"\n{title}:\n")[1].split("\n\n")[0]).splitlines()
    for line in lines:
        written, _, meaning = line.strip().partition("  ")
        yield re.sub(r" \(Env:\w+\)| REQUIRED|:INT in \[.*?\]|:\{.*?\}", "", written), meaning.strip()


def escaped(text):
    text = text.replace("\\", "\\e").replace("-", "\\-")
    return "\\&" + text if text.startswith((".", "'")) else text


def section(program):
    out = [".SH COMMANDS\n"]
    for command in commands(program):
        text = help_of(program, command)
        positionals = list(entries(text, "Positionals"))
        usage = " ".join(written.split()[0] for written, _ in positionals)
        out.append(f".SS {command}{' ' + escaped(usage) if usage else ''}\n{escaped(text.splitlines()[0].rstrip('.'))}.\n")
        for written, meaning in positionals + list(entries(text, "Options")):
            if not OF_ALL & set(re.split(r"[ ,]", written)) or "The study:" not in meaning and "--study" in written:
                out.append(f".TP\n.B {escaped(written.replace(',-', ', -'))}\n{escaped(meaning)}\n")
        lines = "\n".join(map(escaped, afterword(text).splitlines()))
        out.append(f".PP\n.nf\n{lines}\n.fi\n" if lines else "")
    return "".join(out)


def main():
    program, *more = sys.argv[1:]
    before, _, rest = PAGE.read_text().partition(BEGIN)
    _, _, after = rest.partition(END)
    page = before + BEGIN + section(program) + END + after
    if more == ["--write"]:
        PAGE.write_text(page)
    elif page != PAGE.read_text():
        sys.exit(f"docs/iqbo.1 differs from {Path(program).name} --help; update it: tools/man_page.py {program} --write")


if __name__ == "__main__":
    main()

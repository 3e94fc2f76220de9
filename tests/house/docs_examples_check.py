"""Runs the examples of README.md and of the pages of docs/ that have some, and compares what they print.

R1 an example is a fenced ```console block: lines that begin with `$ ` are commands, `> ` goes on with
   a command, and the rest is what it prints, stdout and stderr together, byte for byte.
R2 the examples of a page run one after the other in one empty directory, with `alfred` on the PATH.
R3 nothing is left out in silence: a console block that begins with no command, a command in a block of
   another kind, a block that never ends, and a page without examples are problems.
"""
import argparse
import os
import pathlib
import subprocess
import sys
import tempfile

PAGES = ("README.md", "docs/chat.md", "docs/config.md", "docs/inbox.md", "docs/refs.md", "docs/records.md",
         "docs/packs.md", "docs/scenarios.md")
SECONDS = 20


class Example:
    def __init__(self, number, command):
        self.number, self.command, self.output = number, command, ""


def parse(text):
    """The examples of a page, and what is wrong with its blocks."""
    examples, found, kind, opened = [], [], None, 0
    for number, line in enumerate(text.splitlines(), 1):
        if line.startswith("```"):
            is_opening = kind is None
            kind, opened = (line[3:].strip() or "plain", number) if is_opening else (None, number)
            continue
        if kind == "console":
            if line.startswith("$ "):
                examples.append(Example(number, line[2:]))
            elif not examples or number == opened + 1:
                found.append("%d: a console block must begin with a command, `$ …`" % number)
            elif (line + " ").startswith("> ") and not examples[-1].output:
                examples[-1].command += "\n" + line[2:]
            else:
                examples[-1].output += line + "\n"
        elif kind is not None and line.startswith("$ "):
            found.append("%d: a command stands in a block that is not marked console" % number)
    if kind is not None:
        found.append("%d: this block never ends" % opened)
    if not examples and not found:
        found.append("1: the page has no example")
    return examples, found


def run(example, directory, environment):
    try:
        done = subprocess.run(["bash", "-c", example.command], cwd=directory, env=environment,
                              stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT, timeout=SECONDS, check=False)
    except subprocess.TimeoutExpired:
        return "(nothing within %d s)\n" % SECONDS
    return done.stdout.decode("utf-8", "replace")


def problems(text, program):
    examples, found = parse(text)
    with tempfile.TemporaryDirectory(prefix="alfred-examples-") as scratch:
        programs, directory = pathlib.Path(scratch, "bin"), pathlib.Path(scratch, "work")
        programs.mkdir()
        directory.mkdir()
        (programs / "alfred").symlink_to(os.path.abspath(program))
        environment = {**os.environ, "PATH": "%s:%s" % (programs, os.environ["PATH"]),
                       "LC_ALL": "C.UTF-8", "ALFRED_HOME": str(pathlib.Path(scratch, "home"))}
        for example in examples:
            printed = run(example, directory, environment)
            if printed != example.output:
                found.append("%d: `%s` prints\n%sbut the page says\n%s" % (
                    example.number, example.command, printed, example.output))
    return len(examples), found


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True)
    parser.add_argument("--program", required=True)
    options = parser.parse_args()
    count = 0
    for page in PAGES:
        ran, found = problems(pathlib.Path(options.root, page).read_text(encoding="utf-8"),
                              options.program)
        print("%s: %d examples" % (page, ran))
        for problem in found:
            print("%s:%s" % (page, problem), file=sys.stderr)
        count += len(found)
    return 1 if count else 0


if __name__ == "__main__":
    sys.exit(main())

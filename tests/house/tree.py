"""The repository's own text files, for the checks beside this file.

Build trees, caches, hidden folders and Python's byte code are no part of it.
"""
import argparse
import pathlib
import sys

SKIPPED = {"build", "__pycache__", "node_modules"}


def text_files(root, *tops):
    """Paths (relative to root, sorted) of the text files under the given folders or files."""
    root = pathlib.Path(root)
    found = []
    for top in tops or ("",):
        start = root / top
        candidates = [start] if start.is_file() else start.rglob("*") if start.is_dir() else []
        for path in candidates:
            relative = path.relative_to(root)
            hidden = any(part in SKIPPED or part.startswith(".") for part in relative.parts)
            if path.is_file() and not hidden and b"\0" not in path.read_bytes()[:4096]:
                found.append(relative)
    return sorted(set(found))


def read(root, relative):
    return (pathlib.Path(root) / relative).read_text(encoding="utf-8", errors="replace")


def is_test(relative):
    """Tests may hold what the product may not: keys, kitchen words."""
    return relative.parts[0] == "tests" or relative.name.endswith(
        ("_test.cc", "_for_tests.h"))


def table_after(text, marker):
    """The rows of the Markdown table that follows `<!-- marker -->`, as lists of cells."""
    head = "<!-- %s -->" % marker
    if head not in text:
        raise SystemExit("no %s in the page" % head)
    rows = []
    for line in text.split(head, 1)[1].lstrip("\n").splitlines():
        if not line.startswith("|"):
            break
        rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows[2:]


def arguments(description):
    parser = argparse.ArgumentParser(description=description)
    parser.add_argument("--root", required=True, help="the repository")
    return parser


def report(name, problems):
    """Prints the problems and gives the exit code."""
    for problem in problems:
        print("%s: %s" % (name, problem), file=sys.stderr)
    if not problems:
        print("%s: clean" % name)
    return 1 if problems else 0

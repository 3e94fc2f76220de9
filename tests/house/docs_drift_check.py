"""Compares the generated pages of docs/ with what the program prints today.

R1 a page that differs, or is missing, is named with its first different line.
"""
import pathlib
import subprocess
import sys

import tree

PAGES = ("errors", "cli", "contracts")


def first_difference(committed, fresh):
    old, new = committed.splitlines(), fresh.splitlines()
    for number in range(max(len(old), len(new))):
        before = old[number] if number < len(old) else "(end of page)"
        after = new[number] if number < len(new) else "(end of page)"
        if before != after:
            return "line %d is %r, should be %r" % (number + 1, before, after)
    return "the line endings differ"


def problems(root, print_page):
    found = []
    for page in PAGES:
        path = pathlib.Path(root) / "docs" / (page + ".md")
        committed = path.read_text(encoding="utf-8") if path.exists() else ""
        fresh = print_page(page)
        if committed != fresh:
            found.append("docs/%s.md: %s; run scripts/docs"
                         % (page, first_difference(committed, fresh)))
    return found


if __name__ == "__main__":
    parser = tree.arguments(__doc__)
    parser.add_argument("--program", required=True, help="alfred_docs")
    options = parser.parse_args()

    def print_page(page):
        return subprocess.run([options.program, page], check=True, capture_output=True,
                              encoding="utf-8").stdout

    sys.exit(tree.report("docs drift", problems(options.root, print_page)))

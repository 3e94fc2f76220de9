"""Looks for what must not stand in the repository.

R1 no database key in anything a model or a reader sees: whole, without dashes, truncated, as a
   placeholder, or in the old prefix + UUID form. Tests may hold keys; goldens may not.
R2 no word of the example domain in the engine's sources.
R3 no path of somebody's machine, anywhere.
R4 no source past 500 lines, no file with a name that says nothing.
R5 an exception stands in hygiene_allow.txt with its reason, covers only text in backticks when the
   file is Markdown, and goes when nothing needs it.
"""
import pathlib
import re
import sys

import tree

HEX = "[0-9a-fA-F]"
MIXED8 = r"(?=\w*[0-9])(?=\w*[a-fA-F])" + HEX + "{8}"
RULES = {
    "uuid": re.compile(r"(?<!{0}){0}{{8}}-?{0}{{4}}-?{0}{{4}}-?{0}{{4}}-?{0}{{12}}(?!{0})"
                       .format(HEX)),
    "truncated": re.compile(
        r"\.\.{0}{{6,}}|(?<![\w-]){1}-(?!{0}{{4}}-{0}{{4}}-{0}{{4}}-{0}{{12}})"
        r"|(?<![\w-])(?=\w*\d)(?=\w*[a-f]){0}{{4,8}}(?:\.\.|…)".format(HEX, MIXED8)),
    "cut": re.compile(r"\bid\w*\[-?\d*:-?\d*\]|\b36[ -]char", re.IGNORECASE),
    "placeholder": re.compile(r"uuid-here|your-uuid|<uuid>|\babc123\b", re.IGNORECASE),
    "prefix_uuid": re.compile(r"prefix_uuid|\b(?:sched|strevt|commit)_[0-9a-z]{12}\b"
                              r"|\b(?:ent|thr)_\d+\b"),
}
KITCHEN = re.compile(r"(?<![A-Za-z])(?:recipes?|pantry|ingredients?|kitchen|shopping_list|meal_plans?)"
                     r"(?![A-Za-z])", re.IGNORECASE)
# Names that belong to the implementation, without the compilers' own that we use.
RESERVED = re.compile(r"\b(?!_RETURN\b)(?!__(?:builtin_|m128i|m256i|int128|extension__|clang|attribute__|LINE__|FILE__|GNUC__|has_|ARM_NEON|SSE2__))"
                      r"(?:_[A-Z]\w*|\w*__\w+)\b")
STRING = re.compile(r'R?"(?:\\.|[^"\\])*"')
MACHINE = re.compile(r"(?<![\w.~*/)}\"-])/(?:home|root|Users|work|workspace|mnt)/\w")
EMPTY_NAMES = {"utils", "util", "common", "helpers", "helper", "manager", "detail", "misc"}
SHOWN = ("prompts", "packs", "web", "docs", "src", "include", "apps", "README.md",
         "CONTRIBUTING.md", "CHANGELOG.md", "tests/golden", "tests/scenarios")
ENGINE = ("src", "include", "apps")
MAX_LINES = 500


class Allowed:
    """hygiene_allow.txt: `path | rule | text | reason` per line."""

    def __init__(self, text):
        self.entries = []
        for line in text.splitlines():
            if line.strip() and not line.startswith("#"):
                path, rule, words, reason = (part.strip() for part in line.split("|", 3))
                self.entries.append([path, rule, words, reason, 0])

    def covers(self, relative, rule, line, match):
        for entry in self.entries:
            path, name, words, _, _ = entry
            if (str(relative), rule, match.group(0)) != (path, name, words):
                continue
            if relative.suffix == ".md" and not in_backticks(line, match.start()):
                continue
            entry[4] += 1
            return True
        return False

    def unused(self):
        for path, rule, words, _, uses in self.entries:
            if uses == 0:
                yield "hygiene_allow.txt: nothing needs `%s | %s | %s` any more" % (path, rule, words)


def in_backticks(line, position):
    return line[:position].count("`") % 2 == 1


def hits(root, relative, rules, allowed):
    for number, line in enumerate(tree.read(root, relative).splitlines(), 1):
        for rule, pattern in rules.items():
            for match in pattern.finditer(line):
                if not allowed.covers(relative, rule, line, match):
                    yield "%s:%d: %s: %s" % (relative, number, rule, match.group(0))


def reserved_names(root, relative):
    for number, line in enumerate(tree.read(root, relative).splitlines(), 1):
        code = STRING.sub('""', line).split("//")[0]
        for match in RESERVED.finditer(code):
            yield "%s:%d: reserved: %s" % (relative, number, match.group(0))


def shape_problems(root, relative):
    lines = tree.read(root, relative).count("\n")
    if relative.parts[0] == "src" and lines > MAX_LINES:
        yield "%s: %d lines; past %d it is two things" % (relative, lines, MAX_LINES)
    for part in (*relative.parts[:-1], relative.stem):
        if part in EMPTY_NAMES:
            yield "%s: the name `%s` says nothing" % (relative, part)


def problems(root, allow_text):
    allowed, found = Allowed(allow_text), []
    for relative in tree.text_files(root, *SHOWN):
        is_golden = relative.parts[:1] == ("tests",)
        if is_golden or not tree.is_test(relative):
            found += hits(root, relative, RULES, allowed)
    for relative in tree.text_files(root, *ENGINE):
        found += shape_problems(root, relative)
        if not tree.is_test(relative):
            found += hits(root, relative, {"kitchen": KITCHEN}, allowed)
            if relative.suffix in (".cc", ".h"):
                found += reserved_names(root, relative)
    for relative in tree.text_files(root):
        if relative.parts[:2] != ("tests", "house"):
            found += hits(root, relative, {"machine": MACHINE}, allowed)
    return found + list(allowed.unused())


if __name__ == "__main__":
    options = tree.arguments(__doc__).parse_args()
    here = pathlib.Path(__file__).resolve().parent
    sys.exit(tree.report("hygiene",
                         problems(options.root, (here / "hygiene_allow.txt").read_text("utf-8"))))

"""Every section and table row of the five source documents has its proof in docs/seed-coverage.md.

R1 every section in a document's `sections` list has at least the stated number of rows, and every
   row names a listed section.
R2 a proof is a test that exists, a check or test file that exists, a scenario that its pack lists, or
   a decision that exists.
R3 `pending`, or `pending: <test>` for one that is still to come, is a proof only while
   --allow-pending is given.
R4 all five documents have a part in the page.
"""
import re
import sys

import tree

DOCUMENTS = ("000", "001", "002", "003", "004")
PAGE = "docs/seed-coverage.md"
HEADING = re.compile(r"^## .*\((\d{3})\)\s*$")
SECTION = re.compile(r"^(.+?) × (\d+)$")
CC_TEST = re.compile(r"\b(?:TEST|TEST_F|TEST_P|RC_GTEST_PROP|RC_GTEST_FIXTURE_PROP)\s*\(\s*"
                     r"(\w+)\s*,\s*(\w+)")
PY_CLASS = re.compile(r"^class (\w+)\(|^    def (test_\w+)\(", re.MULTILINE)
DECISION = re.compile(r"^# (D\d+a?) ", re.MULTILINE)


def known_tests(root):
    """Names `Suite.test`, and the names and paths of test files."""
    names, files = set(), set()
    for relative in tree.text_files(root, "src", "tests"):
        if not tree.is_test(relative):
            continue
        files |= {str(relative), relative.name}
        text = tree.read(root, relative)
        if relative.suffix == ".cc":
            names |= {"%s.%s" % pair for pair in CC_TEST.findall(text)}
        elif relative.suffix == ".py":
            suite = ""
            for class_name, test in PY_CLASS.findall(text):
                suite = class_name or suite
                if test:
                    names.add("%s.%s" % (suite, test))
    return names, files


def known_scenarios(root):
    """Names of the scenarios that packs list; others are not run."""
    found = set()
    for relative in tree.text_files(root, "packs"):
        if relative.parent.name == "scenarios" and relative.suffix == ".md":
            pack = relative.parent.parent / "pack.toml"
            if '"scenarios/%s"' % relative.name in tree.read(root, pack):
                found.add(relative.name)
    return found


def known_decisions(root):
    found = set()
    for relative in tree.text_files(root, "docs/decisions"):
        found |= set(DECISION.findall(tree.read(root, relative))[:1])
    return found


class Document:
    def __init__(self, number):
        self.number, self.sections, self.rows = number, {}, []


def parse(page):
    documents, current, in_sections, problems = {}, None, False, []
    for number, line in enumerate(page.splitlines(), 1):
        heading = HEADING.match(line)
        if heading:
            current = documents.setdefault(heading.group(1), Document(heading.group(1)))
        elif line.startswith("## "):
            current = None
        elif current is None:
            continue
        elif line.startswith("```"):
            in_sections = line == "```sections"
        elif in_sections:
            section = SECTION.match(line)
            if section:
                current.sections[section.group(1)] = int(section.group(2))
            else:
                problems.append("%s:%d: a section is written `name × rows`" % (PAGE, number))
        elif line.startswith("|") and not set(line) <= set("|- "):
            cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
            if cells[0] != "section":
                current.rows.append((number, cells))
    return documents, problems


class Proofs:
    def __init__(self, root, allow_pending):
        self.tests, self.files = known_tests(root)
        self.files |= known_scenarios(root)
        self.decisions = known_decisions(root)
        self.allow_pending = allow_pending

    def problem(self, proof):
        """What is wrong with one proof, or None."""
        name = proof.strip("`*")
        if name.partition(":")[0] == "pending":
            return None if self.allow_pending else "still %s" % name
        if re.match(r"^D\d+a?$", name):
            return None if name in self.decisions else "there is no decision %s" % name
        if name in self.tests or name in self.files:
            return None
        return "there is no test or check called %s" % name


def problems(root, allow_pending=False):
    documents, found = parse(tree.read(root, PAGE))
    proofs = Proofs(root, allow_pending)
    for number in DOCUMENTS:
        if number not in documents:
            found.append("%s: document %s has no part" % (PAGE, number))
    for document in documents.values():
        counts = dict.fromkeys(document.sections, 0)
        for line, cells in document.rows:
            where = "%s:%d" % (PAGE, line)
            if len(cells) != 3:
                found.append("%s: a row has three cells: section, what it says, proof" % where)
                continue
            if cells[0] in counts:
                counts[cells[0]] += 1
            else:
                found.append("%s: section %s is not in the list of %s"
                             % (where, cells[0], document.number))
            if not cells[2]:
                found.append("%s: no proof" % where)
            for proof in filter(None, (part.strip() for part in cells[2].split("·"))):
                wrong = proofs.problem(proof)
                if wrong:
                    found.append("%s: %s" % (where, wrong))
        for section, wanted in document.sections.items():
            if counts[section] < wanted:
                found.append("%s: %s, section %s has %d rows, needs %d"
                             % (PAGE, document.number, section, counts[section], wanted))
    return found


if __name__ == "__main__":
    parser = tree.arguments(__doc__)
    parser.add_argument("--allow-pending", action="store_true")
    options = parser.parse_args()
    sys.exit(tree.report("seed coverage", problems(options.root, options.allow_pending)))

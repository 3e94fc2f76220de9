import unittest

import fixture
import seed_coverage_check

DOCUMENT = """## Some document (%s)

```sections
1 First × 2
Second × 1
```

| section | what it says | proof |
|---|---|---|
| 1 First | one | `Suite.R1_holds` · D7 |
| 1 First | two | D9 |
| Second | three | `some_check.py` |

"""
FILES = {
    "docs/seed-coverage.md": "# Page\n\n" + "".join(
        DOCUMENT % number for number in seed_coverage_check.DOCUMENTS),
    "docs/decisions/0007-a.md": "# D7 · A title\n",
    "docs/decisions/0009-b.md": "# D9 · Another\n",
    "src/base/a_test.cc": "TEST(Suite, R1_holds) {}\n",
    "tests/house/some_check.py": "",
    "tests/house/some_check_test.py":
        "class SomeCheck(fixture.FixtureCase):\n    def test_finds(self):\n        pass\n",
}


class SeedCoverageCheck(fixture.FixtureCase):
    def problems(self, old="", new="", allow_pending=False):
        page = FILES["docs/seed-coverage.md"].replace(old, new, 1) if old else \
            FILES["docs/seed-coverage.md"]
        return seed_coverage_check.problems(
            self.make_tree({**FILES, "docs/seed-coverage.md": page}), allow_pending)

    def test_a_clean_page_passes(self):
        self.assertEqual(self.problems(), [])

    def test_R1_a_section_without_its_rows_is_found(self):
        self.assert_one(self.problems("| 1 First | two | D9 |\n", ""), "1 First has 1 rows")

    def test_R1_a_row_of_an_unlisted_section_is_found(self):
        self.assert_one(self.problems("Second × 1\n", ""), "Second is not in the list")

    def test_R2_a_test_that_does_not_exist_is_found(self):
        self.assert_one(self.problems("Suite.R1_holds", "Suite.R2_holds"), "Suite.R2_holds")
        self.assert_one(self.problems("some_check.py", "other_check.py"), "other_check.py")

    def test_R2_a_python_test_counts(self):
        self.assertEqual(self.problems("Suite.R1_holds", "SomeCheck.test_finds"), [])

    def test_R2_a_scenario_counts_when_its_pack_lists_it(self):
        page = FILES["docs/seed-coverage.md"].replace("some_check.py", "01-a.md")
        files = {**FILES, "docs/seed-coverage.md": page, "packs/p/scenarios/01-a.md": "# A\n",
                 "packs/p/pack.toml": 'scenarios = ["scenarios/01-a.md"]\n'}
        self.assertEqual(seed_coverage_check.problems(self.make_tree(files)), [])
        files["packs/p/pack.toml"] = "scenarios = []\n"
        found = seed_coverage_check.problems(self.make_tree(files))
        self.assertTrue(found and all("01-a.md" in one for one in found), found)

    def test_R2_a_decision_that_does_not_exist_is_found(self):
        self.assert_one(self.problems("D7", "D8"), "no decision D8")

    def test_R2_what_is_only_promised_is_found(self):
        self.assert_one(self.problems("D9", "*Sometime*"), "Sometime")

    def test_R2_an_empty_proof_is_found(self):
        self.assert_one(self.problems("D9", ""), "no proof")

    def test_R3_pending_needs_the_flag(self):
        self.assert_one(self.problems("D9", "pending"), "pending")
        self.assert_one(self.problems("D9", "pending: `Suite.R9_x`"), "pending: `Suite.R9_x")
        self.assertEqual(self.problems("D9", "pending", allow_pending=True), [])
        self.assertEqual(
            self.problems("D9", "pending: `Suite.R9_x`", allow_pending=True), [])

    def test_R4_a_missing_document_is_found(self):
        found = self.problems("(004)", "(005)")
        self.assertTrue(any("document 004 has no part" in one for one in found), found)


if __name__ == "__main__":
    unittest.main()

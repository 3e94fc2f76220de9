import unittest

import docs_drift_check
import fixture


class DocsDriftCheck(fixture.FixtureCase):
    def problems(self, errors, cli):
        root = self.make_tree({"docs/errors.md": errors, "docs/cli.md": cli,
                               "docs/contracts.md": "# contracts\nline\n"})
        return docs_drift_check.problems(root, lambda page: "# %s\nline\n" % page)

    def test_pages_as_printed_pass(self):
        self.assertEqual(self.problems("# errors\nline\n", "# cli\nline\n"), [])

    def test_R1_the_first_different_line_is_named(self):
        self.assert_one(self.problems("# errors\nold\n", "# cli\nline\n"), "errors.md", "line 2")

    def test_R1_a_page_cut_short_is_found(self):
        self.assert_one(self.problems("# errors\nline\n", "# cli\n"), "cli.md", "end of page")


if __name__ == "__main__":
    unittest.main()

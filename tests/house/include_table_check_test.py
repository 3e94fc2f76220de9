import unittest

import fixture
import include_table_check

PAGE = """# Page
<!-- include-table -->
| folder | today | public headers | holds | may include |
|---|---|---|---|---|
| `base` | yes | `error.h` | ground | – |
| `refs` | yes | `refs.h` | names | base |
| `records` | yes | – | door | base refs |
| `apps` | yes | – | programs | base |

After.
"""
CLEAN = {
    "docs/architecture.md": PAGE,
    "CMakeLists.txt": "alfred_folder(base)\nalfred_folder(refs base)\nalfred_folder(records refs)\n",
    "include/alfred/error.h": "#include <string>\n#include <tl/expected.hpp>\n",
    "include/alfred/refs.h": '#include "alfred/error.h"\n',
    "src/base/a.cc": '#include "alfred/error.h"\n#include <fmt/format.h>\n',
    "src/refs/b.h": '#include "base/a.h"\n',
    "src/records/sub/c.cc": '#include "refs/b.h"\n#include <CLI/CLI.hpp>\n',
    "apps/main.cc": '#include "base/a.h"\n',
}


class IncludeTableCheck(fixture.FixtureCase):
    def problems(self, changed):
        return include_table_check.problems(self.make_tree({**CLEAN, **changed}))

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.problems({}), [])

    def test_R1_a_forbidden_edge_is_found(self):
        found = self.problems(
            {"src/refs/up.cc": '  #  include "records/sub/c.h"\n'})
        self.assertTrue(any("refs may not include records" in one for one in found), found)

    def test_R1_a_forbidden_edge_through_a_public_header_is_found(self):
        found = self.problems(
            {"apps/main.cc": '#include "alfred/refs.h"\n'})
        self.assert_one(found, "apps may not include refs")

    def test_R1_a_forbidden_edge_in_cmake_is_found(self):
        found = self.problems(
            {"CMakeLists.txt": CLEAN["CMakeLists.txt"].replace("(base)", "(base refs)")})
        self.assert_one(found, "base links refs")

    def test_R2_an_unknown_folder_is_found(self):
        found = self.problems(
            {"src/extra/d.cc": "int d;\n"})
        self.assert_one(found, "src/extra/d.cc", "no folder")

    def test_R2_an_include_without_folder_is_found(self):
        found = self.problems(
            {"src/base/a.cc": '#include "a.h"\n'})
        self.assert_one(found, '"a.h"', "no folder")

    def test_R2_a_row_that_cmake_does_not_build_is_found(self):
        found = self.problems(
            {"CMakeLists.txt": "alfred_folder(base)\nalfred_folder(refs base)\n"})
        self.assert_one(found, "records", "differ")

    def test_R3_a_cycle_in_the_sources_is_found(self):
        found = self.problems(
            {"src/base/up.cc": '#include "refs/b.h"\n'})
        self.assertIn("the sources: a cycle, base -> refs -> base", found)

    def test_R3_a_cycle_in_the_table_is_found(self):
        page = PAGE.replace("| ground | – |", "| ground | records |")
        found = self.problems({"docs/architecture.md": page})
        self.assert_one(found, "the table: a cycle")

    def test_R4_a_third_party_header_in_a_public_header_is_found(self):
        found = self.problems(
            {"include/alfred/refs.h": "#include <boost/json.hpp>\n"})
        self.assert_one(found, "users would need it")

    def test_R4_a_public_header_without_folder_is_found(self):
        found = self.problems(
            {"include/alfred/stray.h": "#include <string>\n"})
        self.assert_one(found, "stray.h", "no folder")

    def test_R4_a_private_header_in_a_public_header_is_found(self):
        found = self.problems(
            {"include/alfred/refs.h": '#include "base/a.h"\n'})
        self.assert_one(found, "only alfred/ is installed")

    def test_R5_a_heavy_header_in_two_files_is_found(self):
        found = self.problems(
            {"src/refs/e.cc": "#include <CLI/App.hpp>\n"})
        self.assert_one(found, "2 files")

    def test_R5_a_heavy_header_in_a_header_is_found(self):
        found = self.problems(
            {"src/refs/e.h": "#include <toml++/toml.h>\n"})
        self.assert_one(found, "one .cc")

    def test_R6_a_driver_outside_its_folder_is_found(self):
        found = self.problems({"src/refs/e.cc": "#include <sqlite3.h>\n"})
        self.assert_one(found, "src/refs/e.cc", "sqlite3.h", "src/storage/sqlite")
        found = self.problems({"apps/e.cc": "#include <postgresql/libpq-fe.h>\n"})
        self.assert_one(found, "apps/e.cc", "libpq-fe.h", "src/storage/postgres")

    def test_R6_sql_that_is_run_outside_its_folder_is_found(self):
        for call in ("sqlite3_prepare_v3(a)", "sqlite3_exec(a)", "PQexec(a)", "PQexecParams(a)",
                     "PQsendQueryPrepared(a)", "PQprepare(a)"):
            found = self.problems({"src/records/sub/d.cc": "int x = %s;\n" % call})
            self.assert_one(found, call[:-3], "belongs in src/storage/")

    def test_R6_drivers_in_their_folders_pass(self):
        page = PAGE.replace("| `apps`", "| `storage` | yes | – | rows | base |\n| `apps`")
        cmake = CLEAN["CMakeLists.txt"] + "alfred_folder(storage base)\n"
        files = {"docs/architecture.md": page, "CMakeLists.txt": cmake}
        for folder, text in (("sqlite", "#include <sqlite3.h>\nint x = sqlite3_exec(a);\n"),
                             ("postgres", "#include <libpq-fe.h>\nint x = PQexec(a);\n")):
            files["src/storage/%s/x.cc" % folder] = text
        self.assertEqual(self.problems(files), [])
        swapped = {**files, "src/storage/postgres/y.cc": "#include <sqlite3.h>\n"}
        self.assert_one(self.problems(swapped), "src/storage/postgres/y.cc", "sqlite3.h")


if __name__ == "__main__":
    unittest.main()

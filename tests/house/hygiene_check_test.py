import unittest

import fixture
import hygiene_check

KEY = "a508000d-9b55-40f0-8886-dbdd88bd2de2"


class HygieneCheck(fixture.FixtureCase):
    def problems(self, files, allow=""):
        return hygiene_check.problems(self.make_tree(files), allow)

    def test_a_clean_tree_passes(self):
        self.assertEqual(self.problems({
            "README.md": "recipe_1 and src_7k2f9m3qw1bx; 2026-01-05; 0xdeadbeef; range 1..10",
            "src/base/a.cc": "// book_1\nint a[3];\n",
            "docs/a.md": "the kitchen is an example; tests/work/a",
        }), [])

    def test_R1_a_key_is_found_in_any_form(self):
        for text in (KEY, KEY.upper(), KEY.replace("-", ""), "{%s}" % KEY, "id_" + KEY):
            self.assert_one(self.problems({"packs/p/notes.md": text}), "uuid")

    def test_R1_a_truncated_key_is_found(self):
        for text in ("id:..c69607bb", "a508000d-...", "a508... is", "a508000d-9b55-40f0-…"):
            found = self.problems({"prompts/act.md": text})
            self.assertTrue(found and all("truncated" in one for one in found), (text, found))

    def test_R1_code_that_cuts_ids_is_found(self):
        for text in ("id_short = entity.id[-8:]", "// a key has 36 chars"):
            self.assert_one(self.problems({"src/base/a.cc": text}), "cut")

    def test_R1_placeholders_are_found(self):
        for text in ('"id": "uuid-here"', "id abc123", "<uuid>"):
            self.assert_one(self.problems({"docs/a.md": text}), "placeholder")

    def test_R1_old_forms_of_durable_ids_are_found(self):
        for text in ("a prefix_uuid form", "sched_7k2f9m3qw1bx", "ent_12", "thr_3"):
            self.assert_one(self.problems({"docs/a.md": text}), "prefix_uuid")

    def test_R1_tests_may_hold_keys_and_goldens_may_not(self):
        self.assertEqual(self.problems({"src/base/a_test.cc": KEY, "tests/b.cc": KEY}), [])
        self.assert_one(self.problems({"tests/golden/act.md": KEY}), "tests/golden/act.md")

    def test_R2_a_word_of_the_example_domain_in_the_engine_is_found(self):
        for text in ("// Recipes", '"recipe_1"', "pantry", "int ingredient;", "shopping_list"):
            self.assert_one(self.problems({"src/base/a.h": text}), "kitchen")
        self.assertEqual(self.problems({"src/base/a_test.cc": "recipe", "src/b.h": "receipt"}), [])

    def test_R2_a_name_of_the_implementation_is_found(self):
        for text in ("int _Name;", "int two__words;", "struct __mine;"):
            self.assert_one(self.problems({"src/base/a.h": text}), "reserved")
        self.assertEqual(self.problems({"src/base/a.cc": 'auto a = "a__b"; __builtin_trap();  // _X'}), [])

    def test_R3_a_path_of_a_machine_is_found(self):
        for text in ("see /home/someone/a", "cd /root/x", "(/workspace/a)"):
            self.assert_one(self.problems({"scripts/run": text}), "machine")

    def test_R4_a_long_source_is_found(self):
        self.assertEqual(self.problems({"src/base/a.cc": "\n" * 500}), [])
        self.assert_one(self.problems({"src/base/a.cc": "\n" * 501}), "two things")

    def test_R4_a_name_that_says_nothing_is_found(self):
        self.assert_one(self.problems({"src/base/utils.h": ""}), "utils")
        self.assert_one(self.problems({"src/common/a.h": ""}), "common")

    def test_R5_an_exception_covers_its_text_in_backticks_only(self):
        allow = "docs/a.md | placeholder | abc123 | the audit list names it"
        self.assertEqual(self.problems({"docs/a.md": "the word `..`, `abc123`"}, allow), [])
        found = self.problems({"docs/a.md": "the word abc123"}, allow)
        self.assertEqual(len(found), 2, found)
        self.assertEqual(len(self.problems({"docs/b.md": "`abc123`"}, allow)), 2)

    def test_R5_an_exception_nothing_needs_is_found(self):
        self.assert_one(self.problems({}, "docs/a.md | placeholder | abc123 | why"), "any more")


if __name__ == "__main__":
    unittest.main()

import unittest

import docs_examples_check as check


def page(*lines):
    return "\n".join(lines) + "\n"


class DocsExamplesCheck(unittest.TestCase):
    def found(self, *lines):
        return check.problems(page(*lines), "/bin/echo")

    def test_R1_what_is_printed_is_compared(self):
        self.assertEqual(self.found("```console", "$ echo a", "a", "$ true", "```"), (2, []))
        count, found = self.found("```console", "$ echo a", "b", "```")
        self.assertEqual(count, 1)
        self.assertTrue(found[0].startswith("2: `echo a` prints\na\nbut the page says\nb\n"), found)
        self.assertEqual(len(self.found("```console", "$ echo a", "```")[1]), 1)
        self.assertEqual(len(self.found("```console", "$ true", "a", "```")[1]), 1)

    def test_R1_a_command_may_take_several_lines_and_print_errors(self):
        self.assertEqual(self.found("```console", "$ cat <<'END'", "> x", ">", "> END", "x", "",
                                    "```"), (1, []))
        self.assertEqual(self.found("```console", "$ echo a >&2; exit 3", "a", "```"), (1, []))

    def test_R2_one_directory_for_a_page_and_alfred_on_the_path(self):
        self.assertEqual(self.found("```console", "$ touch f", "```", "text", "```console", "$ ls",
                                    "f", "$ alfred x", "x", "```"), (3, []))

    def test_R3_nothing_is_left_out_in_silence(self):
        self.assertEqual(len(self.found("```console", "a", "$ true", "```")[1]), 1)
        self.assertEqual(len(self.found("```sh", "$ true", "```")[1]), 1)
        self.assertEqual(len(self.found("```console", "$ true")[1]), 1)
        self.assertEqual(len(self.found("no blocks")[1]), 1)
        self.assertEqual(len(self.found("```console", "```")[1]), 1)


if __name__ == "__main__":
    unittest.main()

"""chat_terminal_test.py ALFRED PACKS: `alfred chat` at a real pseudo-terminal.

Greeting, colours, line editing, history, Ctrl-C at the prompt and in a turn, Ctrl-D, narrow windows.
"""
import os
import pathlib
import re
import signal
import stat
import sys
import tempfile
import unittest

import chat_answers
from pseudo_terminal import Terminal

ALFRED = os.path.abspath(sys.argv.pop(1))
PACKS = os.path.abspath(sys.argv.pop(1))
SEQUENCE = re.compile(r"\x1b\[[0-9;?]*[A-Za-z]")


class AtATerminal(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-tty-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        self.home = self.dir / "home"

    def open(self, *turns, columns=80, arguments=(), **more):
        path = self.dir / ("answers-%d.jsonl" % len(list(self.dir.iterdir())))
        path.write_text(chat_answers.lines(*turns), encoding="utf-8")
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ALFRED_", "XDG_", "NO_COLOR", "COLUMNS"))}
        environment = {**kept, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "HOME": str(self.dir),
                       "ALFRED_HOME": str(self.home), **more}
        return Terminal([ALFRED, "chat", "--pack", os.path.join(PACKS, "bookshelf"), "--replay", str(path), *arguments],
                        environment, columns)

    def test_the_first_greeting_is_long_and_later_ones_are_short(self):
        first = self.open()
        page = first.wait_for("> ")
        for text in ("Alfred", "bookshelf", "You are talking to", "a recording", "Try:", "ALFRED_MODEL_URL", "/help"):
            self.assertIn(text, page)
        self.assertIn("\x1b[1m", page)
        self.assertEqual(first.leave()[1], 0)
        again = self.open()
        page = again.wait_for("> ")
        self.assertIn("Alfred, a new session. You are talking to a recording.", page)
        self.assertNotIn("Try:", page)
        self.assertEqual(again.leave()[1], 0)

    def test_a_reply_is_rendered_and_progress_is_wiped(self):
        terminal = self.open(chat_answers.add_author(
            "Ann", reply="Added **Ann**.\n\n| name | n |\n|---|---|\n| 日本 | 1 |\n", waits={2: 200}))
        terminal.wait_for("> ")
        terminal.send("add Ann\n")
        page = terminal.wait_for("日本")
        self.assertIn("planning…", page)
        self.assertIn("step 1 of 1: add the author", page)
        self.assertIn("\r\x1b[2K", page)
        self.assertIn("Added \x1b[1mAnn\x1b[22m.", page)
        self.assertNotIn("**", page)
        self.assertIn("name │", SEQUENCE.sub("", page))
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)

    def test_no_color_and_dumb_terminals_get_no_colours(self):
        for more in ({"NO_COLOR": "1"}, {"TERM": "dumb"}):
            terminal = self.open(chat_answers.add_author("Ann"), **more)
            terminal.wait_for("> ")
            terminal.send("add Ann\n")
            page = terminal.wait_for("Added Ann.")
            self.assertNotIn("\x1b[1m", terminal.seen)
            self.assertNotIn("\x1b[36m", page)
            terminal.wait_for("> ")
            self.assertEqual(terminal.leave()[1], 0)

    def test_lines_can_be_edited_and_come_back(self):
        terminal = self.open(chat_answers.add_author("Ann"), chat_answers.add_author("Ada"))
        terminal.wait_for("> ")
        terminal.send("add Abb\x7f\x7fnn žluť 日本\n")
        terminal.wait_for("Added")
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)
        history = self.home / "history"
        self.assertEqual(history.read_text(encoding="utf-8"), "add Ann žluť 日本\n")
        self.assertEqual(stat.S_IMODE(history.stat().st_mode), 0o600)
        again = self.open(chat_answers.add_author("Ada"))
        again.wait_for("> ")
        again.send("\x1b[A!\n")  # the line before, and one more sign
        again.wait_for("Added")
        again.wait_for("> ")
        self.assertEqual(again.leave()[1], 0)
        self.assertEqual(history.read_text(encoding="utf-8").splitlines()[-1], "add Ann žluť 日本!")

    def test_tab_completes_commands(self):
        terminal = self.open()
        terminal.wait_for("> ")
        terminal.send("/wor\t\n")
        self.assertIn("Nothing is in play yet.", terminal.wait_for("yet."))
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)

    def test_ctrl_c_at_the_prompt_clears_the_line(self):
        terminal = self.open(chat_answers.add_author("Ann"))
        terminal.wait_for("> ")
        terminal.send("this is not said")
        terminal.wait_for("not said")
        terminal.send("\x03")
        terminal.wait_for("> ")
        terminal.send("add Ann\n")
        terminal.wait_for("Added")
        terminal.wait_for("> ")
        terminal.send("/export\n")
        page = terminal.wait_for("## 1. Alfred")
        self.assertIn("add Ann", page)
        self.assertNotIn("not said", page)
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)

    def test_ctrl_c_in_a_turn_ends_it_and_keeps_the_session(self):
        terminal = self.open(chat_answers.add_author("Ann", waits={1: 3000})[:2],
                             chat_answers.add_author("Ada"))
        terminal.wait_for("> ")
        terminal.send("add Ann\n")
        terminal.wait_for("planning…")
        terminal.send("\x03")
        terminal.wait_for("Stopped. Nothing was changed.")
        terminal.wait_for("> ")
        terminal.send("add Ada\n")
        terminal.wait_for("Added")
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)

    def test_a_turn_that_nobody_answers_can_be_tried_again_or_given_up(self):
        answers = chat_answers.add_author("Ann")
        terminal = self.open(answers[:2])
        terminal.wait_for("> ")
        terminal.send("add Ann\n")
        terminal.wait_for("no answer left for act")
        terminal.wait_for("Enter tries again")
        terminal.wait_for("> ")
        terminal.send("\n")
        terminal.wait_for("Turn 1 was cut off; going on with it: add Ann")
        terminal.wait_for("Enter tries again")
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)
        again = self.open(answers[2:])
        again.wait_for("going on with it: add Ann")
        again.wait_for("Added")
        again.wait_for("> ")
        self.assertEqual(again.leave("/quit\n")[1], 0)

    def test_a_line_goes_on_after_a_backslash(self):
        terminal = self.open(chat_answers.add_author("Ann"))
        terminal.wait_for("> ")
        terminal.send("add Ann\\\n")
        terminal.wait_for("… ")
        terminal.send("and nobody else\n")
        terminal.wait_for("Added")
        terminal.wait_for("> ")
        terminal.send("/export\n")
        page = terminal.wait_for("## 1. Alfred")
        self.assertIn("add Ann\r\nand nobody else", page)
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)

    def test_C15_a_narrow_window_gets_narrow_lines_and_no_foreign_sequence(self):
        reply = "Added Ann \x1b]0;owned\x07 " + "word " * 30 + "\n\n| name | notes |\n|---|---|\n| Ann | %s |\n" % (
            "long " * 20)
        terminal = self.open(chat_answers.add_author("Ann", reply=reply), columns=40)
        terminal.wait_for("> ")
        terminal.send("add Ann\n")
        page = terminal.wait_for("long\r\n\r\n")
        self.assertNotIn("\x1b]", page)
        said = SEQUENCE.sub("", page[page.index("Added Ann"):])
        self.assertIn("\\u{1b}]0;owned\\u{7}", said.replace("\r\n", " "))
        for line in said.splitlines():
            self.assertLessEqual(len(line), 40, line)
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)

    def test_F2_a_wish_to_end_leaves_at_the_prompt(self):
        terminal = self.open()
        terminal.wait_for("> ")
        os.kill(terminal.pid, signal.SIGTERM)
        self.assertEqual(terminal.leave(None)[1], 0)


if __name__ == "__main__":
    unittest.main()

"""reminder_test.py ALFRED PACKS: what somebody asked to be reminded of is shown at the prompt.

While a line is being typed, after the program was not there, and after a server dealt with it.
"""
import datetime
import json
import os
import pathlib
import re
import signal
import subprocess
import sys
import tempfile
import unittest

from pseudo_terminal import Terminal

ALFRED = os.path.abspath(sys.argv.pop(1))
PACKS = os.path.abspath(sys.argv.pop(1))


class Reminder(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-remind-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ALFRED_", "XDG_", "NO_COLOR", "COLUMNS"))}
        self.environment = {**kept, "LC_ALL": "C.UTF-8", "TERM": "xterm-256color", "TZ": "UTC", "HOME": str(self.dir),
                            "ALFRED_HOME": str(self.dir / "home")}

    def chat(self):
        return Terminal([ALFRED, "chat", "--interpreter", "rules"], self.environment)

    def run_alfred(self, *words):
        done = subprocess.run([ALFRED, *words], env=self.environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def remind(self, title):
        """A row that is due since a moment."""
        at = datetime.datetime.now(datetime.timezone.utc) - datetime.timedelta(seconds=30)
        self.run_alfred("db", "create", "tasks", "--data",
                        json.dumps({"title": title, "remind_at": at.strftime("%Y-%m-%dT%H:%M:%SZ")}))

    def test_it_is_shown_above_the_line_that_is_being_typed_and_only_once(self):
        terminal = self.chat()
        terminal.wait_for("> ")
        terminal.send("than")
        terminal.wait_for("than")
        self.remind("thaw the cod")
        terminal.wait_for("Reminder (")
        terminal.wait_for("thaw the cod")
        terminal.wait_for("> ")
        terminal.wait_for("than")
        terminal.send("ks\n")
        terminal.wait_for("You are welcome.")
        terminal.wait_for("> ")
        self.assertEqual(terminal.leave()[1], 0)
        again = self.chat()
        page = again.wait_for("> ")
        self.assertNotIn("thaw", page)
        again.send("thanks\n")
        self.assertNotIn("thaw", again.wait_for("You are welcome."))
        self.assertEqual(again.leave()[1], 0)
        self.assertEqual(again.seen.count("thaw"), 0)
        session = re.search("ses_[0-9a-z]+", self.run_alfred("session", "list")).group()
        self.assertNotIn("failed", self.run_alfred("session", "show", session))

    def test_what_came_while_nobody_was_there_is_shown_at_the_next_start(self):
        self.run_alfred("chat", "--interpreter", "rules", "--once", "remind me to feed the starter tomorrow at 5pm")
        self.remind("thaw the cod")
        terminal = self.chat()
        terminal.wait_for("thaw the cod")
        terminal.wait_for("> ")
        end, code = terminal.leave()
        self.assertEqual(code, 0)
        self.assertNotIn("starter", end)

    def test_without_a_terminal_it_is_shown_once_after_the_messages(self):
        self.run_alfred("chat", "--interpreter", "rules", "--once", "thanks")
        self.remind("thaw the cod")
        page = self.run_alfred("chat", "--interpreter", "rules", "--once", "thanks")
        self.assertIn("You are welcome.", page)
        self.assertEqual(len(re.findall(r"Reminder \(.*\): thaw the cod", page)), 1, page)
        self.assertNotIn("thaw", self.run_alfred("chat", "--interpreter", "rules", "--once", "thanks"))

    def test_rows_to_try_remind_as_well(self):
        self.run_alfred("chat", "--interpreter", "rules", "--once", "thanks")
        self.assertIn("Thaw the ground beef", self.run_alfred("timer", "list", "--json"))

    def test_what_a_server_dealt_with_is_shown_at_once_at_the_next_start(self):
        self.run_alfred("chat", "--interpreter", "rules", "--once", "thanks")
        server = subprocess.Popen([ALFRED, "serve", "--port", "0", "--no-token", "--interpreter", "rules"],
                                  env=self.environment, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
        self.addCleanup(server.stdout.close)
        try:
            self.assertIn("Listening", server.stdout.readline())
            self.remind("thaw the cod")
            self.wait_until_dealt_with()
        finally:
            server.send_signal(signal.SIGTERM)
            self.assertEqual(server.wait(60), 0)
        terminal = self.chat()
        page = terminal.wait_for("> ")
        self.assertIn("thaw the cod", page)
        self.assertEqual(terminal.leave()[1], 0)

    def wait_until_dealt_with(self):
        session = re.search(r"ses_[0-9a-z]{12}", self.run_alfred("session", "list")).group()
        for _ in range(60):
            page = self.run_alfred("session", "export", session)
            if "Reminder (" in page:
                return
        self.fail("nobody was reminded: %s" % page)


if __name__ == "__main__":
    unittest.main()

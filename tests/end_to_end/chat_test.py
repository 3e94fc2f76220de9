"""chat_test.py ALFRED PACKS: `alfred chat` from outside, without a terminal.

What it prints as text and as events, its exit codes, sessions that go on, a kill in the middle of a turn.
The answers are recorded ones; the rows are real.
"""
import json
import os
import pathlib
import signal
import sqlite3
import stat
import subprocess
import sys
import tempfile
import time
import unittest

import chat_answers

ALFRED = os.path.abspath(sys.argv.pop(1))
PACKS = os.path.abspath(sys.argv.pop(1))


class Chat(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-chat-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        self.home = self.dir / "home"

    def environment(self, **more):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ALFRED_", "XDG_", "NO_COLOR"))}
        return {**kept, "LC_ALL": "C.UTF-8", "ALFRED_HOME": str(self.home), **more}

    def write(self, *turns):
        path = self.dir / ("answers-%d.jsonl" % len(list(self.dir.iterdir())))
        path.write_text(chat_answers.lines(*turns), encoding="utf-8")
        return str(path)

    def command(self, *arguments, pack="bookshelf"):
        return [ALFRED, "chat", "--pack", os.path.join(PACKS, pack), *arguments]

    def chat(self, *arguments, said="", **more):
        return subprocess.run(self.command(*arguments), input=said, env=self.environment(**more),
                              capture_output=True, text=True, timeout=120, check=False)

    def events(self, *arguments, said=""):
        done = self.chat("--json", *arguments, said=said)
        return done.returncode, [json.loads(line) for line in done.stdout.splitlines()]

    def authors(self):
        with sqlite3.connect(self.home / "bookshelf.db") as base:
            rows = [name for name, in base.execute("SELECT name FROM authors ORDER BY name")]
        base.close()
        return rows


class Piped(Chat):
    def test_one_turn_a_line_and_plain_text_out(self):
        answers = self.write(chat_answers.add_author("Ann Leckie"), chat_answers.add_author("Ada Palmer"))
        done = self.chat("--replay", answers, said="add Ann\n\nadd Ada\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertEqual(done.stdout, "Added **Ann Leckie**.\nAdded **Ada Palmer**.\n")
        self.assertTrue({"Ann Leckie", "Ada Palmer"} <= set(self.authors()))

    def test_once(self):
        done = self.chat("--once", "add Ann", "--replay", self.write(chat_answers.add_author("Ann")))
        self.assertEqual((done.returncode, done.stdout), (0, "Added **Ann**.\n"))

    def test_C15_what_a_reply_holds_never_reaches_a_terminal_raw(self):
        answers = self.write(chat_answers.add_author("Ann", reply="Added Ann \x1b[31m\u202e\u200b\x07."))
        done = self.chat("--once", "add Ann", "--replay", answers)
        self.assertEqual(done.stdout, "Added Ann \\u{1b}[31m\\u{202e}\\u{200b}\\u{7}.\n")

    def test_events_are_one_object_a_line(self):
        code, events = self.events("--replay", self.write(chat_answers.add_author("Ann")), said="add Ann\n")
        self.assertEqual(code, 0)
        self.assertEqual([event["event"] for event in events],
                         ["turn_started", "node", "node", "step", "node", "call", "node", "step", "node",
                          "reply", "node", "turn_finished"])
        self.assertEqual(events[0]["message"], "add Ann")
        self.assertEqual(events[0]["number"], 1)
        steps = [event for event in events if event["event"] == "step"]
        self.assertEqual([(one["step"], one["of"], one["status"]) for one in steps],
                         [(1, 1, "running"), (1, 1, "complete")])
        self.assertEqual(steps[0]["description"], "add the author")
        call = next(event for event in events if event["event"] == "call")
        self.assertEqual((call["tool"], call["table"], call["ok"]), ("db_create", "authors", True))
        self.assertEqual(events[-1]["status"], "finished")

    def test_slash_commands_work_in_a_stream(self):
        answers = self.write(chat_answers.add_author("Ann"))
        done = self.chat("--replay", answers, said="add Ann\n/why\n/working-set\n/plan\n/prompt think\n/cost\n"
                         "/constraints\n/batch\n/sessions\n/help\n/export\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        for text in ("call 1: db_create", "step 1 is complete: added Ann", "created: author_1 Ann",
                     "author_1 │ Ann", "=== prm_", "--- system ---", "There are no constraints.",
                     "(this)", "/working-set", "## 1. You\n\nadd Ann\n\n## 1. Alfred\n\nAdded **Ann**.",
                     "The last turn showed 6 prompts", "Nothing is paid for recorded."):
            self.assertIn(text, done.stdout)
        self.assertNotIn("=== understand", done.stdout)

    def test_prompt_is_what_was_stored(self):
        answers = self.write(chat_answers.add_author("Ann"))
        shown = self.chat("--replay", answers, said="add Ann\n/prompt\n").stdout
        with sqlite3.connect(self.home / "bookshelf.db") as base:
            tables = [name for name, in base.execute("SELECT name FROM sqlite_schema WHERE type='table'")]
        base.close()
        self.assertTrue(any("prompt" in name for name in tables), tables)
        self.assertEqual(shown.count("--- user ---"), 6)

    def test_unknown_commands_get_the_list(self):
        done = self.chat("--replay", self.write(), said="/wat\n/prompt wat\n")
        self.assertEqual(done.returncode, 1)
        self.assertIn("/working-set", done.stderr)
        self.assertIn("understand think", done.stderr)

    def test_export_to_a_file_is_private_and_replaces_nothing(self):
        path = self.dir / "talk.md"
        answers = self.write(chat_answers.add_author("Ann"))
        done = self.chat("--replay", answers, said="add Ann\n/export %s\n/export %s\n" % (path, path))
        self.assertEqual(done.returncode, 1)
        self.assertIn("already", done.stderr)
        self.assertIn("## 1. You\n\nadd Ann\n", path.read_text(encoding="utf-8"))
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)


class Codes(Chat):
    def test_a_turn_that_fails_is_1_and_leaves_nothing_open(self):
        answers = self.write(chat_answers.add_author("Ann")[:2])
        done = self.chat("--replay", answers, said="add Ann\n")
        self.assertEqual((done.returncode, done.stdout), (1, ""))
        self.assertIn("no answer left for act", done.stderr)
        self.assertIn("Nothing was changed.", done.stderr)
        again = self.chat("--once", "add Ann", "--replay", self.write(chat_answers.add_author("Ann")))
        self.assertEqual((again.returncode, again.stderr), (0, ""))

    def test_errors_are_events_too(self):
        code, events = self.events("--replay", self.write(), said="add Ann\n")
        self.assertEqual(code, 1)
        self.assertEqual([one["event"] for one in events if one["event"] != "node"],
                         ["turn_started", "error", "reply", "turn_finished"])
        self.assertEqual(events[-1]["status"], "interrupted")

    def test_wrong_usage_is_2(self):
        for arguments in (["--new", "--session", "ses_7k2f9m3qw1bx"], ["--once", ""], ["--once", "   "], ["--wat"],
                          ["--interpreter", "magic"]):
            done = self.chat(*arguments)
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertEqual(done.stdout, "")

    def test_a_recording_that_is_none_is_told_with_its_line(self):
        path = self.dir / "bad.jsonl"
        path.write_text('{"node": "understand", "text": ""}\n{"node": "dream", "text": ""}\n')
        done = self.chat("--replay", str(path), "--once", "hello")
        self.assertEqual(done.returncode, 1)
        self.assertIn("line 2", done.stderr)
        self.assertIn("summarize", done.stderr)

    def test_ctrl_c_in_a_stream_is_130_and_the_turn_is_ended(self):
        answers = self.write(chat_answers.add_author("Ann", waits={2: 3000}))
        process = subprocess.Popen(self.command("--json", "--replay", answers), text=True,
                                   env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL)
        process.stdin.write("add Ann\n")
        process.stdin.flush()
        while json.loads(process.stdout.readline()).get("event") != "step":
            pass
        process.send_signal(signal.SIGINT)
        rest, _ = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 130)
        self.assertEqual(json.loads(rest.splitlines()[-1])["status"], "interrupted")


class Sessions(Chat):
    def say(self, *arguments):
        code, events = self.events("--once", "add Ann", "--replay",
                                   self.write(chat_answers.add_author("Ann")), *arguments)
        self.assertEqual(code, 0)
        return events[0]["session"], events[0]["number"]

    def test_the_last_session_goes_on(self):
        first, number = self.say()
        self.assertEqual(number, 1)
        self.assertEqual(self.say(), (first, 2))
        other, number = self.say("--new")
        self.assertNotEqual(other, first)
        self.assertEqual(number, 1)
        self.assertEqual(self.say(), (other, 2))
        self.assertEqual(self.say("--session", first), (first, 3))
        self.assertEqual(self.say(), (first, 4))

    def test_a_session_of_nobody_is_refused(self):
        done = self.chat("--session", "ses_7k2f9m3qw1bx", "--once", "hello", "--replay", self.write())
        self.assertEqual(done.returncode, 1)
        self.assertIn("[session]", done.stderr)

    def test_what_was_recorded_plays_again(self):
        path = self.dir / "recorded.jsonl"
        answers = self.write(chat_answers.add_author("Ann"), chat_answers.add_author("Ada"))
        done = self.chat("--replay", answers, "--record", str(path), said="add Ann\nadd Ada\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(stat.S_IMODE(path.stat().st_mode), 0o600)
        again = self.chat("--replay", str(path), said="add Ann\nadd Ada\n",
                          ALFRED_HOME=str(self.dir / "another"))
        self.assertEqual((again.returncode, again.stdout), (0, done.stdout))
        self.assertNotIn("recording", again.stderr)
        other = self.chat("--replay", str(path), said="add Eve\nadd Ada\n", ALFRED_HOME=str(self.dir / "third"))
        self.assertEqual(other.returncode, 0, other.stderr)
        self.assertIn("another message, “add Ann”", other.stderr)
        self.assertNotIn("add Ada", other.stderr)
        refused = self.chat("--replay", answers, "--record", str(path), said="")
        self.assertEqual(refused.returncode, 2)
        nowhere = self.chat("--replay", answers, "--record", str(self.dir / "no" / "file"), said="add Eve\n")
        self.assertEqual((nowhere.returncode, nowhere.stdout), (3, ""))

    def test_F9_the_folder_and_its_files_are_for_their_owner(self):
        self.say()
        self.assertEqual(stat.S_IMODE(self.home.stat().st_mode), 0o700)
        for path in self.home.rglob("*"):
            self.assertEqual(stat.S_IMODE(path.stat().st_mode) & 0o077, 0, path)

    def test_F9_a_folder_that_cannot_be_used_is_named_with_the_reason(self):
        (self.dir / "a_file").write_text("", encoding="utf-8")
        for home in (self.dir / "a_file", self.dir / "a_file" / "below"):
            done = self.chat("--once", "hello", ALFRED_HOME=str(home))
            self.assertEqual((done.returncode, done.stdout), (2, ""))
            self.assertIn("data folder %s cannot be used: Not a directory. Set ALFRED_HOME" % home, done.stderr)


class Killed(Chat):
    def killed_after(self, event, answers, message="add Ann"):
        """Starts a turn, waits until `event` has been told, and kills the program."""
        process = subprocess.Popen(self.command("--json", "--once", message, "--replay", answers), text=True,
                                   env=self.environment(), stdout=subprocess.PIPE)
        for line in process.stdout:
            told = json.loads(line)
            if told["event"] == event:
                break
        process.send_signal(signal.SIGKILL)
        process.wait(timeout=60)
        process.stdout.close()
        self.assertEqual(process.returncode, -signal.SIGKILL)

    def test_F1_killed_after_the_write_the_session_goes_on_and_nothing_is_doubled(self):
        answers = chat_answers.add_author("Ann")
        self.killed_after("call", self.write(chat_answers.add_author("Ann", waits={3: 3000})))
        self.assertEqual(self.authors().count("Ann"), 1)
        rest = self.write(answers[3:], chat_answers.add_author("Ada"))
        done = self.chat("--replay", rest, said="add Ada\n")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("Turn 1 was cut off; going on with it: add Ann", done.stderr)
        self.assertEqual(done.stdout, "Added **Ann**.\nAdded **Ada**.\n")
        self.assertEqual([name for name in self.authors() if name in ("Ann", "Ada")], ["Ada", "Ann"])
        shown = subprocess.run([ALFRED, "audit", "--pack", os.path.join(PACKS, "bookshelf")],
                               env=self.environment(), capture_output=True, text=True, check=False)
        self.assertIn("clean", shown.stdout)

    def test_F1_killed_before_the_write_it_is_written_once(self):
        answers = chat_answers.add_author("Ann")
        self.killed_after("step", self.write(chat_answers.add_author("Ann", waits={2: 3000})))
        self.assertEqual(self.authors().count("Ann"), 0)
        code, events = self.events("--replay", self.write(answers[2:]), said="")
        self.assertEqual(code, 0)
        self.assertEqual(events[-1]["status"], "finished")
        self.assertEqual(self.authors().count("Ann"), 1)

    def test_F1_killed_in_an_undo_it_is_taken_back_once(self):
        for place, event in ((3, "call"), (2, "step")):
            with self.subTest(killed_after=event):
                self.home = self.dir / event
                added = self.write(chat_answers.add_author("Ann"), chat_answers.add_author("Ada"))
                self.assertEqual(self.chat("--replay", added, said="add Ann\nadd Ada\n").returncode, 0)
                self.killed_after(event, self.write(chat_answers.undo(waits={place: 3000})), "undo that")
                rest = self.write(chat_answers.undo()[place:])
                done = self.chat("--replay", rest, said="")
                self.assertEqual(done.returncode, 0, done.stderr)
                self.assertIn("Ann", self.authors())
                self.assertNotIn("Ada", self.authors())
                again = self.chat("--replay", self.write(chat_answers.undo()), said="undo that too\n")
                self.assertEqual(again.returncode, 0, again.stderr)
                self.assertNotIn("Ann", self.authors())

    def test_F3_whoever_read_the_replies_is_gone_and_the_turn_is_there(self):
        answers = self.write(chat_answers.add_author("Ann", waits={2: 300}))
        process = subprocess.Popen(self.command("--json", "--once", "add Ann", "--replay", answers), text=True,
                                   env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        process.stdout.readline()
        process.stdout.close()
        process.wait(timeout=60)
        self.assertGreaterEqual(process.returncode, 0)
        self.assertEqual(self.authors().count("Ann"), 1)


class Ended(Chat):
    """F2: SIGTERM while a turn runs."""

    def started(self, *turns):
        """A chat that waits for an answer in its turn's step."""
        process = subprocess.Popen(self.command("--json", "--replay", self.write(*turns)), text=True,
                                   env=self.environment(), stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE)
        self.addCleanup(process.communicate)
        self.addCleanup(process.kill)
        process.stdin.write("add Ann\nadd Ada\n")
        process.stdin.flush()
        while json.loads(process.stdout.readline()).get("event") != "step":
            pass
        return process

    def test_F2_the_turn_that_runs_comes_to_its_end_and_no_other_begins(self):
        process = self.started(chat_answers.add_author("Ann", waits={2: 700}), chat_answers.add_author("Ada"))
        process.send_signal(signal.SIGTERM)
        rest, told = process.communicate(timeout=60)
        self.assertEqual(process.returncode, 0, told)
        self.assertEqual(json.loads(rest.splitlines()[-1])["status"], "finished")
        self.assertIn("Ann", self.authors())
        self.assertNotIn("Ada", self.authors())

    def test_F2_a_turn_that_takes_too_long_is_ended_within_ten_seconds(self):
        process = self.started(chat_answers.add_author("Ann", waits={2: 60000}))
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        rest, _ = process.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 10)
        self.assertEqual(json.loads(rest.splitlines()[-1])["status"], "interrupted")
        self.assertEqual(self.authors().count("Ann"), 0)
        done = self.chat("--replay", self.write(chat_answers.add_author("Ann")), said="add Ann\n")
        self.assertEqual((done.returncode, self.authors().count("Ann")), (0, 1), done.stderr)

    def test_F2_the_second_is_obeyed_at_once_and_the_turn_goes_on_at_the_next_start(self):
        process = self.started(chat_answers.add_author("Ann", waits={2: 60000}))
        process.send_signal(signal.SIGTERM)
        time.sleep(0.3)
        began = time.monotonic()
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=60)
        self.assertLess(time.monotonic() - began, 3)
        done = self.chat("--replay", self.write(chat_answers.add_author("Ann")[2:]), said="")
        self.assertEqual((done.returncode, self.authors().count("Ann")), (0, 1), done.stderr)


class Rules(Chat):
    """The built-in rules, which answer from what is stored alone."""

    def say(self, *messages):
        done = self.chat("--interpreter", "rules", said="".join(one + "\n" for one in messages))
        self.assertEqual(done.returncode, 0, done.stderr)
        return done.stdout

    def test_what_is_kept_to_is_shown_in_the_turn_that_said_it(self):
        done = subprocess.run(self.command("--interpreter", "rules", pack="kitchen"),
                              input="I'm allergic to peanuts\n/constraints\n", env=self.environment(),
                              capture_output=True, text=True, timeout=120, check=False)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("ingredient_excluded: peanut", done.stdout)

    def test_F1_killed_in_a_turn_of_the_rules_nothing_is_lost_or_doubled(self):
        for event in ("turn_started", "step", "call"):
            with self.subTest(killed_after=event):
                self.home = self.dir / event
                process = subprocess.Popen(
                    self.command("--json", "--interpreter", "rules", "--once", "add Emma by Jane Austen"),
                    text=True, env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
                for line in process.stdout:
                    if json.loads(line)["event"] == event:
                        break
                process.send_signal(signal.SIGKILL)
                process.wait(timeout=60)
                process.stdout.close()
                self.assertIn("Emma", self.say("what did I just add?"))
                with sqlite3.connect(self.home / "bookshelf.db") as base:
                    books = base.execute("SELECT count(*) FROM books WHERE title = 'Emma'").fetchone()[0]
                base.close()
                self.assertEqual(books, 1)

    def test_F1_killed_at_any_moment_of_a_turn_it_happens_once(self):
        self.say("hello")  # the demo rows are there
        for n in range(24):
            process = subprocess.Popen(
                self.command("--interpreter", "rules", "--once", "new member Guest%d" % n),
                env=self.environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            time.sleep(0.004 * n)
            process.send_signal(signal.SIGKILL)
            process.wait(timeout=60)
        self.say("hello")  # what was cut off goes on
        with sqlite3.connect(self.home / "bookshelf.db") as base:
            names = [name for name, in base.execute("SELECT name FROM members WHERE name LIKE 'Guest%'")]
            said = [text for text, in base.execute("SELECT message FROM alfred_turns")]
        base.close()
        self.assertEqual(sorted(names), sorted(set(names)), "something was done twice")
        self.assertEqual(sorted("new member " + name for name in names),
                         sorted(text for text in said if text.startswith("new member")),
                         "what was begun is done, what was not is not")
        shown = subprocess.run([ALFRED, "audit", "--pack", os.path.join(PACKS, "bookshelf")],
                               env=self.environment(), capture_output=True, text=True, check=False)
        self.assertIn("clean", shown.stdout)

    def test_F11_of_several_in_one_session_each_has_its_own_reply(self):
        subprocess.run([ALFRED, "chat", "--once", "hello"], env=self.environment(), timeout=120,
                       capture_output=True, check=True)
        running = [subprocess.Popen(
            [ALFRED, "chat", "--once", "add %d gizmo%d to the shopping list" % (n, n)],
            env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
            for n in range(2, 6)]
        for n, one in zip(range(2, 6), running):
            out, err = one.communicate(timeout=120)
            self.assertEqual((one.returncode, out), (0, "Saved (1): gizmo%d\n" % n), err)
        with sqlite3.connect(self.home / "kitchen.db") as base:
            rows = base.execute("SELECT name FROM shopping_list WHERE name LIKE 'gizmo%' ORDER BY name")
            self.assertEqual([name for name, in rows], ["gizmo%d" % n for n in range(2, 6)])
        base.close()

    def test_of_several_who_add_to_one_row_nobody_is_lost_in_silence(self):
        subprocess.run([ALFRED, "chat", "--once", "add 1 gizmo to the fridge"], env=self.environment(),
                       timeout=120, capture_output=True, check=True)
        added = 1
        for _ in range(3):
            running = [subprocess.Popen(
                [ALFRED, "chat", "--new", "--once", "add 1 more gizmo to the fridge"],
                env=self.environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
                for _ in range(3)]
            for one in running:
                out, err = one.communicate(timeout=120)
                if "Somebody else changed that" not in out:
                    self.assertEqual((one.returncode, out[-19:]), (0, "Changed (1): gizmo\n"), out + err)
                    added += 1
        with sqlite3.connect(self.home / "kitchen.db") as base:
            rows = base.execute("SELECT quantity FROM inventory WHERE name = 'gizmo'").fetchall()
        base.close()
        self.assertEqual(rows, [(added,)])
        self.assertGreater(added, 3, "of each three one comes through")

    def test_what_is_not_understood_says_what_is(self):
        told = self.say("florp the glonk")
        self.assertIn("did not understand", told)
        self.assertIn("for example", told)


class OwnDatabase(Chat):
    """A database that nobody described, with keys that are no `id`."""

    def setUp(self):
        super().setUp()
        self.path = self.dir / "shop.db"
        with sqlite3.connect(self.path) as base:
            base.execute("CREATE TABLE products (sku text PRIMARY KEY, title text NOT NULL, price numeric)")
            base.execute("INSERT INTO products VALUES ('SKU-1', 'Lamp', 12.5), ('SKU-2', 'Desk', 99)")
        base.close()

    def command(self, *arguments, **_):
        return [ALFRED, "chat", "--db", str(self.path), *arguments]

    def rows(self):
        with sqlite3.connect(self.path) as base:
            rows = base.execute("SELECT sku, title, price FROM products ORDER BY sku").fetchall()
        base.close()
        return rows

    def test_a_row_is_changed_by_its_name_whatever_its_key_is_called(self):
        done = self.chat(said="show the products\nset the price of the lamp to 15\n")
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        self.assertIn("- Lamp: price: 12.5\n", done.stdout)
        self.assertNotIn("sku", done.stdout)
        self.assertEqual(self.rows(), [("SKU-1", "Lamp", 15), ("SKU-2", "Desk", 99)])

    def test_more_goes_on_to_the_last_row(self):
        with sqlite3.connect(self.path) as base:
            base.execute("CREATE TABLE planets (id integer PRIMARY KEY, name text NOT NULL)")
            base.executemany("INSERT INTO planets VALUES (?, ?)", [(n, "Planet%03d" % n) for n in range(1, 251)])
        base.close()
        told = self.chat(said="show the planets\nmore\nmore\nmore\nshow the planets\nmore\n").stdout
        lines = [line for line in told.splitlines() if line.startswith("- Planet")]
        self.assertEqual([line[2:11] for line in lines[:250]], ["Planet%03d" % n for n in range(1, 251)])
        self.assertEqual([line[2:11] for line in lines[250:]], ["Planet%03d" % n for n in range(1, 201)])
        self.assertIn("That was all of them: 250 planets.", told)

    def test_help_names_what_there_is(self):
        done = self.chat(said="help\nflorp the glonk\n")
        self.assertEqual(done.stdout.count("show the products"), 2)


if __name__ == "__main__":
    unittest.main()

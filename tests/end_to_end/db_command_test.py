"""db_command_test.py ALFRED: `alfred db` on the embedded database and on one it has never seen.

The other database has eight tables, keys of integers and of several columns, rows that lead to rows of
their own table; its integer keys are nine digits long, so that one that is shown would be found.
"""
import json
import os
import pathlib
import re
import resource
import signal
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ALFRED = os.path.abspath(sys.argv.pop(1))
UUID = re.compile("[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
KEY = re.compile("[78]0451[0-9]{4}")
FIRST = 804510001
OTHER = """
CREATE TABLE offices (id integer PRIMARY KEY, city text NOT NULL);
CREATE TABLE staff (id integer PRIMARY KEY, full_name text NOT NULL, boss_id integer REFERENCES staff (id),
  office_id integer REFERENCES offices (id), password_hash text);
CREATE TABLE skills (code text PRIMARY KEY, title text NOT NULL);
CREATE TABLE staff_skills (staff_id integer NOT NULL REFERENCES staff (id) ON DELETE CASCADE,
  skill_code text NOT NULL REFERENCES skills (code), level integer CHECK (level BETWEEN 1 AND 5),
  PRIMARY KEY (staff_id, skill_code));
CREATE TABLE projects (id integer PRIMARY KEY, name text NOT NULL UNIQUE, parent_id integer
  REFERENCES projects (id) ON DELETE SET NULL, started date);
CREATE TABLE tasks (id integer PRIMARY KEY, project_id integer NOT NULL REFERENCES projects (id)
  ON DELETE CASCADE, title text NOT NULL, done boolean NOT NULL DEFAULT 0, hours real);
CREATE TABLE assignments (task_id integer NOT NULL REFERENCES tasks (id) ON DELETE CASCADE,
  staff_id integer NOT NULL REFERENCES staff (id), since date, PRIMARY KEY (task_id, staff_id));
CREATE TABLE log (line text);
"""


def fill(path):
    with sqlite3.connect(path) as other:
        other.executescript(OTHER)
        other.execute("INSERT INTO offices VALUES (?, 'Lisbon')", (FIRST,))
        other.execute("INSERT INTO staff VALUES (?, 'Head', NULL, ?, 'secret')", (FIRST, FIRST))
        other.execute("INSERT INTO staff VALUES (?, 'Hand', ?, ?, 'secret')", (FIRST + 1, FIRST, FIRST))
        other.execute("INSERT INTO skills VALUES ('weld', 'Welding')")
        other.execute("INSERT INTO staff_skills VALUES (?, 'weld', 4)", (FIRST + 1,))
        other.execute("INSERT INTO projects VALUES (?, 'Bridge', NULL, '2026-01-05')", (FIRST,))
        other.execute("INSERT INTO projects VALUES (?, 'Pier', ?, '2026-02-01')", (FIRST + 1, FIRST))
        for i, title in enumerate(["Survey", "Drawings", "Piles"]):
            other.execute("INSERT INTO tasks VALUES (?, ?, ?, 0, 2.5)", (FIRST + i, FIRST, title))
        other.execute("INSERT INTO assignments VALUES (?, ?, '2026-03-01')", (FIRST, FIRST + 1))
        other.execute("INSERT INTO log VALUES ('built')")
    other.close()


class DbCommand(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-db-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        self.shown = []

    def run_alfred(self, *arguments):
        environment = dict(os.environ, ALFRED_HOME=str(self.dir / "home"))
        done = subprocess.run([ALFRED, "db", *arguments], env=environment, capture_output=True,
                              text=True, timeout=120)
        self.shown.append(done.stdout + done.stderr)
        return done

    def db(self, *arguments):
        done = self.run_alfred(*arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def own(self, *arguments):
        return self.db(*arguments, "--db", str(self.dir / "other.db"))


class Embedded(DbCommand):
    def tearDown(self):
        for text in self.shown:
            self.assertIsNone(UUID.search(text), text)

    def test_the_first_read_works_and_refs_stay(self):
        first = self.db("read", "recipes", "--include", "recipe_ingredients", "--limit", "3")
        self.assertEqual([row["id"] for row in first["rows"]], ["recipe_1", "recipe_2", "recipe_3"])
        self.assertTrue(first["rows"][0]["recipe_ingredients"][0]["id"].startswith("ri_"))
        again = self.db("read", "recipes", "--include", "recipe_ingredients", "--limit", "3")
        self.assertEqual(again, first)
        table = self.run_alfred("read", "recipes", "--limit", "2", "--columns", "name")
        self.assertIn("recipe_1", table.stdout)

    def test_scenario_25_a_category_is_found_in_what_rows_are_made_of(self):
        found = self.db("read", "recipes", "--filter", "name similar fish", "--columns", "name")
        names = [row["name"] for row in found["rows"]]
        self.assertTrue(any("Cod" in name for name in names), names)

    def test_scenario_33_nothing_found_is_an_answer(self):
        found = self.db("read", "inventory", "--filter", "name similar dragonfruit")
        self.assertEqual(found["rows"], [])

    def test_users_do_not_see_each_other(self):
        mine = self.db("create", "shopping_list", "--data", '{"name":"zebra paste"}')
        ref = mine["created"][0]["ref"]
        other = self.db("read", "shopping_list", "--filter", "name = zebra paste", "--user", "you")
        self.assertEqual(other["rows"], [])
        refused = self.run_alfred("delete", "shopping_list", "--ref", "shopping_99", "--user", "you")
        foreign = self.run_alfred("delete", "shopping_list", "--ref", ref, "--user", "you")
        self.assertEqual((refused.returncode, foreign.returncode), (1, 1))
        self.assertEqual(refused.stderr.replace("shopping_99", ref), foreign.stderr)


class Own(DbCommand):
    def setUp(self):
        super().setUp()
        fill(self.dir / "other.db")

    def tearDown(self):
        for text in self.shown:
            self.assertIsNone(KEY.search(text), text)
            self.assertNotIn("secret", text)

    def rows(self, sql):
        other = sqlite3.connect(self.dir / "other.db")
        try:
            return other.execute(sql).fetchall()
        finally:
            other.close()

    def test_links_nested_rows_and_rows_that_lead_to_their_own_table(self):
        staff = self.own("read", "staff", "--order", "full_name", "--include", "staff_skills")["rows"]
        self.assertEqual([row["full_name"] for row in staff], ["Hand", "Head"])
        self.assertEqual(staff[0]["boss_id"], staff[1]["id"])
        self.assertNotIn("password_hash", staff[0])
        self.assertEqual(staff[0]["staff_skills"][0]["level"], 4)
        tasks = self.own("read", "projects", "--filter", "name = Bridge", "--include", "tasks")
        self.assertEqual(len(tasks["rows"][0]["tasks"]), 3)
        self.assertEqual(self.own("read", "log")["rows"], [{"line": "built"}])

    def test_rows_are_created_changed_and_deleted_by_ref(self):
        project = self.own("read", "projects", "--filter", "name = Bridge")["rows"][0]["id"]
        made = self.own("create", "tasks", "--data",
                        json.dumps({"project_id": project, "title": "Deck", "hours": 8}))
        ref = made["created"][0]["ref"]
        self.own("update", "tasks", "--ref", ref, "--data", '{"done":true}')
        self.assertEqual(self.rows("SELECT project_id, done, hours FROM tasks WHERE title = 'Deck'"),
                         [(FIRST, 1, 8.0)])
        self.own("delete", "projects", "--ref", project)
        self.assertEqual(self.rows("SELECT count(*) FROM tasks"), [(0,)])
        self.assertEqual(self.rows("SELECT parent_id FROM projects"), [(None,)])
        gone = self.run_alfred("update", "tasks", "--ref", ref, "--data", '{"hours":1}',
                               "--db", str(self.dir / "other.db"))
        self.assertEqual(gone.returncode, 1)
        self.assertIn("deleted", gone.stderr)

    def test_what_an_undo_could_not_put_back_is_shown_to_people_and_programs(self):
        other = sqlite3.connect(self.dir / "other.db")
        other.executescript("""CREATE TABLE notes (id integer PRIMARY KEY, body text, hist text);
            CREATE TRIGGER kept AFTER UPDATE OF body ON notes BEGIN
              UPDATE notes SET hist = coalesce(hist, '') || new.body WHERE id = new.id; END;
            INSERT INTO notes (body) VALUES ('one')""")
        other.close()
        self.own("read", "notes")
        change = ("update", "notes", "--ref", "note_1", "--allow-op-table", "--data")
        self.own(*change, '{"body":"two"}')
        self.assertEqual(self.own("undo")["not_as_before"], {"note_1": ["hist"]})
        self.own(*change, '{"body":"three"}')
        told = self.run_alfred("undo", "--db", str(self.dir / "other.db"))
        self.assertIn('"not_as_before": {\n    "note_1": [\n      "hist"', told.stdout)

    def test_a_query_shows_refs_for_keys_and_changes_nothing(self):
        answer = self.own("query", "SELECT t.id, t.title, s.full_name FROM tasks t JOIN assignments a "
                          "ON a.task_id = t.id JOIN staff s ON s.id = a.staff_id")
        self.assertEqual(answer["rows"], [{"id": "task_1", "title": "Survey", "full_name": "Hand"}])
        for sql in ("DELETE FROM tasks", "SELECT 1; DELETE FROM tasks", "PRAGMA user_version = 5",
                    "SELECT * FROM sqlite_master", "SELECT password_hash FROM staff"):
            done = self.run_alfred("query", sql, "--db", str(self.dir / "other.db"))
            self.assertEqual(done.returncode, 1, sql)
        self.assertEqual(self.rows("SELECT count(*) FROM tasks"), [(3,)])

    def test_D22_nothing_of_the_database_is_changed_but_the_rows_asked_for(self):
        before = self.rows("SELECT type, name, sql FROM sqlite_master ORDER BY name")
        self.own("create", "offices", "--data", '{"city":"Porto"}')
        self.assertEqual(self.rows("SELECT type, name, sql FROM sqlite_master ORDER BY name"), before)
        self.assertEqual(self.rows("PRAGMA journal_mode"), [("delete",)])
        self.assertEqual(self.rows("PRAGMA user_version"), [(0,)])
        self.assertEqual(sorted(path.name for path in self.dir.iterdir()), ["home", "other.db"])


class Killed(DbCommand):
    """A batch of 3 parents with 12 children each, its process killed again and again."""

    def batch(self):
        items = ["first", "second", "third"]
        declared = self.db("batch", "--declare", json.dumps({"table": "recipes", "items": items}))
        rows = [{"ref": item, "name": "Killed " + item, "instructions": ["Cook."],
                 "recipe_ingredients": [{"name": "part %d" % i, "quantity": i} for i in range(1, 13)]}
                for item in items]
        return declared["id"], rows

    def test_9_a_killed_batch_ends_in_exactly_its_rows(self):
        batch, rows = self.batch()
        environment = dict(os.environ, ALFRED_HOME=str(self.dir / "home"))
        kills = 0
        for step, row in enumerate(rows):
            op = subprocess.run([ALFRED, "id", "new", "opn"], capture_output=True, text=True,
                                check=True).stdout.strip()
            command = [ALFRED, "db", "create", "recipes", "--batch", batch, "--data",
                       json.dumps([row]), "--op", op, "--json"]
            for attempt in range(25):
                process = subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL,
                                           stderr=subprocess.DEVNULL)
                try:
                    process.wait(0.02 * (attempt + 1) * (1 + step / 7))
                except subprocess.TimeoutExpired:
                    process.kill()
                    process.wait()
                    kills += 1
            subprocess.run(command, env=environment, check=True, capture_output=True)
        self.assertGreater(kills, 0)
        status = self.db("batch", batch)
        self.assertEqual([item["status"] for item in status["items"]], ["complete"] * 3, status)
        found = self.db("read", "recipes", "--filter", "name like Killed%", "--include",
                        "recipe_ingredients")["rows"]
        self.assertEqual(sorted(len(row["recipe_ingredients"]) for row in found), [12, 12, 12])


class Faults(DbCommand):
    """Rows of robustness.md as a user meets them: the exit code and the words."""

    def setUp(self):
        super().setUp()
        self.db("read", "recipes", "--limit", "2")
        self.file = self.dir / "home" / "kitchen.db"

    def write(self, **limits):
        """A write, in a process that may not let a file grow beyond `bytes`."""
        def limit():
            signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
            resource.setrlimit(resource.RLIMIT_FSIZE, (limits["bytes"], limits["bytes"]))

        environment = dict(os.environ, ALFRED_HOME=str(self.dir / "home"))
        rows = [{"name": "salt", "notes": "x" * 3000} for _ in range(20)]
        return subprocess.run([ALFRED, "db", "create", "shopping_list", "--data", json.dumps(rows)],
                              env=environment, capture_output=True, text=True, timeout=120,
                              preexec_fn=limit if limits else None)

    def salt(self):
        return len(self.db("read", "shopping_list", "--filter", "name = salt")["rows"])

    def test_E2_no_room_is_said_rows_are_still_read_and_room_brings_writes_back(self):
        before = self.salt()
        refused = self.write(bytes=32768)
        self.assertEqual(refused.returncode, 3, refused.stderr)
        self.assertIn("[storage]", refused.stderr)
        self.assertIn("Until then rows that are known can be read", refused.stderr)
        self.assertEqual(self.salt(), before)
        self.assertEqual(self.write().returncode, 0)
        self.assertEqual(self.salt(), before + 20)

    def test_E14_a_damaged_file_is_refused_with_4_and_left_as_it_is(self):
        sound = self.file.read_bytes()
        for damage in (b"x" * 100 + sound[100:], sound[:5000], sound[:4096] + b"\xff" * 4096 + sound[8192:]):
            self.file.write_bytes(damage)
            done = self.run_alfred("read", "recipes")
            self.assertEqual(done.returncode, 4, done.stderr)
            self.assertIn("cp -p", done.stderr)
            self.assertEqual(self.file.read_bytes(), damage)
        self.file.write_bytes(sound)
        (self.dir / "home" / "kitchen.db-wal").write_bytes(b"no log at all" * 10)
        self.assertEqual(self.run_alfred("read", "recipes").returncode, 4)

    def test_E15_a_file_that_is_not_ours_is_moved_aside_and_that_is_said(self):
        self.file.unlink()
        with sqlite3.connect(self.file) as theirs:
            theirs.execute("CREATE TABLE letters (text)")
        theirs.close()
        done = self.run_alfred("read", "recipes", "--limit", "1")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("was no database of this program. It was moved to", done.stderr)
        self.assertTrue((self.dir / "home" / "kitchen.db.archived-1").exists())

    def test_an_empty_user_workspace_or_database_is_none(self):
        for name in ("--user", "--workspace", "--db"):
            done = self.run_alfred("read", "recipes", name, "")
            self.assertEqual(done.returncode, 2, done.stderr)
            self.assertIn(name + " is empty", done.stderr)

    def test_E16_a_newer_file_is_refused_with_3_and_both_versions(self):
        with sqlite3.connect(self.file) as newer:
            newer.execute("UPDATE alfred_meta SET version = 77 WHERE owner = 'workspace'")
        newer.close()
        done = self.run_alfred("read", "recipes")
        self.assertEqual(done.returncode, 3, done.stderr)
        self.assertRegex(done.stderr, "workspace is at version 77, and this one knows 1")

    def test_a_home_that_was_moved_keeps_its_refs(self):
        first = self.db("read", "recipes", "--columns", "name", "--limit", "2")
        (self.dir / "home").rename(self.dir / "elsewhere")
        environment = dict(os.environ, ALFRED_HOME=str(self.dir / "elsewhere"))
        done = subprocess.run([ALFRED, "db", "read", "recipes", "--columns", "name", "--filter",
                               "name = " + first["rows"][1]["name"], "--json"], env=environment,
                              capture_output=True, text=True, timeout=120)
        self.assertEqual(json.loads(done.stdout)["rows"], [first["rows"][1]])


if __name__ == "__main__":
    unittest.main()

"""odd_databases_test.py ALFRED: `alfred db` on databases that say little about themselves.

Views, links without foreign keys, keys of odd types, words and dates as keys, triggers that keep rows from
being written. Integer keys are nine digits long and text keys unlikely words, so that one that is
shown would be found.
"""
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

ALFRED = os.path.abspath(sys.argv.pop(1))
KEY = re.compile("80451[0-9]{4}|zq-[0-9]{4}-ware|ZQ-[0-9]{4}")
FIRST = 804510001


class OddDatabase(unittest.TestCase):
    SQL = ""

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-odd-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        self.file = self.dir / "own.db"
        self.make(self.file)

    def make(self, path):
        made = sqlite3.connect(path)
        made.executescript(self.SQL)
        made.commit()
        made.close()

    def change(self, sql):
        changed = sqlite3.connect(self.file)
        changed.execute(sql)
        changed.commit()
        changed.close()

    def run_alfred(self, *arguments, home="home"):
        environment = dict(os.environ, ALFRED_HOME=str(self.dir / home))
        done = subprocess.run([ALFRED, *arguments], env=environment, capture_output=True, text=True,
                              timeout=120)
        self.assertIsNone(KEY.search(done.stdout + done.stderr), done.stdout + done.stderr)
        return done

    def run_db(self, *arguments):
        return self.run_alfred("db", *arguments, "--db", str(self.file))

    def db(self, *arguments):
        done = self.run_db(*arguments, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refused(self, code, *arguments):
        done = self.run_db(*arguments)
        self.assertNotEqual(done.returncode, 0, done.stdout)
        self.assertIn("[" + code + "]", done.stderr)
        return done.stderr


class Keys(OddDatabase):
    SQL = f"""
CREATE TABLE authors (id integer PRIMARY KEY, name text);
CREATE TABLE books (id integer PRIMARY KEY, title text, author_id integer, parent_id integer, extra json);
CREATE TABLE wares (code text PRIMARY KEY, name text);
CREATE TABLE prices (id numeric PRIMARY KEY, amount real);
CREATE TABLE sales (id integer PRIMARY KEY, price_id numeric REFERENCES prices (id), note text);
CREATE VIEW shown AS SELECT b.id, b.title, a.id AS writer, b.author_id, count(*) AS n
  FROM books b JOIN authors a ON a.id = b.author_id GROUP BY b.id;
CREATE VIEW of_view AS SELECT s.id AS book, writer, upper(title) AS loud FROM shown s;
CREATE VIEW loud AS SELECT upper(code) AS u, code || '' AS c, name FROM wares;
CREATE VIEW mixed AS SELECT name FROM wares UNION SELECT code FROM wares;
INSERT INTO authors VALUES ({FIRST}, 'Ann');
INSERT INTO books VALUES ({FIRST + 1}, 'One', {FIRST}, NULL, NULL), ({FIRST + 2}, 'Two', {FIRST}, {FIRST + 1}, NULL);
INSERT INTO wares VALUES ('zq-0001-ware', 'Lamp');
INSERT INTO prices VALUES ({FIRST}, 1.5);
INSERT INTO sales VALUES ({FIRST + 5}, {FIRST}, 'sold');
"""

    def test_D4_a_views_column_that_is_a_key_is_a_ref(self):
        rows = self.db("read", "shown")["rows"]
        self.assertEqual(rows[0], {"id": "book_1", "title": "One", "writer": "author_1", "author_id": "author_1",
                                   "n": 1})
        self.assertEqual(self.db("read", "of_view")["rows"][1], {"book": "book_2", "writer": "author_1", "loud": "TWO"})
        self.assertEqual(self.db("read", "books", "--columns", "title")["rows"][0], {"id": "book_1", "title": "One"})

    def test_D4_what_a_view_computes_of_keys_is_hidden(self):
        self.assertEqual(self.db("read", "loud")["rows"], [{"name": "Lamp"}])
        self.run_db("read", "mixed")
        self.run_db("schema")

    def test_D33_a_column_named_like_a_link_is_one(self):
        answer = self.db("read", "books")
        self.assertEqual(answer["rows"][1]["author_id"], "author_1")
        self.assertEqual(answer["rows"][1]["parent_id"], "book_1")
        self.assertEqual(answer["labels"]["author_1"], "Ann")

    def test_D33_keys_that_no_ref_can_stand_for_are_hidden(self):
        self.assertEqual(self.db("read", "prices")["rows"], [{"amount": 1.5}])
        self.assertEqual(self.db("read", "sales")["rows"], [{"id": "sale_1", "note": "sold"}])

    def test_D33_known_keys_inside_json_are_hidden_and_come_back_as_they_were(self):
        rows = self.db("read", "books", "--columns", "title")["rows"]
        self.change(f"UPDATE books SET extra = '{{\"a\":[{FIRST + 1},7],\"b\":\"of {FIRST + 1}\"}}' WHERE title = 'One'")
        extra = self.db("read", "books", "--filter", "title = One")["rows"][0]["extra"]
        self.assertEqual(extra["a"][1], 7)
        self.db("update", "books", "--ref", rows[0]["id"], "--data", json.dumps({"extra": dict(extra, c=1)}))
        kept = sqlite3.connect(self.file)
        stored = json.loads(kept.execute("SELECT extra FROM books WHERE title = 'One'").fetchone()[0])
        kept.close()
        self.assertEqual(stored, {"a": [FIRST + 1, 7], "b": f"of {FIRST + 1}", "c": 1})

    def test_D4_a_query_does_not_compute_with_keys(self):
        for sql in ("SELECT upper(code) FROM wares", "SELECT substr(code, 1, 4) FROM wares",
                    "SELECT code || '' FROM wares", "SELECT max(id) FROM books", "SELECT id + 0 FROM books",
                    "SELECT u FROM loud", "SELECT x || '' FROM (SELECT code AS x FROM wares)",
                    "SELECT name FROM wares UNION SELECT code FROM wares", "SELECT rowid + 1 FROM books"):
            self.refused("query", "query", sql)
        self.assertIn("counted", self.refused("query", "query", "SELECT max(id) FROM books"))
        self.assertEqual(self.db("query", "SELECT writer, count(id) AS n FROM shown GROUP BY writer")["rows"],
                         [{"writer": "author_1", "n": 2}])


class NullKeys(OddDatabase):
    SQL = """CREATE TABLE t (code text PRIMARY KEY, v integer);
INSERT INTO t VALUES (NULL, 1), ('a', 2), (NULL, 3), ('b', 4), ('c', 5);"""

    def test_7_rows_without_a_key_are_told_and_paged_past(self):
        seen, cursor = [], []
        while True:
            page = self.db("read", "t", "--limit", "1", *cursor)
            seen += [row["v"] for row in page["rows"]]
            if not page["has_more"]:
                break
            cursor = ["--cursor", page["cursor"]]
        self.assertEqual(seen, [2, 4, 5])
        whole = self.db("read", "t", "--order", "v", "--count")
        self.assertEqual(([row["v"] for row in whole["rows"]], whole["without_key"], whole["count"]), ([2, 4, 5], 2, 5))


class Words(OddDatabase):
    SQL = """
CREATE TABLE courses (name text PRIMARY KEY, taste text);
CREATE TABLE days (day date PRIMARY KEY, mood text);
CREATE TABLE notes (id integer PRIMARY KEY, title text, course text REFERENCES courses (name), due date, body text);
INSERT INTO courses VALUES ('breakfast', 'sweet');
INSERT INTO days VALUES ('2026-02-28', 'calm');
INSERT INTO notes VALUES (1, 'After breakfast', 'breakfast', '2026-02-28', 'breakfast on 2026-02-28');
"""

    def test_D33_words_and_dates_that_are_keys_stay_readable_elsewhere(self):
        self.db("read", "courses")
        self.db("read", "days")
        row = self.db("read", "notes")["rows"][0]
        self.assertEqual(row, {"id": "note_1", "title": "After breakfast", "course": "course_1", "due": "2026-02-28",
                               "body": "breakfast on 2026-02-28"})


class Terminal(OddDatabase):
    SQL = """CREATE TABLE t (id integer PRIMARY KEY, "first name" text, n integer, body text);
INSERT INTO t (id, "first name", n) VALUES (1, 'a' || char(8238) || 'b', 5);
CREATE TABLE kept (id integer PRIMARY KEY, v text);
INSERT INTO kept VALUES (1, 'x');
CREATE TRIGGER no_insert BEFORE INSERT ON kept BEGIN SELECT raise(ignore); END;
CREATE TRIGGER no_update BEFORE UPDATE ON kept BEGIN SELECT raise(ignore); END;
CREATE TRIGGER no_delete BEFORE DELETE ON kept BEGIN SELECT raise(ignore); END;
CREATE TABLE lines (code text PRIMARY KEY, v text);
INSERT INTO lines VALUES ('one', 'x');
CREATE TABLE people (id integer PRIMARY KEY, name text);
CREATE TABLE letters (id integer PRIMARY KEY, to_person text REFERENCES people (id));
INSERT INTO people VALUES (7, 'Ann');
INSERT INTO letters VALUES (1, '7');
"""

    def test_C15_a_terminal_gets_no_character_that_turns_text_around(self):
        done = self.run_db("read", "t", "--columns", "first name")
        self.assertIn("a\\u{202e}b", done.stdout)
        self.assertNotIn("\u202e", done.stdout)
        self.assertEqual(self.db("read", "t")["rows"][0]["first name"], "a\u202eb")
        done = self.run_db("read", "t\u202e")
        self.assertNotIn("\u202e", done.stderr)

    def test_C4_filters_as_people_write_them(self):
        self.assertEqual(len(self.db("read", "t", "--filter", '"first name" like a%')["rows"]), 1)
        self.assertEqual(len(self.db("read", "t", "--filter", "n in 5")["rows"]), 1)
        self.assertEqual(len(self.db("read", "t", "--filter", "body contains 5")["rows"]), 0)
        self.assertIn("quotes", self.run_db("read", "t", "--filter", "n").stderr)
        self.assertNotIn("repaired", self.db("read", "lines"))
        self.assertNotIn("repaired", self.db("update", "lines", "--ref", "line_1", "--data", '{"v":"y"}'))

    def test_E10_triggers_that_leave_rows_as_they_are_are_told(self):
        self.db("read", "kept")
        self.assertIn("trigger", self.refused("conflict", "create", "kept", "--data", '{"v":"y"}'))
        self.assertIn("trigger", self.refused("conflict", "update", "kept", "--ref", "kept_1", "--data", '{"v":"y"}'))
        self.assertIn("trigger", self.refused("conflict", "delete", "kept", "--ref", "kept_1"))
        self.assertEqual(self.db("read", "kept")["rows"], [{"id": "kept_1", "v": "x"}])

    def test_queries_that_are_refused_say_what_to_do(self):
        self.assertIn("no function `nosuch`", self.refused("query", "query", "SELECT nosuch(n) FROM t"))
        self.assertIn("only reads", self.refused("query", "query", "DELETE FROM t"))
        self.assertIn("lines", self.refused("query", "query", "SELECT * FROM sqlite_master"))

    def test_what_is_written_can_be_read(self):
        for size, code in ((60 * 1024, 0), (60 * 1024 + 1, 1)):
            done = self.run_db("create", "t", "--data", json.dumps({"body": "x" * size}))
            self.assertEqual(done.returncode, code, done.stderr)
        rows = self.db("read", "t", "--filter", "n is_null", "--columns", "body")["rows"]
        self.assertEqual(len(rows[0]["body"]), 60 * 1024)
        long = sqlite3.connect(self.file)
        long.execute("INSERT INTO t (id, n, body) VALUES (9, 9, ?)", ("y" * 100_000,))
        long.commit()
        long.close()
        self.assertIn("substr(body, 1, ", self.db("read", "t", "--filter", "n = 9", "--columns", "body")["hint"])
        part = self.db("query", "SELECT substr(body, 90001, 50000) AS part FROM t WHERE n = 9")["rows"][0]["part"]
        self.assertEqual(part, "y" * 10_000)

    def test_6_a_text_that_leads_to_an_integer(self):
        answer = self.db("read", "letters")
        self.assertEqual(answer["rows"][0]["to_person"], "person_1")
        self.assertEqual(answer["labels"]["person_1"], "Ann")
        self.assertEqual(self.db("read", "people")["rows"][0]["id"], "person_1")
        self.assertEqual(len(self.db("read", "letters", "--filter", "to_person = person_1")["rows"]), 1)

    def test_a_batch_says_what_is_tried_again_and_takes_corrected_rows(self):
        self.assertIn("--declare", self.refused("usage", "batch"))
        self.assertIn("`nowhere`", self.refused("table", "batch", "--declare", '{"table":"nowhere","items":["a"]}'))
        batch = self.db("batch", "--declare", '{"table":"t","items":["a","b"]}')["id"]
        done = self.db("create", "t", "--batch", batch, "--data", '[{"ref":"a","n":"no number"},{"ref":"b","n":3}]')
        self.assertEqual(done["failed"][0]["ref"], "a")
        answer = self.db("batch", batch, "--retry")
        self.assertEqual((answer["retried"], answer["not_retried"][0]["ref"]), ([], "a"))
        self.assertIn("hint", answer)
        finished = self.db("batch", batch, "--finish")
        self.assertEqual((finished["finished"], finished["completed"], finished["failed"]), (True, 1, 1))
        self.assertIn("--retry", self.refused("usage", "batch", batch, "--finish", "--retry"))
        self.assertIn("batch_item", self.run_db("batch", batch, "--retry", "--item", "b").stderr)
        self.assertEqual(self.db("batch", batch, "--retry", "--item", "a")["retried"], ["a"])
        self.assertIn("`a`", self.refused("batch_pending", "batch", batch, "--finish"))
        done = self.db("create", "t", "--batch", batch, "--data", '[{"ref":"a","n":4}]')
        self.assertEqual((len(done["completed"]), done["failed"], done["pending"]), (2, [], []))

    def test_a_batch_that_could_never_end_or_is_called_in_two_ways_is_refused(self):
        self.change("CREATE TABLE keyless (note text)")
        told = self.refused("table", "batch", "--declare", '{"table":"keyless","items":["a"]}')
        self.assertIn("could never end", told)
        batch = self.db("batch", "--declare", '{"table":"t","items":["t_1"]}')["id"]
        self.assertIn("--data", self.refused("usage", "delete", "t", "--batch", batch, "--ref", "t_1"))


class Cascades(OddDatabase):
    SQL = """
CREATE TABLE p (id integer PRIMARY KEY, name text);
CREATE TABLE c (p_id integer REFERENCES p (id) ON DELETE CASCADE, x text);
INSERT INTO p VALUES (1, 'a');
INSERT INTO c VALUES (1, 'x'), (1, 'y');
"""

    def test_I10_rows_that_could_not_come_back_are_not_deleted(self):
        self.db("read", "p")
        for flags in ([], ["--dry-run"]):
            self.assertIn("2 rows of c", self.refused("conflict", "delete", "p", "--ref", "p_1", *flags))
        self.assertEqual(self.db("read", "c", "--count")["count"], 2)
        self.change("DELETE FROM c")
        self.db("delete", "p", "--ref", "p_1")
        self.db("undo")
        self.assertEqual(self.db("read", "p")["rows"], [{"id": "p_2", "name": "a"}])


class Files(OddDatabase):
    SQL = "CREATE TABLE t (id integer PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'mine');"

    def test_E13_refs_of_a_file_that_was_replaced_mean_nothing_in_the_other(self):
        self.assertEqual(self.db("read", "t")["rows"][0]["id"], "t_1")
        other = self.dir / "other.db"
        made = sqlite3.connect(other)
        made.executescript("CREATE TABLE t (id integer PRIMARY KEY, v text); INSERT INTO t VALUES (1, 'theirs');")
        made.commit()
        made.close()
        os.replace(other, self.file)
        self.refused("ref_unknown", "delete", "t", "--ref", "t_1")

    def test_E13_a_file_is_the_same_under_each_of_its_names(self):
        op = self.run_alfred("id", "new", "opn").stdout.strip()
        self.db("create", "t", "--data", '{"v":"x"}', "--op", op)
        os.link(self.file, self.dir / "name.db")
        self.file = self.dir / "name.db"
        self.db("create", "t", "--data", '{"v":"x"}', "--op", op)
        self.assertEqual(self.db("read", "t", "--count")["count"], 2)

    def test_a_database_without_tables_says_so(self):
        self.file = self.dir / "empty.db"
        sqlite3.connect(self.file).execute("VACUUM")
        self.assertIn("no tables", self.refused("table", "read", "t"))
        self.assertIn("no tables", self.db("schema")["hint"])

    def test_a_pack_called_like_one_of_the_programs_has_its_own_file(self):
        folder = self.dir / "kitchen"
        folder.mkdir()
        (folder / "pack.toml").write_text('name = "kitchen"\nschema = "schema.sql"\n[[entity]]\ntable = "pots"\nref = "pot"\n'
                                          'label = "name"\n')
        (folder / "schema.sql").write_text("CREATE TABLE pots (id integer PRIMARY KEY, name text NOT NULL);")
        self.assertEqual(self.run_alfred("db", "read", "recipes", "--limit", "1").returncode, 0)
        done = self.run_alfred("db", "create", "pots", "--data", '{"name":"Big"}', "--pack", str(folder))
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(self.run_alfred("db", "read", "recipes", "--limit", "1").returncode, 0)


class Moments(OddDatabase):
    """Times as SQLite itself writes them, numbers that are no numbers, constraints that replace rows."""
    SQL = """
CREATE TABLE events (id integer PRIMARY KEY, name text, at timestamp, updated_at datetime DEFAULT CURRENT_TIMESTAMP);
INSERT INTO events (name, at) VALUES ('ten', '2026-01-01 10:00:00'), ('noon', '2026-01-01 12:00:00'),
  ('next', '2026-01-02 09:30:00');
CREATE TABLE counted (id integer PRIMARY KEY, name text, at timestamp);
INSERT INTO counted (name, at) VALUES ('a', 1767261600);
CREATE TABLE measures (id integer PRIMARY KEY, name text, f real);
INSERT INTO measures VALUES (1, 'a', 9e999), (2, 'b', -9e999);
CREATE TABLE unique_names (id integer PRIMARY KEY, name text UNIQUE ON CONFLICT REPLACE, v integer);
INSERT INTO unique_names VALUES (1, 'a', 1), (2, 'b', 2);
CREATE TABLE counts (word text PRIMARY KEY, n integer);
CREATE TRIGGER counted_words AFTER INSERT ON counted BEGIN INSERT OR REPLACE INTO counts VALUES (new.name, 1); END;
CREATE VIEW broken AS SELECT * FROM missing;
CREATE VIEW recent AS SELECT id, name, at FROM events;
"""

    def names(self, *filters, table="events"):
        given = [part for one in filters for part in ("--filter", one)]
        return [row["name"] for row in self.db("read", table, *given)["rows"]]

    def test_filters_mean_the_moment_whatever_its_form(self):
        self.assertEqual(self.names("at > 2026-01-01T11:00:00Z"), ["noon", "next"])
        self.assertEqual(self.names("at < 2026-01-01T11:00:00Z"), ["ten"])
        self.assertEqual(self.names("at = 2026-01-01T11:00:00+01:00"), ["ten"])
        self.assertEqual(self.names('at between ["2026-01-01T00:00:00Z","2026-01-01T23:59:59Z"]'),
                         ["ten", "noon"])
        self.assertEqual(self.names("at > 2026-01-01T11:00:00Z", table="recent"), ["noon", "next"])
        self.assertEqual(self.db("read", "events", "--limit", "1")["rows"][0]["at"], "2026-01-01T10:00:00.000Z")

    def test_moments_are_written_as_the_column_has_them_and_come_back(self):
        self.db("read", "events")
        self.db("create", "events", "--data", '{"name":"eve","at":"2026-01-01T20:00:00Z"}')
        self.db("update", "events", "--ref", "event_1", "--data", '{"at":"2026-01-01T10:30:00Z"}')
        stored = sqlite3.connect(self.file).execute("SELECT at, updated_at FROM events ORDER BY id").fetchall()
        self.assertEqual([row[0] for row in stored],
                         ["2026-01-01 10:30:00", "2026-01-01 12:00:00", "2026-01-02 09:30:00", "2026-01-01 20:00:00"])
        for _, updated in stored:
            self.assertRegex(updated, "^[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:.]+$")
        self.db("undo")
        self.assertEqual(self.names("at = 2026-01-01T10:00:00Z"), ["ten"])

    def test_rows_in_two_forms_are_in_one_order(self):
        self.change("INSERT INTO events (name, at) VALUES ('ours', '2026-01-01T11:00:00.500Z')")
        ordered = self.db("read", "events", "--order", "at", "--columns", "name")["rows"]
        self.assertEqual([row["name"] for row in ordered], ["ten", "ours", "noon", "next"])
        self.assertEqual(self.names("at < 2026-01-01T12:00:00Z"), ["ten", "ours"])

    def test_counts_of_seconds_are_numbers(self):
        self.assertEqual(self.names("at > 1767261599", table="counted"), ["a"])

    def test_rows_with_an_infinite_number_are_changed_and_deleted(self):
        self.db("read", "measures")
        self.db("update", "measures", "--ref", "measure_1", "--data", '{"name":"x"}')
        self.db("delete", "measures", "--ref", "measure_2")
        self.db("undo")
        stored = sqlite3.connect(self.file).execute("SELECT name, f FROM measures ORDER BY id").fetchall()
        self.assertEqual(stored, [("x", float("inf")), ("b", float("-inf"))])

    def test_I10_no_row_is_replaced_by_another(self):
        self.db("read", "unique_names")
        self.refused("conflict", "create", "unique_names", "--data", '{"name":"a","v":9}')
        self.refused("conflict", "update", "unique_names", "--ref", "unique_name_2", "--data", '{"name":"a"}')
        stored = sqlite3.connect(self.file).execute("SELECT * FROM unique_names ORDER BY id").fetchall()
        self.assertEqual(stored, [(1, "a", 1), (2, "b", 2)])

    def test_what_triggers_replace_is_theirs(self):
        for _ in range(2):
            self.db("create", "counted", "--data", '{"name":"b","at":5}')
        stored = sqlite3.connect(self.file).execute("SELECT * FROM counts").fetchall()
        self.assertEqual(stored, [("b", 1)])

    def test_I9_a_ref_is_one_more_condition_beside_those_of_params(self):
        self.db("read", "events")
        filters = '{"filters":[{"field":"name","op":"=","value":"noon"}]}'
        self.assertTrue(self.db("delete", "events", "--ref", "event_1", "--params", filters)["no_match"])
        self.assertEqual(len(self.names()), 3)
        self.refused("usage", "create", "events", "--params", '{"data":{"name":"p"}}', "--data", '{"name":"d"}')

    def test_a_view_that_cannot_be_read_does_not_hide_the_rest(self):
        tables = [one["table"] for one in self.db("schema")["tables"]]
        self.assertIn("recent", tables)
        self.assertNotIn("broken", tables)


if __name__ == "__main__":
    unittest.main()

"""word_keys_test.py ALFRED: keys that read like refs, like columns and like members of our own answers."""
import json
import os
import pathlib
import re
import sqlite3
import subprocess
import sys
import tempfile
import unittest

from mcp_client import Server, ServerTest

ALFRED = os.path.abspath(sys.argv.pop(1))
SQL = """
CREATE TABLE products (sku text PRIMARY KEY NOT NULL, title text);
INSERT INTO products VALUES ('product_2', 'Table'), ('product_1', 'not product_2');
CREATE TABLE settings (key text PRIMARY KEY NOT NULL, v text);
INSERT INTO settings VALUES ('has_more', 'a'), ('created_at', 'b'), ('structuredContent', 'c'),
  ('customer-17', 'd'), ('description_1', 'e'), ('operation_12', 'f');
CREATE TABLE posts (id integer PRIMARY KEY, created_at text, body text, customer_name text);
INSERT INTO posts VALUES (1, '2026', 'see has_more and customer-17', 'Ann');
CREATE TABLE states (code text PRIMARY KEY NOT NULL CHECK (code IN ('zq-open-1', 'zq-shut-2')), n integer);
CREATE TABLE tickets (id integer PRIMARY KEY, n integer, name text, photo blob,
  state text REFERENCES states (code) CHECK (state IN ('zq-open-1', 'zq-shut-2')));
"""


class WordKeys(ServerTest):
    alfred = ALFRED

    def setUp(self):
        super().setUp()
        self.server = self.serve()
        self.server.start()

    def fill(self):
        made = sqlite3.connect(self.db)
        made.executescript(SQL)
        made.close()

    def call(self, tool, **arguments):
        return self.content_of(self.server.call(tool, **arguments))

    def refused(self, tool, **arguments):
        return self.error_of(self.server.call(tool, **arguments))

    def columns(self, table):
        return {one["name"]: one for one in self.call("schema", table=table)["tables"][0]["columns"]}

    def test_keys_that_read_like_refs_are_read_and_written(self):
        rows = self.call("db_read", table="products")["rows"]
        self.assertEqual({row["sku"] for row in rows}, {"product_1", "product_2"})
        by_title = {row["title"]: row["sku"] for row in rows}
        other = next(title for title in by_title if title != "Table")
        self.assertRegex(other, "^not lit_[0-9]+$")  # a key in a text is hidden all the same
        self.call("db_update", table="products", refs=[by_title["Table"]], data={"title": "Desk"})
        with sqlite3.connect(self.db) as theirs:
            self.assertEqual(theirs.execute("SELECT title FROM products WHERE sku = 'product_2'").fetchall(),
                             [("Desk",)])
        batch = self.call("batch", action="declare", table="products", items=[by_title["Table"]])
        self.assertIn(by_title["Table"], json.dumps(batch))

    def test_keys_that_are_words_of_ours_break_no_answer(self):
        self.assertEqual(len(self.call("db_read", table="settings", limit=3)["rows"]), 3)
        self.assertEqual(len(self.call("db_read", table="settings")["rows"]), 6)
        [post] = self.call("db_read", table="posts")["rows"]
        self.assertEqual(post["created_at"], "2026")
        self.assertEqual(post["customer_name"], "Ann")
        self.assertNotIn("customer-17", post["body"])
        self.assertIn("created_at", self.columns("posts"))
        self.call("schema")
        self.assertEqual(self.call("query", sql="SELECT created_at FROM posts")["rows"], [{"created_at": "2026"}])
        for lists in ("tools/list", "resources/list", "prompts/list"):
            self.assertIn("result", self.server.request(lists), lists)
        self.assertIn("created_at", self.refused("db_read", table="posts", columns=["creted_at"]))

    def test_a_new_key_is_told_as_text_and_may_not_read_like_a_ref(self):
        self.assertEqual(self.columns("products")["sku"], {"name": "sku", "type": "text", "key": True,
                                                           "shown_as": "ref product", "required": True})
        for key in ("product_9", "gen_product_1", "ticket_4"):
            text = self.refused("db_create", table="products", data={"sku": key, "title": "Chair"})
            self.assertIn("reads like a ref", text)
        with sqlite3.connect(self.db) as theirs:
            self.assertEqual(theirs.execute("SELECT count(*) FROM products").fetchall(), [(2,)])
        made = self.call("db_create", table="products", data={"sku": "route_66", "title": "Chair"})
        self.assertEqual(made["count"], 1)

    def test_lists_of_keys_are_told_nowhere(self):
        self.assertNotIn("values", self.columns("tickets")["state"])
        self.assertNotIn("values", self.columns("states")["code"])
        text = self.refused("db_create", table="states", data={"code": "zq-none-3"})
        self.assertNotIn("zq-open", text)
        self.assertIn("keys are not shown", text)
        self.assertNotIn(b"zq-open", self.server.wire)

    def test_what_may_not_be_written_says_why(self):
        self.call("db_create", table="states", data={"code": "zq-open-1"})
        self.assertIn("does not change", self.refused("db_update", table="states", refs=["state_1"],
                                                      data={"code": "zq-shut-2"}))
        self.assertIn("only read", self.refused("db_create", table="tickets", data={"photo": "x"}))
        self.assertIn("the text `2`", self.refused("db_create", table="tickets", data={"n": "2"}))

    def test_a_command_line_s_values_are_read_by_column(self):
        self.call("db_create", table="tickets", data=[{"n": 7, "name": "5"}, {"n": 12, "name": "five"}])
        environment = dict(os.environ, ALFRED_HOME=str(self.home / "cli"))

        def read(text):
            done = subprocess.run([ALFRED, "db", "read", "tickets", "--filter", text, "--json", "--db", str(self.db)],
                                  env=environment, capture_output=True, text=True, timeout=120)
            self.assertEqual(done.returncode, 0, done.stderr)
            return [row["n"] for row in json.loads(done.stdout)["rows"]]

        self.assertEqual(read("n in 7,8"), [7])
        self.assertEqual(read("n between 1, 9"), [7])
        self.assertEqual(read("name = 5"), [7])
        self.assertEqual(read("name in 5,six"), [7])
        self.assertEqual(read("n > 7"), [12])


class EveryWord(unittest.TestCase):
    """Whatever word the server says, a key may begin with it or be it, and no answer is withheld for that."""
    TABLES = """
CREATE TABLE words (code text PRIMARY KEY NOT NULL, n integer, body text);
CREATE TABLE things (id integer PRIMARY KEY, name text NOT NULL UNIQUE, size integer CHECK (size > 0),
  word text REFERENCES words (code));
"""
    LISTS = ("tools/list", "resources/list", "resources/templates/list", "prompts/list", "ping")

    def serve(self, keys, *options):
        scratch = tempfile.TemporaryDirectory(prefix="alfred-words-")
        self.addCleanup(scratch.cleanup)
        home = pathlib.Path(scratch.name)
        with sqlite3.connect(home / "theirs.db") as made:
            made.executescript(self.TABLES)
            made.executemany("INSERT INTO words VALUES (?, 1, NULL)", [(key,) for key in keys])
        made.close()
        server = Server(ALFRED, home, "--db", str(home / "theirs.db"), *options)
        self.addCleanup(server.end)
        server.start()
        return server

    def calls(self):
        yield "schema", {}
        yield "schema", {"table": "nothing"}
        yield "db_create", {"table": "things", "data": [{"name": "a", "size": 1}, {"name": "b"}]}
        yield "db_create", {"table": "things", "data": {"name": "a"}}
        yield "db_create", {"table": "things", "data": {"size": "x", "other": 1}}
        yield "db_create", {"table": "things", "data": {"name": "c"}, "dry_run": True}
        yield "db_read", {"table": "things", "limit": 1, "count": True}
        yield "db_read", {"table": "things", "refs": ["thing_1"], "columns": ["nme"]}
        yield "db_read", {"table": "things", "filters": [{"field": "size", "op": "near", "value": 1}]}
        yield "db_read", {"table": "things", "cursor": "x"}
        yield "query", {"sql": "SELECT id, name FROM things"}
        for sql in ("SELECT FORM things", "SELECT x FROM things", "SELECT * FROM none", "DELETE FROM things",
                    "SELECT upper(code) FROM words", "SELECT 1; SELECT 2", "SELECT load_extension('x')"):
            yield "query", {"sql": sql}
        yield "db_update", {"table": "things", "refs": ["thing_1"], "data": {"size": 2}}
        yield "db_update", {"table": "things", "refs": ["thing_99"], "data": {"size": 2}}
        yield "db_update", {"table": "things", "refs": ["thing_1"], "data": {"size": -1}}
        yield "db_delete", {"table": "things", "refs": ["thing_1"]}
        yield "db_delete", {"table": "things", "refs": ["thing_2"], "dry_run": True}
        yield "batch", {"action": "declare", "table": "things", "items": ["one", "two"]}
        yield "batch", {"action": "status", "batch": "bat_000000000000"}
        yield "working_set", {"limit": 3}
        yield "working_set", {"limit": 0}
        yield "db_read", {"nothing": 1}

    def walk(self, server):
        """Everything there is to ask, and all that was said."""
        begin = len(server.wire)
        for method in self.LISTS:
            self.spoken(server.request(method), method)
        for tool, arguments in self.calls():
            self.spoken(server.request("tools/call", {"name": tool, "arguments": arguments}), (tool, arguments))
        for uri in ("schema://tables", "schema://tables/things", "ref://thing_2", "ref://thing_99", "none://x"):
            self.spoken(server.request("resources/read", {"uri": uri}), uri)
        for name, arguments in (("explore", {"table": "things"}), ("explain_row", {"ref": "thing_2"}), ("none", {}),
                                ("understand", {"message": "x"}), ("think", {"message": "x"}),
                                ("act", {"task": "x", "step_type": "write"}), ("act", {"task": "x", "step_type": "y"}),
                                ("reply", {"message": "x"}), ("summarize", {"message": "x"})):
            self.spoken(server.request("prompts/get", {"name": name, "arguments": arguments}), name)
        self.spoken(server.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "explain_row"},
                                                           "argument": {"name": "ref", "value": "th"}}), "complete")
        self.spoken(server.request("resources/subscribe", {"uri": "ref://thing_2"}), "subscribe")
        self.spoken(server.request("no/such"), "no/such")
        return server.wire[begin:]

    def spoken(self, answer, what):
        self.assertNotIn("must not leave", json.dumps(answer), what)

    def test_keys_that_begin_with_words_of_ours_withhold_nothing(self):
        for options in ((), ("--approve", "always")):
            said = self.walk(self.serve([], *options)).decode()
            words = sorted({word for word in re.findall(r"[A-Za-z][A-Za-z0-9_]{7,}", said.replace("\\n", " "))
                            if not re.match(r"(bat|opn|ses|wsp)_|eyJ", word)})
            self.assertGreater(len(words), 50)
            # One key at a time would take hours; a page at a time is as good, since any of them is enough to fail.
            keys = [word + "_zq1" for word in words]
            server = self.serve(keys, *options)
            rows = self.pages(server)
            self.assertEqual(rows, len(keys))
            self.walk(server)

    @staticmethod
    def pages(server):
        rows, cursor = 0, None
        while True:
            more = {"cursor": cursor} if cursor else {}
            answer = server.call("db_read", table="words", limit=200, **more)["structuredContent"]
            rows += len(answer["rows"])
            cursor = answer.get("cursor")
            if not cursor:
                return rows


if __name__ == "__main__":
    unittest.main()

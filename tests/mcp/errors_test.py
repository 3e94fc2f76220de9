"""errors_test.py ALFRED: what a model is told over MCP when a call cannot be done as it came."""
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile
import unittest

import mcp_client
from mcp_client import SENTINEL, Server

ALFRED = os.path.abspath(sys.argv.pop(1))


class Errors(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory(prefix="alfred-mcp-")
        cls.addClassCleanup(scratch.cleanup)
        cls.home = pathlib.Path(scratch.name)
        cls.db = cls.home / "theirs.db"
        mcp_client.fill(cls.db)
        other = sqlite3.connect(cls.db)
        with other:
            for i in range(12):
                other.execute(f"CREATE TABLE other_{i} (id integer PRIMARY KEY)")
        other.close()
        cls.server = Server(ALFRED, cls.home, "--db", str(cls.db), "--approve", "never")
        cls.server.start()
        cls.server.call("db_read", table="books")

    @classmethod
    def tearDownClass(cls):
        code, errors = cls.server.end()
        assert code == 0, errors
        assert SENTINEL.search(cls.server.wire.decode()) is None, cls.server.wire

    def error(self, tool, **arguments):
        result = self.server.call(tool, **arguments)
        self.assertTrue(result.get("isError"), result)
        return result["content"][0]["text"]

    def test_a_query_is_one_select(self):
        for sql in ("SELECT 1; DROP TABLE books", "SELECT title FROM books; SELECT 2", "SELECT 1; nonsense"):
            self.assertIn("more than one statement. Send one SELECT", self.error("query", sql=sql))
        for sql in ("WITH gone AS (SELECT id FROM books) DELETE FROM books WHERE id IN gone",
                    "WITH x AS (SELECT 1) INSERT INTO authors SELECT 7, 'x'", "DELETE FROM books"):
            text = self.error("query", sql=sql)
            self.assertIn("A query only reads. Send one SELECT", text)
            self.assertNotIn("table that is not there", text)
        result = self.server.call("query", sql="SELECT 1 AS one; -- that is all")
        self.assertEqual(result["structuredContent"]["rows"], [{"one": 1}])

    def test_a_query_that_fails_as_it_runs_is_no_mistake_of_syntax(self):
        text = self.error("query", sql="SELECT json_extract(title, '$.a') FROM books")
        self.assertIn("failed as it ran: malformed JSON", text)
        self.assertNotIn("syntax", text)
        self.assertIn("failed as it ran", self.error("query", sql="SELECT abs(-9223372036854775807 - 1)"))

    def test_what_is_not_listed_is_counted(self):
        self.assertIn("6 more are not listed here", self.error("db_read", table="nothing"))
        self.assertIn("6 more are not listed here", self.error("schema", table="nothing"))
        self.assertIn("6 more are not listed here", self.error("query", sql="SELECT * FROM no_such"))
        self.assertNotIn("not listed", self.error("db_read", table="books", columns=["nothing"]))

    def test_a_check_is_named(self):
        text = self.error("db_update", table="books", refs=["book_1"], data={"pages": -1})
        self.assertIn("check `pages > 0` refuses this row. Give pages another value. (at ", text)
        self.assertIn("pages) [conflict]", text)

    def test_a_batch_that_is_not_there_is_to_be_declared(self):
        for tool, call in (("batch", {"action": "status"}), ("db_create", {"table": "authors", "data": [{"ref": "x"}]})):
            text = self.error(tool, batch="bat_000000000000", **call)
            self.assertIn("no batch of this id here", text)
            self.assertIn("Next: call batch with action declare.", text)

    def test_a_reused_idempotency_key_is_named(self):
        self.server.call("db_create", table="authors", data={"name": "A"}, idempotency_key="k")
        text = self.error("db_create", table="authors", data={"name": "B"}, idempotency_key="k")
        self.assertIn("This idempotency_key was used for another call", text)

    def test_a_new_row_whose_key_is_a_uuid_in_a_text_needs_none(self):
        made = self.server.call("db_create", table="loans", data={"book_id": "book_1", "reader": "Bea"})
        self.assertEqual(made["structuredContent"]["count"], 1)
        self.assertIn("Leave it out", self.error(
            "db_create", table="loans", data={"id": "mine", "book_id": "book_1", "reader": "Bea"}))

    def test_a_file_that_is_no_database_is_called_so(self):
        odd = self.home / "letter.db"
        odd.write_text("Dear Sir or Madam, " * 100)
        ran = subprocess.run([ALFRED, "mcp", "--db", str(odd)], stdin=subprocess.DEVNULL, capture_output=True, text=True,
                             env=dict(os.environ, ALFRED_HOME=str(self.home / "h")), check=False)
        self.assertEqual(ran.returncode, 4, ran.stderr)
        self.assertIn("no SQLite database", ran.stderr)


if __name__ == "__main__":
    unittest.main()

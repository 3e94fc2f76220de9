"""batches_test.py ALFRED: batches over MCP, at the size they may have, and what is asked about them."""
import json
import os
import sys
import unittest

from mcp_client import ELICITS, FIRST, YES, ServerTest

ALFRED = os.path.abspath(sys.argv.pop(1))
MOST_BYTES = 40000  # 8,000 tokens have fewer


class Batches(ServerTest):
    alfred = ALFRED

    def fill(self):
        super().fill()
        self.rows("INSERT INTO loans VALUES ('11111111-2222-4333-8444-555555555555', ?, 'Eve')", FIRST + 3)
        self.rows("CREATE TABLE invoices (id integer PRIMARY KEY, paid boolean, memo text, number integer UNIQUE)")
        for i in range(3):
            self.rows("INSERT INTO invoices VALUES (?, 0, 'thanks', ?)", FIRST + i, 7000 + i)

    def serve(self, *options, **started):
        server = super().serve(*options)
        server.start(**started)
        return server

    def content(self, result):
        self.assertFalse(result.get("isError"), result)
        text = result["content"][0]["text"]
        self.assertLess(len(text.encode()), MOST_BYTES)
        self.assertEqual(json.loads(text), result["structuredContent"])
        return result["structuredContent"]

    def declare(self, server, table, items):
        return self.content(server.call("batch", action="declare", table=table, items=items))["id"]

    def status(self, server, batch):
        """All items, page by page."""
        items, more = [], {}
        while True:
            page = self.content(server.call("batch", action="status", batch=batch, **more))
            items += page["items"]
            if "cursor" not in page:
                return items
            more = {"cursor": page["cursor"]}

    # R2 of record_features.h
    def test_R2_answers_of_a_long_batch_are_cut_at_whole_items(self):
        server = self.serve("--approve", "never")
        names = [f"the author that has the number {i}" for i in range(500)]
        batch = self.declare(server, "authors", names)
        data = [{"ref": name, "name": None if i % 50 == 0 else f"Author {i}"} for i, name in enumerate(names)]
        made = self.content(server.call("db_create", table="authors", batch=batch, data=data))
        self.assertEqual(made["counts"], {"failed": 10, "pending": 0, "completed": 490})
        self.assertEqual((made["total"], len(made["failed"]), made["truncated"]), (500, 10, True))
        self.assertIn("needs a value", made["failed"][0]["error"])
        self.assertIn("batch with action status", made["hint"])
        items = self.status(server, batch)
        self.assertEqual({item["ref"] for item in items}, set(names))
        self.assertEqual(len(items), 500)
        self.assertEqual([item["status"] for item in items[:11]], ["failed"] * 10 + ["complete"])
        one = self.content(server.call("batch", action="status", batch=batch, items=[names[7]]))
        self.assertEqual([item["ref"] for item in one["items"]], [names[7]])
        refs = [item["result_ref"] for item in items if item["status"] == "complete"]
        second = self.declare(server, "authors", refs)
        changed = self.content(server.call("db_update", table="authors", batch=second, refs=refs,
                                           data={"name": "N"}))
        self.assertEqual(len(changed["completed"]), 490)
        third = self.declare(server, "authors", refs)
        gone = self.content(server.call("db_delete", table="authors", batch=third, refs=refs))
        self.assertEqual(len(gone["completed"]), 490)
        self.content(server.call("batch", action="retry", batch=batch, items=[names[0]]))
        self.content(server.call("batch", action="finish", batch=third))
        self.content(server.call("working_set", limit=200))
        self.assertIn("(at cursor)", self.error_of(server.call("batch", action="status", batch=batch, cursor="?")))

    def test_R2_rows_with_many_nested_ones_are_cut_too(self):
        server = self.serve("--approve", "never")
        self.content(server.call("db_read", table="authors"))
        rows = [{"name": f"A {i}", "books": [{"title": f"B {j}"} for j in range(60)]} for i in range(50)]
        made = self.content(server.call("db_create", table="authors", data=rows))
        self.assertEqual((made["count"], made["truncated"]), (50, True))
        self.assertIn("db_read", made["hint"])
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(3005,)])

    def test_R3_nobody_is_asked_about_what_cannot_be_done(self):
        server = self.serve(capabilities=ELICITS)
        server.answers["elicitation/create"] = YES
        self.content(server.call("db_read", table="books"))
        self.assertIn("no batch", self.error_of(
            server.call("db_delete", table="books", refs=["book_1"], batch="bat_000000000000")))
        batch = self.declare(server, "books", ["book_2", "book_3"])
        text = self.error_of(server.call("db_delete", table="books", refs=["book_4"], batch=batch))
        self.assertIn("no item of this batch", text)
        self.assertIn("(at refs[0])", text)
        self.assertEqual(server.asked, [])
        # A row that is gone already: its item fails, and nobody is asked; with another one, about that.
        self.content(server.call("db_delete", table="books", refs=["book_2"]))
        self.assertEqual(len(server.asked), 1)
        failed = self.content(server.call("db_delete", table="books", refs=["book_2"], batch=batch))
        self.assertIn("deleted", failed["failed"][0]["error"])
        self.assertEqual(len(server.asked), 1)
        both = self.declare(server, "books", ["book_2", "book_4"])
        done = self.content(server.call("db_delete", table="books", refs=["book_2", "book_4"], batch=both))
        self.assertEqual((len(done["completed"]), len(done["failed"])), (1, 1))
        question = server.asked[1]["params"]["message"]
        self.assertIn('Delete 1 row of books: "Book 3" (book_4). With that go 1 row of loans.', question)
        self.assertIn("1 item cannot be done", question)

    def test_R3_a_dry_run_of_a_batch_changes_nothing_and_gives_a_code(self):
        server = self.serve()
        self.content(server.call("db_read", table="books"))
        refs = ["book_2", "book_3"]
        batch = self.declare(server, "books", refs)
        tried = self.content(server.call("db_update", table="books", refs=refs, batch=batch, dry_run=True,
                                         data={"pages": 7}))
        self.assertEqual((len(tried["completed"]), tried["dry_run"]), (2, True))
        self.assertEqual(self.rows("SELECT count(*) FROM books WHERE pages = 7"), [(0,)])
        call = {"table": "books", "refs": refs, "batch": batch}
        seen = self.content(server.call("db_delete", dry_run=True, **call))
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])
        self.assertEqual({item["status"] for item in self.status(server, batch)}, {"pending"})
        self.content(server.call("db_delete", confirm=seen["confirm"], **call))
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(3,)])
        text = self.error_of(server.call("db_update", table="books", refs=refs, batch=batch, version="x",
                                         data={"pages": 7}))
        self.assertIn("has no version", text)

    def test_R3_a_row_without_a_label_is_known_by_what_is_unique(self):
        server = self.serve(capabilities=ELICITS)
        server.answers["elicitation/create"] = YES
        self.content(server.call("db_read", table="invoices"))
        self.content(server.call("db_delete", table="invoices", refs=["invoice_1", "invoice_3"]))
        self.assertIn('2 rows of invoices: "7000" (invoice_1), "7002" (invoice_3).',
                      server.asked[0]["params"]["message"])


if __name__ == "__main__":
    unittest.main()

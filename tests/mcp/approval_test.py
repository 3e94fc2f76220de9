"""approval_test.py ALFRED: who is asked before a write over MCP, and who need not be."""
import os
import sys
import unittest

from mcp_client import ELICITS, YES, ServerTest

ALFRED = os.path.abspath(sys.argv.pop(1))


class Approval(ServerTest):
    alfred = ALFRED

    def setUp(self):
        super().setUp()
        self.server = self.serve("--approve", "always")
        self.server.start(capabilities=ELICITS)
        self.server.answers["elicitation/create"] = YES
        self.server.call("db_read", table="books")

    def call(self, tool, **arguments):
        return self.content_of(self.server.call(tool, **arguments))

    def refused(self, tool, **arguments):
        return self.error_of(self.server.call(tool, **arguments))

    def lose(self, title):
        self.rows("DELETE FROM books WHERE title = ?", title)

    def test_R3_nobody_is_asked_about_rows_that_are_gone(self):
        self.lose("Book 1")
        none = {"count": 0, "no_match": True, "not_matched": ["book_2"], "gone": ["book_2"]}
        self.assertEqual(self.call("db_delete", table="books", refs=["book_2"]), {"deleted": [], **none})
        self.assertEqual(self.call("db_update", table="books", refs=["book_2"], data={"pages": 9}),
                         {"updated": [], **none})
        fits_none = [{"field": "pages", "op": "=", "value": -1}]
        self.assertEqual(self.call("db_delete", table="books", refs=["book_3"], filters=fits_none),
                         {"deleted": [], "count": 0, "no_match": True, "not_matched": ["book_3"]})
        self.assertEqual(self.server.asked, [])
        self.call("db_delete", table="books", refs=["book_2", "book_3"])
        self.assertEqual([one["params"]["message"] for one in self.server.asked],
                         ['Delete 1 row of books: "Book 2" (book_3). 1 row named is not there any more. '
                          "Shall this be done?"])

    def test_a_resource_whose_row_is_gone_says_so(self):
        self.lose("Book 1")
        missing = self.server.request("resources/read", {"uri": "ref://book_2"})["error"]
        self.assertEqual(missing["data"], {"uri": "ref://book_2"})
        self.assertEqual(missing["message"], "The row of books that book_2 stands for is not there any more. "
                                             "Read books again to see what is.")

    def test_R3_the_key_is_looked_at_before_anybody_is_asked(self):
        self.server.call("db_read", table="authors")
        new = {"table": "books", "data": [{"title": "Emma", "author_id": "author_1"}], "idempotency_key": "once"}
        first = self.call("db_create", **new)
        self.assertEqual(len(self.server.asked), 1)
        self.assertEqual(self.call("db_create", **new), first)
        text = self.refused("db_delete", table="books", refs=["book_1"], idempotency_key="once")
        self.assertIn("[op_reused]", text)
        self.assertEqual(len(self.server.asked), 1)
        self.assertEqual(self.rows("SELECT count(*) FROM books WHERE title = 'Emma'"), [(1,)])
        gone = {"table": "books", "refs": ["book_4"], "idempotency_key": "twice"}
        first = self.call("db_delete", **gone)
        self.assertEqual(self.call("db_delete", **gone), first)
        self.assertEqual(len(self.server.asked), 2)


if __name__ == "__main__":
    unittest.main()

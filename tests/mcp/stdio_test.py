"""stdio_test.py ALFRED: `alfred mcp` over pipes, on a database that it has never seen."""
import contextlib
import json
import os
import sqlite3
import sys
import time
import unittest

from mcp_client import ELICITS, FIRST, YES, Server, ServerTest

ALFRED = os.path.abspath(sys.argv.pop(1))

ENDLESS = ("WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) "
           "SELECT count(*) AS many FROM n")


class Stdio(ServerTest):
    alfred = ALFRED

    # The thinnest path.
    def test_reads_a_foreign_database_in_refs(self):
        server = self.serve()
        started = server.start()
        self.assertEqual(started["protocolVersion"], "2025-11-25")
        self.assertIn("refs", started["instructions"])
        tools = [tool["name"] for tool in server.request("tools/list")["result"]["tools"]]
        self.assertEqual(tools, ["schema", "db_read", "query", "working_set", "db_create", "db_update",
                                 "db_delete", "batch"])
        result = server.call("db_read", table="books", limit=2)
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])
        rows = result["structuredContent"]["rows"]
        self.assertEqual([row["id"] for row in rows], ["book_1", "book_2"])
        self.assertEqual(rows[0]["author_id"], "author_1")
        self.assertIn("lit_1", rows[0]["notes"])
        self.assertTrue(result["structuredContent"]["has_more"])
        again = server.call("db_read", table="books", filters=None, cursor=result["structuredContent"]["cursor"])
        self.assertEqual(len(again["structuredContent"]["rows"]), 3)

    def test_refs_outlive_the_connection(self):
        first = self.serve()
        first.start()
        first.call("db_read", table="books", order=[{"field": "pages", "direction": "desc"}])
        second = self.serve()
        second.start()
        row = second.call("db_read", table="books", refs=["book_1"])["structuredContent"]["rows"][0]
        self.assertEqual(row["title"], "Book 4")

    def test_creates_updates_and_deletes(self):
        server = self.serve("--approve", "never")
        server.start()
        server.call("db_read", table="authors")
        made = server.call("db_create", table="books",
                           data={"title": "New", "author_id": "author_1"})
        self.assertEqual(made["structuredContent"]["created"][0]["ref"], "book_1")
        changed = server.call("db_update", table="books", refs=["book_1"], data={"pages": 7})
        self.assertEqual(changed["structuredContent"]["updated"], ["book_1"])
        self.assertEqual(self.rows("SELECT pages FROM books WHERE title = 'New'"), [(7,)])
        gone = server.call("db_delete", table="books", refs=["book_1"])
        self.assertEqual(gone["structuredContent"]["count"], 1)
        self.assertEqual(self.rows("SELECT count(*) FROM books WHERE title = 'New'"), [(0,)])
        self.assertIn("deleted", self.error_of(server.call("db_read", table="books", refs=["book_1"])))

    def test_the_same_idempotency_key_writes_once(self):
        server = self.serve()
        server.start()
        call = {"table": "authors", "data": {"name": "Eco"}, "idempotency_key": "k1"}
        first = server.call("db_create", **call)
        self.assertEqual(server.call("db_create", **call), first)
        self.assertEqual(self.rows("SELECT count(*) FROM authors"), [(2,)])
        other = server.call("db_create", table="authors", data={"name": "Fry"}, idempotency_key="k1")
        self.assertIn("op_reused", self.error_of(other))

    def test_queries_in_refs(self):
        server = self.serve()
        server.start()
        result = server.call("query", sql="SELECT id, title FROM books ORDER BY id LIMIT 1")
        self.assertEqual(result["structuredContent"]["rows"][0]["id"], "book_1")
        self.assertIn("query", self.error_of(server.call("query", sql="DELETE FROM books")))
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])

    def test_a_batch_is_declared_filled_and_looked_at(self):
        server = self.serve()
        server.start()
        made = server.call("batch", action="declare", table="authors", items=["one", "two"])
        batch = made["structuredContent"]["id"]
        server.call("db_create", table="authors", batch=batch, data=[{"ref": "one", "name": "A"}])
        status = server.call("batch", action="status", batch=batch)["structuredContent"]
        self.assertEqual([item["status"] for item in status["items"]], ["complete", "pending"])
        server.call("db_create", table="authors", batch=batch, data=[{"ref": "two", "name": "B"}])
        refs = ["author_1", "author_2"]
        more = server.call("batch", action="declare", table="authors", items=refs)["structuredContent"]["id"]
        done = server.call("db_update", table="authors", batch=more, refs=refs, data={"name": "C"})
        self.assertFalse(done.get("isError"), done)
        self.assertEqual(self.rows("SELECT count(*) FROM authors WHERE name = 'C'"), [(2,)])
        last = server.call("batch", action="declare", table="authors", items=refs)["structuredContent"]["id"]
        text = self.error_of(server.call("db_delete", table="authors", batch=last, refs=refs))
        code = text.split('"confirm":"')[1].split('"')[0]
        gone = server.call("db_delete", table="authors", batch=last, refs=refs, confirm=code)
        self.assertFalse(gone.get("isError"), gone)
        self.assertEqual(self.rows("SELECT count(*) FROM authors"), [(1,)])
        self.assertIn("declare, status, retry, finish", self.error_of(server.call("batch", action="end")))

    def test_a_batch_is_finished_when_nothing_of_it_is_open(self):
        server = self.serve()
        server.start()
        batch = server.call("batch", action="declare", table="authors",
                            items=["one", "two"])["structuredContent"]["id"]
        server.call("db_create", table="authors", batch=batch, data=[{"ref": "one", "name": "A"}])
        text = self.error_of(server.call("batch", action="finish", batch=batch))
        self.assertIn("1 of 2 items are open: `two`. Send their rows", text)
        server.call("db_create", table="authors", batch=batch, data=[{"ref": "two", "name": None}])
        done = server.call("batch", action="finish", batch=batch)["structuredContent"]
        self.assertEqual((done["finished"], done["completed"], done["failed"]), (True, 1, 1))
        self.assertEqual([one["status"] for one in done["items"]], ["complete", "failed"])
        again = server.call("batch", action="retry", batch=batch)["structuredContent"]
        self.assertEqual(again["retried"], [])

    def test_working_set_names_what_is_known(self):
        server = self.serve()
        server.start()
        server.call("db_read", table="books", limit=1)
        refs = server.call("working_set")["structuredContent"]["refs"]
        self.assertEqual({one["ref"]: one["label"] for one in refs}, {"book_1": "Book 0", "author_1": "Le Guin"})
        only = server.call("working_set", type="author")["structuredContent"]["refs"]
        self.assertEqual([one["ref"] for one in only], ["author_1"])

    # R1 of record_features.h
    def test_R1_errors_name_argument_and_next_call(self):
        server = self.serve()
        server.start()
        server.call("db_read", table="books", limit=1)
        text = self.error_of(server.call("db_update", table="books", refs=["book_9"], data={"pages": 1}))
        for part in ("book_9", "(at refs[0])", "[ref_unknown]", "Allowed: book_1", "Next: call db_read"):
            self.assertIn(part, text)
        key = self.error_of(server.call("db_read", table="books", refs=[str(FIRST)]))
        self.assertIn("[ref_syntax]", key)
        path = self.error_of(server.call("db_update", table="books", refs=["book_1"], data={"pages": 1},
                                         filters=[{"field": "nothing", "op": "=", "value": 1}]))
        self.assertIn("(at filters[0]", path)
        self.assertIn("has no argument", self.error_of(server.call("db_read", table="books", where=1)))
        self.assertIn("Next: call schema", self.error_of(server.call("db_read", table="nothing")))
        self.assertIn("[conflict]", self.error_of(
            server.call("db_update", table="books", refs=["book_1"], data={"pages": -1})))

    def test_arguments_that_cannot_be_kept_are_refused_with_their_id(self):
        server = self.serve()
        server.start()
        server.call("db_read", table="books", limit=1)
        for value in ("12345678901234567.12", '{"a":[12345678901234567890.5]}', "100000000000000000000", "1e400",
                      '"\\ud83d"', '{"a":1,"a":2}', "[" * 130 + "]" * 130):
            server.say('{"jsonrpc":"2.0","id":"n","method":"tools/call","params":{"name":"db_update","arguments":'
                       '{"table":"books","refs":["book_1"],"data":{"pages":%s}}}}' % value)
            text = self.error_of(server.hear_answer("n")["result"])
            self.assertIn("a" if "{" in value else "pages", text)
        server.say('{"jsonrpc":"2.0","id":"p","method":"tools/call","params":[1]}')
        self.assertEqual(server.hear_answer("p")["error"]["code"], -32600)
        self.assertEqual(self.rows("SELECT pages FROM books WHERE title = 'Book 0'"), [(100,)])

    def test_R2_long_answers_are_cut_at_whole_rows(self):
        other = sqlite3.connect(self.db)
        with other:
            for i in range(60):
                other.execute("INSERT INTO books VALUES (?, ?, ?, 1, ?)",
                              (FIRST + 100 + i, f"Long {i}", FIRST, "\u6f22\u5b57" * 200))
        other.close()
        server = self.serve()
        server.start()
        seen, cursor = [], None
        while True:
            more = {} if cursor is None else {"cursor": cursor}
            result = server.call("db_read", table="books", limit=60, **more)
            self.assertIn("structuredContent", result, result)
            result = result["structuredContent"]
            self.assertLess(len(json.dumps(result, ensure_ascii=False).encode()), 25000)
            seen += [row["title"] for row in result["rows"]]
            if not result["has_more"]:
                break
            self.assertIn("cursor", result["hint"])
            self.assertTrue(result["truncated"])
            cursor = result["cursor"]
        self.assertEqual(len(seen), 65)
        self.assertEqual(len(set(seen)), 65)

    def test_R2_a_large_schema_is_cut_to_names(self):
        other = sqlite3.connect(self.db)
        with other:
            for i in range(50):
                other.execute(f"CREATE TABLE wide_{i} (id integer PRIMARY KEY, "
                              + ", ".join(f"column_{j} text" for j in range(20)) + ")")
        other.close()
        server = self.serve()
        server.start()
        schema = server.call("schema")["structuredContent"]
        self.assertEqual(len(schema["tables"]), 54)
        self.assertTrue(schema["truncated"])
        one = server.call("schema", table="wide_7")["structuredContent"]["tables"][0]
        self.assertEqual(len(one["columns"]), 21)

    def test_R3_deletes_are_approved_by_elicitation(self):
        server = self.serve()
        server.start(capabilities=ELICITS)
        server.call("db_read", table="books")
        server.answers["elicitation/create"] = {"action": "decline"}
        self.assertIn("did not approve", self.error_of(server.call("db_delete", table="books", refs=["book_2"])))
        server.answers["elicitation/create"] = {"action": "accept", "content": {"approve": False}}
        self.assertIn("did not approve", self.error_of(server.call("db_delete", table="books", refs=["book_2"])))
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])
        server.answers["elicitation/create"] = YES
        gone = server.call("db_delete", table="books", refs=["book_2"])
        self.assertEqual(gone["structuredContent"]["deleted"], [{"ref": "book_2", "label": "Book 1"}])
        self.assertEqual(len(server.asked), 3)
        self.assertEqual(server.asked[0]["params"]["message"],
                         'Delete 1 row of books: "Book 1" (book_2). Shall this be done?')
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(4,)])

    def test_R3_elsewhere_a_preview_gives_a_code(self):
        server = self.serve()
        server.start()
        server.call("db_read", table="books")
        call = {"table": "books", "refs": ["book_3"]}
        text = self.error_of(server.call("db_delete", **call))
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])
        code = server.call("db_delete", dry_run=True, **call)["structuredContent"]["confirm"]
        self.assertIn(code, text)
        wrong = {"table": "books", "refs": ["book_4"]}
        self.assertTrue(server.call("db_delete", confirm=code, **wrong)["isError"])
        self.assertEqual(server.call("db_delete", confirm=code, **call)["structuredContent"]["count"], 1)
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(4,)])

    def test_R4_a_preview_that_is_no_longer_true_is_shown_again(self):
        server = self.serve()
        server.start()
        server.call("db_read", table="books")
        call = {"table": "books", "refs": ["book_2"]}
        code = server.call("db_delete", dry_run=True, **call)["structuredContent"]["confirm"]
        other = sqlite3.connect(self.db)
        with other:
            other.execute("INSERT INTO loans VALUES ('11111111-2222-4333-8444-555555555555', ?, 'Eve')",
                          (FIRST + 1,))
        other.close()
        text = self.error_of(server.call("db_delete", confirm=code, **call))
        self.assertIn("loans", text)
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])

    def test_R6_what_is_not_seen_is_shown_and_comes_back_as_it_was(self):
        hidden = "evil\u202egnp.exe\u200b\U000e0041\x1b[1m \\u{202e} \U0001f469\u200d\U0001f467"
        shown = "evil\\u{202e}gnp.exe\\u{200b}\\u{e0041}\\u{1b}[1m \\u{5c}u{202e} \U0001f469\u200d\U0001f467"
        other = sqlite3.connect(self.db)
        with other:
            other.execute("UPDATE books SET title = ?, notes = ? WHERE id = ?", (hidden, hidden, FIRST + 1))
        server = self.serve()
        server.start(capabilities=ELICITS)
        result = server.call("db_read", table="books", filters=[{"field": "title", "op": "=", "value": shown}])
        self.assertEqual(result["structuredContent"]["rows"][0]["title"], shown)
        self.assertEqual(json.loads(result["content"][0]["text"]), result["structuredContent"])
        ref = result["structuredContent"]["rows"][0]["id"]
        with other:
            other.execute("UPDATE books SET notes = 'other' WHERE id = ?", (FIRST + 1,))
        other.close()
        server.call("db_update", table="books", refs=[ref], data={"title": shown, "notes": shown})
        self.assertEqual(self.rows("SELECT title, notes FROM books WHERE pages = 101"), [(hidden, hidden)])
        server.request("resources/read", {"uri": "ref://" + ref})
        server.call("query", sql="SELECT title FROM books")
        server.call("working_set")
        server.answers["elicitation/create"] = YES
        server.call("db_delete", table="books", refs=[ref], dry_run=True)
        server.call("db_delete", table="books", refs=[ref])
        self.assertIn("evil\\u{202e}gnp", server.asked[0]["params"]["message"])
        for sign in ("\u202e", "\u200b", "\U000e0041", "\\u001b"):
            self.assertNotIn(sign, server.wire.decode())

    def test_R3_a_code_is_good_for_one_write(self):
        server = self.serve("--approve", "always")
        server.start()
        server.call("db_read", table="books")
        call = {"table": "books", "refs": ["book_1"], "data": {"pages": 7}}
        code_in = lambda text: text.split('"confirm":"')[1].split('"')[0]
        text = self.error_of(server.call("db_update", **call))
        self.assertIn('Change 1 row of books: "Book 0" (book_1). Set pages to 7 (now 100).', text)
        code = code_in(text)
        self.assertEqual(server.call("db_update", confirm=code, **call)["structuredContent"]["count"], 1)
        other = sqlite3.connect(self.db)
        for now in (7, 55):
            with other:
                other.execute("UPDATE books SET pages = ? WHERE title = 'Book 0'", (now,))
            again = self.error_of(server.call("db_update", confirm=code, **call))
            self.assertIn("This code was used before", again)
            self.assertIn(f"(now {now})", again)
            self.assertNotEqual(code_in(again), code)
        with other:  # a code that was never used, and a row that is another by now
            other.execute("UPDATE books SET pages = 56 WHERE title = 'Book 0'")
        other.close()
        self.assertIn("rows have changed", self.error_of(server.call("db_update", confirm=code_in(again), **call)))
        self.assertEqual(self.rows("SELECT pages FROM books WHERE title = 'Book 0'"), [(56,)])
        keyed = {"table": "authors", "data": {"name": "Eco"}, "idempotency_key": "k"}
        code = code_in(self.error_of(server.call("db_create", **keyed)))
        made = server.call("db_create", confirm=code, **keyed)
        self.assertEqual(server.call("db_create", confirm=code, **keyed), made)
        self.assertEqual(self.rows("SELECT count(*) FROM authors"), [(2,)])

    def test_approve_always_asks_about_creates_too(self):
        server = self.serve("--approve", "always")
        server.start(capabilities=ELICITS)
        server.answers["elicitation/create"] = YES
        server.call("db_create", table="authors", data={"name": "Eco"})
        self.assertEqual(len(server.asked), 1)
        self.assertEqual(self.rows("SELECT count(*) FROM authors"), [(2,)])
        batch = server.call("batch", action="declare", table="authors", items=["one"])["structuredContent"]["id"]
        made = server.call("db_create", table="authors", batch=batch, data=[{"ref": "one", "name": "Fry"}])
        self.assertFalse(made.get("isError"), made)
        self.assertEqual(len(server.asked), 2)
        self.assertEqual(self.rows("SELECT count(*) FROM authors"), [(3,)])

    def test_read_only_offers_and_does_no_write(self):
        server = self.serve("--read-only")
        server.start()
        tools = [tool["name"] for tool in server.request("tools/list")["result"]["tools"]]
        self.assertEqual(tools, ["schema", "db_read", "query", "working_set"])
        refused = server.request("tools/call", {"name": "db_create", "arguments": {
            "table": "authors", "data": {"name": "Eco"}}})
        self.assertEqual(refused["error"]["code"], -32602)
        self.assertEqual(self.rows("SELECT count(*) FROM authors"), [(1,)])

    def test_tables_that_are_left_out_do_not_exist(self):
        server = self.serve("--tables", "books,loans")
        server.start()
        tables = server.call("schema")["structuredContent"]["tables"]
        self.assertEqual([table["table"] for table in tables], ["books", "loans"])
        self.assertNotIn("author", json.dumps(tables))
        self.assertNotIn("author_id", server.call("db_read", table="books")["structuredContent"]["rows"][0])
        self.error_of(server.call("db_read", table="secrets"))
        self.error_of(server.call("query", sql="SELECT word FROM secrets"))
        self.error_of(server.call("query", sql="SELECT author_id FROM books"))

    def test_tables_that_name_rows_cannot_be_left_out(self):
        with sqlite3.connect(self.db) as other:
            other.execute("CREATE TABLE marks (book_id integer REFERENCES books (id), word text, "
                          "PRIMARY KEY (book_id, word))")
        other.close()
        server = Server(ALFRED, self.home, "--db", str(self.db), "--tables", "authors,marks")
        code, errors = server.end()
        self.assertEqual(code, 2, errors)
        self.assertIn("--tables leaves out books: marks names its rows by book_id", errors)
        self.assertIn("--tables authors,marks,books", errors)

    def test_a_create_without_a_hidden_column_says_which(self):
        for options in ((), ("--approve", "always")):
            server = self.serve("--tables", "books", *options)
            server.start()
            text = self.error_of(server.call("db_create", table="books", data={"title": "New"}))
            self.assertIn("author_id needs a value and cannot be given", text)
            self.assertIn("--tables", text)
        server = self.serve("--approve", "never")
        server.start()
        self.assertIn("author_id", self.error_of(server.call("db_create", table="books", data={"title": "New"})))

    # Resources, prompts, completions.
    def test_resources_are_tables_and_rows(self):
        server = self.serve()
        server.start()
        uris = [one["uri"] for one in server.request("resources/list")["result"]["resources"]]
        self.assertEqual(uris[0], "schema://tables")
        self.assertIn("schema://tables/books", uris)
        server.call("db_read", table="books", limit=1)
        row = server.request("resources/read", {"uri": "ref://book_1"})["result"]["contents"][0]
        self.assertEqual(json.loads(row["text"])["rows"][0]["title"], "Book 0")
        missing = server.request("resources/read", {"uri": "ref://book_99"})["error"]
        self.assertEqual((missing["code"], missing["data"]), (-32002, {"uri": "ref://book_99"}))
        server.request("resources/subscribe", {"uri": "ref://book_1"})
        server.call("db_update", table="books", refs=["book_1"], data={"pages": 9})
        self.assertEqual([one["params"]["uri"] for one in server.told], ["ref://book_1"])

    def test_prompts_and_completions(self):
        server = self.serve()
        server.start()
        names = [one["name"] for one in server.request("prompts/list")["result"]["prompts"]]
        self.assertEqual(names, ["explore", "explain_row", "understand", "think", "act", "reply", "summarize"])
        prompt = server.request("prompts/get", {"name": "explore", "arguments": {"table": "books"}})
        self.assertIn("books", prompt["result"]["messages"][0]["content"]["text"])
        self.assertEqual(server.request("prompts/get", {"name": "none"})["error"]["code"], -32602)
        wrong = server.request("prompts/get", {"name": "explore", "arguments": {"table": "nothing"}})["error"]
        self.assertEqual(wrong["code"], -32602)
        self.assertIn("authors, books, loans, secrets", wrong["message"])
        unknown = server.request("prompts/get", {"name": "explain_row", "arguments": {"ref": "book_2"}})["error"]
        self.assertEqual(unknown["code"], -32602)
        self.assertIn("There is no row `book_2` here.", unknown["message"])
        server.call("db_read", table="books", limit=2)
        known = server.request("prompts/get", {"name": "explain_row", "arguments": {"ref": "book_2"}})
        self.assertIn("Read book_2 with db_read", known["result"]["messages"][0]["content"]["text"])
        done = server.request("completion/complete", {
            "ref": {"type": "ref/resource", "uri": "ref://{ref}"}, "argument": {"name": "ref", "value": "book"}})
        self.assertEqual(sorted(done["result"]["completion"]["values"]), ["book_1", "book_2"])
        # explore takes a table; the others are not there.
        for ref in ({"type": "ref/prompt", "name": "explore"}, {"type": "ref/prompt", "name": "none"},
                    {"type": "ref/resource", "uri": "none://{ref}"}, {}):
            done = server.request("completion/complete", {"ref": ref, "argument": {"name": "ref", "value": ""}})
            self.assertEqual(done["result"]["completion"]["values"], [], ref)
        self.assertEqual(server.request("logging/setLevel", {"level": "info"})["error"]["code"], -32601)

    def test_a_client_that_goes_away_is_no_failure(self):
        server = Server(ALFRED, self.home, "--db", str(self.db))
        server.start()
        server.process.stdout.close()
        with contextlib.suppress(BrokenPipeError):  # it may be gone already
            for _ in range(3):
                server.say('{"jsonrpc":"2.0","id":1,"method":"tools/list"}')
            server.process.stdin.close()
        self.assertEqual(server.process.wait(timeout=20), 0)
        self.assertEqual(server.process.stderr.read(), b"")
        server.process.stderr.close()

    def test_a_client_that_does_not_listen_any_more_ends_the_server(self):
        server = Server(ALFRED, self.home, "--db", str(self.db))
        server.start()
        server.process.stdout.close()
        self.assertEqual(server.process.wait(timeout=20), 0)  # though its input is still open
        self.assertEqual(server.process.stderr.read(), b"")
        server.process.stderr.close()
        server.process.stdin.close()

    def prompt(self, server, name, **arguments):
        answer = server.request("prompts/get", {"name": name, "arguments": arguments})
        self.assertIn("result", answer, answer)
        return [one["content"]["text"] for one in answer["result"]["messages"]]

    def completed(self, server, argument, value=""):
        done = server.request("completion/complete", {"ref": {"type": "ref/prompt", "name": "act"},
                                                      "argument": {"name": argument, "value": value}})
        return done["result"]["completion"]["values"]

    def test_a_turn_begins_with_the_tables_as_they_are(self):
        server = self.serve("--turns")
        server.start()
        first = server.call("turn_start", message="hi")["structuredContent"]
        self.assertIn("`author`", first["asks"][0]["user"])
        self.assertNotIn("gadget", first["asks"][0]["user"])
        self.rows("CREATE TABLE gadgets (id integer PRIMARY KEY, name text)")
        # The turn that is running goes on as it began.
        again = server.call("turn_answer", session=first["session"])["structuredContent"]
        self.assertEqual(again["asks"], first["asks"])
        server.call("turn_answer", session=first["session"], cancel=True)
        for session in ({}, {"session": first["session"]}):
            turn = server.call("turn_start", message="hi", **session)["structuredContent"]
            self.assertIn("`gadget`", turn["asks"][0]["user"])

    def test_a_turn_may_speak_of_literals_that_only_its_session_knows(self):
        server = self.serve("--turns")
        server.start()
        typed = "0f0f0f0f-1111-4222-8333-444455556666"
        for message in ("hello " + typed, "hello lit_1", "hello"):
            turn = server.call("turn_start", message=message)["structuredContent"]
            self.assertEqual(turn["status"], "waiting", turn)
            self.assertNotIn(typed, json.dumps(turn))
            self.assertEqual("lit_1" in turn["asks"][0]["user"], message != "hello")
            again = server.call("turn_answer", session=turn["session"])["structuredContent"]
            self.assertEqual(again["asks"], turn["asks"])
            server.call("turn_answer", session=turn["session"], cancel=True)

    def test_a_key_that_is_typed_into_a_prompt_does_not_come_back(self):
        server = self.serve()
        server.start()
        typed = "0f0f0f0f-1111-4222-8333-444455556666"
        for name in ("understand", "think"):
            asked = self.prompt(server, name, message="show %s of book_1" % typed)[1]
            self.assertIn("show [key] of book_1", asked)
            self.assertNotIn(typed, asked)

    def test_what_nodes_are_told_is_a_prompt(self):
        kitchen = Server(ALFRED, self.home)
        self.servers.append(kitchen)
        kitchen.start()
        for name in ("understand", "think", "reply", "summarize"):
            told, asked = self.prompt(kitchen, name, message="what is for dinner?")
            self.assertIn("# " + name.capitalize(), told)
            self.assertIn("what is for dinner?", asked)
            self.assertEqual("of This Schema" in told, name != "reply")
        self.assertIn("`recipe`", self.prompt(kitchen, "understand", message="x")[0])
        told, asked = self.prompt(kitchen, "act", task="Save it", step_type="write", subdomain="recipes", ref="recipe_1")
        self.assertIn("You keep the cookbook.", told)
        self.assertIn("recipe_1", asked)
        self.assertNotIn("cookbook", self.prompt(kitchen, "act", task="Save it", step_type="write")[0])
        self.assertEqual(self.completed(kitchen, "subdomain", "rec"), ["recipes"])
        self.assertEqual(self.completed(kitchen, "step_type", "re"), ["read"])
        for wrong, said in (({"task": "x"}, "step_type is a text"), ({"task": 7, "step_type": "read"}, "task is a text"),
                            ({"task": "x", "step_type": "guess"}, "read, write, analyze, generate"),
                            ({"task": "x", "step_type": "read", "subdomain": "garden"}, "recipes")):
            error = kitchen.request("prompts/get", {"name": "act", "arguments": wrong})["error"]
            self.assertEqual(error["code"], -32602)
            self.assertIn(said, error["message"])

    def test_nodes_are_told_of_tables_that_are_offered(self):
        server = self.serve("--tables", "books,loans")
        server.start()
        self.assertEqual(self.completed(server, "subdomain"), ["books"])
        told = self.prompt(server, "think", message="x")[0]
        self.assertIn("- books: `book` `loan`", told)
        self.assertNotIn("secret", told)
        own = self.home / "own"
        own.mkdir()
        (own / "think.md").write_text("# Ponder\n", encoding="utf-8")
        other = self.serve("--prompts", str(own))
        other.start()
        self.assertIn("# Ponder", self.prompt(other, "think", message="x")[0])

    # 2026-07-28
    def test_modern_needs_no_session(self):
        server = self.serve()
        found = server.modern("server/discover")["result"]
        self.assertEqual(found["supportedVersions"], ["2026-07-28"])
        self.assertEqual(found["resultType"], "complete")
        self.assertGreaterEqual(found["ttlMs"], 0)
        read = server.modern("tools/call", name="db_read", arguments={"table": "books", "limit": 1})["result"]
        self.assertEqual(read["structuredContent"]["rows"][0]["id"], "book_1")
        self.assertEqual(read["_meta"]["io.modelcontextprotocol/serverInfo"]["name"], "alfred")
        missing = server.modern("resources/read", uri="ref://book_99")["error"]
        self.assertEqual(missing["code"], -32602)

    def test_modern_approval_is_sealed_and_good_for_one_use(self):
        server = self.serve()
        server.modern("tools/call", name="db_read", arguments={"table": "books"})
        call = {"name": "db_delete", "arguments": {"table": "books", "refs": ["book_3"]}}
        asked = server.modern("tools/call", ELICITS, **call)["result"]
        self.assertEqual(asked["resultType"], "input_required", asked)
        self.assertEqual(asked["inputRequests"]["approve"]["method"], "elicitation/create")
        state = asked["requestState"]
        answers = {"inputResponses": {"approve": YES}}
        forged = state[:40] + ("g" if state[40] != "g" else "h") + state[41:]
        self.assertEqual(server.modern("tools/call", ELICITS, **call, **answers,
                                       requestState=forged)["error"]["code"], -32602)
        other = {"name": "db_delete", "arguments": {"table": "books", "refs": ["book_4"]}}
        self.assertEqual(server.modern("tools/call", ELICITS, **other, **answers,
                                       requestState=state)["error"]["code"], -32602)
        unasked = server.modern("tools/call", ELICITS, **call, **answers)["result"]
        self.assertEqual(unasked["resultType"], "input_required")
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])
        done = server.modern("tools/call", ELICITS, **call, **answers, requestState=state)["result"]
        self.assertEqual(done["structuredContent"]["count"], 1)
        again = server.modern("tools/call", ELICITS, **call, **answers, requestState=state)
        self.assertEqual(again["error"]["code"], -32602)
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(4,)])

    def test_modern_listen_tells_what_was_asked_for(self):
        server = self.serve()
        server.modern("tools/call", name="db_read", arguments={"table": "books"})
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}
        server.say(json.dumps({"jsonrpc": "2.0", "id": "L", "method": "subscriptions/listen", "params": {
            "_meta": meta, "notifications": {"resourceSubscriptions": [
                "ref://book_1", "ref://book_999", "ref://no_such_1", "schema://tables/books", "x://y"]}}}))
        told = server.hear()
        self.assertEqual(told["method"], "notifications/subscriptions/acknowledged")
        self.assertEqual(told["params"]["notifications"], {"resourceSubscriptions": ["ref://book_1"]})
        for ref in ("book_2", "book_1"):
            server.modern("tools/call", name="db_update",
                          arguments={"table": "books", "refs": [ref], "data": {"pages": 3}})
        self.assertEqual([one["params"]["uri"] for one in server.told], ["ref://book_1"])
        self.assertEqual(server.told[0]["params"]["_meta"]["io.modelcontextprotocol/subscriptionId"], "L")
        server.end()
        self.assertEqual(json.loads(server.wire.splitlines()[-1])["id"], "L")
        self.servers.remove(server)

    # G10, G11
    def test_G10_messages_that_are_none(self):
        server = self.serve()
        server.start()
        for text, code in (("{", -32700), ("[]", -32600), ("7", -32600), ('{"id":1,"method":"ping"}', -32600),
                           ('{"jsonrpc":"2.0","id":null,"method":"ping"}', -32600),
                           ('{"jsonrpc":"2.0","id":1.5,"method":"ping"}', -32600),
                           ('{"jsonrpc":"2.0","id":{},"method":"ping"}', -32600),
                           ('{"jsonrpc":"2.0","id":1,"method":"ping","params":[]}', -32600),
                           ('[{"jsonrpc":"2.0","id":1,"method":"ping"}]', -32600)):
            server.say(text)
            self.assertEqual(server.hear()["error"]["code"], code, text)
        server.say('{"jsonrpc":"2.0","id":77,"result":{}}')
        server.say('{"jsonrpc":"2.0","method":"notifications/none"}')
        self.assertEqual(server.request("none/such")["error"]["code"], -32601)
        self.assertEqual(server.request("ping")["result"], {})

    def test_G10_a_long_line_is_refused_and_the_next_one_read(self):
        server = self.serve()
        server.start()
        server.say('{"jsonrpc":"2.0","id":1,"method":"' + "x" * (5 << 20) + '"}')
        self.assertEqual(server.hear()["error"]["code"], -32600)
        self.assertEqual(server.request("ping")["result"], {})

    def test_G11_versions_and_meta(self):
        server = self.serve()
        self.assertEqual(server.request("tools/list")["error"]["code"], -32600)
        self.assertEqual(server.request("server/discover")["error"]["code"], -32602)
        meta = {"io.modelcontextprotocol/protocolVersion": "2031-01-01"}
        wrong = server.request("tools/list", {"_meta": meta})["error"]
        self.assertEqual((wrong["code"], wrong["data"]["supported"]), (-32022, ["2026-07-28"]))
        self.assertEqual(server.modern("ping")["error"]["code"], -32601)
        self.assertEqual(server.start("2025-06-18")["protocolVersion"], "2025-06-18")
        self.assertEqual(self.serve().start("1999-01-01")["protocolVersion"], "2025-11-25")

    def test_a_batch_tells_its_progress_to_who_gave_a_token(self):
        server = self.serve()
        server.start()
        server.call("db_read", table="books")
        refs = ["book_%d" % i for i in (1, 2, 3)]
        for token, wanted in ((None, []), ("p", [1, 2, 3])):
            batch = server.call("batch", action="declare", table="books", items=refs)["structuredContent"]
            params = {"name": "db_update", "arguments": {
                "table": "books", "batch": batch["id"], "refs": refs, "data": {"pages": 7}}}
            if token:
                params["_meta"] = {"progressToken": token}
            done = server.request("tools/call", params)["result"]["structuredContent"]
            self.assertEqual(len(done["completed"]), 3)
            told = [one["params"] for one in server.told if one["method"] == "notifications/progress"]
            self.assertEqual([one["progress"] for one in told], wanted)
            self.assertEqual({(one["progressToken"], one["total"]) for one in told}, {("p", 3)} if token else set())

    def test_a_running_call_is_stopped_when_it_is_cancelled(self):
        server = self.serve()
        server.start()
        endless = {"name": "query", "arguments": {"sql": ENDLESS}}
        meta = {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                          "io.modelcontextprotocol/clientCapabilities": {}}}
        for params in (endless, {**endless, **meta}):
            began = time.monotonic()
            answer = server.request("tools/call", params)["result"]
            self.assertTrue(answer["isError"])  # by itself it ends at the limit of work
            alone = time.monotonic() - began
            began = time.monotonic()
            server.say(json.dumps({"jsonrpc": "2.0", "id": "q", "method": "tools/call", "params": params}))
            time.sleep(alone / 10)
            server.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"q"}}')
            self.assertIn("result", server.request("tools/list"))  # and nothing for q before it
            self.assertLess(time.monotonic() - began, alone * 0.8)
        self.assertEqual(server.call("db_read", table="books", limit=1).get("isError"), None)

    def test_R5_a_ping_is_answered_while_a_call_runs(self):
        server = self.serve()
        server.start()
        server.say(json.dumps({"jsonrpc": "2.0", "id": "q", "method": "tools/call",
                               "params": {"name": "query", "arguments": {"sql": ENDLESS}}}))
        server.say(json.dumps({"jsonrpc": "2.0", "id": "after", "method": "tools/list"}))
        self.assertEqual(server.request("ping")["result"], {})
        self.assertIn("supportedVersions", server.modern("server/discover")["result"])
        self.assertEqual(server.hear()["id"], "q")
        self.assertEqual(server.hear()["id"], "after")

    def test_a_waiting_call_can_be_cancelled(self):
        server = self.serve()
        server.start(capabilities=ELICITS)
        server.call("db_read", table="books")
        server.say(json.dumps({"jsonrpc": "2.0", "id": "d", "method": "tools/call", "params": {
            "name": "db_delete", "arguments": {"table": "books", "refs": ["book_1"]}}}))
        question = server.hear()
        server.say('{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"d"}}')
        server.say(json.dumps({"jsonrpc": "2.0", "id": question["id"], "result": YES}))
        self.assertIn("result", server.request("tools/list"))
        self.assertEqual(self.rows("SELECT count(*) FROM books"), [(5,)])


if __name__ == "__main__":
    unittest.main()

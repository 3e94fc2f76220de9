"""serve_test.py ALFRED PACKS: `alfred serve` from outside: sessions, turns, the caller's own model, records.

The binary runs, the answers are recorded or the caller's, the rows are real.
"""
import http.server
import json
import pathlib
import signal
import sqlite3
import threading
import unittest

import chat_answers
from served import Answer, Served, until


class Turns(Served):
    def recording(self, *turns):
        path = self.dir / "answers.jsonl"
        path.write_text(chat_answers.lines(*turns), encoding="utf-8")
        return str(path)

    def authors(self):
        base = sqlite3.connect(self.home / "bookshelf.db")
        rows = [name for name, in base.execute("SELECT name FROM authors ORDER BY name")]
        base.close()
        return rows

    def test_a_message_is_answered_by_the_rules(self):
        server = self.start(pack="kitchen")
        session = server.session()
        turn = server.post(server.turns(session), {"message": "what is in my pantry?"})
        self.assertEqual(turn.status, 200, turn.body)
        self.assertEqual(turn.json["status"], "finished")
        self.assertTrue(turn.json["reply"])
        self.assertEqual(turn.json["session"], session)
        listed = server.get(server.turns(session)).json["turns"]
        self.assertEqual([one["id"] for one in listed], [turn.json["id"]])
        self.assertEqual(server.get("/v1/sessions/" + session).json["turns"], 1)
        self.assertEqual(server.get("/v1/sessions").json["sessions"][0]["id"], session)

    def test_events_come_when_they_are_asked_for(self):
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann")))
        session = server.session()
        events = server.events(server.turns(session), {"message": "add Ann"})
        names = [name for name, _ in events]
        self.assertEqual(names, ["turn_started", "node", "node", "step", "node", "call", "node",
                                 "step", "node", "reply", "node", "turn_finished", "turn"])
        self.assertEqual(events[-1][1]["status"], "finished")
        self.assertEqual(events[-1][1]["reply"], "Added **Ann**.")
        self.assertEqual(self.authors().count("Ann"), 1)

    def test_R2_events_go_on_after_the_last_one_that_arrived(self):
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann", waits={2: 600})))
        session = server.session()
        thread = threading.Thread(target=lambda: server.post(server.turns(session), {"message": "add Ann"}))
        thread.start()
        self.assertTrue(until(lambda: server.get(server.turns(session)).json["turns"]))
        turn = server.get(server.turns(session)).json["turns"][0]["id"]
        path = "%s/%s/events" % (server.turns(session), turn)
        whole = server.get(path)  # from while it runs until it is over
        thread.join(20)
        self.assertEqual(whole.headers["Content-Type"], "text/event-stream")
        blocks = [block for block in whole.body.decode().split("\n\n") if block and not block.startswith(":")]
        names = [block.split("\n")[0][len("event: "):] for block in blocks]
        self.assertEqual(names, ["turn_started", "node", "node", "step", "node", "call", "node",
                                 "step", "node", "reply", "node", "turn_finished", "turn"])
        self.assertEqual(server.get(path).body, whole.body)
        ids = [block.split("\n")[1] for block in blocks[:-1]]
        self.assertEqual(len(set(ids)), len(ids))
        for at, one in enumerate(ids):
            rest = server.get(path, Last_Event_ID=one[len("id: "):]).body.decode()
            self.assertEqual(rest, "".join(block + "\n\n" for block in blocks[at + 1:]))
        self.assertEqual(server.get(path, Last_Event_ID="x").status, 400)
        self.assertEqual(server.get(server.turns(session) + "/trn_000000000000/events").status, 404)
        waiting = server.post(server.turns(session), {"message": "hi", "interpreter": "caller"}).json
        told = server.get("%s/%s/events" % (server.turns(session), waiting["id"])).body.decode()
        self.assertIn('"status":"waiting"', told.split("event: turn\n")[1])
        listed = server.get(server.turns(session)).json["turns"]
        self.assertEqual([one["status"] for one in listed], ["finished", "waiting"])

    def test_G13_the_same_key_is_the_same_turn(self):
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann")))
        session = server.session()
        first = server.post(server.turns(session), {"message": "add Ann"}, Idempotency_Key="k-1")
        again = server.post(server.turns(session), {"message": "add Ann"}, Idempotency_Key="k-1")
        self.assertEqual(first.json, again.json)
        other = server.post(server.turns(session), {"message": "add Bob"}, Idempotency_Key="k-1")
        self.assertEqual((other.status, other.json["error"]["code"]), (422, "op_reused"))
        self.assertEqual(self.authors().count("Ann"), 1)
        for bad in ("", "a b", "x" * 256):
            refused = server.post(server.turns(session), {"message": "hi"}, Idempotency_Key=bad)
            self.assertEqual(refused.status, 400, bad)

    def test_G13_one_effect_of_a_key_at_the_same_time_and_afresh_when_it_is_forgotten(self):
        server = self.start()
        path = "/v1/sessions/%s/records/create" % server.session()

        def put(name, key="k-1"):
            return server.post(path, {"table": "authors", "data": [{"name": name}]}, Idempotency_Key=key)

        answers = []
        threads = [threading.Thread(target=lambda: answers.append(put("Ann"))) for _ in range(12)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        self.assertLessEqual({one.status for one in answers}, {200, 409})
        self.assertEqual(len({one.body for one in answers if one.status == 200}), 1)
        self.assertEqual(self.authors().count("Ann"), 1)
        other = put("Bob")
        self.assertEqual((other.status, other.json["error"]["code"]), (422, "op_reused"))
        # After its time it is forgotten with the next write, and the key is free.
        server.stop()
        base = sqlite3.connect(self.home / "bookshelf.db")
        base.execute("UPDATE alfred_ops SET at_ms = at_ms - 8 * 86400000")
        base.commit()
        base.close()
        server = self.start()
        self.assertEqual(put("Cid", "k-2").status, 200)
        self.assertEqual(put("Bob").status, 200)
        self.assertEqual((self.authors().count("Ann"), self.authors().count("Bob")), (1, 1))

    def test_a_turn_that_never_was_is_unknown_and_interpreters_are_named_once(self):
        server = self.start()
        base = server.turns(server.session())
        for what, body in (("cancel", {}), ("resume", {}), ("answers", {"ask": 1, "text": "x"})):
            for turn in ("trn_000000000000", "x"):
                answer = server.post("%s/%s/%s" % (base, turn, what), body)
                self.assertEqual(answer.status, 404, answer.body)
        other = server.post(base, {"message": "hi", "interpreter": "nobody"})
        self.assertEqual((other.status, other.json["error"]["allowed"]), (422, ["caller", "rules"]))

    def test_G13_a_key_is_of_one_request(self):
        server = self.start()
        session, second = server.session(), server.session()
        base = "/v1/sessions/%s/records/" % session
        ann = {"table": "authors", "data": [{"name": "Ann"}]}

        def codes(path, body, key):
            answer = server.post(path, body, Idempotency_Key=key)
            return answer.status, answer.json.get("error", {}).get("code")

        self.assertEqual(codes(base + "create", {**ann, "dry_run": True}, "k-1"), (200, None))
        made = server.post(base + "create", ann, Idempotency_Key="k-1")
        self.assertEqual(made.status, 200, made.body)
        for path, body in ((base + "update", {"table": "authors", "data": {"name": "Bob"}}),
                           (base + "delete", {"table": "authors"}), ("/v1/sessions", {}),
                           (base.replace(session, second) + "create", ann),
                           (server.turns(session), {"message": "add Ann"})):
            self.assertEqual(codes(path, body, "k-1"), (422, "op_reused"), path)
        self.assertEqual(codes(base + "read", {"table": "authors"}, "k-1"), (200, None))
        self.assertEqual(server.post(base + "create", ann, Idempotency_Key="k-1").body, made.body)
        self.assertEqual((self.authors().count("Ann"), len(server.get("/v1/sessions").json["sessions"])), (1, 2))
        turn = {"message": "add Ann", "interpreter": "caller"}
        first = server.post(server.turns(session), turn, Idempotency_Key="k-2")
        self.assertEqual(first.json["status"], "waiting", first.body)
        self.assertEqual(codes(server.turns(session), {"message": "add Ann", "interpreter": "rules"}, "k-2"),
                         (422, "op_reused"))
        self.assertEqual(server.post(server.turns(session), turn, Idempotency_Key="k-2").json["id"], first.json["id"])
        # What never got that far leaves its key free.
        self.assertEqual(codes("/v1/sessions/ses_000000000000/records/create", ann, "k-3")[0], 404)
        self.assertEqual(codes(base + "create", {**ann, "data": [{"name": "Cid"}]}, "k-3"), (200, None))

    def test_G13_the_same_key_makes_one_session(self):
        server = self.start()
        made = [server.post("/v1/sessions", {}, Idempotency_Key="mine") for _ in range(3)]
        self.assertEqual({one.status for one in made}, {201})
        self.assertEqual(len({one.json["id"] for one in made}), 1)
        self.assertNotEqual(server.session(), made[0].json["id"])
        self.assertEqual(len(server.get("/v1/sessions").json["sessions"]), 2)

    def collector(self):
        """What a collector got, and the variable that leads a server to it."""
        got = []

        class Collector(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                got.append((self.path, json.loads(self.rfile.read(int(self.headers["Content-Length"])))))
                self.send_response(200)
                self.end_headers()

            def log_message(self, *_):
                pass

        collector = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Collector)
        threading.Thread(target=collector.serve_forever, daemon=True).start()
        self.addCleanup(collector.server_close)
        self.addCleanup(collector.shutdown)
        return got, {"OTEL_EXPORTER_OTLP_ENDPOINT": "http://127.0.0.1:%d" % collector.server_port}

    def test_spans_of_mcp_have_its_names_and_no_words_of_its_client(self):
        got, variable = self.collector()
        server = self.start("--no-token", **variable)
        prefix = "io.modelcontextprotocol/"
        trace = "0af7651916cd43dd8448eb211c80319c"
        for method, name, arguments in (("tools/call", "db_read", {"table": "books"}),
                                        ("tools/call", "db_read", {"table": "xyzzy"}),
                                        ("tools/call", "xyzzy", {}), ("xyzzy/none", "", {})):
            meta = {prefix + "protocolVersion": "2026-07-28", prefix + "clientCapabilities": {},
                    "traceparent": "00-%s-%s-01" % (trace, "b" * 16)}
            server.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method,
                                 "params": {"name": name, "arguments": arguments, "_meta": meta}},
                        MCP_Protocol_Version="2026-07-28", Mcp_Method=method, Mcp_Name=name)
        server.stop()
        spans = [span for _, body in got for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]
        named = [(span["name"], {one["key"]: next(iter(one["value"].values())) for one in span["attributes"]},
                  span) for span in spans]
        reads = [(attributes, span) for name, attributes, span in named if name == "tools/call db_read"]
        self.assertEqual(len(reads), 2)
        for attributes, span in reads:
            self.assertEqual((span["traceId"], span["parentSpanId"]), (trace, "b" * 16))
            self.assertEqual(attributes["mcp.method.name"], "tools/call")
            self.assertEqual(attributes["mcp.protocol.version"], "2026-07-28")
            self.assertEqual(attributes["gen_ai.tool.name"], "db_read")
            self.assertEqual(attributes["gen_ai.operation.name"], "execute_tool")
        self.assertEqual([attributes.get("error.type") for attributes, _ in reads], [None, "tool_error"])
        self.assertEqual([name for name, *_ in named][2:], ["tools/call", "POST /mcp"])
        self.assertNotIn("xyzzy", json.dumps(got))

    def test_spans_of_a_turn_reach_a_collector(self):
        got, variable = self.collector()
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann")), **variable)
        session = server.session()
        trace = "0af7651916cd43dd8448eb211c80319c"
        server.post(server.turns(session), {"message": "add Ann"}, traceparent="00-%s-%s-01" % (trace, "b" * 16))
        server.stop()
        self.assertEqual({path for path, _ in got}, {"/v1/traces"})
        spans = [span for _, body in got for span in body["resourceSpans"][0]["scopeSpans"][0]["spans"]]
        mine = {span["name"]: span for span in spans if span["traceId"] == trace}
        request = mine["POST /v1/sessions/{session}/turns"]
        self.assertEqual(request["parentSpanId"], "b" * 16)
        self.assertEqual(mine["invoke_agent alfred"]["parentSpanId"], request["spanId"])
        chats = [span for span in spans if span["name"] == "chat"]
        self.assertEqual({span["parentSpanId"] for span in chats}, {mine["invoke_agent alfred"]["spanId"]})
        self.assertEqual(len(chats), 6)
        self.assertNotIn("Ann", json.dumps(got))

    def slow(self):
        """A server whose turn waits at its third answer, and that turn, running."""
        server = self.start("--replay", self.recording(
            chat_answers.add_author("Ann", waits={2: 30000})))
        session = server.session()
        done = []

        def say():
            try:
                done.append(server.post(server.turns(session), {"message": "add Ann"}, Idempotency_Key="slow"))
            except OSError:
                pass  # the server was killed
        thread = threading.Thread(target=say)
        thread.start()
        self.assertTrue(until(lambda: "running" in server.get("/v1/sessions/" + session).json))
        prompts = "%s/%s/prompts" % (server.turns(session), server.get("/v1/sessions/" + session).json["running"])
        self.assertTrue(until(lambda: "act" in [one["node"] for one in server.get(prompts).json["prompts"]]))
        return server, session, thread, done

    def test_a_recording_is_played_turn_after_turn_by_each_session(self):
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann"), chat_answers.add_author("Ada")))
        first, second = server.session(), server.session()
        replies = [server.post(server.turns(session), {"message": "add somebody"}).json["reply"].split("\n")[0]
                   for session in (first, first, second, first, second)]
        self.assertEqual(replies, ["Added **%s**." % name for name in ("Ann", "Ada", "Ann", "Ann", "Ada")])

    def test_a_turn_that_was_ended_leaves_nothing_to_the_next_of_a_recording(self):
        server = self.start("--replay", self.recording(
            chat_answers.add_author("Ann", waits={2: 30000}), chat_answers.add_author("Ada")))
        session = server.session()
        thread = threading.Thread(target=server.post, args=(server.turns(session), {"message": "add Ann"}))
        thread.start()
        self.assertTrue(until(lambda: "running" in server.get("/v1/sessions/" + session).json))
        turn = server.get("/v1/sessions/" + session).json["running"]
        prompts = "%s/%s/prompts" % (server.turns(session), turn)
        self.assertTrue(until(lambda: "act" in [one["node"] for one in server.get(prompts).json["prompts"]]))
        server.post("%s/%s/cancel" % (server.turns(session), turn))
        thread.join(20)
        self.assertEqual(server.post(server.turns(session), {"message": "add Ada"}).json["reply"], "Added **Ada**.")
        self.assertEqual((self.authors().count("Ann"), self.authors().count("Ada")), (0, 1))

    def test_cancel_ends_a_turn_that_is_running(self):
        server, session, thread, done = self.slow()
        turn = server.get("/v1/sessions/" + session).json["running"]
        busy = server.post(server.turns(session), {"message": "and Bob"})
        self.assertEqual((busy.status, busy.json["error"]["code"]), (409, "turn_open"))
        same = server.post(server.turns(session), {"message": "add Ann"}, Idempotency_Key="slow")
        self.assertEqual(same.status, 409)  # G13: at the same time
        ended = server.post("%s/%s/cancel" % (server.turns(session), turn))
        self.assertEqual((ended.status, ended.json["status"]), (200, "interrupted"))
        thread.join(20)
        self.assertEqual(done[0].json["status"], "interrupted")
        self.assertEqual(self.authors().count("Ann"), 0)
        again = server.post("%s/%s/cancel" % (server.turns(session), turn))
        self.assertEqual(again.json, ended.json)

    def test_F3_a_client_that_goes_away_ends_nothing(self):
        server = self.start("--replay", self.recording(
            chat_answers.add_author("Ann", waits={2: 400})))
        session = server.session()
        wire = server.connect()
        wire.request("POST", server.turns(session), json.dumps({"message": "add Ann"}),
                     {"Authorization": "Bearer " + server.token, "Content-Type": "application/json",
                      "Idempotency-Key": "gone", "Accept": "text/event-stream"})
        self.assertTrue(until(lambda: "running" in server.get("/v1/sessions/" + session).json))
        wire.close()
        self.assertTrue(until(lambda: self.authors().count("Ann") == 1))
        self.assertTrue(until(lambda: "running" not in server.get("/v1/sessions/" + session).json))
        again = server.post(server.turns(session), {"message": "add Ann"}, Idempotency_Key="gone")
        self.assertEqual(again.json["reply"], "Added **Ann**.")

    def test_F2_a_turn_that_is_left_says_how_to_go_on(self):
        server, session, thread, done = self.slow()  # its answer is not there in ten seconds
        turn = server.get("/v1/sessions/" + session).json["running"]
        path = "%s/%s" % (server.turns(session), turn)
        server.process.send_signal(signal.SIGTERM)
        thread.join(20)
        self.assertEqual(server.process.wait(20), 0)
        server.stop()
        self.assertEqual((done[0].status, done[0].json["error"]["code"]), (503, "busy"), done[0].body)
        self.assertIn("POST %s/resume" % path, done[0].json["error"]["message"])
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann")[2:]))
        self.assertEqual(server.post(path + "/resume").json["status"], "finished")
        self.assertEqual(self.authors().count("Ann"), 1)

    def test_F1_a_turn_goes_on_after_a_kill(self):
        server, session, thread, _ = self.slow()
        turn = server.get("/v1/sessions/" + session).json["running"]
        server.process.kill()
        try:
            thread.join(20)
        finally:
            server.stop()
        whole = self.recording(chat_answers.add_author("Ann")[2:])
        server = self.start("--replay", whole)
        path = "%s/%s" % (server.turns(session), turn)
        self.assertEqual(server.get(path).json["status"], "waiting")
        done = server.post(path + "/resume")
        self.assertEqual((done.status, done.json.get("status")), (200, "finished"), done.body)
        self.assertEqual(self.authors().count("Ann"), 1)

    def test_what_waits_for_its_caller_is_shown_to_no_model_of_the_server(self):
        server = self.start("--replay", self.recording(chat_answers.add_author("Ann")))
        session = server.session()
        turn = server.post(server.turns(session), {"message": "add Ann", "interpreter": "caller"}).json
        path = "%s/%s/resume" % (server.turns(session), turn["id"])
        for body in ({}, {"interpreter": ""}, {"interpreter": "caller"}):
            self.assertEqual(server.post(path, body).json, turn)
        told = server.events(path, {})
        self.assertEqual((told[-1][0], told[-1][1]["status"]), ("turn", "waiting"))
        self.assertEqual(self.authors().count("Ann"), 0)
        # The next turn is nobody's but the server's again.
        server.post(path.replace("/resume", "/cancel"))
        done = server.post(server.turns(session), {"message": "add Ann"})
        self.assertEqual((done.status, done.json.get("status")), (200, "finished"), done.body)
        self.assertEqual(self.authors().count("Ann"), 1)


class Caller(Served):
    def test_the_callers_own_model_answers(self):
        server = self.start()
        session = server.session()
        turn = server.post(server.turns(session), {"message": "add Ann", "interpreter": "caller"}).json
        answers = iter(chat_answers.add_author("Ann"))
        seen = []
        while turn["status"] == "waiting":
            self.assertEqual(len(turn["asks"]), 1)
            ask, given = turn["asks"][0], next(answers)
            self.assertEqual(ask["node"], given["node"])
            self.assertTrue(ask["system"] and ask["user"])
            seen.append(ask["node"])
            text = given["text"] if isinstance(given["text"], str) else json.dumps(given["text"])
            path = "%s/%s" % (server.turns(session), turn["id"])
            self.assertEqual(server.get(path).json, turn)
            body = {"ask": ask["ask"], "text": text}
            before = turn
            turn = server.post(path + "/answers", body).json
            # Who lost the answer sends the same again and learns where the turn stands.
            self.assertEqual(server.post(path + "/answers", body).json, turn)
            other = server.post(path + "/answers", {"ask": before["asks"][0]["ask"], "text": "no"})
            self.assertEqual((other.status, other.json["error"]["code"]), (409, "turn_moved"))
        self.assertEqual((turn["status"], turn["reply"]), ("finished", "Added **Ann**."))
        self.assertEqual(seen, ["understand", "think", "act", "act", "reply", "summarize"])

    def test_bodies_are_read_strictly(self):
        server = self.start()
        turns = server.turns(server.session())
        for body in ({}, {"message": 5}, {"message": "hi", "more": 1}):
            self.assertEqual(server.post(turns, body).status, 422, body)
        nobody = server.post(turns, {"message": "hi", "interpreter": "gpt"})
        self.assertEqual(nobody.status, 422)
        self.assertIn("caller", nobody.json["error"]["allowed"])
        long = server.post(turns, {"message": "a" * 65537})
        self.assertEqual((long.status, long.json["error"]["code"]), (413, "limit"))
        broken = server.raw(b"POST /v1/sessions HTTP/1.1\r\nHost: localhost:%d\r\n"
                            b"Authorization: Bearer %s\r\nContent-Type: application/json\r\n"
                            b"Connection: close\r\nContent-Length: 9\r\n\r\n{\"a\":1,]}"
                            % (server.port, server.token.encode()))
        self.assertIn(b" 400 ", broken.split(b"\r\n")[0])
        self.assertIn(b'"code":"json"', broken)


class OwnDatabase(Served):
    PACK = None

    def test_a_turn_begins_with_the_tables_as_they_are(self):
        path = pathlib.Path(self.scratch.name) / "theirs.db"

        def change(sql):
            base = sqlite3.connect(path)
            base.executescript(sql)
            base.close()

        change("CREATE TABLE books (id integer PRIMARY KEY, title text); INSERT INTO books VALUES (1, 'Emma')")
        server = self.start("--db", str(path))
        session = server.session()
        self.assertIn("Emma", server.post(server.turns(session), {"message": "show my books"}).json["reply"])
        change("CREATE TABLE gadgets (id integer PRIMARY KEY, name text); INSERT INTO gadgets VALUES (1, 'Sprocket')")
        self.assertIn("Sprocket", server.post(server.turns(session), {"message": "show my gadgets"}).json["reply"])
        turn = server.post(server.turns(session), {"message": "hi", "interpreter": "caller"}).json
        self.assertIn("`gadget`", turn["asks"][0]["user"])


class Records(Served):
    def test_C10_no_digit_is_lost_in_silence(self):
        server = self.start()
        base = "/v1/sessions/%s/records/" % server.session()
        wire = server.connect()
        for tool, body in (("create", '{"table":"books","data":[{"title":"T","year":12345678901234567.12}]}'),
                           ("update", '{"table":"books","filters":[],"data":{"year":1.00000000000000000001}}'),
                           ("read", '{"table":"books","filters":[{"field":"year","op":"=","value":'
                                    '0.1000000000000000055}]}')):
            wire.request("POST", base + tool, body, {"Authorization": "Bearer " + server.token,
                                                     "Content-Type": "application/json"})
            answer = Answer(wire.getresponse())
            self.assertEqual((answer.status, answer.json["error"]["code"]), (422, "value"), answer.body)
            self.assertIn("more digits than a number keeps", answer.json["error"]["message"])
        wire.close()

    def test_rows_may_be_named_by_refs(self):
        server = self.start()
        base = "/v1/sessions/%s/records/" % server.session()
        made = server.post(base + "create", {"table": "authors", "data": [{"name": "Ann"}, {"name": "Bea"}]}).json
        refs = [one["ref"] for one in made["created"]]
        read = server.post(base + "read", {"table": "authors", "refs": refs, "columns": ["name"], "filters": [
            {"field": "name", "op": "=", "value": "Bea"}]})
        self.assertEqual([row["name"] for row in read.json["rows"]], ["Bea"])
        changed = server.post(base + "update", {"table": "authors", "refs": refs[:1], "data": {"name": "Cay"}})
        self.assertEqual(changed.json["updated"], refs[:1])
        self.assertEqual(server.post(base + "delete", {"table": "authors", "refs": refs}).json["count"], 2)
        for body, path in (({"refs": ["author_99"]}, "refs[0]"), ({"refs": "author_1"}, "refs"), ({"refs": []}, "refs"),
                           ({"refs": refs, "batch": "bat_000000000000"}, "refs"),
                           ({"refs": ["author_99"], "filters": [{"field": "no", "op": "=", "value": 1}]}, "filters[0].field")):
            answer = server.post(base + "delete", {"table": "authors", **body})
            self.assertEqual(answer.json["error"].get("path"), path, (body, answer.body))

    def test_what_people_change_reaches_the_next_turn_as_theirs(self):
        server = self.start()
        session = server.session()
        base = "/v1/sessions/%s/records/" % session
        made = server.post(base + "create", {"table": "authors", "data": {"name": "Ursula"}},
                           Idempotency_Key="one")
        self.assertEqual(made.status, 200, made.body)
        again = server.post(base + "create", {"table": "authors", "data": {"name": "Ursula"}},
                            Idempotency_Key="one")
        self.assertEqual(made.json, again.json)
        other = server.post(base + "create", {"table": "authors", "data": {"name": "Iain"}},
                            Idempotency_Key="one")
        self.assertEqual((other.status, other.json["error"]["code"]), (422, "op_reused"))
        read = server.post(base + "read", {"table": "authors", "filters": [
            {"field": "name", "op": "=", "value": "Ursula"}]})
        self.assertEqual(read.status, 200, read.body)
        rows = read.json["rows"]
        self.assertEqual(len(rows), 1)
        ref = rows[0]["id"]
        self.assertTrue(ref.startswith("author_"))
        turn = server.post(server.turns(session), {"message": "hello", "interpreter": "caller"}).json
        self.assertIn(ref, turn["asks"][0]["user"])
        self.assertIn("user", turn["asks"][0]["user"])
        entities = server.get("/v1/sessions/%s/working-set" % session).json["entities"]
        self.assertEqual([one["label"] for one in entities if one["ref"] == ref], ["Ursula"])
        server.post("%s/%s/cancel" % (server.turns(session), turn["id"]))
        it = [{"field": "id", "op": "=", "value": ref}]
        changed = server.post(base + "update", {"table": "authors", "filters": it,
                                                "data": {"name": "Ursula K."}})
        self.assertEqual(changed.status, 200, changed.body)
        gone = server.post(base + "delete", {"table": "authors", "filters": it})
        self.assertEqual(gone.status, 200, gone.body)
        unknown = server.post(base + "delete", {"table": "authors", "filters": [
            {"field": "id", "op": "=", "value": "author_99"}]})
        self.assertEqual((unknown.status, unknown.json["error"]["code"]), (404, "ref_unknown"))

    def test_G14_what_belongs_to_somebody_else_looks_unknown(self):
        server = self.start("--user", "ann", pack="kitchen")
        session = server.session()
        turn = server.post(server.turns(session), {"message": "hi", "interpreter": "caller"}).json
        server.stop()
        server = self.start("--user", "bob", pack="kitchen")
        mine = server.session()
        nowhere = "ses_000000000000"
        for path in ("", "/turns", "/journal", "/working-set", "/export", "/turns/" + turn["id"]):
            theirs = server.get("/v1/sessions/" + session + path)
            unknown = server.get("/v1/sessions/" + nowhere + path)
            same = unknown.body.replace(nowhere.encode(), session.encode())
            self.assertEqual((theirs.status, theirs.body), (404, same), path)
        self.assertEqual(server.get("/v1/sessions/%s/turns/%s" % (mine, turn["id"])).status, 404)
        said = server.post(server.turns(session), {"message": "hi"})
        self.assertEqual(said.status, 404)


if __name__ == "__main__":
    unittest.main()

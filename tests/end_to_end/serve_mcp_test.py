"""serve_mcp_test.py ALFRED PACKS: /mcp of `alfred serve`, byte by byte: who may come in, what is no message, streams
that live and end. Real clients speak to it in tests/mcp/sdk_clients_test.py.
"""
import json
import socket
import sqlite3
import time
import unittest

import chat_answers
from served import Served, Shared, until

MODERN = "2026-07-28"
PREFIX = "io.modelcontextprotocol/"


def message(method, params=None, number=1):
    return {"jsonrpc": "2.0", "id": number, "method": method, "params": params or {}}


class Client:
    """One of up to 2025-11-25, and the requests of 2026-07-28."""

    def __init__(self, server):
        self.server = server
        self.session = None

    def post(self, body, **headers):
        return self.server.ask("POST", "/mcp", body, Mcp_Session_Id=self.session, **headers)

    def begin(self, capabilities=None):
        answer = self.post(message("initialize", {"protocolVersion": "2025-11-25",
                                                  "capabilities": capabilities or {}}))
        assert answer.status == 200, answer.body
        self.session = answer.headers["Mcp-Session-Id"]
        return answer.json["result"]

    def call(self, tool, **arguments):
        answer = self.post(message("tools/call", {"name": tool, "arguments": arguments}))
        assert answer.status == 200, answer.body
        return answer.json["result"]

    def modern(self, method, params=None, number=1, **headers):
        meta = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}}
        sent = {"MCP_Protocol_Version": MODERN, "Mcp_Method": method, **headers}
        return self.server.ask("POST", "/mcp", message(method, {**(params or {}), "_meta": meta}, number), **sent)

    def wire(self, method, body=None, **headers):
        """A connection whose answer has begun and is read by the test."""
        wire = socket.create_connection(("127.0.0.1", self.server.port), timeout=20)
        text = json.dumps(body).encode() if body is not None else b""
        head = {"Host": "localhost:%d" % self.server.port, "Authorization": "Bearer " + self.server.token,
                "Accept": "text/event-stream", "Content-Type": "application/json",
                "Content-Length": str(len(text)), **headers}
        if self.session:
            head["Mcp-Session-Id"] = self.session
        lines = "".join("%s: %s\r\n" % one for one in head.items())
        wire.sendall(b"%s /mcp HTTP/1.1\r\n%s\r\n%s" % (method.encode(), lines.encode(), text))
        return wire

    def connections(self):
        return int(self.gauge("alfred_connections"))

    def gauge(self, name):
        for line in self.server.get("/metrics").body.decode().splitlines():
            if line.startswith(name + " "):
                return float(line.split()[1])
        return None


def read_until(wire, wanted):
    out = b""
    while wanted not in out:
        piece = wire.recv(65536)
        assert piece, out
        out += piece
    return out


class Gate(Shared):
    def setUp(self):
        self.client = Client(self.server)

    def test_G1_G2_G3_the_gate_is_before_it(self):
        hello = message("ping")
        self.assertEqual(self.client.post(hello, Authorization=None).status, 401)
        self.assertEqual(self.client.post(hello, Authorization="Bearer x").status, 401)
        self.assertEqual(self.client.post(hello, Host="evil.com").status, 403)
        self.assertEqual(self.client.post(hello, Origin="http://evil.com").status, 403)
        self.assertEqual(self.server.get("/mcp/", Mcp_Session_Id="x").status, 404)

    def test_G4_G6_types_and_sizes(self):
        self.assertEqual(self.client.post(message("ping"), Content_Type="text/plain").status, 415)
        self.assertEqual(self.client.post("x" * (1024 * 1024)).status, 413)

    def test_G10_what_is_no_message_does_nothing(self):
        self.client.begin()
        call = {"name": "db_create", "arguments": {"table": "authors", "data": [{"name": "Nobody"}]}}
        for wrong in ([message("tools/call", call)], {**message("tools/call", call), "id": None},
                      {**message("tools/call", call), "id": 1.5}, {**message("tools/call", call), "id": {}},
                      {"id": 1, "method": "tools/call", "params": call}, 7, "x"):
            answer = self.client.post(wrong)
            self.assertEqual(answer.status, 400, wrong)
            self.assertIn(answer.json["error"]["code"], (-32600, -32700), wrong)
        # Neither answers to nothing nor unknown notifications are answered, or do anything.
        for quiet in ({"jsonrpc": "2.0", "id": 77, "result": {}},
                      {"jsonrpc": "2.0", "method": "notifications/nothing"}):
            answer = self.client.post(quiet)
            self.assertEqual((answer.status, answer.body), (202, b""))
        rows = self.client.call("db_read", table="authors", filters=[
            {"field": "name", "op": "=", "value": "Nobody"}])["structuredContent"]["rows"]
        self.assertEqual(rows, [])

    def test_G11_headers_and_bodies_agree(self):
        call = {"name": "schema", "arguments": {}}
        self.assertEqual(self.client.modern("tools/call", call, Mcp_Name="schema").status, 200)
        for wrong in ({"Mcp_Name": "query"}, {}, {"Mcp_Name": "schema", "Mcp_Method": "tools/list"},
                      {"Mcp_Name": "schema", "MCP_Protocol_Version": "2025-11-25"}):
            answer = self.client.modern("tools/call", call, **wrong)
            self.assertEqual((answer.status, answer.json["error"]["code"]), (400, -32020), wrong)
        other = {PREFIX + "protocolVersion": "2031-01-01", PREFIX + "clientCapabilities": {}}
        answer = self.client.post(message("tools/list", {"_meta": other}), MCP_Protocol_Version="2031-01-01",
                                  Mcp_Method="tools/list")
        self.assertEqual((answer.status, answer.json["error"]["code"]), (400, -32022))
        bare = self.client.post(message("tools/list"), MCP_Protocol_Version=MODERN, Mcp_Method="tools/list")
        self.assertEqual((bare.status, bare.json["error"]["code"]), (400, -32602))
        self.assertEqual(self.client.modern("ping").status, 404)

    def test_sessions_begin_and_end(self):
        self.assertEqual(self.client.post(message("tools/list")).status, 400)
        self.client.begin()
        self.assertEqual(len(self.client.post(message("tools/list")).json["result"]["tools"]), 8)
        self.assertEqual(self.server.ask("DELETE", "/mcp", Mcp_Session_Id=self.client.session).status, 200)
        self.assertEqual(self.client.post(message("tools/list")).status, 404)

    def test_refs_are_those_of_the_workspace(self):
        first, second = Client(self.server), Client(self.server)
        first.begin()
        second.begin()
        made = first.call("db_create", table="authors", data=[{"name": "Shared"}])
        ref = made["structuredContent"]["created"][0]["ref"]
        read = second.call("db_read", table="authors", refs=[ref])
        self.assertEqual(read["structuredContent"]["rows"][0]["name"], "Shared")
        self.assertNotIn("isError", read)


class Streams(Served):
    def setUp(self):
        super().setUp()
        self.client = Client(self.start())

    def test_R7_a_stream_is_told_what_changes_and_forgotten_when_its_client_goes(self):
        self.client.begin()
        made = self.client.call("db_create", table="authors", data=[{"name": "Ann"}])
        ref = made["structuredContent"]["created"][0]["ref"]
        self.client.post(message("resources/subscribe", {"uri": "ref://" + ref}))
        wires = [self.client.wire("GET")]
        read_until(wires[0], b"\r\n\r\n")
        meta = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}}
        wires.append(self.client.wire("POST", message("subscriptions/listen", {
            "notifications": {"resourceSubscriptions": ["ref://" + ref]}, "_meta": meta}, 5),
            **{"MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen"}))
        read_until(wires[1], b"acknowledged")
        self.client.call("db_update", table="authors", refs=[ref], data={"name": "Bea"})
        for wire in wires:
            read_until(wire, ("ref://" + ref).encode())
        before = self.client.connections()
        for wire in wires:
            wire.close()
        self.assertTrue(until(lambda: self.client.connections() <= before - 2, 5))
        self.client.call("db_update", table="authors", refs=[ref], data={"name": "Cleo"})

    def test_who_watches_an_inbox_is_told_what_comes(self):
        for agent in ("fox", "owl"):
            self.server.post("/inbox/agents", {"agentId": agent, "backend": "mcp"})
        self.client.begin()
        uris = [one["uri"] for one in self.client.post(message("resources/list")).json["result"]["resources"]]
        self.assertEqual([uri for uri in uris if uri.startswith("inbox:")], ["inbox://fox", "inbox://owl"])
        templates = self.client.post(message("resources/templates/list")).json["result"]["resourceTemplates"]
        self.assertIn("inbox://{agent}", [one["uriTemplate"] for one in templates])
        self.server.post("/inbox/agents/fox/inbox/items", {"message": "before"})
        self.client.post(message("resources/subscribe", {"uri": "inbox://fox"}))
        self.server.post("/inbox/agents/fox/inbox/items", {"message": "early"})
        wires = [self.client.wire("GET")]
        read_until(wires[0], b"inbox://fox")  # it came before the stream was there
        wires.append(self.client.wire("POST", message("subscriptions/listen", {
            "notifications": {"resourceSubscriptions": ["inbox://fox"]}, "_meta": META}, 5),
            **{"MCP-Protocol-Version": MODERN, "Mcp-Method": "subscriptions/listen"}))
        read_until(wires[1], b"acknowledged")
        self.server.post("/inbox/agents/owl/inbox/items", {"message": "for another"})
        self.server.post("/inbox/agents/fox/inbox/items", {"message": "hello"})
        for wire in wires:
            told = read_until(wire, b"notifications/resources/updated")
            self.assertIn(b"inbox://fox", told)
            self.assertNotIn(b"owl", told)
        page = self.client.post(message("resources/read", {"uri": "inbox://fox"})).json["result"]["contents"][0]
        texts = [one["items"][0]["rawPayload"]["message"] for one in json.loads(page["text"])["entries"]]
        self.assertEqual(texts, ["before", "early", "hello"])
        missing = self.client.post(message("resources/read", {"uri": "inbox://nobody"})).json["error"]
        self.assertEqual(missing["code"], -32002)
        done = self.client.post(message("completion/complete", {
            "ref": {"type": "ref/resource", "uri": "inbox://{agent}"}, "argument": {"name": "agent", "value": "f"}}))
        self.assertEqual(done.json["result"]["completion"]["values"], ["fox"])
        for wire in wires:
            wire.close()

    def test_streams_need_no_thread_of_their_own(self):
        wires = []
        for _ in range(100):
            client = Client(self.server)
            client.begin()
            wires.append(client.wire("GET"))
            read_until(wires[-1], b"\r\n\r\n")
        # There are 64 threads for turns: one is still free.
        session = self.server.session()
        turn = self.server.post(self.server.turns(session), {"message": "hello"})
        self.assertEqual(turn.status, 200, turn.body)
        for wire in wires:
            wire.close()

    def test_F2_streams_and_questions_do_not_hold_up_an_end(self):
        self.client.begin({"elicitation": {}})
        made = self.client.call("db_create", table="authors", data=[{"name": "Ann"}])
        ref = made["structuredContent"]["created"][0]["ref"]
        wires = [self.client.wire("GET"), self.client.wire("POST", message("tools/call", {
            "name": "db_delete", "arguments": {"table": "authors", "refs": [ref]}}, 9))]
        read_until(wires[0], b"\r\n\r\n")
        read_until(wires[1], b"elicitation/create")
        begun = time.monotonic()
        self.assertEqual(self.server.stop(), 0)
        self.assertLess(time.monotonic() - begun, 6)
        self.assertIn('"drained":true', "".join(self.server.log))
        for wire in wires:
            wire.close()

    def test_requests_are_logged_by_route_alone(self):
        self.client.begin()
        self.client.call("db_create", table="authors", data=[{"name": "Quetzalcoatl"}])
        self.server.stop()
        log = "".join(self.server.log)
        self.assertIn('"route":"mcp"', log)
        self.assertNotIn("Quetzalcoatl", log)


ENDLESS = {"name": "query", "arguments": {
    "sql": "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000000000) "
           "SELECT count(*) AS many FROM n"}}
META = {PREFIX + "protocolVersion": MODERN, PREFIX + "clientCapabilities": {}}
HEAD = {"MCP-Protocol-Version": MODERN, "Mcp-Method": "tools/call", "Mcp-Name": "query"}


class Cancelled(Shared):
    """Calls that are taken back while they run, and calls beside each other."""

    def setUp(self):
        self.client = Client(self.server)
        self.client.begin()

    def alone(self):
        """How long it takes to be stopped at the limit of work."""
        began = time.monotonic()
        self.assertTrue(self.client.post(message("tools/call", ENDLESS)).json["result"]["isError"])
        return time.monotonic() - began

    def running(self):
        return self.client.gauge("alfred_working") - 1  # without the question itself

    def test_a_short_call_does_not_wait_for_a_long_one(self):
        alone = self.alone()
        with self.client.wire("POST", message("tools/call", ENDLESS, 5)):
            self.assertTrue(until(lambda: self.running() > 0))
            began = time.monotonic()
            self.assertIn("rows", self.client.call("db_read", table="books", limit=1)["structuredContent"])
            self.assertLess(time.monotonic() - began, alone)
            self.assertTrue(until(lambda: self.running() == 0))

    def test_a_session_cancels_by_a_message(self):
        alone = self.alone()
        with self.client.wire("POST", message("tools/call", ENDLESS, 7)) as wire:
            self.assertTrue(until(lambda: self.running() > 0))
            began = time.monotonic()
            taken = self.client.post({"jsonrpc": "2.0", "method": "notifications/cancelled",
                                      "params": {"requestId": 7}})
            self.assertEqual(taken.status, 202)
            answer = read_until(wire, b"0\r\n\r\n")  # the end of a stream without a message
            self.assertNotIn(b"data:", answer)
            self.assertLess(time.monotonic() - began, alone)

    def test_a_cancellation_does_not_wait_behind_calls(self):
        alone = self.alone()
        ids = range(20, 28)  # twice as many as run at a time
        wires = [self.client.wire("POST", message("tools/call", ENDLESS, one)) for one in ids]
        try:
            self.assertTrue(until(lambda: self.running() >= len(wires)))
            began = time.monotonic()
            for one in ids:
                taken = self.client.post({"jsonrpc": "2.0", "method": "notifications/cancelled",
                                          "params": {"requestId": one}})
                self.assertEqual(taken.status, 202)
            self.assertLess(time.monotonic() - began, alone)
        finally:
            for wire in wires:
                wire.close()
        self.assertTrue(until(lambda: self.running() == 0))

    def test_from_2026_on_who_closes_has_cancelled(self):
        alone = self.alone()
        for token in ({}, {"progressToken": 1}):
            body = message("tools/call", {**ENDLESS, "_meta": {**META, **token}})
            wire = self.client.wire("POST", body, **HEAD)
            self.assertTrue(until(lambda: self.running() > 0))
            began = time.monotonic()
            wire.close()
            self.assertTrue(until(lambda: self.running() == 0))
            self.assertLess(time.monotonic() - began, alone)

    def test_what_asks_for_progress_is_answered_by_a_stream(self):
        body = message("tools/call", {"name": "db_read", "arguments": {"table": "books", "limit": 1},
                                      "_meta": {**META, "progressToken": "p"}})
        with self.client.wire("POST", body, **{**HEAD, "Mcp-Name": "db_read"}) as wire:
            answer = read_until(wire, b"0\r\n\r\n")
        self.assertIn(b"text/event-stream", answer)
        self.assertIn(b'"structuredContent"', answer)

    def test_G11_a_wrong_version_is_400_though_progress_is_asked_for(self):
        meta = {**META, PREFIX + "protocolVersion": "2031-01-01", "progressToken": 1}
        answer = self.client.post(message("tools/call", {**ENDLESS, "_meta": meta}),
                                  MCP_Protocol_Version="2031-01-01", Mcp_Method="tools/call", Mcp_Name="query")
        self.assertEqual((answer.status, answer.json["error"]["code"]), (400, -32022))


class Options(Served):
    def test_approval_is_an_option(self):
        client = Client(self.start("--approve", "never"))
        client.begin()
        made = client.call("db_create", table="authors", data=[{"name": "Ann"}])
        ref = made["structuredContent"]["created"][0]["ref"]
        self.assertEqual(client.call("db_delete", table="authors", refs=[ref])["structuredContent"]["count"], 1)

    def test_a_wrong_option_is_named(self):
        with self.assertRaisesRegex(RuntimeError, "^2: .*approve"):
            self.start("--approve", "sometimes")

    def test_turns_are_offered_when_asked_for(self):
        client = Client(self.start("--turns"))
        client.begin()
        tools = [tool["name"] for tool in client.post(message("tools/list")).json["result"]["tools"]]
        self.assertEqual(tools[-2:], ["turn_start", "turn_answer"])
        turn = client.call("turn_start", message="hi")["structuredContent"]
        self.assertEqual(turn["status"], "waiting")
        wrong = client.call("turn_answer", session=turn["session"], turn=turn["id"], ask=99, text="{}")
        self.assertTrue(wrong["isError"])
        self.assertTrue(client.call("turn_answer", session="ses_nothing")["isError"])
        self.assertTrue(client.call("turn_start", message="")["isError"])
        same = client.call("turn_answer", session=turn["session"])["structuredContent"]
        self.assertEqual(same, turn)
        # The same session over HTTP.
        seen = self.server.get("/v1/sessions/%s/turns/%s" % (turn["session"], turn["id"])).json
        self.assertEqual(seen["asks"], turn["asks"])

    def test_a_turn_whose_start_was_cancelled_is_ended(self):
        client = Client(self.start("--turns"))
        session = self.server.session()
        call = {"name": "turn_start", "arguments": {"message": "hi", "session": session}}
        head = {**HEAD, "Mcp-Name": "turn_start"}
        base = sqlite3.connect(self.home / "bookshelf.db", isolation_level=None)
        base.execute("BEGIN IMMEDIATE")  # nobody else writes: the call is under way for as long
        wire = client.wire("POST", message("tools/call", {**call, "_meta": META}), **head)
        self.assertTrue(until(lambda: client.gauge("alfred_working") > 1))
        wire.close()
        time.sleep(0.3)  # until it is seen
        base.execute("ROLLBACK")
        base.close()
        self.assertTrue(until(lambda: client.gauge("alfred_working") == 1))
        self.assertNotIn("running", self.server.get("/v1/sessions/" + session).json)
        client.begin()
        self.assertEqual(client.call("turn_start", message="hi", session=session)["structuredContent"]["status"],
                         "waiting")

    def test_an_answer_that_writes_a_batch_tells_its_progress(self):
        names = ["flour", "milk", "rice"]
        answers = chat_answers.add_author("three")
        answers[1]["text"]["steps"][0].update(subdomain="shopping", batch={
            "total": 3, "items": [{"ref": name, "label": name} for name in names]})
        answers[2]["text"]["params"] = {"table": "shopping_list",
                                        "data": [{"ref": name, "name": name, "quantity": 1} for name in names]}
        client = Client(self.start("--turns", pack="kitchen"))
        client.begin()
        turn = client.call("turn_start", message="add three")["structuredContent"]
        told = []
        for answer in answers:
            text = answer["text"] if isinstance(answer["text"], str) else json.dumps(answer["text"])
            given = {"session": turn["session"], "turn": turn["id"], "ask": turn["asks"][0]["ask"], "text": text}
            call = {"name": "turn_answer", "arguments": given, "_meta": {"progressToken": "p"}}
            with client.wire("POST", message("tools/call", call)) as wire:
                lines = read_until(wire, b"0\r\n\r\n").decode().splitlines()
            messages = [json.loads(line[6:]) for line in lines if line.startswith("data: ")]
            turn = messages.pop()["result"]["structuredContent"]
            told += [(answer["node"], one["params"]["progress"], one["params"]["total"]) for one in messages]
        self.assertEqual(turn["status"], "finished")
        self.assertEqual(told[-1:], [("act", 3.0, 3.0)])  # rows that go in together are told together
        self.assertEqual(told, sorted(set(told)))


if __name__ == "__main__":
    unittest.main()

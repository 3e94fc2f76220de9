"""inbox_http_test.py ALFRED PACKS: the inbox under /inbox of `alfred serve`, from outside.

The binary runs, the wake-ups are received by a real server, the ids are looked up in the database.
"""
import hashlib
import hmac
import http.client
import http.server
import json
import os
import pathlib
import re
import signal
import sqlite3
import subprocess
import sys
import threading
import time
import unittest
import urllib.parse
import urllib.request

from openapi_test import Checker
from served import ALFRED, Answer, Served, until

HOOK = {"url": "http://127.0.0.1:9/wake"}
UNKNOWN = {"src": "src_000000000000", "sub": "sub_000000000000", "hst": "hst_000000000000",
           "tgt": "tgt_000000000000", "sch": "sch_000000000000", "ent": "ent_000000000000"}


class Inboxed(Served):
    PACK = "kitchen"  # what commands use when nothing is named: the same database

    def setUp(self):
        super().setUp()
        self.start()

    def ask(self, method, path, body=None, status=200):
        answer = self.server.ask(method, "/inbox" + path, body)
        self.assertEqual(answer.status, status, (method, path, answer.body))
        if status >= 400:
            error = answer.json["error"]
            self.assertTrue(error["code"] and error["message"] and error["hint"], answer.body)
            return error
        return answer.json

    def get(self, path, status=200):
        return self.ask("GET", path, None, status)

    def post(self, path, body=None, status=200):
        return self.ask("POST", path, body, status)

    def source(self, key="builds", kind="local_event", config=None):
        host = self.post("/hosts", {"hostType": kind, "hostKey": "here"})["hostId"]
        body = {"hostId": host, "streamKind": "events", "streamKey": key}
        if config:
            body["config"] = config
        return self.post("/sources", body)["sourceId"]

    def agent(self, name="fox", hook=HOOK):
        return self.post("/agents", {"agentId": name, "webhook": hook})["agent"]["agentId"]

    def append(self, source, native, status=200, **more):
        return self.post("/sources/%s/events" % source,
                         {"sourceNativeId": native, "eventVariant": "build", **more}, status)

    def entries(self, agent, query=""):
        return self.get("/agents/%s/inbox/entries%s" % (agent, query))["entries"]

    def ready(self):
        agent, source = self.agent(), self.source()
        self.post("/subscriptions", {"agentId": agent, "sourceId": source})
        return agent, source


class Flow(Inboxed):
    def test_from_an_append_to_an_ack(self):
        agent, source = self.ready()
        self.assertEqual(self.append(source, "a", rawPayload={"log": "x"}),
                         {"appended": 1, "deduped": 0, "lastOffset": 1})
        self.assertEqual(self.append(source, "a"), {"appended": 0, "deduped": 1, "lastOffset": 1})
        self.append(source, "b")
        seen = self.entries(agent)
        self.assertEqual([one["items"][0]["sourceNativeId"] for one in seen], ["a", "b"])
        self.assertEqual(seen[0]["items"][0]["rawPayload"], {"log": "x"})
        self.assertEqual([one["entryId"] for one in self.entries(agent, "?after_entry_id=" + seen[0]["entryId"])],
                         [seen[1]["entryId"]])
        ack = "/agents/%s/inbox/ack" % agent
        self.assertEqual(self.post(ack, {"throughEntryId": seen[0]["entryId"]}), {"acked": 1})
        self.assertEqual(self.post(ack, {"throughEntryId": seen[0]["entryId"]}), {"acked": 0})
        self.assertEqual(self.post(ack, {"entryIds": [UNKNOWN["ent"]]}), {"acked": 0})
        self.post(ack, {"throughEntryId": UNKNOWN["ent"]}, 404)
        self.assertEqual(self.post(ack, {"all": True}), {"acked": 1})
        self.assertEqual(self.entries(agent), [])
        self.assertEqual(len(self.entries(agent, "?include_acked=true&limit=1")), 1)

    def test_many_at_once_are_told_each_its_own(self):
        agents = [self.agent("fox-%d" % one) for one in range(8)]
        source = self.source()
        for agent in agents:
            self.post("/subscriptions", {"agentId": agent, "sourceId": source})
        offsets, wrong = [], []

        def client(number):
            try:
                ack = "/agents/%s/inbox/ack" % agents[number]
                for turn in range(6):
                    told = self.append(source, "%d-%d" % (number, turn))
                    self.assertEqual((told["appended"], told["deduped"]), (1, 0))
                    offsets.append(told["lastOffset"])
                    again = self.append(source, "%d-%d" % (number, turn))
                    self.assertEqual(again, {"appended": 0, "deduped": 1, "lastOffset": told["lastOffset"]})
                    self.append(UNKNOWN["src"], "x", 404)
                    self.append(source, "x", 422, more=1)
                    self.append(source, 7, 422)
                    first = self.entries(agents[number], "?limit=1")[0]["entryId"]
                    self.post(ack, {"throughEntryId": UNKNOWN["ent"]}, 404)
                    self.assertEqual(self.post(ack, {"entryIds": [first]}), {"acked": 1})
                    self.assertEqual(self.post(ack, {"entryIds": [first]}), {"acked": 0})
            except BaseException as error:  # of another thread: told below
                wrong.append(error)

        clients = [threading.Thread(target=client, args=(one,)) for one in range(len(agents))]
        for one in clients:
            one.start()
        for one in clients:
            one.join()
        self.assertEqual(wrong, [])
        self.assertEqual(sorted(offsets), list(range(1, 49)))
        for agent in agents:
            self.assertEqual(len(self.entries(agent, "?limit=1000")), 48 - 6)

    def test_G13_the_same_key_is_done_once(self):
        agent, _ = self.ready()
        items = "/inbox/agents/%s/inbox/items" % agent
        sent = [self.server.post(items, {"message": "m"}, Idempotency_Key="k").json for _ in range(3)]
        self.assertEqual(len({json.dumps(one) for one in sent}), 1)
        self.assertEqual([one["items"][0]["itemId"] for one in self.entries(agent)], [sent[0]["itemId"]])
        other = self.server.post(items, {"message": "other"}, Idempotency_Key="k")
        self.assertEqual((other.status, other.json["error"]["code"]), (422, "op_reused"))
        elsewhere = self.server.post("/inbox/agents", {"webhook": HOOK}, Idempotency_Key="k")
        self.assertEqual((elsewhere.status, elsewhere.json["error"]["code"]), (422, "op_reused"))
        made = [self.server.post("/inbox/agents", {"webhook": HOOK}, Idempotency_Key="k2").json for _ in range(2)]
        self.assertEqual(made[0], made[1])
        self.assertEqual(len(self.get("/agents")["agents"]), 2)
        self.assertEqual(self.server.post(items, {"message": "m"}, Idempotency_Key="a b").status, 400)
        handle = {"provider": "alfred", "surface": "agent", "targetRef": agent, "payload": {"text": "hi"}}
        told = [self.server.post("/inbox/deliveries/send", handle, Idempotency_Key="k3").json for _ in range(2)]
        self.assertEqual(told[0]["deliveryId"], told[1]["deliveryId"])
        self.assertEqual(len(self.entries(agent)), 2)

    def test_G14_another_inboxs_entry_looks_unknown(self):
        agent, source = self.ready()
        other = self.agent("owl")
        self.append(source, "a")
        entry = self.entries(agent)[0]["entryId"]
        for ask in (lambda one, status: self.post("/agents/%s/inbox/ack" % other, {"throughEntryId": one}, status),
                    lambda one, status: self.get("/agents/%s/inbox/entries?after_entry_id=%s" % (other, one), status)):
            theirs = json.dumps(ask(entry, 404)).replace(entry, UNKNOWN["ent"])
            self.assertEqual(theirs, json.dumps(ask(UNKNOWN["ent"], 404)))
        self.assertEqual(self.post("/agents/%s/inbox/ack" % other, {"entryIds": [entry]}), {"acked": 0})
        self.assertEqual(len(self.entries(agent)), 1)

    def test_G15_ack_through(self):
        agent, source = self.ready()
        other = self.agent("owl")
        for native in "abc":
            self.append(source, native)
        ids = [one["entryId"] for one in self.entries(agent)]
        ack = "/agents/%s/inbox/ack" % agent
        self.post(ack, {"throughEntryId": UNKNOWN["ent"]}, 404)
        self.post("/agents/%s/inbox/ack" % other, {"throughEntryId": ids[0]}, 404)
        self.assertEqual(self.post(ack, {"throughEntryId": ids[1]}), {"acked": 2})
        self.assertEqual(self.post(ack, {"throughEntryId": ids[1]}), {"acked": 0})  # acked already
        self.assertEqual(self.post(ack, {"throughEntryId": ids[0]}), {"acked": 0})  # older
        self.assertEqual([one["entryId"] for one in self.entries(agent)], ids[2:])  # the boundary is where it was

    def test_G16_only_a_reset_goes_back_and_it_is_written_down(self):
        agent, source = self.ready()
        for native in "abc":
            self.append(source, native)
        path = "/subscriptions/" + self.get("/subscriptions")["subscriptions"][0]["subscriptionId"]
        self.assertEqual(self.get(path + "/lag")["consumer"]["committedOffset"], 3)
        self.post(path + "/reset", {}, 422)
        self.post(path + "/reset", {"startPolicy": "at_offset", "startOffset": 99}, 409)
        self.assertEqual(self.get(path + "/lag")["consumer"]["committedOffset"], 3)
        self.post(path + "/reset", {"startPolicy": "earliest"})
        self.assertTrue(until(lambda: self.get(path + "/lag")["consumer"]["committedOffset"] == 3))
        self.assertEqual([one["items"][0]["sourceNativeId"] for one in self.entries(agent)], ["a", "b", "c"])
        base = sqlite3.connect(self.home / "kitchen.db")
        kinds = [kind for kind, in base.execute("SELECT kind FROM alfred_inbox_commits")]
        base.close()
        self.assertEqual(kinds.count("reset"), 1)

    def test_G17_a_catastrophic_pattern_takes_no_time(self):
        agent, source = self.agent(), self.source()
        for expression in ("matches(payload.x, '^(a+)+$')", "matches(payload.x, '^(a|a)*$')"):
            self.post("/subscriptions", {"agentId": agent, "sourceId": source, "filter": {"expr": expression}})
        begun = time.monotonic()
        self.append(source, "evil", rawPayload={"x": "a" * 4000 + "!"})
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(self.entries(agent), [])
        self.append(source, "good", rawPayload={"x": "a" * 40})
        self.assertEqual(len(self.entries(agent)), 1)

    def test_G17_G18_too_much_is_refused(self):
        agent, source = self.ready()
        self.append(source, "big", 413, rawPayload={"x": "y" * (256 * 1024)})
        self.append(source, "big", 413, rawPayload={"x": ["y" * 1000] * 300})
        deep = "(" * 80 + "true" + ")" * 80
        for expression in (deep, "matches(metadata.a, '(')", "nothing(1)"):
            answer = self.server.post("/inbox/subscriptions",
                                      {"agentId": agent, "sourceId": source, "filter": {"expr": expression}})
            self.assertIn(answer.status, (400, 413, 422), expression)

    def test_bad_input_is_never_a_500_and_changes_nothing(self):
        agent, source = self.ready()
        before = self.get("/status")["counts"]
        for method, path, body, status in (
                ("GET", "/sources/src_x", None, 400), ("GET", "/sources/" + UNKNOWN["src"], None, 404),
                ("GET", "/sources/" + agent, None, 400), ("GET", "/hosts/hst_", None, 400),
                ("GET", "/subscriptions/" + UNKNOWN["sub"], None, 404), ("GET", "/agents/nobody", None, 404),
                ("GET", "/agents/nobody/inbox/entries", None, 404), ("GET", "/agents?limit=0", None, 422),
                ("GET", "/agents?limit=x", None, 422), ("GET", "/agents?limit=-1", None, 422), ("GET", "/agents?colour=red", None, 422),
                ("GET", "/agents?include_targets=maybe", None, 422),
                ("GET", "/agents/fox/inbox/entries?after_entry_id=ent_", None, 400),
                ("POST", "/agents", {"webhook": HOOK, "colour": "red"}, 422),
                ("POST", "/agents", {"webhook": {"url": "ftp://x"}}, 422),
                ("POST", "/sources/%s/pause" % source, {"why": 1}, 422),
                ("POST", "/sources/%s/events" % source, {"eventVariant": "x"}, 422),
                ("POST", "/agents/fox/inbox/ack", {}, 422),
                ("POST", "/agents/fox/inbox/ack", {"all": True, "entryIds": []}, 422),
                ("POST", "/hosts", {"hostType": "carrier_pigeon", "hostKey": "x"}, 422),
                ("POST", "/timers", {"agentId": agent, "message": "m"}, 422),
                ("POST", "/timers", {"agentId": agent, "message": "m", "cron": "0 0 30 2 *"}, 422),
                ("PATCH", "/sources/" + source, {}, 422), ("DELETE", "/sources/" + source, None, 409),
                ("DELETE", "/timers/" + UNKNOWN["sch"], None, 404),
                ("DELETE", "/agents/fox/targets/" + UNKNOWN["tgt"], None, 404),
                ("GET", "/nowhere", None, 404), ("PUT", "/agents", {}, 405)):
            with self.subTest(path=path, body=body):
                self.ask(method, path, body, status)
        bad = self.server.post("/inbox/agents", None, Content_Type="text/plain")
        self.assertEqual(bad.status, 415)
        self.assertEqual(self.get("/status")["counts"], before)

    def test_a_list_that_is_cut_says_so_and_goes_on(self):
        agent, source = self.ready()
        for number in range(2):
            self.agent("owl-%d" % number)
            self.source("key-%d" % number)
            self.post("/hosts", {"hostType": "local_event", "hostKey": "host-%d" % number})
            self.post("/subscriptions", {"agentId": agent, "sourceId": source})
        self.post("/subscriptions", {"agentId": agent, "sourceId": source,
                                     "filter": {"expr": "matches('x', metadata.pattern)"}})
        for number in range(3):
            self.post("/timers", {"agentId": agent, "message": "m", "every": "1h"})
            self.append(source, "e%d" % number, metadata={"pattern": "("})  # on which the filter fails
        for path, member, key, after in (
                ("/agents", "agents", "agentId", "after"), ("/hosts", "hosts", "hostId", "after"),
                ("/sources", "sources", "sourceId", "after"), ("/streams", "sources", "sourceId", "after"),
                ("/subscriptions", "subscriptions", "subscriptionId", "after"),
                ("/subscriptions?agent_id=fox", "subscriptions", "subscriptionId", "after"),
                ("/timers", "timers", "scheduleId", "after"), ("/timers?agent_id=fox", "timers", "scheduleId", "after"),
                ("/dead", "dead", "deadLetterId", "after"),
                ("/agents/fox/inbox/entries", "entries", "entryId", "after_entry_id")):
            with self.subTest(path=path):
                more = "&" if "?" in path else "?"
                whole = self.get(path)
                self.assertIs(whole["hasMore"], False)
                ids = [one[key] for one in whole[member]]
                self.assertGreaterEqual(len(ids), 3)
                seen, cursor = [], ""
                while True:
                    page = self.get(path + more + "limit=2" + cursor)
                    seen += [one[key] for one in page[member]]
                    self.assertLessEqual(len(page[member]), 2)
                    if not page["hasMore"]:
                        break
                    cursor = "&%s=%s" % (after, seen[-1])
                self.assertEqual(seen, ids)
                self.assertEqual(self.get(path + more + "%s=%s" % (after, ids[-1])), {member: [], "hasMore": False})
                unknown = "nobody" if key == "agentId" else {
                    "deadLetterId": "ded"}.get(key, ids[0][:3]) + "_000000000000"
                self.assertEqual(self.get(path + more + "%s=%s" % (after, unknown), 404)["code"], "record")

    def test_an_event_with_a_number_beyond_64_bits_is_an_event(self):
        agent, source = self.ready()
        events = "/inbox/sources/%s/events" % source
        big = '{"sourceNativeId":"%s","eventVariant":"x","rawPayload":{"n":%s}}'
        for native, number, kept in (("a", "123456789012345678901", 1.2345678901234568e20),
                                     ("b", "-9223372036854775809", -9223372036854775808.0),
                                     ("c", "18446744073709551615", 18446744073709551615)):
            answer = self.raw_post(events, big % (native, number))
            self.assertEqual((answer.status, answer.json.get("appended")), (200, 1), answer.body)
            self.assertEqual(self.entries(agent)[-1]["items"][0]["rawPayload"], {"n": kept})
        for number in ("1e400", "-1e400", "1" + "0" * 400):
            answer = self.raw_post(events, big % ("d", number))
            self.assertEqual((answer.status, answer.json["error"]["code"]), (400, "json"), answer.body)
            self.assertIn("1.8e308", answer.json["error"]["message"])
        hook = self.source(kind="webhook", config={"nativeIdPath": "id"})
        for number in ("123456789012345678901", "123456789012345678902"):  # one double, two events
            answer = self.raw_post("/inbox/sources/%s/webhook" % hook, '{"id":%s}' % number)
            self.assertEqual(answer.json.get("appended"), 1, answer.body)
        # What is no event is read as ever.
        answer = self.raw_post("/inbox/timers", '{"agentId":"fox","message":"m","every":123456789012345678901}')
        self.assertEqual((answer.status, answer.json["error"]["code"]), (400, "json"))

    def raw_post(self, path, text):
        wire = self.server.connect()
        self.addCleanup(wire.close)
        wire.request("POST", path, text, {"Content-Type": "application/json",
                                          "Authorization": "Bearer " + self.server.token})
        return Answer(wire.getresponse())

    def test_a_get_creates_nothing(self):
        self.ready()
        before = self.rows()
        self.assertGreater(before["alfred_inbox_agents"], 0)
        for path, methods in self.get("/openapi.json")["paths"].items():
            if "get" in methods and not path.endswith("watch"):
                self.server.get("/inbox" + path.replace("{agent}", "fox"))
        self.assertEqual(self.rows(), before)

    def rows(self):
        base = sqlite3.connect(self.home / "kitchen.db")
        tables = [name for name, in base.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND "
                                                 "name LIKE 'alfred_inbox%'")]
        out = {name: base.execute("SELECT count(*) FROM " + name).fetchone()[0] for name in tables}
        base.close()
        return out

    def test_agents_ids_of_their_owners_stand_in_paths(self):
        for name in ("team/a:b", "my agent", "bébé", "狐", "100%", "a+b", "a?b#c"):
            with self.subTest(name=name):
                path = "/agents/" + urllib.parse.quote(self.agent(name), safe="")
                self.assertEqual(self.get(path)["agent"]["agentId"], name)
                self.post(path + "/inbox/items", {"message": "for you"})
                entry = self.get(path + "/inbox/entries")["entries"][0]["entryId"]
                self.assertEqual(self.post(path + "/inbox/ack", {"throughEntryId": entry}), {"acked": 1})
                self.assertTrue(self.ask("DELETE", path)["removed"])
                self.get(path, 404)

    def test_a_source_of_github_is_one_whatever_its_case(self):
        hosts = [self.post("/hosts", {"hostType": "github", "hostKey": key})["hostId"]
                 for key in ("github.com", "GitHub.com")]
        self.assertEqual(hosts[0], hosts[1])
        made = [self.post("/sources", {"hostId": hosts[0], "streamKind": "repo_events", "streamKey": key})
                for key in ("Acme/Shop", "acme/shop", "ACME/SHOP")]
        self.assertEqual(len({one["sourceId"] for one in made}), 1)
        self.assertEqual(made[0]["streamKey"], "acme/shop")
        followed = self.post("/follow", {"agentId": self.agent(), "providerOrKind": "github", "template": "repo",
                                         "templateArgs": {"owner": "aCME", "repo": "sHOP"}})
        self.assertEqual(followed["sources"], [{"sourceId": made[0]["sourceId"], "streamKind": "repo_events",
                                                "created": False}])


class Original(Served):
    """A client written for the original's API: it knows a base URL and sends no token."""

    def call(self, method, path, body=None):
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.base + path, data, method=method)
        if body is not None:
            request.add_header("Content-Type", "application/json")
        with urllib.request.urlopen(request, timeout=20) as answer:
            return json.load(answer)

    def test_a_client_of_the_original_works_unchanged(self):
        self.base = "http://127.0.0.1:%d/inbox" % self.start("--no-token").port
        call = self.call
        self.assertEqual(call("GET", "/healthz"), {"ok": True})
        agent = call("POST", "/agents", {"agentId": "reader", "webhook": {
            "url": "http://127.0.0.1:9/", "activationMode": "activation_only"}})["agent"]["agentId"]
        host = call("POST", "/hosts", {"hostType": "local_event", "hostKey": "default"})
        source = call("POST", "/sources", {"hostId": host["hostId"], "streamKind": "events", "streamKey": "ci"})
        added = call("POST", "/subscriptions", {"agentId": agent, "sourceId": source["sourceId"],
                                                "filter": {"metadata": {"status": "failed"}}})
        for number, status in enumerate(("failed", "passed", "failed")):
            done = call("POST", "/sources/%s/events" % source["sourceId"], {
                "sourceNativeId": "run-%d" % number, "eventVariant": "ci.run", "metadata": {"status": status},
                "rawPayload": {"number": number}})
            self.assertEqual(done["appended"], 1)
        polled = call("POST", "/subscriptions/%s/poll" % added["subscriptionId"])
        self.assertEqual(polled["committedOffset"], 3)
        entries = call("GET", "/agents/reader/inbox/entries")["entries"]
        self.assertEqual([one["items"][0]["rawPayload"]["number"] for one in entries], [0, 2])
        self.assertEqual(call("POST", "/agents/reader/inbox/ack", {"throughEntryId": entries[-1]["entryId"]}),
                         {"acked": 2})
        self.assertEqual(call("GET", "/agents/reader/inbox/entries")["entries"], [])
        self.assertTrue(call("POST", "/sources/%s/pause" % source["sourceId"])["paused"])
        self.assertTrue(call("DELETE", "/subscriptions/" + added["subscriptionId"])["removed"])
        self.assertEqual(call("GET", "/subscriptions"), {"subscriptions": [], "hasMore": False})


class Wakes(Inboxed):
    def hook(self, let_go=None):
        """Where wake-ups go, and those that came; answered at once, or when they are let go."""
        got = []

        class Hook(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                got.append(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                if let_go:
                    let_go.wait(60)
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Hook)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        return {"url": "http://127.0.0.1:%d/" % server.server_port}, got

    def test_the_server_wakes_agents_and_fires_timers_by_itself(self):
        hook, got = self.hook()
        self.agent("fox", hook)
        for number in range(20):  # the twentieth wakes at once
            self.post("/agents/fox/inbox/items", {"message": "m%d" % number})
        self.assertTrue(until(lambda: got))
        self.assertEqual(got[0]["agentId"], "fox")
        self.post("/timers", {"agentId": "fox", "message": "tea", "at": "2001-01-01T00:00:00Z"})
        self.assertTrue(until(lambda: any("tea" in json.dumps(one) for one in self.entries("fox"))))
        activation = self.get("/status")["recentActivations"][0]
        self.assertEqual(activation["status"], "delivered")


    def test_slow_hooks_delay_no_other_agent(self):
        let_go = threading.Event()
        self.addCleanup(let_go.set)
        slow, held = self.hook(let_go)
        quick, got = self.hook()
        for number in range(8):  # more than one could wait for one after the other
            self.agent("slow-%d" % number, slow)
            for count in range(20):
                self.post("/agents/slow-%d/inbox/items" % number, {"message": "m%d" % count})
        self.assertTrue(until(lambda: len(held) == 8))
        self.agent("fox", quick)
        begun = time.monotonic()
        for count in range(20):
            self.post("/agents/fox/inbox/items", {"message": "m%d" % count})
        self.assertTrue(until(lambda: got))
        self.assertLess(time.monotonic() - begun, 5)
        self.assertEqual(sorted(one["agentId"] for one in held), ["slow-%d" % number for number in range(8)])
        begun = time.monotonic()
        self.assertEqual(self.server.stop(), 0)  # nor an end
        self.assertLess(time.monotonic() - begun, 8)


class Watching(Inboxed):
    def setUp(self):
        super().setUp()
        self.wires = []

    def watch(self, agent, query=""):
        wire = http.client.HTTPConnection("127.0.0.1", self.server.port, timeout=20)
        wire.request("GET", "/inbox/agents/%s/inbox/watch%s" % (agent, query),
                     headers={"Authorization": "Bearer " + self.server.token})
        answer = wire.getresponse()
        self.addCleanup(wire.close)
        self.wires.append(wire)
        self.assertEqual((answer.status, answer.headers["Content-Type"]), (200, "text/event-stream"))
        return answer

    @staticmethod
    def event(answer):
        name, data = None, None
        while True:
            line = answer.readline().decode().rstrip("\n")
            if line.startswith("event: "):
                name = line[7:]
            elif line.startswith("data: "):
                data = json.loads(line[6:])
            elif not line and name:
                return name, data

    def natives(self, event):
        self.assertEqual(event[0], "items")
        return [one["items"][0]["sourceNativeId"] for one in event[1]["entries"]]

    def test_what_there_is_comes_first_then_what_comes(self):
        agent, source = self.ready()
        self.append(source, "a")
        stream = self.watch(agent, "?heartbeat_ms=60000")
        self.assertEqual(self.natives(self.event(stream)), ["a"])
        self.append(source, "b")
        told = self.event(stream)
        self.assertEqual(self.natives(told), ["b"])
        behind = self.watch(agent, "?after_entry_id=" + told[1]["entries"][0]["entryId"])
        self.assertEqual(self.natives(self.event(behind)), [])

    def test_heartbeats_come_and_an_end_ends_it(self):
        agent, _ = self.ready()
        stream = self.watch(agent, "?heartbeat_ms=100")
        self.assertEqual(self.event(stream)[0], "items")
        self.assertEqual(self.event(stream), ("heartbeat", {"agentId": agent}))
        self.assertEqual(self.server.stop(), 0)

    def test_more_than_a_stream_may_hold_comes_whole(self):
        agent, source = self.ready()
        for number in range(12):
            self.append(source, "n%d" % number, rawPayload={"x": "y" * 200_000})
        stream = self.watch(agent)
        self.assertEqual(len(self.natives(self.event(stream))), 12)

    def test_watchers_are_bounded_and_make_room_when_they_go(self):
        agent, _ = self.ready()
        streams = [self.watch(agent, "?heartbeat_ms=100") for _ in range(32)]
        self.get("/agents/%s/inbox/watch" % agent, 503)
        self.assertEqual(self.get("/agents/%s/inbox/entries" % agent), {"entries": [], "hasMore": False})
        streams[0].close()
        self.wires[0].close()
        path = "/inbox/agents/%s/inbox/watch" % agent
        self.assertTrue(until(lambda: self.server.ask("HEAD", path).status == 200))

    def test_a_bad_cursor_is_an_error_and_no_stream(self):
        agent, _ = self.ready()
        for cursor, status in ((UNKNOWN["ent"], 404), ("ent_", 400), ("itm_000000000000", 400)):
            self.get("/agents/%s/inbox/watch?after_entry_id=%s" % (agent, cursor), status)
        self.get("/agents/nobody/inbox/watch", 404)


class Ids(Inboxed):
    """Each of the sixteen kinds is stored under the id that HTTP and the command line show."""
    TABLES = {"agt": "agents", "inb": "inboxes", "hst": "hosts", "src": "sources", "sub": "subscriptions",
              "tgt": "targets", "sch": "timers", "str": "streams", "itm": "items", "act": "activations",
              "dlv": "deliveries", "evt": "events", "con": "consumers", "cmt": "commits", "ent": "entries",
              "thr": "threads"}

    def stored(self):
        base = sqlite3.connect(self.home / "kitchen.db")
        out = {prefix: {one for one, in base.execute("SELECT id FROM alfred_inbox_" + table)}
               for prefix, table in self.TABLES.items()}
        base.close()
        return out

    def alfred(self, *words):
        ran = subprocess.run([ALFRED, *words, "--json"], capture_output=True, text=True, timeout=60,
                             env={**os.environ, "ALFRED_HOME": str(self.home)}, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return ran.stdout

    def shown(self, *texts):
        out = {prefix: set() for prefix in self.TABLES}
        for text in texts:
            for prefix, rest in re.findall(r'"([a-z]{3})_([0-9a-z-]+)"', text):
                if prefix in out:
                    out[prefix].add(prefix + "_" + rest)
        return out

    def test_stored_ids_are_the_ids_that_are_shown(self):
        agent = self.post("/agents", {"webhook": HOOK})["agent"]["agentId"]
        source = self.source()
        self.post("/subscriptions", {"agentId": agent, "sourceId": source})
        self.append(source, "a")
        self.append(source, "b", metadata={"resourceRef": "r", "flush": "immediate"})
        self.post("/timers", {"agentId": agent, "message": "m", "every": "1h"})
        self.post("/deliveries/send", {"provider": "x", "surface": "y", "targetRef": "z"})
        sub = self.get("/subscriptions")["subscriptions"][0]["subscriptionId"]
        for number in range(20):
            self.post("/agents/%s/inbox/items" % agent, {"message": "m%d" % number})
        # The hook is deaf: an activation is there, and stays.
        self.assertTrue(until(lambda: self.get("/status")["recentActivations"]))
        over_http = [json.dumps(self.get(path)) for path in (
            "/status", "/hosts", "/sources", "/agents?include_targets=1", "/timers", "/subscriptions/" + sub,
            "/agents/%s/inbox" % agent, "/agents/%s/inbox/entries?limit=1000&include_acked=1" % agent)]
        over_shell = [self.alfred(*words) for words in (
            ("status",), ("host", "list"), ("source", "list"), ("agent", "show", agent), ("timer", "list"),
            ("subscription", "list"), ("subscription", "show", sub), ("source", "show", source),
            ("inbox", "read", agent, "--limit", "1000", "--include-acked"))]
        stored, http_ids, shell_ids = self.stored(), self.shown(*over_http), self.shown(*over_shell)
        for prefix in self.TABLES:
            with self.subTest(kind=prefix):
                self.assertTrue(stored[prefix])
                if prefix == "cmt":  # the last of each consumer is shown
                    self.assertTrue(http_ids[prefix] and http_ids[prefix] <= stored[prefix])
                    self.assertEqual(http_ids[prefix], shell_ids[prefix])
                    continue
                self.assertEqual(http_ids[prefix], stored[prefix])
                self.assertEqual(shell_ids[prefix], stored[prefix])

    def test_inbox_watch_prints_what_comes_to_the_same_file(self):
        agent, source = self.ready()
        self.append(source, "a")
        watch = subprocess.Popen([ALFRED, "inbox", "watch", agent, "--json"], stdout=subprocess.PIPE, text=True,
                                 env={**os.environ, "ALFRED_HOME": str(self.home)})
        self.addCleanup(watch.stdout.close)
        first = json.loads(watch.stdout.readline())
        self.assertEqual(first["items"][0]["sourceNativeId"], "a")
        self.append(source, "b")
        self.assertEqual(json.loads(watch.stdout.readline())["items"][0]["sourceNativeId"], "b")
        watch.send_signal(signal.SIGINT)
        self.assertEqual(watch.wait(timeout=20), 0)

    def test_what_the_shell_adds_is_read_over_http(self):
        agent, _ = self.ready()
        self.alfred("inbox", "send", agent, "--message", "from a shell")
        self.assertEqual(self.entries(agent)[0]["items"][0]["rawPayload"]["message"], "from a shell")
        made = json.loads(self.alfred("agent", "target", "add", "webhook", agent, "--url", "http://127.0.0.1:9/b"))
        self.assertIn(made["targetId"], json.dumps(self.get("/agents/%s/targets" % agent)))
        self.alfred("agent", "target", "remove", agent, made["targetId"])
        self.assertNotIn(made["targetId"], json.dumps(self.get("/agents/%s/targets" % agent)))


class Sources(Inboxed):
    def send(self, source, body, **headers):
        """As an outside system does: without the token."""
        data = body if isinstance(body, bytes) else json.dumps(body).encode()
        wire = self.server.connect()
        wire.request("POST", "/inbox/sources/%s/webhook" % source, data,
                     {"Content-Type": "application/json",
                      **{name.replace("_", "-"): value for name, value in headers.items()}})
        answer = wire.getresponse()
        out = (answer.status, json.loads(answer.read()))
        wire.close()
        return out

    def mac(self, secret, data):
        return hmac.new(secret.encode(), data, hashlib.sha256).hexdigest()

    def test_a_signed_post_becomes_an_event(self):
        agent, source = self.agent(), self.source(kind="webhook", config={
            "secret": "s3cret", "nativeIdPath": "data.id", "variantPath": "type"})
        self.post("/subscriptions", {"agentId": agent, "sourceId": source})
        data = json.dumps({"type": "paid", "data": {"id": 7}}).encode()
        good = "sha256=" + self.mac("s3cret", data)
        self.assertEqual(self.send(source, data, X_Hub_Signature_256=good, X_Shop="blue", Authorization="Bearer x"),
                         (200, {"appended": 1, "deduped": 0, "lastOffset": 1}))
        self.assertEqual(self.send(source, data, X_Hub_Signature_256=good)[1]["deduped"], 1)
        for bad in ({}, {"X_Hub_Signature_256": "sha256=" + self.mac("other", data)}, {"X_Hub_Signature_256": good[:-1]}):
            status, answer = self.send(source, data, **bad)
            self.assertEqual((status, answer["error"]["code"]), (401, "access"))
        item = self.entries(agent)[0]["items"][0]
        self.assertEqual((item["sourceNativeId"], item["eventVariant"]), ("7", "paid"))
        self.assertEqual(item["rawPayload"], {"type": "paid", "data": {"id": 7}})
        self.assertEqual(item["metadata"]["headers"]["x-shop"], "blue")
        self.assertNotIn("sha256", json.dumps(item["metadata"]))
        self.assertNotIn("s3cret", json.dumps(self.get("/sources/" + source)) + json.dumps(self.get("/status")))

    def test_stripes_signature_has_an_age(self):
        source = self.source(kind="webhook", config={"secret": "s3cret", "signature": "stripe"})
        data = b'{"id": "evt"}'
        for age, status in ((0, 200), (200, 200), (400, 401), (-400, 401)):
            at = str(int(time.time()) - age)
            line = "t=%s,v1=%s,v1=%s" % (at, "0" * 64, self.mac("s3cret", at.encode() + b"." + data))
            self.assertEqual(self.send(source, data, Stripe_Signature=line)[0], status, age)
        self.assertEqual(self.send(source, data, Stripe_Signature="t=x,v1=y")[0], 401)

    def test_a_source_without_a_secret_takes_what_has_the_token(self):
        source = self.source(kind="webhook")
        self.assertEqual(self.send(source, {"a": 1})[0], 401)
        with_token = {"Authorization": "Bearer " + self.server.token}
        self.assertEqual(self.send(source, {"a": 1}, **with_token)[1]["appended"], 1)
        self.assertEqual(self.send(source, {"a": 1}, **with_token)[1]["deduped"], 1)
        self.assertEqual(self.send(source, [1], **with_token)[0], 422)
        self.assertEqual(self.send(self.source("other"), {"a": 1}, **with_token)[0], 409)

    def test_strangers_send_no_more_than_a_signed_event_needs(self):
        source = self.source(kind="webhook", config={"secret": "s3cret"})
        path = "/inbox/sources/%s/webhook" % source
        head = ("POST %s HTTP/1.1\r\nHost: localhost:%d\r\nContent-Type: application/json\r\n"
                % (path, self.server.port)).encode()
        for rest in (b"Content-Length: 262145\r\n\r\n", b"Transfer-Encoding: chunked\r\n\r\n1\r\n"):
            told = self.server.raw(head + rest)  # before any of it comes
            self.assertIn(b" 413 ", told.split(b"\r\n")[0], rest)
            self.assertIn(b"at most 262144 bytes", told)
        for size, status in ((200_000, 200), (262_145, 413)):
            data = b'{"a":"' + b"x" * (size - 8) + b'"}'
            sign = "sha256=" + self.mac("s3cret", data)
            self.assertEqual(self.send(source, data, X_Hub_Signature_256=sign)[0], status, size)

    def github(self, source, event, delivery, payload):
        data = json.dumps({"repository": {"full_name": "acme/shop"}, "sender": {"login": "ann"}, **payload}).encode()
        return self.send(source, data, X_GitHub_Event=event, X_GitHub_Delivery=delivery,
                         X_Hub_Signature_256="sha256=" + self.mac("hush", data))

    def test_following_a_pull_request_until_it_is_merged(self):
        agent = self.agent()
        body = {"agentId": agent, "providerOrKind": "github", "template": "pr", "config": {"secret": "hush"},
                "templateArgs": {"owner": "acme", "repo": "shop", "number": 87, "withCi": True}}
        made = self.post("/follow", body)
        self.assertEqual((made["templateId"], made["sources"][0]["created"]), ("github.pr", True))
        again = self.post("/follow", body)
        self.assertEqual([one["created"] for one in again["sources"] + again["subscriptions"]], [False, False])
        source = made["sources"][0]["sourceId"]
        self.post("/agents/%s/inbox/policy" % agent, {"enabled": False})
        pull = {"number": 87, "title": "Blue", "user": {"login": "ann"}, "head": {"ref": "blue"}}
        told = (("pull_request", {"action": "opened", "pull_request": pull}, "pull_request.opened"),
                ("pull_request", {"action": "opened", "pull_request": {"number": 88}}, None),
                ("issue_comment", {"action": "created", "issue": {"number": 87, "pull_request": {}},
                                   "comment": {"body": "hm"}}, "issue_comment.created"),
                ("issues", {"action": "opened", "issue": {"number": 87}}, None),
                ("workflow_run", {"action": "completed", "workflow_run": {
                    "conclusion": "failure", "head_branch": "blue", "pull_requests": [{"number": 87}]}},
                 "workflow_run.completed"),
                ("pull_request", {"action": "closed", "pull_request": {**pull, "merged": True}},
                 "pull_request.merged"),
                ("pull_request", {"action": "labeled", "pull_request": pull}, None))
        for number, (event, payload, _) in enumerate(told):
            self.assertEqual(self.github(source, event, "d-%d" % number, payload)[0], 200)
            if event == "pull_request" and payload["action"] == "closed":
                self.assertTrue(until(lambda: not self.get("/subscriptions")["subscriptions"]))
        items = [one["items"][0] for one in self.entries(agent)]
        self.assertEqual([one["eventVariant"] for one in items], [want for _, _, want in told if want])
        self.assertEqual(items[0]["deliveryHandle"]["targetRef"], "acme/shop#87")
        self.assertEqual(items[2]["metadata"]["resourceRef"], "repo:acme/shop:pr:87")
        self.assertEqual(self.github(source, "ping", "d-1", {})[1]["appended"], 1)

    def test_a_shortcut_is_the_same_as_its_filter(self):
        agent = self.agent()
        host = self.post("/hosts", {"hostType": "github", "hostKey": "github.com"})["hostId"]
        source = self.post("/sources", {"hostId": host, "streamKind": "repo_events", "streamKey": "acme/shop"})
        made = self.post("/subscriptions", {"agentId": agent, "sourceId": source["sourceId"],
                                            "shortcut": {"name": "issue", "args": {"number": 5}}})
        self.assertEqual(made["trackedResourceRef"], "repo:acme/shop:issue:5")
        self.assertEqual(made["cleanupPolicy"], {"mode": "on_terminal"})
        for bad in ({"name": "pr"}, {"name": "star", "args": {}}, {"name": "pr", "args": {"number": 0}}):
            self.post("/subscriptions", {"agentId": agent, "sourceId": source["sourceId"], "shortcut": bad}, 422)
        for kind, config in (("webhook", {"colour": 1}), ("webhook", {"secret": ""}), ("webhook", {"signature": "x"})):
            host = self.post("/hosts", {"hostType": kind, "hostKey": "k"})["hostId"]
            self.post("/sources", {"hostId": host, "streamKind": "events", "streamKey": "x", "config": config}, 422)


class Programs(Served):
    PACK = "kitchen"
    SCRIPT = """import json, sys, time
count = int(open("count").read()) + 1
open("count", "w").write(str(count))
print("no event")
for number in (1, count):
    print(json.dumps({"sourceNativeId": "n%d" % number, "eventVariant": "line"}), flush=True)
if count > 1:
    time.sleep(600)
"""

    def alfred(self, *words):
        ran = subprocess.run([ALFRED, *words, "--json"], capture_output=True, text=True, timeout=60,
                             env={**os.environ, "ALFRED_HOME": str(self.home)}, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    @staticmethod
    def is_running(script):
        for one in pathlib.Path("/proc").glob("[0-9]*/cmdline"):
            try:
                if str(script).encode() in one.read_bytes().split(b"\0"):
                    return True
            except OSError:
                pass  # it ended meanwhile
        return False

    def test_a_program_prints_events_and_is_started_again(self):
        script, count = self.dir / "program.py", self.dir / "count"
        script.write_text(self.SCRIPT.replace('"count"', repr(str(count))), encoding="utf-8")
        count.write_text("0", encoding="ascii")
        host = self.alfred("host", "add", "--type", "exec", "--key", "here")["hostId"]
        source = self.alfred("source", "add", host, "--key", "log", "--config-json",
                             json.dumps({"command": [sys.executable, str(script)]}))["sourceId"]
        self.alfred("agent", "register", "--id", "fox", "--webhook", HOOK["url"])
        server = self.start("--exec")
        time.sleep(0.7)
        self.assertEqual(count.read_text(encoding="ascii"), "0")  # nobody reads it: it is not run
        self.alfred("subscription", "add", "fox", source)
        self.assertTrue(until(lambda: len(server.get("/inbox/agents/fox/inbox/entries").json["entries"]) == 2))
        entries = server.get("/inbox/agents/fox/inbox/entries").json["entries"]
        self.assertEqual([one["items"][0]["sourceNativeId"] for one in entries], ["n1", "n2"])
        self.assertTrue(any("no JSON" in line for line in server.log))
        self.assertTrue(self.is_running(script))
        self.alfred("source", "pause", source)
        self.assertTrue(until(lambda: not self.is_running(script)))
        self.alfred("source", "resume", source)
        self.assertTrue(until(lambda: self.is_running(script)))
        self.assertEqual(server.stop(), 0)
        self.assertFalse(self.is_running(script))

    def test_programs_are_not_set_up_over_http(self):
        host = self.alfred("host", "add", "--type", "exec", "--key", "here")["hostId"]
        source = self.alfred("source", "add", host, "--key", "k", "--config-json", '{"command": ["true"]}')["sourceId"]
        server = self.start()
        body = {"hostId": host, "streamKind": "events", "streamKey": "x", "config": {"command": ["touch", "x"]}}
        self.assertEqual(server.post("/inbox/hosts", {"hostType": "exec", "hostKey": "a"}).status, 409)
        self.assertEqual(server.post("/inbox/sources", body).status, 409)
        changed = server.ask("PATCH", "/inbox/sources/" + source, {"config": {"command": ["touch", "x"]}})
        self.assertEqual(changed.status, 409)


class Described(Inboxed):
    """Every route under /inbox answers as /inbox/openapi.json says."""

    def test_every_route_answers_as_it_is_described(self):
        description = self.get("/openapi.json")
        checker = Checker(description)
        agent, source = self.ready()
        self.append(source, "a")
        ids = {"agent": agent, "source": source, "host": self.get("/hosts")["hosts"][0]["hostId"],
               "subscription": self.get("/subscriptions")["subscriptions"][0]["subscriptionId"],
               "target": self.get("/agents/fox/targets")["targets"][0]["targetId"],
               "timer": self.post("/timers", {"agentId": agent, "message": "m", "every": "1h"})["scheduleId"]}
        bodies = {
            "InboxRegister": {"agentId": agent, "webhook": HOOK}, "InboxTargetRequest": {"kind": "mcp"},
            "InboxHostRequest": {"hostType": "local_event", "hostKey": "here"},
            "InboxSourceRequest": {"hostId": ids["host"], "streamKind": "events", "streamKey": "builds"},
            "InboxSourceChange": {"config": {}}, "InboxSchemaPreview": {"sourceRef": "local_event"},
            "InboxEvent": {"sourceNativeId": "b", "eventVariant": "x"},
            "InboxSubscribe": {"agentId": agent, "sourceId": source},
            "InboxResetRequest": {"startPolicy": "earliest"}, "InboxMessage": {"message": "hello"},
            "InboxAck": {"all": True}, "InboxPolicyChange": {"windowMs": 1000},
            "InboxTimerRequest": {"agentId": agent, "message": "m", "every": "1h"},
            "InboxHandle": {"provider": "alfred", "surface": "agent", "targetRef": agent},
            "InboxDeliveryRequest": {"provider": "alfred", "surface": "agent", "targetRef": agent,
                                     "payload": {"text": "hi"}},
            "InboxFollow": {"agentId": agent, "providerOrKind": "github", "template": "repo",
                            "templateArgs": {"owner": "o", "repo": "r"}},
            "InboxPosted": {"zen": "x"}, "Nothing": None}
        operations = [(path, method, one) for path, methods in description["paths"].items()
                      for method, one in methods.items() if not path.endswith("/watch")]
        # What removes something comes last, what it hangs on after it.
        order = ["/subscriptions/{subscription}", "/timers/{timer}", "/agents/{agent}/targets/{target}",
                 "/agents/{agent}", "/sources/{source}"]
        operations.sort(key=lambda one: order.index(one[0]) + 1 if one[1] == "delete" and one[0] in order else 0)
        for path, method, operation in operations:
            if path.startswith("/streams") and method == "delete":
                continue  # the same as of the source, which can be removed once
            filled = path
            for name, value in ids.items():
                filled = filled.replace("{%s}" % name, value)
            if method == "delete" and path == "/sources/{source}":
                filled += "?with_subscriptions=1"
            body = None
            if "requestBody" in operation:
                schema = operation["requestBody"]["content"]["application/json"]["schema"]
                body = bodies[schema["$ref"].rsplit("/", 1)[1]]
            if operation["operationId"].startswith("post_webhook"):
                continue  # of sources that take posts: their own test
            with self.subTest(operation=operation["operationId"]):
                answer = self.ask(method.upper(), filled, body)
                good = operation["responses"]["200"]["content"]["application/json"]["schema"]
                checker.check(good, answer, operation["operationId"])
        self.assertGreaterEqual(len(operations), 50)


if __name__ == "__main__":
    unittest.main()

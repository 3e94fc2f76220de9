"""inbox_test.py ALFRED: `alfred mcp --inbox AGENT` over pipes: tools, the resource, and being woken."""
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

import mcp_client
from mcp_client import Server

ALFRED = os.path.abspath(sys.argv.pop(1))
URI = "inbox://fox"


class Inbox(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="alfred-mcp-")
        self.addCleanup(scratch.cleanup)
        self.home = pathlib.Path(scratch.name)
        self.db = self.home / "theirs.db"
        mcp_client.fill(self.db)
        self.server = Server(ALFRED, self.home, "--db", str(self.db), "--inbox", "fox")
        self.server.start()

    def tearDown(self):
        code, errors = self.server.end()
        self.assertEqual(code, 0, errors)

    def alfred(self, *words):
        ran = subprocess.run([ALFRED, *words, "--json"], capture_output=True, text=True, timeout=60,
                             env={**os.environ, "ALFRED_HOME": str(self.home)}, check=False)
        self.assertEqual(ran.returncode, 0, ran.stderr)
        return json.loads(ran.stdout)

    def read(self, **arguments):
        return self.server.call("inbox_read", **arguments)["structuredContent"]

    def test_reads_acks_and_sends(self):
        tools = [tool["name"] for tool in self.server.request("tools/list")["result"]["tools"]]
        self.assertEqual(tools[-3:], ["inbox_read", "inbox_ack", "inbox_send"])
        self.assertEqual(self.read(), {"entries": [], "has_more": False})
        for number in range(3):
            self.alfred("inbox", "send", "fox", "--message", "m%d" % number)
        page = self.read(limit=2)
        self.assertEqual([one["items"][0]["rawPayload"]["message"] for one in page["entries"]], ["m0", "m1"])
        self.assertTrue(page["has_more"])
        rest = self.read(after_entry_id=page["entries"][1]["entryId"])
        self.assertEqual((len(rest["entries"]), rest["has_more"]), (1, False))
        acked = self.server.call("inbox_ack", through_entry_id=page["entries"][0]["entryId"])
        self.assertEqual(acked["structuredContent"], {"acked": 1})
        for bad in ({}, {"all": True, "entry_ids": []}, {"colour": "red"}):
            self.assertTrue(self.server.call("inbox_ack", **bad)["isError"], bad)
        self.alfred("agent", "register", "--id", "owl", "--webhook", "http://127.0.0.1:9/")
        self.server.call("inbox_send", agent="owl", message="hello")
        got = self.alfred("inbox", "read", "owl")["entries"][0]["items"][0]["rawPayload"]
        self.assertEqual(got, {"message": "hello", "sender": "fox"})
        self.assertTrue(self.server.call("inbox_send", agent="nobody", message="x")["isError"])
        self.assertEqual(len(self.server.call("db_read", table="books")["structuredContent"]["rows"]), 5)

    def test_long_answers_are_cut_at_whole_entries(self):
        for number in range(3):
            self.alfred("inbox", "send", "fox", "--message", "%d" % number + "x" * 15_000)
        page = self.read()
        self.assertEqual((len(page["entries"]), page["has_more"]), (1, True))

    def test_a_client_that_subscribed_is_told(self):
        listed = self.server.request("resources/list")["result"]["resources"]
        self.assertIn(URI, [one["uri"] for one in listed])
        self.server.request("resources/subscribe", {"uri": URI})
        for number in range(20):  # the twentieth wakes at once
            self.alfred("inbox", "send", "fox", "--message", "m%d" % number)
        told = self.server.hear()
        self.assertEqual((told["method"], told["params"]), ("notifications/resources/updated", {"uri": URI}))
        text = self.server.request("resources/read", {"uri": URI})["result"]["contents"][0]["text"]
        self.assertEqual(len(json.loads(text)["entries"]), 20)
        activation = self.alfred("status")["recentActivations"][0]
        self.assertEqual((activation["kind"], activation["status"]), ("mcp", "delivered"))


if __name__ == "__main__":
    unittest.main()

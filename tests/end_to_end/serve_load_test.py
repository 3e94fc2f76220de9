"""serve_load_test.py ALFRED PACKS: many clients of `alfred serve` at once, and a kill in the middle of them.

I-17, I-22: what was acknowledged is there after a kill, once; what was not, is there once after it is sent again.
"""
import os
import sqlite3
import threading
import unittest

from served import Served, until


class Load(Served):
    def names(self):
        base = sqlite3.connect(self.home / "bookshelf.db")
        rows = [name for name, in base.execute("SELECT name FROM authors")]
        base.close()
        return rows

    @staticmethod
    def create(server, session, name, wire=None):
        """By the session's records, or where there is none by MCP. Whether it was acknowledged."""
        key = name.replace(" ", "-")
        row = {"table": "authors", "data": [{"name": name}]}
        if session:
            answer = server.post("/v1/sessions/%s/records/create" % session, row, connection=wire, Idempotency_Key=key)
            return answer.status == 200
        meta = {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                "io.modelcontextprotocol/clientCapabilities": {}}
        params = {"name": "db_create", "arguments": {**row, "idempotency_key": key}, "_meta": meta}
        answer = server.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": params},
                             connection=wire, MCP_Protocol_Version="2026-07-28", Mcp_Method="tools/call",
                             Mcp_Name="db_create")
        return answer.status == 200 and "isError" not in answer.json["result"]

    def test_F8_a_log_that_nobody_reads_holds_up_no_end(self):
        server = self.start(reads_log=False)
        wire = server.connect()
        for _ in range(1500):  # of some 150 bytes each: more than a pipe holds
            self.assertEqual(server.ask("GET", "/v1/nothing", connection=wire).status, 404)
        self.assertEqual(server.stop(), 0)

    def test_kill_under_load_keeps_every_acknowledged_write_once(self):
        server = self.start()
        sessions = [server.session() for _ in range(6)] + [None, None]
        sent, done = [], []

        def write(number):
            wire = server.connect()
            for count in range(1000):
                name = "Author %d of %d" % (count, number)
                sent.append((number, name))
                try:
                    if self.create(server, sessions[number], name, wire):
                        done.append(name)
                except OSError:
                    return

        threads = [threading.Thread(target=write, args=(number,)) for number in range(8)]
        for thread in threads:
            thread.start()
        self.assertTrue(until(lambda: len(done) >= 40 and any(name.endswith("of 7") for name in done), 60))
        server.process.kill()
        for thread in threads:
            thread.join(30)
        server.stop()
        names = self.names()
        for name in done:
            self.assertEqual(names.count(name), 1, name)
        server = self.start()
        for number, name in sent:
            if name not in done:
                self.assertTrue(self.create(server, sessions[number], name), name)
        names = self.names()
        for _, name in sent:
            self.assertEqual(names.count(name), 1, name)

    def test_sessions_side_by_side_do_not_mix(self):
        server = self.start()
        problems = []

        def talk(number):
            session = server.session()
            for count in range(2):
                message = "what about number %d and %d?" % (number, count)
                turn = server.post(server.turns(session), {"message": message})
                if turn.status != 200 or turn.json["message"] != message or turn.json["number"] != count + 1:
                    problems.append(turn.body)

        threads = [threading.Thread(target=talk, args=(number,)) for number in range(16)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(60)
        self.assertEqual(problems, [])
        self.assertTrue(until(lambda: len(os.listdir("/proc/%d/fd" % server.process.pid)) < 64))


if __name__ == "__main__":
    unittest.main()

"""serve_many_test.py ALFRED PACKS: many sessions of `alfred serve` side by side, over HTTP and MCP: no error, and memory
that stays as it is. 64 for a minute where ALFRED_TEST_SIZE is `all`; else few, for seconds.
"""
import os
import pathlib
import threading
import time
import unittest

from served import Served

SESSIONS, SECONDS = (64, 60) if os.environ.get("ALFRED_TEST_SIZE") == "all" else (6, 4)


class User:
    """A session that says something, reads and looks, and one of MCP that reads."""

    def __init__(self, server):
        self.server = server
        self.wire = server.connect()
        self.session = server.post("/v1/sessions", connection=self.wire).json["id"]
        begun = self.mcp("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}})
        self.mcp_session = begun.headers["Mcp-Session-Id"]
        self.done = 0

    mcp_session = None

    def mcp(self, method, params):
        return self.server.post("/mcp", {"jsonrpc": "2.0", "id": 1, "method": method, "params": params},
                                connection=self.wire, Mcp_Session_Id=self.mcp_session)

    def step(self):
        base = "/v1/sessions/" + self.session
        kind = self.done % 8
        self.done += 1
        if kind == 0:
            return self.server.post(base + "/turns", {"message": "hello"}, connection=self.wire)
        if kind == 1:
            return self.server.get(base + "/working-set", connection=self.wire)
        if kind < 4:
            return self.server.post(base + "/records/read", {"table": "authors", "limit": 5}, connection=self.wire)
        return self.mcp("tools/call", {"name": "db_read", "arguments": {"table": "authors", "limit": 5}})


class Many(Served):
    def megabytes(self):
        pages = pathlib.Path("/proc/%d/statm" % self.server.process.pid).read_text(encoding="ascii").split()[1]
        return int(pages) * os.sysconf("SC_PAGE_SIZE") / 1e6

    def test_no_error_and_flat_memory(self):
        # What the sanitizer keeps of freed memory is not ours.
        server = self.start(ASAN_OPTIONS=os.environ.get("ASAN_OPTIONS", "") + 
                            ":quarantine_size_mb=1:detect_stack_use_after_return=0")
        users = [User(server) for _ in range(SESSIONS)]
        problems = []
        warm = threading.Barrier(SESSIONS + 1)
        end = [0.0]

        def use(user):
            def good():
                answer = user.step()
                if answer.status != 200 or b'"isError"' in answer.body:
                    problems.append((answer.status, answer.body))
                return not problems
            try:
                for _ in range(16):
                    good()
                warm.wait(300)
                warm.wait(300)
                while time.monotonic() < end[0] and good():
                    pass
            except Exception as error:  # a thread that ends is a problem of the test, too
                problems.append(error)
                warm.abort()
                raise

        threads = [threading.Thread(target=use, args=(user,)) for user in users]
        for thread in threads:
            thread.start()
        warm.wait(300)
        before = self.megabytes()
        asked = sum(user.done for user in users)
        end[0] = time.monotonic() + SECONDS
        warm.wait(300)
        sizes = []
        while any(thread.is_alive() for thread in threads):
            time.sleep(SECONDS / 20)
            sizes.append(self.megabytes())
        for thread in threads:
            thread.join()
        for user in users:
            user.wire.close()
        self.assertEqual(problems, [])
        print("%d sessions, %d s, %d requests; MB: %.0f, then" %
              (SESSIONS, SECONDS, sum(user.done for user in users) - asked, before),
              *("%.0f" % size for size in sizes))
        # Threads and caches are used for the first time in the first third; in few seconds, sanitized, longer.
        third, last = sizes[len(sizes) // 3], sizes[-1]
        self.assertLess(last, third * 1.1 + 4 if SECONDS == 60 else third * 1.5 + 32)


if __name__ == "__main__":
    unittest.main()

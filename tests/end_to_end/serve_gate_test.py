"""serve_gate_test.py ALFRED PACKS: who may come in to `alfred serve`, and what it withstands (robustness.md, F and G).

Real sockets against the running binary; waits are for conditions.
"""
import contextlib
import json
import os
import pathlib
import re
import resource
import socket
import stat
import threading
import time
import unittest

import chat_answers
from pseudo_terminal import Terminal
from served import ALFRED, PACKS, Served, Server, Shared, be_nobody, until


def has_sanitizers():
    return b"__asan_init" in pathlib.Path(ALFRED).read_bytes()


class Gate(Shared):
    def status(self, path="/v1/sessions", **headers):
        return self.server.get(path, **headers).status

    def test_G1_only_its_own_hosts(self):
        server = self.server
        for good in ("127.0.0.1", "localhost"):
            self.assertEqual(self.status(Host="%s:%d" % (good, server.port)), 200)
        for bad in ("evil.com", "localhost.:%d" % server.port, "a@localhost:%d" % server.port,
                    "2130706433:%d" % server.port, "localhost"):
            self.assertEqual(self.status(Host=bad), 403, bad)
        head = b"GET /healthz HTTP/1.1\r\n%sConnection: close\r\n\r\n"
        self.assertIn(b" 400 ", server.raw(head % b"").split(b"\r\n")[0])
        host = b"Host: localhost:%d\r\n" % server.port
        self.assertIn(b" 400 ", server.raw(head % (host + host)).split(b"\r\n")[0])
        self.assertIn(b" 200 ", server.raw(head % host).split(b"\r\n")[0])
        # The connection ends with it: what follows is answered by nobody.
        asked = b"GET /healthz HTTP/1.1\r\n%s\r\n"
        out = server.raw(asked % (host + host) + asked % host)
        self.assertEqual(out.count(b"HTTP/1.1 "), 1, out)
        self.assertIn(b" 400 ", out.split(b"\r\n")[0])

    def test_G2_only_its_own_origin(self):
        server = self.server
        self.assertEqual(self.status(Origin="http://localhost:%d" % server.port), 200)
        for bad in ("null", "http://localhost.evil.com", "https://localhost:%d" % server.port,
                    "http://localhost:1"):
            self.assertEqual(self.status(Origin=bad), 403, bad)

    def test_G3_nobody_without_the_token(self):
        server = self.server
        self.assertEqual(stat.S_IMODE(os.stat(self.home / "http_token").st_mode), 0o600)
        self.assertEqual(self.status(), 200)
        prefixes = ["Bearer " + server.token[:size] for size in range(len(server.token))]
        for bad in (None, *prefixes, "Bearer " + server.token + "x", "Basic " + server.token,
                    "Bearer " + server.token[:-1] + "~"):
            answer = server.get("/v1/sessions", Authorization=bad)
            self.assertEqual((answer.status, answer.json["error"]["code"]), (401, "access"), bad)
            self.assertEqual(answer.headers["WWW-Authenticate"], "Bearer")
        self.assertEqual(server.get("/v1/sessions?token=" + server.token, Authorization=None).status, 401)
        self.assertEqual(server.get("/nowhere", Authorization=None).status, 401)
        self.assertEqual(server.get("/healthz", Authorization=None).status, 200)

    def test_G4_what_changes_something_is_json(self):
        server = self.server
        for bad in ("application/x-www-form-urlencoded", "text/plain", None):
            answer = server.ask("POST", "/v1/sessions", {}, Content_Type=bad)
            self.assertEqual(answer.status, 415, bad)
        self.assertEqual(server.get("/v1/sessions").json["sessions"], [])

    def test_G9_odd_paths(self):
        server = self.server
        for path in ("/v1/%2e%2e/healthz", "//healthz", "/v1/%00", "/" + "a" * 5000, "/v1/%c0%af", "/v1/.."):
            self.assertIn(self.status(path), (400, 404), path)
        self.assertEqual(self.status("/" + "a" * 10240), 414)
        for path in ("/v1/sessions/", "/v1/sessions/?a", "/v1/sessions/ses_/turns/", "/page", "/page/",
                     "/page/none.js", "/index.html"):
            self.assertEqual(self.status(path), 404, path)
        self.assertEqual(server.get("/v1/sessions").json["sessions"], [])  # an empty id makes none
        other = server.ask("DELETE", "/v1/sessions")
        self.assertEqual((other.status, other.headers["Allow"]), (405, "POST, GET"))
        self.assertEqual(other.json["error"]["allowed"], ["POST", "GET"])

    def test_the_page_comes_without_the_token_to_its_own_hosts_only(self):
        server = self.server
        page = server.get("/", Authorization=None)
        self.assertEqual((page.status, page.headers["Content-Type"]), (200, "text/html; charset=utf-8"))
        self.assertNotIn(server.token.encode(), page.body)
        self.assertEqual(page.headers["Cache-Control"], "no-cache")
        self.assertEqual(page.headers["X-Content-Type-Options"], "nosniff")
        self.assertTrue(page.headers["Content-Security-Policy"].startswith("default-src 'none'; script-src 'self';"))
        head = server.ask("HEAD", "/page/main.js", Authorization=None)
        self.assertEqual((head.status, head.body), (200, b""))
        self.assertGreater(int(head.headers["Content-Length"]), 100)
        same = server.get("/", If_None_Match=page.headers["ETag"])
        self.assertEqual((same.status, same.body, same.headers["Content-Length"]), (304, b"", None))
        for method in ("POST", "DELETE"):
            self.assertEqual(server.ask(method, "/", {}).headers["Allow"], "GET, HEAD")
        for headers in ({"Host": "evil.com"}, {"Origin": "http://evil.com"}, {"Sec_Fetch_Site": "cross-site"}):
            self.assertEqual(server.get("/", **headers).status, 403, headers)
        self.assertNotIn(server.token, "".join(server.log))

    def test_the_address_of_the_page_brings_the_token_along_in_a_terminal_only(self):
        said = [self.server.process.stdout.readline() for _ in range(2)]
        self.assertEqual(said[1], "The page is http://127.0.0.1:%d/ and asks for the token\n" % self.server.port)
        self.assertNotIn(self.server.token, "".join(said))
        environment = {**os.environ, "ALFRED_HOME": str(self.home), "TERM": "xterm"}
        terminal = Terminal([ALFRED, "serve", "--port", "0", "--pack", os.path.join(PACKS, "bookshelf")], environment)
        terminal.wait_for("/#token=" + self.server.token)
        terminal.leave("\x03")


class Wire(Shared):
    def head(self, token=True, path=b"/v1/sessions"):
        """Of a request that would be taken, without what says how long its body is."""
        return (b"POST %s HTTP/1.1\r\nHost: localhost:%d\r\nContent-Type: application/json\r\n%s" %
                (path, self.server.port, b"Authorization: Bearer %s\r\n" % self.server.token.encode() if token else b""))

    def memory_kb(self):
        with open("/proc/%d/status" % self.server.process.pid, encoding="ascii") as status:
            return next(int(line.split()[1]) for line in status if line.startswith("VmRSS:"))

    def line(self, data, **more):
        out = self.server.raw(data, **more)
        return out.split(b"\r\n")[0].decode()

    def test_G5_smuggling_gets_400_and_the_end(self):
        server = self.server
        self.sessions = server.get("/v1/sessions").json["sessions"]
        head = (b"POST /v1/sessions HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n"
                b"Content-Type: application/json\r\n" % (server.port, server.token.encode()))
        for rest in (b"Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
                     b"Content-Length: 4\r\nContent-Length: 5\r\n\r\nabcde",
                     b"Content-Length: -1\r\n\r\n",
                     b"Content-Length: 5\r\nContent-Length: 5\r\n\r\nabcde",
                     b"Transfer-Encoding: chunked\r\n\r\n-2\r\nab\r\n0\r\n\r\n",
                     b"Transfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nab\r\n0\r\n\r\n",
                     b"X: a\r\n b\r\n\r\n", b"X: a\0b\r\n\r\n", b"X: a\n\n"):
            # A second request behind it must not be answered.
            out = server.raw(head + rest + b"GET /healthz HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % server.port)
            self.assertIn(b" 400 ", out.split(b"\r\n")[0], rest)
            self.assertEqual(len(re.findall(rb"HTTP/1.1 \d", out)), 1, rest)
        for cut in (b"Transfer-Encoding: chunked\r\n\r\n2\r\nab\r\n", b"Content-Length: 9\r\n\r\n{}", b"X: a"):
            self.assertIn(b" 400 ", server.raw(head + cut, shut=True).split(b"\r\n")[0], cut)
        self.assertEqual(server.get("/v1/sessions").json["sessions"], self.sessions)

    def test_G5_chunks_with_bare_line_feeds_get_400_at_once(self):
        for body in (b"2\n{}\n0\n\n", b"2\r\n{}\n", b"2\r\n{}\r\n0\r\n\n"):
            begun = time.monotonic()
            self.assertIn(" 400 ", self.line(self.head() + b"Transfer-Encoding: chunked\r\n\r\n" + body))
            self.assertLess(time.monotonic() - begun, 3)

    def test_G5_fields_behind_the_body_are_no_headers(self):
        server = self.server
        chunked = b"Connection: close\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n%s\r\n"
        token = b"Authorization: Bearer %s\r\n" % server.token.encode()
        self.assertIn(" 401 ", self.line(self.head(token=False) + chunked % token))
        head = b"POST /v1/sessions HTTP/1.1\r\n" + token
        kind, host = b"Content-Type: application/json\r\n", b"Host: localhost:%d\r\n" % server.port
        self.assertIn(" 400 ", self.line(head + kind + chunked % host))
        self.assertIn(" 415 ", self.line(head + host + chunked % kind))
        key = b"Idempotency-Key: behind\r\nOrigin: null\r\n"
        made = [server.raw(self.head() + chunked % key) for _ in range(2)]
        ids = re.findall(rb'"id":"(ses_[0-9a-z]+)"', b"".join(made))
        self.assertEqual(len(set(ids)), 2, made)

    def test_G3_a_body_is_read_for_those_only_who_may_come_in(self):
        server = self.server
        large, endless = b"Content-Length: 1048577\r\n\r\n", b"Content-Length: 900000\r\n\r\n{"
        for rest in (large, endless, b"Expect: 100-continue\r\n" + endless, b"Transfer-Encoding: chunked\r\n\r\n5\r\n"):
            begun = time.monotonic()
            out = server.raw(self.head(token=False) + rest)
            self.assertIn(b" 401 ", out.split(b"\r\n")[0], rest)
            self.assertIn(b"\r\nConnection: close\r\n", out)
            self.assertEqual(len(re.findall(rb"HTTP/1.1 \d", out)), 1)
            self.assertIn(b" 403 ", server.raw(self.head() + b"Origin: null\r\n" + rest).split(b"\r\n")[0])
            self.assertIn(" 404 ", self.line(self.head(path=b"/nowhere") + rest))
            self.assertIn(" 405 ", self.line(self.head(path=b"/healthz") + rest))
            for path in (b"/healthz", b"/", b"/page/main.js"):  # open to everybody
                asked = self.head(token=False, path=path).replace(b"POST", b"GET")
                self.assertIn(" 413 ", self.line(asked + rest), path)
            self.assertLess(time.monotonic() - begun, 3)
        self.assertIn(" 413 ", self.line(self.head() + large))
        self.assertIn(" 401 ", self.line(self.head(token=False, path=b"/mcp") + large))

    def test_G4_a_packed_body_and_what_cannot_be_expected_are_refused(self):
        rest = b"Content-Length: 2\r\nConnection: close\r\n\r\n{}"
        self.assertIn(" 415 ", self.line(self.head() + b"Content-Encoding: gzip\r\n" + rest))
        self.assertIn(" 417 ", self.line(self.head() + b"Expect: foo\r\n" + rest))
        self.assertIn(" 401 ", self.line(self.head(token=False) + b"Content-Encoding: gzip\r\n" + rest))
        for name in (b"Origin: http://localhost:%d\r\nOrigin: http://evil.com\r\n" % self.server.port,
                     b"Sec-Fetch-Site: none\r\nSec-Fetch-Site: cross-site\r\n"):
            self.assertIn(" 400 ", self.line(self.head() + name + rest))

    def test_G6_strangers_cost_no_memory(self):
        before = self.memory_kb()
        wires = [socket.create_connection(("127.0.0.1", self.server.port)) for _ in range(250)]
        self.addCleanup(lambda: [one.close() for one in wires])
        for one in wires:
            with contextlib.suppress(OSError):  # it may be gone before all is sent
                one.settimeout(2)
                one.sendall(self.head(token=False) + b"Content-Length: 950000\r\n\r\n" + b" " * 900000)
        self.assertLess(self.memory_kb() - before, 30_000)
        self.assertEqual(self.server.get("/healthz").status, 200)

    def test_G6_a_body_beyond_the_limit_gets_413(self):
        server = self.server
        head = (b"POST /v1/sessions HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n"
                b"Content-Type: application/json\r\n" % (server.port, server.token.encode()))
        self.assertIn(" 413 ", self.line(head + b"Content-Length: 1048577\r\n\r\n"))
        chunk = b"10000\r\n" + b" " * 65536 + b"\r\n"
        self.assertIn(" 413 ", self.line(head + b"Transfer-Encoding: chunked\r\n\r\n" + chunk * 17))
        whole = head + b"Connection: close\r\nContent-Length: 1048576\r\n\r\n" + b" " * 1048574 + b"{}"
        self.assertIn(" 201 ", self.line(whole))

    def p99(self, wire, count=100):
        times = []
        for _ in range(count):
            at = time.monotonic()
            self.assertEqual(self.server.ask("GET", "/healthz", connection=wire).status, 200)
            times.append(time.monotonic() - at)
        return sorted(times)[count * 99 // 100 - 1]

    @staticmethod
    def is_closed(wire):
        """Also when the end has come after bytes that nobody took."""
        try:
            wire.setblocking(False)
            return wire.recv(1) == b""
        except BlockingIOError:
            return False
        except OSError:
            return True

    def test_G7_slowloris_is_cut_off_and_others_are_served(self):
        server = self.server
        with contextlib.closing(server.connect()) as wire:
            usual = max(self.p99(wire) for _ in range(3))
            slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(250)]
            self.addCleanup(lambda: [one.close() for one in slow])
            begun = time.monotonic()
            beside, feeds = [], 0
            while time.monotonic() - begun < 4:
                if time.monotonic() - begun >= feeds:  # a byte each second, of a head that never ends
                    for one in slow:
                        with contextlib.suppress(OSError):
                            one.sendall(b"GET / HTTP/1.1"[feeds:feeds + 1])
                    feeds += 1
                beside.append(self.p99(wire))
            self.assertEqual([one for one in slow if self.is_closed(one)], [])
            self.assertLess(min(beside), 2 * usual + 0.002)
        self.assertTrue(until(lambda: all(self.is_closed(one) for one in slow), 5))
        self.assertGreater(time.monotonic() - begun, 4.5)
        self.assertLess(time.monotonic() - begun, 8.0)

    def test_G7_bodies_that_never_end_keep_nobody_out(self):
        server = self.server
        head = self.head() + b"Content-Length: 9\r\n\r\n{"
        slow = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(256)]
        self.addCleanup(lambda: [one.close() for one in slow])
        for one in slow:
            one.sendall(head)
        for _ in range(20):
            self.assertEqual(server.get("/healthz").status, 200)

    def test_G7_a_full_house_makes_room(self):
        server = self.server
        waiting = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(300)]
        self.addCleanup(lambda: [one.close() for one in waiting])
        self.assertEqual(server.get("/healthz").status, 200)

    def test_G8_requests_behind_each_other(self):
        server = self.server
        one = b"GET /healthz HTTP/1.1\r\nHost: localhost:%d\r\n\r\n" % server.port
        last = b"GET /nowhere HTTP/1.1\r\nHost: localhost:%d\r\nConnection: close\r\n\r\n" % server.port
        out = server.raw(one * 99 + last)
        statuses = re.findall(rb"HTTP/1.1 (\d+)", out)
        self.assertEqual(statuses, [b"200"] * 99 + [b"401"])
        # Each has its own answer, in the order they were asked in, whoever was done first.
        ids = [server.session() for _ in range(4)]
        asked = [ids[number * 7 % 4] for number in range(100)]
        out = server.raw(b"".join(
            b"GET /v1/sessions/%s HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n%s\r\n" %
            (one.encode(), server.port, server.token.encode(), b"Connection: close\r\n" if number == 99 else b"")
            for number, one in enumerate(asked)))
        self.assertEqual(re.findall(rb'"id":"(ses_[0-9a-z]+)"', out), [one.encode() for one in asked])
        self.assertIn(b" 200 ", server.raw(one, shut=True))  # half-closed
        self.assertIn(b" 400 ", server.raw(b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"))
        self.assertIn(b" 400 ", server.raw(b"GET /healthz\r\n\r\n"))
        old = server.raw(b"GET /healthz HTTP/1.0\r\nHost: localhost:%d\r\n\r\n" % server.port)
        self.assertTrue(old.endswith(b'{"status":"ok"}\n'))


class Process(Served):
    def test_G3_the_token_is_kept_and_never_told(self):
        first = self.start()
        token = first.token
        first.session()
        first.get("/v1/sessions?token=" + token)
        first.stop()
        self.assertNotIn(token, "".join(first.log))
        self.assertEqual(self.start().token, token)

    def test_G12_a_stream_that_nobody_reads_does_not_stop_the_turn(self):
        path = self.dir / "answers.jsonl"
        reply = "so it is. " * 120_000  # more than the buffer holds, and nothing like a key
        path.write_text(chat_answers.lines(chat_answers.add_author("Ann", reply=reply)), encoding="utf-8")
        server = self.start("--replay", str(path))
        session = server.session()
        body = json.dumps({"message": "add Ann"}).encode()
        with socket.create_connection(("127.0.0.1", server.port)) as wire:
            wire.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
            wire.sendall(b"POST %s HTTP/1.1\r\nHost: localhost:%d\r\nAuthorization: Bearer %s\r\n"
                         b"Content-Type: application/json\r\nAccept: text/event-stream\r\n"
                         b"Content-Length: %d\r\n\r\n%s" % (server.turns(session).encode(), server.port,
                                                          server.token.encode(), len(body), body))
            self.assertTrue(until(lambda: [one["status"] for one in server.get(server.turns(session)).json["turns"]]
                                  == ["finished"], 60))
            # What did not fit is not kept for it: the stream ends without its last event.
            wire.settimeout(20)
            got = b""
            while piece := wire.recv(65536):
                got += piece
        self.assertIn(b"event: turn_started", got)
        self.assertNotIn(b"event: turn\n", got)
        self.assertLess(len(got), 1_200_000)
        self.assertEqual(server.get("/healthz").status, 200)

    def test_F2_sigterm_lets_a_turn_finish(self):
        path = self.dir / "answers.jsonl"
        path.write_text(chat_answers.lines(chat_answers.add_author("Ann", waits={2: 800})), encoding="utf-8")
        server = self.start("--replay", str(path))
        session = server.session()
        done = []
        thread = threading.Thread(target=lambda: done.append(
            server.post(server.turns(session), {"message": "add Ann"})))
        thread.start()
        self.assertTrue(until(lambda: "running" in server.get("/v1/sessions/" + session).json))
        self.assertEqual(server.stop(), 0)
        thread.join(20)
        self.assertEqual(done[0].json["reply"], "Added **Ann**.")
        self.assertIn('"drained":true', "".join(server.log))

    def test_F2_idle_connections_do_not_hold_it_up(self):
        server = self.start()
        wire = server.connect()
        self.assertEqual(server.ask("GET", "/healthz", connection=wire).status, 200)
        begun = time.monotonic()
        self.assertEqual(server.stop(), 0)
        self.assertLess(time.monotonic() - begun, 5)
        wire.close()

    def test_F10_a_port_that_is_taken_is_named(self):
        server = self.start()
        with self.assertRaisesRegex(RuntimeError, "^2: .*127.0.0.1:%d" % server.port):
            Server(self.home, port=server.port)

    def test_F10_an_address_or_port_that_cannot_be_had_is_named(self):
        for arguments, where in ((("--address", "192.0.2.1"), "192.0.2.1:0"), (("--address", "2001:db8::1"), "2001:db8::1")):
            with self.assertRaisesRegex(RuntimeError, "^2: .*%s.* cannot be listened on: .*Choose another" % where):
                Server(self.home, *arguments)
        least = int(pathlib.Path("/proc/sys/net/ipv4/ip_unprivileged_port_start").read_text(encoding="ascii"))
        if least <= 81:
            self.skipTest("any port may be taken here")
        home = self.dir / "nobodys"
        home.mkdir()
        if os.geteuid() == 0:
            os.chmod(self.dir, 0o711)
            os.chown(home, 65534, 65534)
        with self.assertRaisesRegex(RuntimeError, "^2: .*127.0.0.1:81 cannot be listened on: Permission denied"):
            Server(home, port=81, before=be_nobody)

    def test_F9_a_folder_that_is_only_read_is_named_with_the_reason(self):
        self.home.mkdir()
        os.chmod(self.dir, 0o711)
        os.chmod(self.home, 0o555)
        with self.assertRaisesRegex(RuntimeError, "^2: .*%s.*Permission denied" % self.home):
            Server(self.home, before=be_nobody)
        self.assertEqual(list(self.home.iterdir()), [])

    def test_F12_without_threads_it_does_not_start_or_sheds_and_never_crashes(self):
        home = self.dir / "nobodys"
        home.mkdir()
        if os.geteuid() == 0:
            os.chmod(self.dir, 0o711)
            os.chown(home, 65534, 65534)

        def few_threads(most):
            be_nobody()
            resource.setrlimit(resource.RLIMIT_NPROC, (most, most))

        for most in (2, 20, 60, 100, 110):
            try:
                server = Server(home, before=lambda most=most: few_threads(most))
            except RuntimeError as refused:
                self.assertRegex(str(refused), "^[23]: .*cannot start|^[23]: .*threads", most)
                continue
            self.addCleanup(Served.end, server)
            self.assertIn(server.get("/healthz").status, (200, 503))
            self.assertIn(server.post("/v1/sessions").status, (201, 503))
            self.assertEqual(server.stop(), 0, server.log)

    def test_F12_with_little_memory_it_does_not_start_or_sheds_and_never_crashes(self):
        if has_sanitizers():
            self.skipTest("a build with sanitizers takes more memory than there is")
        for mebibytes in (64, 256, 512, 1200):
            most = mebibytes << 20
            try:
                server = Server(self.home, before=lambda most=most: resource.setrlimit(resource.RLIMIT_AS, (most, most)))
            except RuntimeError as refused:
                self.assertRegex(str(refused), "^[23]: .*(not enough memory|no more threads)", mebibytes)
                continue
            self.addCleanup(Served.end, server)
            self.assertEqual(server.get("/healthz").status, 200)
            self.assertIn(server.post("/v1/sessions").status, (201, 503))
            self.assertEqual(server.stop(), 0, server.log)

    def test_F12_few_descriptors_shed_load_and_end_nothing(self):
        if has_sanitizers():
            self.skipTest("where there are no descriptors left, UBSan takes good objects for bad ones: it needs a pipe to look")
        server = self.start(files=32)
        held = [socket.create_connection(("127.0.0.1", server.port)) for _ in range(60)]
        for one in held:
            one.close()

        def is_served():
            try:
                return server.get("/healthz").status == 200
            except OSError:  # shed, while those that were closed still wait to be taken
                return False

        self.assertTrue(until(is_served))
        self.assertEqual(server.post("/v1/sessions").status, 201)

    def test_F13_a_token_that_others_read_is_refused(self):
        self.start().stop()
        os.chmod(self.home / "http_token", 0o644)
        with self.assertRaisesRegex(RuntimeError, "^2: .*chmod 600"):
            Server(self.home)

    def test_R1_without_a_token_only_on_loopback(self):
        with self.assertRaisesRegex(RuntimeError, "^2: "):
            Server(self.home, "--no-token", "--address", "0.0.0.0")
        server = self.start("--no-token")
        self.assertEqual(server.token, "")
        self.assertEqual(server.get("/v1/sessions").status, 200)
        self.assertFalse((self.home / "http_token").exists())

    def test_a_unix_socket_is_for_its_owner(self):
        path = self.dir / "s"
        self.start("--socket", str(path))
        self.assertEqual(stat.S_IMODE(os.stat(path).st_mode), 0o600)
        with socket.socket(socket.AF_UNIX) as wire:
            wire.connect(str(path))
            wire.sendall(b"GET /healthz HTTP/1.1\r\nHost: any\r\nConnection: close\r\n\r\n")
            out = b""
            while piece := wire.recv(4096):
                out += piece
        self.assertIn(b" 200 ", out)
        self.server.stop()
        self.assertFalse(path.exists())

    def test_logs_are_lines_of_json_with_the_trace(self):
        server = self.start()
        server.get("/v1/sessions", traceparent="00-" + "a" * 32 + "-00f067aa0ba902b7-01")
        server.get("/v1/sessions/ses_x%0a")
        server.stop()
        lines = [json.loads(line) for line in server.log]
        self.assertIn("a" * 32, [line.get("trace_id") for line in lines])
        self.assertEqual(lines[-1]["event"], "stopped")


if __name__ == "__main__":
    unittest.main()

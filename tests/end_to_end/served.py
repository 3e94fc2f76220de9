"""`alfred serve` as a process, and a client for it, for the tests beside this file."""
import atexit
import functools
import http.client
import json
import os
import pathlib
import resource
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import unittest

ALFRED = os.path.abspath(sys.argv.pop(1))
PACKS = os.path.abspath(sys.argv.pop(1))


def few_files(most):
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))


def be_nobody():
    """For a child: whom the rights of files and ports bind, which they do not bind root."""
    if os.geteuid() == 0:
        os.setgroups([])
        os.setgid(65534)
        os.setuid(65534)


@functools.cache
def for_anybody():
    """The program and its packs where nobody may run and read them too: a clone may lie in a private folder."""
    if os.geteuid() != 0:
        return ALFRED, PACKS
    folder = tempfile.mkdtemp()
    atexit.register(shutil.rmtree, folder, True)
    shutil.copy(ALFRED, folder)
    shutil.copytree(PACKS, os.path.join(folder, "packs"))
    subprocess.run(["chmod", "-R", "a+rX", folder], check=True)
    return os.path.join(folder, os.path.basename(ALFRED)), os.path.join(folder, "packs")


class Answer:
    def __init__(self, response):
        self.status = response.status
        self.headers = response.headers
        self.body = response.read()

    @property
    def json(self):
        return json.loads(self.body)


class Server:
    """Started at once, on a free port, and stopped at the end of the test."""

    def __init__(self, home, *arguments, pack="bookshelf", port=0, files=0, before=None, reads_log=True,
                 **variables):
        self.home = home
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ALFRED_", "XDG_", "OPENAI_", "ANTHROPIC_"))}
        environment = {**kept, "LC_ALL": "C.UTF-8", "ALFRED_HOME": str(home), **variables}
        program, packs = for_anybody() if before else (ALFRED, PACKS)
        place = ["--pack", os.path.join(packs, pack)] if pack else []
        self.process = subprocess.Popen([program, "serve", "--port", str(port), *place, *arguments],
                                        env=environment, stdout=subprocess.PIPE,
                                        stderr=subprocess.PIPE, text=True,
                                        preexec_fn=before or (lambda: few_files(files) if files else None))
        self.log = []
        first = self.process.stdout.readline()
        if not first:
            _, self.said = self.process.communicate(timeout=20)
            raise RuntimeError("%d: %s" % (self.process.returncode, self.said))
        self.reader = threading.Thread(target=self.read_log, daemon=True)
        if reads_log:
            self.reader.start()
        self.port = int(first.split("127.0.0.1:")[1].split()[0])
        token = pathlib.Path(home) / "http_token"
        self.token = token.read_text(encoding="ascii").strip() if token.exists() else ""

    def read_log(self):
        for line in self.process.stderr:
            self.log.append(line)

    def connect(self):
        return http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)

    def ask(self, method, path, body=None, connection=None, **headers):
        sent = {"Authorization": "Bearer " + self.token} if self.token else {}
        if body is not None or method == "POST":
            sent["Content-Type"] = "application/json"
        sent.update({name.replace("_", "-"): value for name, value in headers.items()})
        mine = connection or self.connect()
        try:
            mine.request(method, path, None if body is None else json.dumps(body),
                         {name: value for name, value in sent.items() if value is not None})
            return Answer(mine.getresponse())
        finally:
            if connection is None:
                mine.close()

    def get(self, path, **headers):
        return self.ask("GET", path, **headers)

    def post(self, path, body=None, **headers):
        return self.ask("POST", path, {} if body is None else body, **headers)

    def session(self):
        return self.post("/v1/sessions").json["id"]

    def turns(self, session):
        return "/v1/sessions/%s/turns" % session

    def events(self, path, body, **headers):
        """All events of a streamed answer, as (name, object)."""
        answer = self.post(path, body, Accept="text/event-stream", **headers)
        assert answer.headers["Content-Type"] == "text/event-stream", answer.body
        out = []
        for block in answer.body.decode().split("\n\n"):
            lines = [line for line in block.split("\n") if line and not line.startswith(":")]
            if lines:
                out.append((lines[0][len("event: "):], json.loads(lines[-1][len("data: "):])))
        return out

    def raw(self, data, wait=10, shut=False):
        """What comes back for these bytes until the server closes."""
        with socket.create_connection(("127.0.0.1", self.port), timeout=wait) as wire:
            wire.sendall(data)
            if shut:
                wire.shutdown(socket.SHUT_WR)
            out = b""
            while True:
                try:
                    piece = wire.recv(65536)
                except ConnectionResetError:
                    return out
                if not piece:
                    return out
                out += piece

    def stop(self, how=signal.SIGTERM):
        if self.process.poll() is None:
            self.process.send_signal(how)
        code = self.process.wait(timeout=30)
        if self.reader.is_alive():
            self.reader.join(timeout=10)
        self.process.stdout.close()
        self.process.stderr.close()
        return code


class Served(unittest.TestCase):
    ARGUMENTS = ()
    PACK = "bookshelf"

    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-serve-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        self.home = self.dir / "home"
        self.server = None

    def start(self, *arguments, pack=None, **variables):
        self.server = Server(self.home, *(arguments or self.ARGUMENTS), pack=pack or self.PACK,
                             **variables)
        self.addCleanup(self.end, self.server)
        return self.server

    @staticmethod
    def end(server):
        if server.process.poll() is None:
            server.stop(signal.SIGKILL)


class Shared(unittest.TestCase):
    """One server for all tests of a class, since starting costs more than asking."""
    PACK = "bookshelf"

    @classmethod
    def setUpClass(cls):
        cls.scratch = tempfile.TemporaryDirectory(prefix="alfred-serve-")
        cls.addClassCleanup(cls.scratch.cleanup)
        cls.home = pathlib.Path(cls.scratch.name) / "home"
        cls.server = Server(cls.home, pack=cls.PACK)
        cls.addClassCleanup(Served.end, cls.server)


def until(condition, seconds=20):
    """Waits until it is so."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if condition():
            return True
        time.sleep(0.02)
    return False

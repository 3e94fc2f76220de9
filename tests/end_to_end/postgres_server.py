"""A private PostgreSQL for a test: a cluster in a short temporary directory, reached by its socket.

R1 without PostgreSQL the test fails and says what to install.
R2 only this cluster is ever started or stopped; it is gone when the test ends.
"""
import glob
import os
import pathlib
import shutil
import subprocess
import tempfile


class PostgresServer:
    def __init__(self):
        tools = sorted(glob.glob("/usr/lib/postgresql/*/bin/initdb"))
        if not tools:
            raise RuntimeError("PostgreSQL is not installed, and this test needs it: run scripts/setup --tests")
        self.bin = os.path.dirname(tools[-1])
        where = tempfile.gettempdir()  # a socket's path has 107 bytes at most
        self.dir = tempfile.mkdtemp(prefix="apg", dir=where if len(where) <= 40 else "/tmp")
        self.prefix = []
        if os.geteuid() == 0:
            shutil.chown(self.dir, "postgres", "postgres")
            self.prefix = ["runuser", "-u", "postgres", "--"]
        self._tool("initdb", "-D", self.dir + "/data", "-U", "owner", "-A", "trust", "-E", "UTF8",
                   "--locale=C", "--no-sync", "--wal-segsize=1")
        self._tool("pg_ctl", "-D", self.dir + "/data", "-w", "-t", "30", "-l", self.dir + "/log", "-o",
                   "-k %s -c listen_addresses='' -c fsync=off -c max_connections=40 "
                   "-c min_wal_size=2MB -c max_wal_size=64MB" % self.dir, "start")

    def _tool(self, name, *arguments):
        with open(os.devnull) as nothing, tempfile.TemporaryFile() as said:
            done = subprocess.run([*self.prefix, self.bin + "/" + name, *arguments], stdin=nothing,
                                  stdout=said, stderr=said, cwd="/", timeout=60)
            said.seek(0)
            if done.returncode != 0:
                raise RuntimeError("%s: %s" % (name, said.read().decode()))

    def stop(self):
        self._tool("pg_ctl", "-D", self.dir + "/data", "-m", "immediate", "-w", "stop")
        shutil.rmtree(self.dir, ignore_errors=True)

    def url(self, database, user="owner"):
        return "postgres://%s@/%s?host=%s" % (user, database, self.dir)

    def run(self, database, sql, user="owner"):
        """The rows of the last statement as lists of texts."""
        done = subprocess.run([str(pathlib.Path(self.bin, "psql")), "-XqAt", "-F", "\t", "-v",
                               "ON_ERROR_STOP=1", "-h", self.dir, "-U", user, "-d", database],
                              input=sql, capture_output=True, text=True, timeout=60)
        if done.returncode != 0:
            raise RuntimeError(done.stderr)
        return [line.split("\t") for line in done.stdout.splitlines()]

    def dump(self, database):
        """Everything but rows: tables, indexes, rights, settings."""
        text = subprocess.run([str(pathlib.Path(self.bin, "pg_dump")), "-s", "-h", self.dir, "-U", "owner",
                               database], capture_output=True, text=True, check=True, timeout=60).stdout
        # Some versions put a random word into every dump.
        return "\n".join(line for line in text.splitlines() if "restrict " not in line)

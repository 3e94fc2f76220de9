"""sdk_clients_test.py ALFRED SOURCE WORK: real clients on databases that Alfred has never seen, SQLite and
PostgreSQL, and on its own kitchen. Every byte that they were sent is swept for keys.
"""
import json
import os
import pathlib
import sqlite3
import subprocess
import sys
import tempfile

import mcp_client
import npm_tools

sys.path.append(str(pathlib.Path(__file__).parent.parent / "end_to_end"))
from postgres_server import PostgresServer  # noqa: E402

ALFRED, SOURCE, WORK = os.path.abspath(sys.argv[1]), pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
CLIENTS = ["v1", "v2 legacy", "v2 auto", "v2 pinned"]
MADE = {f"{item} of {name}" for item in "AB" for name in CLIENTS}


def run_clients(node, scratch, table, *options):
    """What the clients saw, and what they were sent."""
    wire = pathlib.Path(scratch, "wire")
    wire.unlink(missing_ok=True)
    done = subprocess.run([node, SOURCE / "sdk_clients.mjs", WORK.resolve(), ALFRED, wire, table, *options],
                          env=dict(os.environ, ALFRED_HOME=scratch), check=False, capture_output=True, text=True,
                          timeout=100)
    print(done.stdout, done.stderr[-3000:])
    assert done.returncode == 0
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    sent = wire.read_text()
    assert [one["client"] for one in seen] == CLIENTS
    for one in seen:
        assert one["tools"] == 8 and one["resources"] > 1, one
        assert one["name"] == f"Changed by {one['client']}", one
        assert one["asked"] == 1 and one["deleted"] == 1 and one["error"], one
        assert one["items"] == ["complete", "complete"], one
    assert "Changed by v1" in sent and len(sent) > 10_000
    leak = mcp_client.SENTINEL.search(sent)
    assert leak is None, leak


def main():
    node = npm_tools.install(SOURCE, WORK)
    if node is None:
        print("the clients cannot be installed here; skipped")
        return npm_tools.SKIPPED
    with tempfile.TemporaryDirectory(prefix="alfred-sdk-") as scratch:
        database = pathlib.Path(scratch, "theirs.db")
        mcp_client.fill(database)
        run_clients(node, scratch, "authors", "--db", str(database))
        other = sqlite3.connect(database)
        assert {name for name, in other.execute("SELECT name FROM authors")} == {"Le Guin"} | MADE
        other.close()

        run_clients(node, scratch, "shopping_list")

        server = PostgresServer()
        try:
            server.run("postgres", "CREATE DATABASE theirs")
            server.run("theirs", mcp_client.POSTGRES_TABLES)
            run_clients(node, scratch, "authors", "--db", server.url("theirs"))
            assert {name for name, in server.run("theirs", "SELECT name FROM authors")} == {"Le Guin"} | MADE
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""sdk_clients_test.py ALFRED PACKS SOURCE WORK: real clients, over stdio and HTTP, on databases that Alfred has never
seen, SQLite and PostgreSQL, and on its own kitchen; and as hosts that lend their model to whole turns. Every byte
that they were sent is swept for keys.
"""
import contextlib
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
import chat_answers  # noqa: E402
import served  # noqa: E402  takes ALFRED and PACKS
from postgres_server import PostgresServer  # noqa: E402

SOURCE, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
CLIENTS = ["v1", "v2 legacy", "v2 auto", "v2 pinned"]
MADE = [f"{item} of {name}" for item in "AB" for name in CLIENTS]


def run(node, scratch, script, what, where, token=""):
    """What the clients saw. What they were sent is swept."""
    wire = pathlib.Path(scratch, "wire")
    wire.unlink(missing_ok=True)
    done = subprocess.run([node, SOURCE / script, WORK.resolve(), wire, what, *where],
                          env=dict(os.environ, ALFRED_HOME=scratch, TOKEN=token), check=False, capture_output=True,
                          text=True, timeout=100)
    print(done.stdout, done.stderr[-3000:])
    assert done.returncode == 0
    seen = [json.loads(line) for line in done.stdout.splitlines()]
    assert [one["client"] for one in seen] == CLIENTS
    sent = wire.read_text()
    assert len(sent) > 10_000
    leak = mcp_client.SENTINEL.search(sent)
    assert leak is None, leak
    return seen, sent


@contextlib.contextmanager
def serving(scratch, *options, pack=None):
    server = served.Server(scratch, *options, pack=pack)
    try:
        yield ["http://127.0.0.1:%d/mcp" % server.port], server.token
        assert server.stop() == 0, server.log
    finally:
        served.Served.end(server)


def check_records(seen, sent):
    for one in seen:
        assert one["tools"] == 8 and one["resources"] > 1, one
        assert one["name"] == f"Changed by {one['client']}", one
        assert one["asked"] == 1 and one["deleted"] == 1 and one["error"], one
        assert one["items"] == ["complete", "complete"] and one["finished"], one
    assert "Changed by v1" in sent


def use_records(node, scratch, table, *options):
    check_records(*run(node, scratch, "sdk_clients.mjs", table, [served.ALFRED, *options]))
    with serving(scratch, *options) as (url, token):
        check_records(*run(node, scratch, "sdk_clients.mjs", table, url, token))


def use_installed_kitchen(node, scratch, server):
    """The kitchen in a PostgreSQL database that is Alfred's own: rows, refs and journal in it."""
    server.run("postgres", "CREATE DATABASE house")
    kitchen, url = os.path.join(served.PACKS, "kitchen"), server.url("house")
    subprocess.run([served.ALFRED, "pack", "install", kitchen, "--db", url], check=True, capture_output=True,
                   env=dict(os.environ, ALFRED_HOME=scratch))
    use_records(node, scratch, "shopping_list", "--pack", kitchen, "--db", url)
    made = server.run("house", "SELECT name FROM shopping_list WHERE name LIKE '% of v%'")
    assert sorted(name for name, in made) == sorted(MADE * 2), made


def use_turns(node, scratch):
    answers = pathlib.Path(scratch, "answers.json")
    answers.write_text(json.dumps(chat_answers.add_author("Ann NAME")), encoding="utf-8")
    pack = os.path.join(served.PACKS, "bookshelf")
    before = run(node, scratch, "sdk_turns.mjs", answers, [served.ALFRED, "--turns", "--pack", pack])
    with serving(scratch, "--turns", pack="bookshelf") as (url, token):
        after = run(node, scratch, "sdk_turns.mjs", answers, url, token)
    for by, (seen, _) in (("stdio", before), ("HTTP", after)):
        for one in seen:
            assert one["nodes"] == ["understand", "think", "act", "act", "reply", "summarize"], one
            assert one["status"] == "finished" and one["reply"] == f"Added **Ann {one['client']} by {by}**.", one
            assert one["second"] == "understand" and one["open"] and one["cancelled"] == "interrupted", one
    base = sqlite3.connect(pathlib.Path(scratch, "bookshelf.db"))
    names = [name for name, in base.execute("SELECT name FROM authors WHERE name LIKE 'Ann%'")]
    base.close()
    assert sorted(names) == sorted(f"Ann {name} by {by}" for name in CLIENTS for by in ("stdio", "HTTP"))


def main():
    node = npm_tools.install(SOURCE, WORK)
    if node is None:
        print("the clients cannot be installed here; skipped")
        return npm_tools.SKIPPED
    with tempfile.TemporaryDirectory(prefix="alfred-sdk-") as scratch:
        database = pathlib.Path(scratch, "theirs.db")
        mcp_client.fill(database)
        use_records(node, scratch, "authors", "--db", str(database))
        other = sqlite3.connect(database)
        assert sorted(name for name, in other.execute("SELECT name FROM authors")) == sorted(["Le Guin"] + MADE * 2)
        other.close()

        use_records(node, scratch, "shopping_list")
        use_turns(node, scratch)

        server = PostgresServer()
        try:
            server.run("postgres", "CREATE DATABASE theirs")
            server.run("theirs", mcp_client.POSTGRES_TABLES)
            use_records(node, scratch, "authors", "--db", server.url("theirs"))
            made = server.run("theirs", "SELECT name FROM authors")
            assert sorted(name for name, in made) == sorted(["Le Guin"] + MADE * 2)
            use_installed_kitchen(node, scratch, server)
        finally:
            server.stop()
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""page_test.py ALFRED PACKS SOURCE WORK: the page of `alfred serve` in a real Chromium: talking, the user's own changes,
the inspector, the inbox, reminders; naughty texts in every field; accessibility.
"""
import functools
import json
import os
import pathlib
import shutil
import sqlite3
import subprocess
import sys
import tempfile

HERE = pathlib.Path(__file__).parent
sys.path.append(str(HERE.parent / "mcp"))
sys.path.append(str(HERE.parent / "end_to_end"))
import chat_answers  # noqa: E402
import npm_tools  # noqa: E402
import served  # noqa: E402  takes ALFRED and PACKS

SOURCE, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
SCRIPTS = ("browser.mjs", "naughty.mjs", "talk.mjs", "safe.mjs", "own.mjs")


def browser():
    return shutil.which("chromium") or shutil.which("chromium-browser")


def recording(home):
    """A turn that takes longer than anybody waits."""
    path = pathlib.Path(home) / "answers.jsonl"
    path.write_text(chat_answers.lines(chat_answers.add_author("Slow", waits={2: 60000})), encoding="utf-8")
    return str(path)


def own_database(home):
    path = os.path.join(home, "own.db")
    base = sqlite3.connect(path)
    base.execute("CREATE TABLE products (sku text PRIMARY KEY, title text NOT NULL, price real)")
    base.execute("INSERT INTO products VALUES ('ZX-900-AA', 'Lamp', 12.5), ('ZX-901-BB', 'Chair', 80)")
    base.commit()
    base.close()
    return path


def run(node, script, server):
    done = subprocess.run([node, script], cwd=WORK, check=False, timeout=300, env={
        **os.environ, "PAGE": "http://127.0.0.1:%d" % server.port, "TOKEN": server.token, "CHROMIUM": browser()})
    return done.returncode


def main():
    node = npm_tools.install(SOURCE, WORK)
    if node is None or browser() is None:
        print("there is no Chromium here, or its driver cannot be installed; skipped")
        return npm_tools.SKIPPED
    for name in SCRIPTS:
        shutil.copy(SOURCE / name, WORK / name)
    (WORK / "turn.json").write_text(json.dumps(chat_answers.add_author("Ann")), encoding="utf-8")
    with tempfile.TemporaryDirectory(prefix="alfred-page-") as home:
        talk = functools.partial(served.Server, os.path.join(home, "talk"), pack="kitchen")
        safe = functools.partial(served.Server, os.path.join(home, "safe"), "--replay", recording(home))
        own = functools.partial(served.Server, os.path.join(home, "own"), "--db", own_database(home), pack=None)
        for script, start in (("talk.mjs", talk), ("safe.mjs", safe), ("own.mjs", own)):
            server = start()
            try:
                code = run(node, script, server)
            finally:
                served.Served.end(server)
            if code != 0:
                return code
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""inspector_test.py ALFRED PACKS SOURCE WORK: the MCP Inspector's command line on `alfred mcp` and on /mcp of `alfred
serve`: its strict lint of the tools finds nothing, it speaks every era, and reads a row.
"""
import json
import os
import pathlib
import subprocess
import sys
import tempfile

import npm_tools

sys.path.append(str(pathlib.Path(__file__).parent.parent / "end_to_end"))
import served  # noqa: E402  takes ALFRED and PACKS

SOURCE, WORK = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
INSPECTOR = "node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js"


def inspect(node, home, target, *options):
    done = subprocess.run([node, INSPECTOR, "--cli", *target, *options], cwd=WORK, check=False, capture_output=True,
                          text=True, timeout=60, env=dict(os.environ, ALFRED_HOME=home, HOME=home,
                                                          MCP_CATALOG_PATH=os.path.join(home, "catalog.json")))
    assert done.returncode == 0, (done.returncode, target, options, done.stdout[-2000:], done.stderr[-2000:])
    return done


def look(node, home, target, is_http):
    lint = inspect(node, home, target, "--method", "tools/list", "--strict")
    assert lint.stderr.strip() == "", lint.stderr
    names = [tool["name"] for tool in json.loads(lint.stdout)["tools"]]
    assert len(names) == 10 and names[-2:] == ["turn_start", "turn_answer"], names
    for era in ("legacy", "auto", "modern") if is_http else ("legacy",):
        read = inspect(node, home, target, "--protocol-era", era, "--method", "tools/call", "--tool-name", "db_read",
                       "--tool-args-json", '{"table":"authors","limit":1}', "--format", "json")
        rows = json.loads(read.stdout)["result"]["structuredContent"]["rows"]
        assert rows[0]["id"] == "author_1", (era, rows)


def main():
    node = npm_tools.install(SOURCE, WORK)
    if node is None:
        print("the Inspector cannot be installed here; skipped")
        return npm_tools.SKIPPED
    with tempfile.TemporaryDirectory(prefix="alfred-inspector-") as home:
        pack = os.path.join(served.PACKS, "bookshelf")
        look(node, home, [served.ALFRED, "mcp", "--turns", "--pack", pack], False)
        server = served.Server(home, "--turns")
        try:
            look(node, home, ["http://127.0.0.1:%d/mcp" % server.port, "--transport", "http", "--header",
                              "Authorization: Bearer " + server.token], True)
        finally:
            served.Served.end(server)
    return 0


if __name__ == "__main__":
    sys.exit(main())

"""refs_pipeline_test.py ALFRED: the binary as a filter between a database and a model.

Rows in keys go through `alfred refs out`; what comes out is turned into a call, as a model would; the
call goes through `alfred refs in`, and its keys must be the rows' own.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import uuid

ALFRED = os.path.abspath(sys.argv.pop(1))
UUID = re.compile("[0-9a-fA-F]{8}-?(?:[0-9a-fA-F]{4}-?){3}[0-9a-fA-F]{12}")
TYPES = """
[[entity]]
table = "people"
ref = "person"
label = "name"

[[entity]]
table = "books"
label = "title"
links = { written_by = "people" }
"""


class RefsPipeline(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-pipeline-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        (self.dir / "types.toml").write_text(TYPES)

    def alfred(self, *arguments, text=""):
        return subprocess.run([ALFRED, *arguments], input=text, capture_output=True, text=True,
                              cwd=self.dir, check=False)

    def refs(self, direction, table, value):
        done = self.alfred("refs", direction, "--table", table, "--registry", "r.json", "--types",
                           "types.toml", text=json.dumps(value))
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout

    def test_rows_to_refs_to_parameters_to_keys(self):
        people = [{"id": str(uuid.UUID(int=n + 7 << 90)), "name": "P%d" % n} for n in range(20)]
        books = [{"id": str(uuid.UUID(int=n + 9 << 80)), "title": "after " + people[n % 20]["id"],
                  "written_by": people[n % 20]["id"]} for n in range(50)]
        shown = self.refs("out", "people", people) + self.refs("out", "books", books)
        self.assertIsNone(UUID.search(shown), shown)
        seen = json.loads(self.refs("out", "books", books))
        call = {"filters": [{"field": "id", "op": "in", "value": [row["id"] for row in seen]}],
                "data": seen}
        keys = json.loads(self.refs("in", "books", call))
        self.assertEqual(keys["filters"][0]["value"], [row["id"] for row in books])
        self.assertEqual(keys["data"], books)
        listed = self.alfred("refs", "show", "--registry", "r.json").stdout
        self.assertIsNone(UUID.search(listed), listed)
        self.assertEqual(len(listed.splitlines()), 20 + 50 + 20)

    def test_a_shell_pipeline(self):
        script = ('echo \'{"id":41}\' | "$ALFRED" refs out --table books --registry r.json | '
                  'sed \'s/^/{"data":/; s/$/}/\' | '
                  '"$ALFRED" refs in --table books --registry r.json')
        done = subprocess.run(["sh", "-c", script], capture_output=True, text=True, cwd=self.dir,
                              env={**os.environ, "ALFRED": ALFRED}, check=False)
        # `refs in` reads its registry when it has its input, so the first run has written it.
        self.assertEqual((done.stdout, done.stderr), ('{"data":{"id":41}}\n', ""))

    def test_processes_side_by_side_lose_nothing(self):
        def out(n):
            return self.alfred("refs", "out", "--table", "books", "--registry", "r.json",
                               text='{"id":%d}' % n).stdout
        with concurrent.futures.ThreadPoolExecutor(4) as pool:
            shown = list(pool.map(out, range(12)))
        self.assertEqual(len(set(shown)), 12)
        for n, row in enumerate(shown):
            back = self.alfred("refs", "in", "--table", "books", "--registry", "r.json",
                               text='{"data":%s}' % row).stdout
            self.assertEqual(back, '{"data":{"id":%d}}' % n)

    def test_bad_input_has_an_exit_code_and_no_output(self):
        for arguments, code in ((["refs", "out", "--table", "books"], 2),
                                (["refs", "in", "--table", "b", "--registry", "none"], 3),
                                (["refs", "out", "--table", "b", "--registry", "r.json"], 1)):
            done = self.alfred(*arguments, text="[")
            self.assertEqual((done.returncode, done.stdout), (code, ""), arguments)
            self.assertNotEqual(done.stderr, "")
        self.assertFalse((self.dir / "r.json").exists())


if __name__ == "__main__":
    unittest.main()

"""refs_pipeline_test.py ALFRED: the binary as a filter between a database and a model.

Rows in keys go through `alfred refs out`; what comes out is turned into a call, as a model would; the
call goes through `alfred refs in`, and its keys must be the rows' own.
"""
import concurrent.futures
import json
import os
import pathlib
import re
import shutil
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

    def test_F16_locale_and_time_zone_change_nothing(self):
        made = [name for name, charset in (("de_DE.UTF-8", "UTF-8"), ("tr_TR.UTF-8", "UTF-8"))
                if shutil.which("localedef") and subprocess.run(
                    ["localedef", "-i", name[:5], "-f", charset, self.dir / name],
                    capture_output=True, check=False).returncode == 0]
        print("F16: locales made for this test: %s" % (", ".join(made) or "none"), file=sys.stderr)
        rows = json.dumps([{"id": 804512000 + n, "TITLE": "I \u0131 \u0130", "price": n * 1234.5}
                           for n in range(1200)])
        call = '{"filters":[{"field":"id","value":["book_1200","BOOK_I"]}]}'

        def all_output(locale, zone):
            registry = self.dir / "f16.json"
            registry.unlink(missing_ok=True)
            # Under LOCPATH a library of libpq's keeps what newlocale gave it: not a leak of ours.
            environment = {**os.environ, "LC_ALL": locale, "LANG": locale, "TZ": zone,
                           "LOCPATH": str(self.dir), "ASAN_OPTIONS": "detect_leaks=0"}
            outputs = [subprocess.run([ALFRED, *arguments, "--registry", registry],
                                      input=text.encode(), capture_output=True, env=environment,
                                      check=False)
                       for arguments, text in ((["refs", "out", "--table", "books"], rows),
                                               (["refs", "in", "--table", "books"], call),
                                               (["refs", "show", "--keys"], ""),
                                               (["refs", "out", "--table", "books"], rows + "]"))]
            return registry.read_bytes(), [(o.returncode, o.stdout, o.stderr) for o in outputs]

        before = all_output("C", "UTC")
        self.assertEqual([code for code, _, _ in before[1]], [0, 1, 0, 1])
        for locale in made or ["de_DE.UTF-8", "tr_TR.UTF-8"]:
            for zone in ("<+1345>-13:45", "Asia/Kathmandu", "not/a zone"):
                self.assertEqual(all_output(locale, zone), before, (locale, zone))

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

"""late_libraries_test.py ALFRED PACKS: libcurl and libpq are loaded by who uses them, and missed with a clear word."""
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ALFRED = os.path.abspath(sys.argv.pop(1))
PACKS = os.path.abspath(sys.argv.pop(1))
LATE = {"libcurl.so.4": "apt-get install libcurl4", "libpq.so.5": "apt-get install libpq5"}


class LateLibraries(unittest.TestCase):
    """The loader finds an empty file in the place of each library, which it refuses."""

    def setUp(self):
        scratch = tempfile.TemporaryDirectory(prefix="alfred-late-")
        self.addCleanup(scratch.cleanup)
        self.dir = pathlib.Path(scratch.name)
        self.broken = self.dir / "broken"
        self.broken.mkdir()
        for name in LATE:
            (self.broken / name).write_bytes(b"")

    def run_alfred(self, *arguments, **more):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ALFRED_", "XDG_", "OPENAI_", "ANTHROPIC_"))}
        environment = {**kept, "LC_ALL": "C.UTF-8", "HOME": str(self.dir), "ALFRED_HOME": str(self.dir / "home"),
                       "LD_LIBRARY_PATH": str(self.broken), **more}
        return subprocess.run([ALFRED, *arguments], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)

    def test_a_chat_with_the_built_in_rules_on_sqlite_needs_neither(self):
        done = self.run_alfred("chat", "--once", "is oat milk on my list?", "--interpreter", "rules")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("oat milk", done.stdout)

    def test_a_model_without_libcurl_says_what_to_install(self):
        done = self.run_alfred("doctor", ALFRED_MODEL_URL="http://127.0.0.1:1/v1", ALFRED_MODEL="any")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(LATE["libcurl.so.4"], done.stdout + done.stderr)

    def test_postgresql_without_libpq_says_what_to_install(self):
        done = self.run_alfred("db", "read", "ships", "--db", "postgres://localhost/ships")
        self.assertNotEqual(done.returncode, 0)
        self.assertIn(LATE["libpq.so.5"], done.stderr)

    def test_sqlite_goes_on_where_libpq_is_missing(self):
        done = self.run_alfred("db", "read", "recipes", "--limit", "1")
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()

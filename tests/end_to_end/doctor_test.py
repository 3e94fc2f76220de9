"""doctor_test.py ALFRED PACKS: `alfred config` and `alfred doctor` from outside."""
import json
import os
import pathlib
import stat
import subprocess
import sys
import tempfile
import unittest

ALFRED = os.path.abspath(sys.argv.pop(1))
PACKS = os.path.abspath(sys.argv.pop(1))


class Command(unittest.TestCase):
    def setUp(self):
        self.scratch = tempfile.TemporaryDirectory(prefix="alfred-doctor-")
        self.addCleanup(self.scratch.cleanup)
        self.dir = pathlib.Path(self.scratch.name)
        self.home = self.dir / "home"

    def run_alfred(self, *arguments, **more):
        kept = {name: value for name, value in os.environ.items()
                if not name.startswith(("ALFRED_", "XDG_", "NO_COLOR", "OPENAI_", "ANTHROPIC_"))}
        environment = {**kept, "LC_ALL": "C.UTF-8", "HOME": str(self.dir), **more}
        return subprocess.run([ALFRED, *arguments], env=environment, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120, check=False)

    def at_home(self, *arguments, **more):
        return self.run_alfred(*arguments, ALFRED_HOME=str(self.home), **more)

    def configure(self, text):
        self.home.mkdir(mode=0o700, exist_ok=True)
        path = self.home / "config.toml"
        path.write_text(text, encoding="utf-8")
        path.chmod(0o600)
        return path


class Config(Command):
    def test_path_follows_xdg(self):
        self.assertEqual(self.run_alfred("config", "path").stdout, "%s/.config/alfred/config.toml\n" % self.dir)
        self.assertEqual(self.run_alfred("config", "path", XDG_CONFIG_HOME="/conf").stdout,
                         "/conf/alfred/config.toml\n")

    def test_show_says_where_a_value_comes_from_and_no_secret(self):
        path = self.configure('user = "ann"\ndb = "postgres://ann:hunter2@localhost/books"\n'
                              '[model]\nurl = "http://localhost:1"\nkey_env = "MY_KEY"\n')
        done = self.at_home("config", "show", "--user", "eve", ALFRED_MODEL="small", MY_KEY="sk-canary")
        self.assertEqual(done.returncode, 0, done.stderr)
        for line in ("user = eve  (--user)", "model.model = small  ($ALFRED_MODEL)",
                     "model.url = http://localhost:1  (%s:4:1)" % path, "model.key = (not shown)  ($MY_KEY)",
                     "chat.colour = auto  (usual)", "interpreter: not set",
                     "db = postgres://…@localhost/books  (%s:2:1)" % path):
            self.assertIn(line + "\n", done.stdout)
        told = done.stdout + self.at_home("config", "show", "--json", MY_KEY="sk-canary").stdout
        self.assertNotIn("hunter2", told)
        self.assertNotIn("sk-canary", told)

    def test_F13_an_unknown_key_stops_every_command(self):
        path = self.configure('[model]\nurll = "http://localhost:1"\n')
        for arguments in (["config", "show"], ["chat", "--once", "hello"], ["db", "schema"]):
            done = self.at_home(*arguments)
            self.assertEqual(done.returncode, 1, done.stdout)
            self.assertIn("%s:2:1" % path, done.stderr)
            self.assertIn("key_file", done.stderr)

    def test_the_file_names_the_place_of_every_command(self):
        self.configure('pack = "%s/bookshelf"\nuser = "ann"\n' % PACKS)
        self.assertIn("books", self.at_home("db", "schema").stdout)
        self.assertTrue((self.home / "bookshelf.db").exists())


class Doctor(Command):
    def findings(self, *arguments, **more):
        done = self.at_home("doctor", "--json", *arguments, **more)
        answer = json.loads(done.stdout)
        self.assertEqual(done.returncode, 0 if answer["ok"] else 1)
        return {health: [one for one in answer["findings"] if one["health"] == health]
                for health in ("ok", "warn", "fail")}

    def test_a_data_folder_that_cannot_be_written_is_a_fault(self):
        self.home.mkdir(mode=0o500)
        if os.geteuid() == 0:  # whom no permission stops
            self.home = pathlib.Path("/proc")
        found = self.findings()
        self.assertTrue(any("cannot be written" in one["what"] for one in found["fail"]), found)
        self.assertFalse(any(one["what"].startswith("data folder") for one in found["ok"]), found)
        self.home = self.dir / "file" / "below"
        (self.dir / "file").write_text("", encoding="utf-8")
        self.assertTrue(any("cannot be made" in one["what"] for one in self.findings()["fail"]))

    def test_a_bare_machine_is_well_and_nothing_is_made(self):
        found = self.findings()
        self.assertEqual((found["warn"], found["fail"]), ([], []))
        self.assertFalse(self.home.exists())

    def test_lines_say_what_and_how_to_fix(self):
        self.at_home("db", "schema")
        self.home.chmod(0o755)
        done = self.at_home("doctor", LC_ALL="C")
        self.assertEqual(done.returncode, 0)
        self.assertIn("warn others may look into %s — chmod 700 %s\n" % (self.home, self.home), done.stdout)
        self.assertIn("warn the locale is not one of UTF-8 — export LC_ALL=C.UTF-8\n", done.stdout)
        self.assertIn("ok   database %s/kitchen.db: opens" % self.home, done.stdout)

    def test_files_that_others_may_read_are_named(self):
        self.at_home("db", "schema")
        (self.home / "kitchen.db").chmod(0o644)
        self.assertIn("chmod 600 %s/kitchen.db" % self.home, [one.get("fix") for one in self.findings()["warn"]])

    def test_F13_a_bad_configuration_fails_with_its_place(self):
        path = self.configure("colour = 1\n")
        found = self.findings()["fail"]
        self.assertEqual(len(found), 1)
        self.assertIn("%s:1:1" % path, found[0]["what"])

    def test_E14_a_damaged_database_fails(self):
        self.at_home("db", "schema")
        path = self.home / "kitchen.db"
        with open(path, "r+b") as file:
            file.truncate(path.stat().st_size // 2)
        self.assertIn("database: ", self.findings()["fail"][0]["what"])

    def test_F14_a_pack_that_does_not_load_fails_with_its_place(self):
        (self.dir / "pack").mkdir()
        (self.dir / "pack" / "pack.toml").write_text('name = "p"\nwat = 1\n')
        found = self.findings("--pack", str(self.dir / "pack"))["fail"]
        self.assertIn("pack.toml:2:1", found[0]["what"])

    def test_F13_a_key_file_that_others_may_read_fails(self):
        key = self.dir / "key"
        key.write_text("sk-canary\n")
        key.chmod(0o644)
        self.configure('[model]\nurl = "http://localhost:1"\nmodel = "m"\nkey_file = "%s"\n' % key)
        done = self.at_home("doctor")
        self.assertEqual(done.returncode, 1)
        self.assertIn("chmod 600 %s" % key, done.stdout)
        self.assertNotIn("sk-canary", done.stdout)
        key.chmod(0o600)
        self.assertNotIn("sk-canary", self.at_home("doctor").stdout)
        self.assertEqual(stat.S_IMODE(key.stat().st_mode), 0o600)

    def test_F9_a_data_folder_that_is_a_file_fails(self):
        self.home.write_text("")
        self.assertIn("is no folder", json.dumps(self.findings()["fail"]))


if __name__ == "__main__":
    unittest.main()

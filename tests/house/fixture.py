"""Small repositories in a temporary folder, for the self-tests of the checks."""
import pathlib
import tempfile
import unittest


class FixtureCase(unittest.TestCase):
    def make_tree(self, files):
        """Writes {path: text} below a fresh folder and returns the folder."""
        scratch = tempfile.TemporaryDirectory(prefix="alfred-house-")
        self.addCleanup(scratch.cleanup)
        for path, text in files.items():
            target = pathlib.Path(scratch.name, path)
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_text(text, encoding="utf-8")
        return scratch.name

    def assert_one(self, problems, *words):
        self.assertEqual(len(problems), 1, problems)
        for word in words:
            self.assertIn(word, problems[0])

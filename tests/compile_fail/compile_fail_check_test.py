import pathlib
import sys
import tempfile
import unittest

import compile_fail_check

# Stands in for a compiler: `bad` in the case is an error unless -DCONTROL hides it; `worse` always is.
COMPILER = [sys.executable, "-c", """
import sys
text = open(sys.argv[-1]).read()
if "worse" in text or ("bad" in text and "-DCONTROL" not in sys.argv):
    sys.exit("case.cc:3: error: bad line [-Wbad]")
"""]


class CompileFailCheck(unittest.TestCase):
    def problems(self, text):
        with tempfile.TemporaryDirectory() as scratch:
            case = pathlib.Path(scratch, "case.cc")
            case.write_text(text, encoding="utf-8")
            return compile_fail_check.problems(case, COMPILER)

    def test_a_case_that_fails_as_stated_passes(self):
        self.assertEqual(self.problems("// expect: bad line .*Wbad\nbad\n"), [])

    def test_R1_a_case_wrong_in_itself_is_found(self):
        self.assertIn("should compile", self.problems("// expect: bad line\nworse\n")[0])

    def test_R2_a_case_that_compiles_is_found(self):
        self.assertIn("must not", self.problems("// expect: anything\nfine\n")[0])

    def test_R2_another_diagnostic_is_found(self):
        self.assertIn("lack `no such thing`", self.problems("// expect: no such thing\nbad\n")[0])

    def test_R3_a_case_that_expects_nothing_is_found(self):
        self.assertIn("no `// expect:`", self.problems("bad\n")[0])


if __name__ == "__main__":
    unittest.main()

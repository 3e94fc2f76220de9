"""compile_fail_check.py CASE -- COMPILER FLAGS…: CASE must not compile, for the reason it states.

R1 with -DCONTROL the case compiles: nothing but the offending line is wrong with it.
R2 without, it does not, and every `// expect: <regular expression>` matches the diagnostics.
R3 a case that expects nothing is an error.
"""
import pathlib
import re
import subprocess
import sys


def expectations(text):
    return re.findall(r"^//\s*expect:\s*(\S.*?)\s*$", text, re.MULTILINE)


def compiled(command, case, *extra):
    done = subprocess.run([*command, *extra, str(case)], capture_output=True, text=True)
    return done.returncode == 0, done.stderr


def problems(case, command):
    wanted = expectations(pathlib.Path(case).read_text(encoding="utf-8"))
    if not wanted:
        return ["it has no `// expect:` line"]
    is_good, diagnostics = compiled(command, case, "-DCONTROL")
    if not is_good:
        return ["with -DCONTROL it should compile, but:\n" + diagnostics]
    is_good, diagnostics = compiled(command, case)
    if is_good:
        return ["it compiles, and must not"]
    errors = "\n".join(line for line in diagnostics.splitlines() if "error:" in line)
    return ["the diagnostics lack `%s`:\n%s" % (one, diagnostics)
            for one in wanted if not re.search(one, errors)]


def main():
    case, dashes, *command = sys.argv[1:]
    if dashes != "--":
        sys.exit(__doc__)
    found = problems(case, command)
    for problem in found:
        print("%s: %s" % (case, problem), file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

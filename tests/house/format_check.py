"""Every C++ file is formatted as .clang-format says. `--write` formats in place instead."""
import shutil
import subprocess
import sys

import tree

TOPS = ("src", "include", "apps", "tests", "bench")


def main():
    parser = tree.arguments(__doc__)
    parser.add_argument("--write", action="store_true")
    options = parser.parse_args()
    tool = shutil.which("clang-format-16")
    if tool is None:
        return tree.report("format", ["clang-format-16 is missing; run scripts/setup --tests"])
    files = [str(path) for path in tree.text_files(options.root, *TOPS)
             if path.suffix in (".h", ".cc")]
    mode = ["-i"] if options.write else ["--dry-run", "-Werror"]
    done = subprocess.run([tool, *mode, *files], cwd=options.root, capture_output=True, text=True)
    lines = [line for line in done.stderr.splitlines() if "error:" in line]
    if done.returncode and not lines:
        lines = [done.stderr.strip()]
    return tree.report("format", [line + " (scripts/format fixes it)" for line in lines])


if __name__ == "__main__":
    sys.exit(main())

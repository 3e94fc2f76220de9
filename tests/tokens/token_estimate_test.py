#!/usr/bin/env python3
"""Compares the declared token estimator with o200k on our own prompts (token_estimate.h, R2).

usage: token_estimate_test.py PRINT_PROMPTS SOURCE_FOLDER WORK_FOLDER
Installs the tokenizer into WORK_FOLDER with npm; exits with 77 when it cannot.
"""
import json
import pathlib
import shutil
import subprocess
import sys

MOST_OFF = 0.15
MOST_UNDER = 0.10
SKIPPED = 77


def install(source: pathlib.Path, work: pathlib.Path) -> bool:
    work.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", "count_tokens.mjs"):
        shutil.copy(source / name, work / name)
    if (work / "node_modules" / "js-tiktoken").exists():
        return True
    if shutil.which("npm") is None:
        return False
    return subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=work, check=False).returncode == 0


def main() -> int:
    printer, source, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if not install(source, work):
        print("the tokenizer cannot be installed here; skipped")
        return SKIPPED
    lines = subprocess.run([printer], check=True, capture_output=True, text=True).stdout
    counted = subprocess.run(["node", "count_tokens.mjs"], cwd=work, input=lines, check=True,
                             capture_output=True, text=True).stdout
    wrong = 0
    for ours, theirs in zip(map(json.loads, lines.splitlines()), map(json.loads, counted.splitlines()),
                            strict=True):
        estimate, tokens = ours["estimate"], theirs["tokens"]
        off = estimate / tokens - 1
        is_wrong = off > MOST_OFF or off < -MOST_UNDER
        wrong += is_wrong
        print(f"{'WRONG' if is_wrong else 'ok':5} {off:+6.1%}  estimate {estimate:6}  o200k {tokens:6}  {ours['name']}")
    if not lines:
        print("no prompts were printed")
        return 1
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())

#!/usr/bin/env python3
"""Compares the filter language with npm's jexl on generated pairs of an expression and an event.

usage: jexl_test.py RUN_FILTERS SOURCE_FOLDER WORK_FOLDER
Installs the package into WORK_FOLDER with npm; exits with 77 when it cannot.
"""
import os
import pathlib
import secrets
import shutil
import subprocess
import sys

SKIPPED = 77
SIZES = {"quick": 5_000, "modest": 6_000, "all": 200_000}


def install(source: pathlib.Path, work: pathlib.Path) -> bool:
    work.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", "compare.mjs"):
        shutil.copy(source / name, work / name)
    if (work / "node_modules" / "jexl").exists():
        return True
    if shutil.which("npm") is None:
        return False
    return subprocess.run(["npm", "ci", "--no-audit", "--no-fund"], cwd=work, check=False).returncode == 0


def main() -> int:
    runner, source, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    if not install(source, work):
        print("jexl cannot be installed here; skipped")
        return SKIPPED
    seed = os.environ.get("ALFRED_TEST_SEED") or str(secrets.randbits(63))
    count = SIZES[os.environ.get("ALFRED_TEST_SIZE", "modest")]
    return subprocess.run(["node", "compare.mjs", str(pathlib.Path(runner).resolve()), seed, str(count)],
                          cwd=work, check=False).returncode


if __name__ == "__main__":
    sys.exit(main())

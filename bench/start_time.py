#!/usr/bin/env python3
"""start_time.py ALFRED: prints MS,MB for P13, a line for scripts/bench.

MS: from the start of `alfred chat` at a terminal, on an empty directory, to its first prompt; the median of 21 starts.
MB: the program's size without its symbols (strip), in millions of bytes.
"""
import os
import pathlib
import pty
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

STARTS = 21
PROMPT = b"> "


def start(program):
    """One start on a directory that is not there yet; seconds to the prompt."""
    with tempfile.TemporaryDirectory(prefix="alfred-start-") as folder:
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("ALFRED_", "XDG_"))}
        environment = {**kept, "TERM": "xterm", "NO_COLOR": "1", "HOME": folder,
                       "ALFRED_HOME": str(pathlib.Path(folder) / "home")}
        begun = time.monotonic()
        pid, end = pty.fork()
        if pid == 0:
            os.execve(program, [program, "chat", "--interpreter", "rules"], environment)
        seen = b""
        while not seen.endswith(PROMPT):
            seen += os.read(end, 65536)
        took = time.monotonic() - begun
        os.write(end, b"\x04")
        try:
            while os.read(end, 65536):
                pass
        except OSError:  # it has left
            pass
        os.waitpid(pid, 0)
        os.close(end)
        return took


def stripped_bytes(program):
    with tempfile.TemporaryDirectory(prefix="alfred-strip-") as folder:
        copy = pathlib.Path(folder) / "alfred"
        shutil.copy(program, copy)
        subprocess.run(["strip", str(copy)], check=True)
        return copy.stat().st_size


def main():
    program = os.path.abspath(sys.argv[1])
    took = statistics.median(start(program) for _ in range(STARTS))
    print(f"{took * 1000:.1f},{stripped_bytes(program) / 1e6:.2f}")


if __name__ == "__main__":
    main()

"""Installs the npm packages of package-lock.json into a work folder and finds the Node that comes with them."""
import pathlib
import shutil
import subprocess

SKIPPED = 77


def install(source, work):
    """The Node to run with, or None where it cannot be installed."""
    work.mkdir(parents=True, exist_ok=True)
    for name in ("package.json", "package-lock.json", ".npmrc"):
        shutil.copy(source / name, work / name)
    stamp = work / "installed"
    lock = (source / "package-lock.json").read_bytes()
    if not stamp.exists() or stamp.read_bytes() != lock:
        if shutil.which("npm") is None:
            return None
        done = subprocess.run(["npm", "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=work, check=False)
        if done.returncode != 0:
            return None
        stamp.write_bytes(lock)
    found = sorted(work.glob("node_modules/node-linux-*/bin/node"))
    return found[0].resolve() if found else None

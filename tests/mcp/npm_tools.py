"""Installs the npm packages of package-lock.json into a work folder and finds the Node that comes with them."""
import pathlib
import shutil
import subprocess

SKIPPED = 77
NEWER = "10.9.9"  # the npm of Debian 12 (9) does not read overrides that name another package


def newer_npm(work):
    """An npm that reads our lock: the one that is here, or else a newer one in the work folder."""
    version = subprocess.run(["npm", "--version"], capture_output=True, text=True, check=False).stdout
    if version.split(".")[0].isdigit() and int(version.split(".")[0]) >= 10:
        return "npm"
    subprocess.run(["npm", "install", "--prefix", str(work / "npm"), "--no-save", "--no-audit", "--no-fund",
                    "--loglevel=error", "npm@" + NEWER], check=False)
    return str(work / "npm" / "node_modules" / ".bin" / "npm")


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
        npm = newer_npm(work)
        if shutil.which(npm) is None:
            return None
        done = subprocess.run([npm, "ci", "--no-audit", "--no-fund", "--loglevel=error"], cwd=work, check=False)
        if done.returncode != 0:
            return None
        stamp.write_bytes(lock)
    found = sorted(work.glob("node_modules/node-linux-*/bin/node"))
    return found[0].resolve() if found else None

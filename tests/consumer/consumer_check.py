"""Installs a build tree to a temporary prefix, then configures, builds and runs the project beside
this file against it, with the same compiler and sanitizers.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile

EXPECTED = "".join("%s answer\n" % part for part in ("errors", "ids", "refs", "translations"))


def run(*command):
    done = subprocess.run([str(part) for part in command], capture_output=True, text=True)
    if done.returncode != 0:
        print("consumer: failed: %s\n%s%s" % (" ".join(map(str, command)), done.stdout, done.stderr),
              file=sys.stderr)
        sys.exit(1)
    return done.stdout


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("build", "cmake", "compiler", "sanitize"):
        parser.add_argument("--" + name, required=True)
    options = parser.parse_args()
    flags = "-fsanitize=" + options.sanitize if options.sanitize else ""
    with tempfile.TemporaryDirectory(prefix="alfred-consumer-") as scratch:
        prefix, build = pathlib.Path(scratch, "prefix"), pathlib.Path(scratch, "build")
        run(options.cmake, "--install", options.build, "--prefix", prefix)
        run(options.cmake, "-S", pathlib.Path(__file__).resolve().parent, "-B", build, "-G", "Ninja",
            "-DCMAKE_PREFIX_PATH=%s" % prefix, "-DCMAKE_CXX_COMPILER=" + options.compiler,
            "-DCMAKE_CXX_FLAGS=" + flags)
        run(options.cmake, "--build", build)
        answer = run(build / "consumer")
        print(answer, end="")
        if answer != EXPECTED:
            sys.exit("consumer: it should have printed:\n" + EXPECTED)
        print(run(prefix / "bin" / "alfred", "--version"), end="")


if __name__ == "__main__":
    main()

"""conformance_test.py ALFRED PACKS SERVER SOURCE WORK: the public conformance suites against conformance_server, and
against `alfred serve` itself as far as they need no tools of their own.

All scenarios that a suite requires must pass. What is not required and not passed is named in NOT_BUILT; a
name there that passes, or fails without standing there, fails the test.
"""
import pathlib
import re
import subprocess
import sys
import tempfile

import npm_tools

sys.path.append(str(pathlib.Path(__file__).parent.parent / "end_to_end"))
import served  # noqa: E402  takes ALFRED and PACKS

LINE = re.compile(r"^(\S) ([a-z0-9-]+): (\d+) passed, (\d+) failed", re.MULTILINE)
# Tasks are an extension that is not built.
NOT_BUILT = {
    "tasks-lifecycle", "tasks-capability-negotiation", "tasks-wire-fields", "tasks-request-state-removal",
    "tasks-mrtr-input", "tasks-request-headers", "tasks-dispatch-and-envelope", "tasks-required-task-error",
    "tasks-mrtr-composition",
}
RUNS = [
    ("0.1.16", "conformance-1", [], 30, set()),
    ("0.2.0-alpha.12 for 2025-11-25", "conformance-2", ["--requirements", "2025-11-25"], 30, set()),
    ("0.2.0-alpha.12 for 2026-07-28", "conformance-2", ["--requirements", "2026-07-28"], 37, NOT_BUILT),
]


# Of these none calls a tool, a resource or a prompt that only conformance_server has.
OURS = {"completion-complete", "tools-list", "resources-list", "prompts-list", "server-sse-multiple-streams",
        "dns-rebinding-protection"}
OUR_RUNS = [
    ("0.1.16", "conformance-1", [],
     OURS | {"server-initialize", "ping", "resources-subscribe", "resources-unsubscribe"}),
    ("0.2.0-alpha.12 for 2026-07-28", "conformance-2", ["--requirements", "2026-07-28"],
     OURS | {"sep-2164-resource-not-found", "caching", "input-required-result-unsupported-methods",
             "http-header-validation"}),
]


def outcomes(node, work, port, package, options):
    """Which scenarios passed and which failed, and what was said."""
    done = subprocess.run(
        [node, f"node_modules/{package}/dist/index.js", "server", "--url", f"http://localhost:{port}/mcp",
         *options, "-o", "results"], cwd=work, check=False, capture_output=True, text=True, timeout=60)
    found = {scenario: (int(passed), int(failed)) for _, scenario, passed, failed in LINE.findall(done.stdout)}
    failing = {scenario for scenario, (_, failed) in found.items() if failed}
    passing = {scenario for scenario, (passed, failed) in found.items() if passed and not failed}
    return passing, failing, done.stdout[-3000:] + done.stderr[-2000:]


def run_fixture(node, work, server):
    wrong = 0
    with subprocess.Popen([server], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as running:
        port = int(running.stdout.readline())
        for name, package, options, least, not_built in RUNS:
            passing, failing, said = outcomes(node, work, port, package, options)
            print(f"{name}: {len(passing)} scenarios pass, {len(failing)} do not")
            for scenario in sorted(failing - not_built):
                print(f"  fails: {scenario}")
            for scenario in sorted(not_built - failing):
                print(f"  does not fail any more: {scenario}")
            if failing != not_built or len(passing) < least:
                wrong += 1
                print(said)
        running.stdin.close()
        running.wait(timeout=10)
    return wrong


def run_ours(node, work):
    wrong = 0
    with tempfile.TemporaryDirectory(prefix="alfred-conformance-") as home:
        server = served.Server(home, "--no-token")
        try:
            for name, package, options, wanted in OUR_RUNS:
                passing, _, said = outcomes(node, work, server.port, package, options)
                missing = sorted(wanted - passing)
                print(f"{name}, alfred serve: {len(wanted) - len(missing)} of {len(wanted)} scenarios pass", *missing)
                if missing:
                    wrong += 1
                    print(said)
        finally:
            served.Served.end(server)
    return wrong


def main():
    server, source, work = sys.argv[1], pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    node = npm_tools.install(source, work)
    if node is None:
        print("the suites cannot be installed here; skipped")
        return npm_tools.SKIPPED
    return 1 if run_fixture(node, work, server) + run_ours(node, work) else 0


if __name__ == "__main__":
    sys.exit(main())

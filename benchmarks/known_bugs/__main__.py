"""Prints a table of the programs in this folder: reconstructions of bugs that public C code has had, each with a
harness as a user would write it, and the corrected version (`-DFIXED`).

The bug of each has to be found, and the corrected version has to be proved.

    python -m benchmarks.known_bugs [--timeout 30] [--cbmc] [FILE.c ...]

With --cbmc, a second table shows what CBMC says, where it is installed: its loops are unwound 20 times.
"""

import argparse
import resource
import shutil
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).resolve().parent
PROPERTY = "undefined-behaviour"
CBMC = [
    "cbmc",
    "--bounds-check",
    "--pointer-check",
    "--signed-overflow-check",
    "--div-by-zero-check",
    "--unwind",
    "20",
    "--malloc-may-fail",
    "--malloc-fail-null",
]


@dataclass(frozen=True)
class Answer:
    """What a tool says about a program."""

    verdict: str
    """The first line of its output; of CBMC `true` or `false`."""
    seconds: float
    """Of the processor, with all processes that it started."""


def answer(command: Sequence[str], timeout_s: float) -> tuple[str, float, int]:
    """The standard output of a command, its processor seconds and its exit status."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    ended = subprocess.run(command, capture_output=True, text=True, check=False, timeout=20 * timeout_s)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    used = after.ru_utime - before.ru_utime + after.ru_stime - before.ru_stime
    return ended.stdout, used, ended.returncode


def of_chcverify(path: Path, flags: Sequence[str], timeout_s: float) -> Answer:
    """The verdict of chcverify."""
    command = [
        sys.executable,
        "-m",
        "chcverify",
        str(path),
        *flags,
        "--property",
        PROPERTY,
        "--malloc",
        "may-fail",
        "--config",
        "none",
    ]
    output, seconds, _ = answer([*command, "--timeout", str(timeout_s)], timeout_s)
    return Answer(output.partition("\n")[0], seconds)


def of_cbmc(path: Path, flags: Sequence[str], timeout_s: float) -> Answer:
    """The verdict of CBMC, with bounded loops: `true` holds for runs within the bounds."""
    output, seconds, status = answer([*CBMC, *flags, str(path)], timeout_s)
    verdict = {0: "true", 10: "false"}.get(status, "unknown")
    return Answer(verdict if "VERIFICATION" in output else "unknown", seconds)


def main() -> int:
    """Prints the table; exit status 1 if a bug is not found or a corrected version is not proved."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=30, help="seconds for a program; default: 30")
    parser.add_argument("--cbmc", action="store_true")
    parser.add_argument("files", nargs="*", type=Path)
    given = parser.parse_args()
    if given.cbmc and shutil.which("cbmc") is None:
        parser.error("cbmc is not installed")
    tool = of_cbmc if given.cbmc else of_chcverify
    print("| program | with the bug | processor s | corrected | processor s |\n|---|---|--:|---|--:|")
    found = proved = 0
    paths = given.files or sorted(HERE.glob("*.c"))
    for path in paths:
        bug, fixed = tool(path, [], given.timeout), tool(path, ["-DFIXED"], given.timeout)
        found += bug.verdict.startswith("false")
        proved += fixed.verdict == "true"
        print(
            f"| {path.stem} | {bug.verdict} | {bug.seconds:.1f} | {fixed.verdict} | {fixed.seconds:.1f} |", flush=True
        )
    print(f"\n{found} of {len(paths)} bugs found, {proved} of {len(paths)} corrected versions proved")
    return 0 if found == proved == len(paths) else 1


if __name__ == "__main__":
    sys.exit(main())

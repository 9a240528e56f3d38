"""Prints a table of the harnesses: verdict, times of wall, processor and check, and the engine that decided.

python run.py --projects DIR [--timeout S] [NAME ...]; DIR has the projects as README.md lists them.
"""

import argparse
import json
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

_HERE = Path(__file__).parent
INCLUDED = (
    "",
    "FreeRTOS-Kernel/include",
    "FreeRTOS-Kernel/config",
    "FreeRTOS-Kernel/portable_template",
    "aws-c-common/include",
    "aws-c-common/verification/cbmc/include",
)
"""Directories of headers, below that of the projects."""


@dataclass(frozen=True)
class HarnessRow:
    """A line of the table. cpu_s: processor time of all processes. certified_s: of the check of the certificate."""

    name: str
    verdict: str
    wall_s: float
    cpu_s: float
    engine: str
    certified_s: float | None

    def __str__(self) -> str:
        check = "" if self.certified_s is None else f"{self.certified_s:.1f}"
        return f"| {self.name} | {self.verdict} | {self.wall_s:.1f} | {self.cpu_s:.1f} | {check} | {self.engine} |"


def main() -> None:
    arguments = _arguments()
    print("| harness | verdict | wall s | processor s | certificate s | decided by |\n|---|---|---|---|---|---|")
    for file in sorted(_HERE.glob("*.c")):
        if not arguments.names or file.stem in arguments.names:
            print(_run(file, arguments.projects, arguments.timeout), flush=True)


def _run(file: Path, projects: Path, timeout_s: float) -> HarnessRow:
    include = [f"-I{projects / directory}" for directory in INCLUDED]
    with tempfile.TemporaryDirectory() as directory:
        statistics = Path(directory) / "statistics.json"
        command = [str(Path(sys.executable).with_name("chcverify")), str(file), *include, "--jobs", "1"]
        command += ["--timeout", str(timeout_s), "--stats", str(statistics)]
        began, before = time.monotonic(), _cpu_s()
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        wall_s, used_s = time.monotonic() - began, _cpu_s() - before
        figures = json.loads(statistics.read_text()) if statistics.exists() else {}
    verdict = (done.stdout.splitlines() or ["error"])[0]
    certified_s = figures.get("certificate", {}).get("seconds")
    return HarnessRow(file.stem, verdict, wall_s, used_s, figures.get("engine", ""), certified_s)


def _cpu_s() -> float:
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--projects", type=Path, required=True)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("names", nargs="*")
    return parser.parse_args()


if __name__ == "__main__":
    main()

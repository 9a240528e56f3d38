"""Prints a table: for each program the sizes of formula and certificate, the seconds of each phase, and the memory.

python sizes.py [--timeout S] [NAME ...], by default all programs beside this file, with one job each. Memory is the
largest sum over all processes of the command (proportional set size), sampled four times a second. README.md has the
last table.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

_HERE = Path(__file__).parent
_SAMPLE_S = 0.25
COLUMNS = (
    "program",
    "verdict",
    "decided by",
    "solver",
    "unrolled places",
    "formula, kB",
    "certificate, kB",
    "unrolling, s",
    "deciding, s",
    "making the certificate, s",
    "checking it, s",
    "memory, MB",
)


@dataclass(frozen=True)
class SizesRow:
    """A line of the table. figures: of `--stats`."""

    name: str
    verdict: str
    figures: Mapping[str, Any]
    certificate_bytes: int
    memory_mb: float

    def __str__(self) -> str:
        engine = self.figures.get("engine", "")
        own = self.figures.get("engines", {}).get("bounded on original", {}) if engine.startswith("bounded") else {}
        formula = own.get("formula bytes", 0)
        cells = [
            self.name,
            self.verdict,
            engine or ("random runs" if self.verdict.startswith("false") else ""),
            own.get("solver", ""),
            own.get("steps", ""),
            f"{formula / 1000:.0f}" if formula else "",
            f"{self.certificate_bytes / 1000:.0f}" if self.certificate_bytes else "",
            *(_seconds(own.get(f"seconds {phase}")) for phase in ("unrolling", "deciding", "making the certificate")),
            _seconds((self.figures.get("certificate") or {}).get("seconds")),
            f"{self.memory_mb:.0f}",
        ]
        return f"| {' | '.join(map(str, cells))} |"


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("names", nargs="*")
    arguments = parser.parse_args()
    print(f"| {' | '.join(COLUMNS)} |\n|{'---|' * len(COLUMNS)}")
    for task in sorted(_HERE.glob("*.yml")):
        if not arguments.names or task.stem in arguments.names:
            print(_run(task, arguments.timeout), flush=True)


def _run(task: Path, timeout_s: float) -> SizesRow:
    with tempfile.TemporaryDirectory() as directory:
        statistics, certificate = Path(directory) / "statistics.json", Path(directory) / "certificate"
        command = [str(Path(sys.executable).with_name("chcverify")), str(task), "--jobs", "1"]
        command += ["--timeout", str(timeout_s), "--stats", str(statistics), "--certificate", str(certificate)]
        quiet = subprocess.DEVNULL
        with subprocess.Popen(command, stdout=subprocess.PIPE, stderr=quiet, text=True) as process:
            memory_mb = 0.0
            while process.poll() is None:
                memory_mb = max(memory_mb, sum(map(_resident_mb, _tree(process.pid))))
                time.sleep(_SAMPLE_S)
            assert process.stdout is not None
            lines = process.stdout.read().splitlines()
        figures = json.loads(statistics.read_text()) if statistics.exists() else {}
        size = certificate.stat().st_size if certificate.exists() else 0
    return SizesRow(task.stem, (lines or ["error"])[0], figures, size, memory_mb)


def _tree(root: int) -> Iterator[int]:
    """The process and all below it."""
    waiting = [root]
    while waiting:
        number = waiting.pop()
        yield number
        try:
            for thread in os.listdir(f"/proc/{number}/task"):
                waiting += map(int, Path(f"/proc/{number}/task/{thread}/children").read_text().split())
        except OSError:
            continue  # it has just ended


def _resident_mb(process: int) -> float:
    """Its share of the memory, in which what several processes have in common is divided between them."""
    try:
        lines = Path(f"/proc/{process}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0.0
    return sum(int(line.split()[1]) for line in lines if line.startswith("Pss:")) / 1024


def _seconds(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


if __name__ == "__main__":
    main()

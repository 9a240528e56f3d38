"""What is settled of single functions, at what cost: python -m benchmarks.functions [--timeout S] [--only NAME,...]

Runs `chcverify --entry` on each function of functions.csv, or of a list with the same columns, and prints its checks,
then the share of checks that are settled (proved, violated or not reached), the functions that are settled whole, and
the sum and the median of processor time in seconds (all processes of a run). Exit status 1 if a verdict contradicts
the list: a violated check of a function whose checks hold, or all checks of one proved that has a violated one.
"""

import argparse
import csv
import json
import resource
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

HERE = Path(__file__).parent
COMMAND = "from chcverify.__main__ import main; main()"  # as the installed script


@dataclass(frozen=True)
class Function:
    """A function of the list. flags: of the compiler. holds: all its checks hold; None where the list does not say."""

    file: str
    name: str
    flags: tuple[str, ...]
    holds: bool | None


@dataclass(frozen=True)
class Result:
    """The checks of a function by their verdicts. seconds: of the processor."""

    function: Function
    checks: int
    proved: int
    not_reached: int
    violated: int
    unknown: int
    seconds: float

    @property
    def is_whole(self) -> bool:
        """True if every check is settled."""
        return self.unknown == 0

    @property
    def is_contradiction(self) -> bool:
        """True if the verdicts are not those of the list."""
        holds = self.function.holds
        return holds is not None and (self.violated > 0 if holds else self.violated + self.unknown == 0)

    def line(self) -> str:
        """The row of the table."""
        counts = f"{self.checks:5} {self.proved:6} {self.not_reached:8} {self.violated:8} {self.unknown:7}"
        return (
            f"{self.function.name:36} {counts} {self.seconds:8.1f}{'  CONTRADICTION' if self.is_contradiction else ''}"
        )


def functions(path: Path) -> list[Function]:
    """The functions of a list: columns file, function, and where given flags and expected (holds or violated)."""
    expected = {"holds": True, "violated": False}
    with path.open(newline="") as file:
        return [
            Function(
                row["file"],
                row["function"],
                tuple((row.get("flags") or "").split()),
                expected.get(row.get("expected") or ""),
            )
            for row in csv.DictReader(file)
        ]


def measured(function: Function, directory: Path, timeout: float) -> Result:
    """The result of one run. directory: of the function's file. timeout: in seconds."""
    with tempfile.TemporaryDirectory() as temporary:
        table = Path(temporary, "table.json")
        options = ["--entry", function.name, "--property", "undefined-behaviour", "--timeout", str(timeout)]
        options += ["--jobs", "1", "--config", "none", "--table", str(table)]
        before = _used()
        subprocess.run(
            [sys.executable, "-c", COMMAND, function.file, *function.flags, *options],
            cwd=directory,
            stdin=subprocess.DEVNULL,
            capture_output=True,
        )
        seconds = _used() - before
        found = json.loads(table.read_text())["functions"][0] if table.exists() else {}
    names = ("checks", "proved", "not_reached", "violated", "unknown")
    return Result(function, *(found.get(name) or 0 for name in names), seconds)


def _used() -> float:
    """The processor seconds of all children that have ended."""
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime


def summary(results: Sequence[Result]) -> str:
    """The last line of the table."""
    checks = sum(result.checks for result in results)
    settled = checks - sum(result.unknown for result in results)
    seconds = [result.seconds for result in results]
    whole = sum(result.is_whole for result in results)
    share = 100 * settled / checks if checks else 100
    return (
        f"{len(results)} functions, {checks} checks, settled {share:.0f} %, settled whole {whole}; "
        f"{sum(seconds):.1f} s of the processor, median {statistics.median(seconds):.1f} s"
    )


def main() -> int:
    """The command; its exit status."""
    parser = argparse.ArgumentParser(description="Settled checks of single functions, and their cost.")
    parser.add_argument("--list", type=Path, default=HERE / "functions.csv")
    parser.add_argument("--directory", type=Path, help="of the files; that of the list if it is not given")
    parser.add_argument("--timeout", type=float, default=20.0)
    parser.add_argument("--only", default="", help="names, with commas between them")
    given = parser.parse_args()
    names = frozenset(filter(None, given.only.split(",")))
    chosen = [f for f in functions(given.list) if not names or f.name in names]
    if not chosen:
        parser.error("no function of the list has such a name")
    print(f"{'function':36} checks proved not reached violated unknown seconds")
    results = []
    for function in chosen:
        results.append(measured(function, given.directory or given.list.parent, given.timeout))
        print(results[-1].line(), flush=True)
    print(summary(results))
    return int(any(result.is_contradiction for result in results))


if __name__ == "__main__":
    sys.exit(main())

"""Combined-case beside split-case k-induction on the programs of this directory: required k, time and invariants.

    python -m benchmarks.k_induction.run [--timeout S] [TASK.yml ...]

Laid out as table 2 of Donaldson, Haller, Kroening, Rümmer: Software Verification Using k-Induction. k of the combined
case counts iterations, with the least and the greatest of all loops; k of the split case counts clauses. Split-case
k-induction runs alone, and then with the auxiliary invariants of abstract interpretation, which are counted. A verdict
is only printed by the command after its certificate was accepted; "!" marks one that contradicts its task.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from chcverify.task import read_task

COMBINED, COMBINED_FED, SPLIT, SPLIT_FED = "combined", "combined+df", "kind", "kind+df"


@dataclass(frozen=True)
class Run:
    """What the statistics of one command say. figures: of the engine."""

    verdict: str
    seconds: float
    figures: dict[str, Any]
    correct: bool

    @property
    def answer(self) -> str:
        return f"{self.verdict}{'' if self.correct else '!'}"

    @property
    def span(self) -> str:
        """The least and the greatest k over all loops, or the one k."""
        k = self.figures.get("k")
        if self.verdict != "safe" or k is None:
            return "-"
        values = sorted(k.values()) if isinstance(k, dict) else [k]
        return f"{values[0]}..{values[-1]}" if len(values) > 1 else "".join(map(str, values))


def run(path: Path, engine: str, timeout: float) -> Run:
    """One command on one task; it counts as wrong only if it gives a verdict that is not the expected one."""
    expected = read_task(str(path)).expected
    with tempfile.TemporaryDirectory() as directory:
        file = Path(directory, "stats.json")
        command = [sys.executable, "-m", "chcverify", str(path), "--engine", engine, "--timeout", str(timeout)]
        subprocess.run([*command, "--stats", str(file)], capture_output=True, check=False, timeout=timeout + 30)
        stats: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    verdict = stats.get("verdict", "error")
    verdict = {"true": "safe", "false": "unsafe"}.get(verdict.split("(")[0], verdict)
    agrees = expected is None or verdict == ("safe" if expected else "unsafe")
    figures = stats.get("engines", {}).get(engine, {})
    return Run(verdict, stats.get("seconds", timeout), figures, agrees or verdict == "unknown")


def row(path: Path, timeout: float) -> tuple[list[str], bool]:
    """The cells of a task, and whether no run was wrong."""
    engine = COMBINED
    combined = run(path, engine, timeout)
    if combined.verdict == "unknown":
        engine = COMBINED_FED
        combined = run(path, engine, timeout)
    split, fed = run(path, SPLIT, timeout), run(path, SPLIT_FED, timeout)
    loops = len(combined.figures.get("k", {})) or "-"
    cells = [path.stem, str(loops), engine, combined.answer, combined.span, f"{combined.seconds:.1f}"]
    cells += [split.answer, split.span, f"{split.seconds:.1f}"]
    cells += [fed.answer, fed.span, f"{fed.seconds:.1f}", str(fed.figures.get("invariants", 0))]
    return cells, all(each.correct for each in (combined, split, fed))


HEADER = ("program", "loops", "combined case", "", "k", "s", "split case", "k", "s", "with df", "k", "s", "invariants")
WIDTHS = (18, 5, 13, 7, 5, 5, 10, 4, 5, 7, 4, 5, 10)


def line(cells: Sequence[str]) -> str:
    return "  ".join(f"{cell:{width}}" for cell, width in zip(cells, WIDTHS, strict=True)).rstrip()


def main(arguments: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description="Combined-case and split-case k-induction side by side.")
    parser.add_argument("tasks", nargs="*", type=Path)
    parser.add_argument("--timeout", type=float, default=20.0, help="seconds of each run")
    given = parser.parse_args(arguments)
    tasks = given.tasks or sorted(Path(__file__).parent.glob("*.yml"))
    print(line(HEADER), flush=True)
    right = True
    for task in tasks:
        cells, correct = row(task, given.timeout)
        right &= correct
        print(line(cells), flush=True)
    return 0 if right else 1


if __name__ == "__main__":
    sys.exit(main())

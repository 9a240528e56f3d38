"""python -m tests.differential.memory --count N [--start S] [--jobs J] [--compiler NAME] [--mutants] [--keep DIRECTORY]

Compares N random programs, or mutants of safe ones, under a sanitizer and here; the exit status is 1 on a mismatch.
"""

import argparse
import multiprocessing
import sys
from collections import Counter
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from .compare import problems
from .generate import MemoryProgram, make
from .mutate import mutants_of
from .sanitizers import compilers, reports

_BATCH = 25  # programs in one executable: the compiler's start and the run-time library cost as much as ten programs


@dataclass(frozen=True)
class Compared:
    """A compared program. kind: of the sanitizer's report. problem: "" if both agree."""

    name: str
    kind: str
    problem: str
    text: str


def main() -> int:
    """Compares what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.memory", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--compiler", choices=("gcc", "clang"), default="gcc")
    parser.add_argument("--mutants", action="store_true", help="mutants of programs without a fault")
    parser.add_argument("--keep", type=Path, metavar="DIRECTORY", help="store the programs that differ")
    arguments = parser.parse_args()
    if arguments.compiler not in compilers():
        print(f"{arguments.compiler} with its sanitizers does not work here")
        return 2
    end = arguments.start + arguments.count
    batches = [range(start, min(start + _BATCH, end)) for start in range(arguments.start, end, _BATCH)]
    counted: Counter[str] = Counter()
    with multiprocessing.Pool(arguments.jobs, maxtasksperchild=20) as pool:
        for batch in pool.imap(partial(compared, arguments.compiler, arguments.mutants), batches):
            for program in batch:
                counted.update(("programs", program.kind, *(["mismatches"] if program.problem else [])))
                if program.problem:
                    print(f"{program.name}: {program.problem}", flush=True)
                    if arguments.keep is not None:
                        arguments.keep.mkdir(parents=True, exist_ok=True)
                        path = arguments.keep / f"{program.name.replace(' ', '-')}.c"
                        path.write_text(f"// {program.problem}\n{program.text}", encoding="utf-8")
            if counted["programs"] % (20 * _BATCH) == 0:
                print(_summary(counted), flush=True)
    print(_summary(counted), flush=True)
    return int(counted["mismatches"] > 0)


def compared(compiler: str, mutants: bool, seeds: range) -> list[Compared]:
    """The comparisons of the programs of some seeds."""
    programs: list[tuple[str, MemoryProgram]] = []
    for seed in seeds:
        if mutants:
            safe = make(seed, fault_rate=0.0)
            named = [
                (f"mutant {seed}.{number} ({what})", program) for number, (what, program) in mutants_of(safe, seed)
            ]
            programs += named
        else:
            programs.append((f"program {seed}", make(seed)))
    given = reports([program for _, program in programs], compiler)
    out = []
    for (name, program), report in zip(programs, given, strict=True):
        try:
            found = problems(program, report)
        except Exception as error:  # a crash is a mismatch, too
            found = [f"{type(error).__name__}: {error}"]
        out.append(Compared(name, report.kind or "no violation", "; ".join(found), program.text))
    return out


def _summary(counted: Counter[str]) -> str:
    kinds = ", ".join(
        f"{count} {name}" for name, count in sorted(counted.items()) if name not in ("programs", "mismatches")
    )
    return f"{counted['programs']} programs ({kinds}), {counted['mismatches']} mismatches"


if __name__ == "__main__":
    sys.exit(main())

"""python -m tests.differential.threads --count N [--start S]: compares N programs; exit status 1 on a mismatch."""

import argparse
import sys
from collections import Counter

from .compare import compare
from .compare_clauses import compare_clauses


def main() -> int:
    """Compares what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.threads", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    parser.add_argument("--clauses", action="store_true", help="compare the clauses instead of scheduled runs")
    parser.add_argument("--quick", action="store_true", help="of the clauses only the product")
    parser.add_argument("--interrupts", action="store_true", help="programs with an interrupt handler")
    arguments = parser.parse_args()
    counted: Counter[str] = Counter()
    for seed in range(arguments.start, arguments.start + arguments.count):
        found = compare(seed, interrupts=arguments.interrupts) if not arguments.clauses else None
        if arguments.clauses:
            counted["mismatches"] += _is_mismatch(seed, arguments, counted)
            continue
        if found is None:
            counted["too many states"] += 1
            continue
        counted.update(("programs", *found.shown))
        counted.update(f"missed: {name}" for name in found.missed)
        counted["mismatches"] += bool(found.problems)
        for problem in (*found.problems, *(f"{name} is not found" for name in found.missed)):
            print(f"program {seed}: {problem}", flush=True)
    print(", ".join(f"{count} {what}" for what, count in counted.items()))
    return int(counted["mismatches"] > 0)


def _is_mismatch(seed: int, arguments: argparse.Namespace, counted: Counter[str]) -> bool:
    """Do the clauses of the program of a seed say something else than its interleavings?"""
    found = compare_clauses(seed, interrupts=arguments.interrupts, quick=arguments.quick)
    counted["too many states" if found is None else "programs"] += 1
    problems, undecided = found or ([], [])
    counted.update(f"undecided: {name}" for name in undecided)
    for problem in problems:
        print(f"program {seed}: {problem}", flush=True)
    return bool(problems)


if __name__ == "__main__":
    sys.exit(main())

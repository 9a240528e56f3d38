"""python -m tests.differential.threads --count N [--start S]: compares N programs; exit status 1 on a mismatch."""

import argparse
import sys
from collections import Counter

from .compare import compare


def main() -> int:
    """Compares what the arguments ask for; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.threads", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--start", type=int, default=0, help="the number of the first program")
    arguments = parser.parse_args()
    counted: Counter[str] = Counter()
    for seed in range(arguments.start, arguments.start + arguments.count):
        found = compare(seed)
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


if __name__ == "__main__":
    sys.exit(main())

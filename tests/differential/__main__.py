"""python -m tests.differential --count N [--seed S]: compares N random programs; exit status 1 on a mismatch."""

import argparse
import sys

from encoders.c.types import ILP32, LP64

from .compare import GCC, compare, make


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--show", action="store_true", help="print the programs that differ")
    arguments = parser.parse_args()
    failures = 0
    for seed in range(arguments.seed, arguments.seed + arguments.count):
        case = make(seed, bits=seed % 2 == 1)
        models = [(ILP32, False)] if seed % 4 == 3 or GCC is None else [(LP64, True)]
        for model, use_gcc in models:
            try:
                problems = compare(case, model, use_gcc)
            except Exception as error:  # a crash is a mismatch, too
                problems = [f"{type(error).__name__}: {error}"]
            for problem in problems:
                failures += 1
                print(f"seed {seed} {model.name}: {problem}", flush=True)
                if arguments.show:
                    print(case.text)
    print(f"{arguments.count} programs, {failures} mismatches")
    return int(failures > 0)


if __name__ == "__main__":
    sys.exit(main())

"""python -m tests.differential --count N [--start S]: compares N random programs; exit status 1 on a mismatch."""

import argparse
import resource
import sys
from collections import Counter

from encoders.c.errors import Unsupported
from encoders.c.types import ILP32, LP64

from . import csmith
from .compare import Case, Comparison, compare, make
from .native import runs

_THOROUGH = 16  # of so many programs one is encoded in both theories, and its derivations are checked and replayed


def main() -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--start", "--seed", type=int, default=0, help="the number of the first program")
    parser.add_argument("--source", choices=("own", "csmith"), default="own", help="who makes the programs")
    parser.add_argument("--show", action="store_true", help="print the programs that differ")
    arguments = parser.parse_args()
    if arguments.source == "csmith" and not (csmith.installed() and runs(LP64)):
        print("the source csmith needs csmith (Debian: csmith, libcsmith-dev) and gcc, and they are not installed")
        return 2
    for model in (LP64, ILP32):
        if not runs(model):
            print(f"gcc's {model.name} programs do not run here: the interpreter's values are the expected ones")
    seen: Counter[str] = Counter()
    for seed in range(arguments.start, arguments.start + arguments.count):
        _one(seed, arguments.source, arguments.show, seen)
        if (seed + 1 - arguments.start) % 100 == 0:
            print(_summary(seen), flush=True)
    print(_summary(seen))
    return int(seen["mismatches"] > 0)


def _one(seed: int, source: str, show: bool, seen: Counter[str]) -> None:
    model = ILP32 if seed % 4 >= 2 else LP64
    case = None
    try:
        case = make(seed, model) if source == "own" else csmith.make(seed, model)
        found = compare(case, model, seed % _THOROUGH == seed // _THOROUGH % _THOROUGH)
    except Unsupported as refusal:
        if source == "csmith":  # the own programs have supported constructs only
            seen.update(("programs", "refused", model.name))
            return
        found = Comparison((f"refused: {refusal}",), ())
    except Exception as error:  # a crash is a mismatch, too
        found = Comparison((f"{type(error).__name__}: {error}",), ())
    seen.update(("programs", model.name, *found.theories, *(["mismatches"] if found.problems else [])))
    seen["without end"] += not found.theories and not found.problems
    _report(f"program {seed} {model.name}", found, case if show else None)


def _report(name: str, found: Comparison, case: Case | None) -> None:
    for problem in found.problems:
        print(f"{name}: {problem}", flush=True)
    if found.problems and case is not None:
        print(case.text)


def _summary(seen: Counter[str]) -> str:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    seconds = sum(part.ru_utime + part.ru_stime for part in usage)
    return (
        f"{seen['programs']} programs ({seen['LP64']} LP64, {seen['ILP32']} ILP32; {seen['lia']} in integers, "
        f"{seen['bv']} in bit-vectors, {seen['without end']} without end, {seen['refused']} refused), "
        f"{seen['mismatches']} mismatches, "
        f"{seconds:.0f} s of processor time"
    )


if __name__ == "__main__":
    sys.exit(main())

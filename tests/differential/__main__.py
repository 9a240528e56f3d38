"""python -m tests.differential --count N [--start S] [--jobs J]: compares N random programs.

The exit status is 1 on a mismatch."""

import argparse
import multiprocessing
import resource
import sys
from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import ILP32, LP64

from . import csmith
from .compare import Case, Comparison, compare, make
from .features import FEATURES, OFF, chosen
from .native import runs

_THOROUGH = 16  # of so many programs one is encoded in both theories, and its derivations are checked and replayed


@dataclass(frozen=True)
class Asked:
    """What programs to compare. features: the names of those drawn from, () for the usual ones; without: not these."""

    source: str
    features: tuple[str, ...] = ()
    without: tuple[str, ...] = ()


@dataclass(frozen=True)
class Seen:
    """One program: its name, what was counted, its problems, its text where it has any; seconds of processor time."""

    name: str
    counted: tuple[str, ...]
    problems: tuple[str, ...]
    text: str
    seconds: float


def main() -> int:
    """Compares what the arguments ask for; the exit status."""
    arguments = _parser().parse_args()
    asked = Asked(arguments.source, _names(arguments.features), _names(arguments.without))
    for name in (*asked.features, *asked.without):
        if name not in FEATURES:
            print(f"there is no feature {name}; there are {', '.join(FEATURES)}")
            return 2
    if asked.source == "csmith" and not (csmith.installed() and runs(LP64)):
        print("the source csmith needs csmith (Debian: csmith, libcsmith-dev) and gcc, and they are not installed")
        return 2
    for model in (LP64, ILP32):
        if not runs(model):
            print(f"gcc's {model.name} programs do not run here: the interpreter's values are the expected ones")
    seeds = range(arguments.start, arguments.start + arguments.count)
    with multiprocessing.Pool(arguments.jobs, maxtasksperchild=200) as pool:
        counted = _reported(pool.imap(partial(_one, asked), seeds), arguments.show, arguments.keep)
    return int(counted["mismatches"] > 0 or counted["programs"] != arguments.count)


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m tests.differential", description=__doc__)
    parser.add_argument("--count", type=int, default=100, help="how many programs")
    parser.add_argument("--start", "--seed", type=int, default=0, help="the number of the first program")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--source", choices=("own", "csmith"), default="own", help="who makes the programs")
    parser.add_argument("--show", action="store_true", help="print the programs that differ")
    parser.add_argument("--keep", type=Path, metavar="DIRECTORY", help="store the programs that differ")
    parser.add_argument(
        "--features", default="", help=f"draw from these, by commas; off by default: {', '.join(sorted(OFF))}"
    )
    parser.add_argument("--without", default="", help="never draw these")
    return parser


def _names(text: str) -> tuple[str, ...]:
    return tuple(name for name in text.split(",") if name)


def _reported(found: Iterable[Seen], show: bool, keep: Path | None) -> Counter[str]:
    """What was counted over all programs; prints the problems and the sums."""
    counted: Counter[str] = Counter()
    seconds = 0.0
    for seen in found:
        counted.update(seen.counted)
        seconds += seen.seconds
        for problem in seen.problems:
            print(f"{seen.name}: {problem}", flush=True)
        if seen.problems and show:
            print(seen.text)
        if seen.problems and keep is not None:
            keep.mkdir(parents=True, exist_ok=True)
            comment = "\n".join(f"// {line}" for problem in seen.problems for line in problem.splitlines())
            (keep / f"{seen.name.replace(' ', '-')}.c").write_text(f"{comment}\n{seen.text}", encoding="utf-8")
        if counted["programs"] % 100 == 0:
            print(_summary(counted, seconds), flush=True)
    print(_summary(counted, seconds), flush=True)
    return counted


def _one(asked: Asked, seed: int) -> Seen:
    before = _seconds()
    model = ILP32 if seed % 4 >= 2 else LP64
    name = f"{asked.source} {seed} {model.name}"
    case: Case | None = None
    counted = ["programs", model.name]
    try:
        if asked.source == "own":
            case = make(seed, model, chosen(model, asked.features, asked.without))
        else:
            case = csmith.make(seed, model)
        found = compare(case, model, seed % _THOROUGH == seed // _THOROUGH % _THOROUGH)
    except Unsupported as refusal:
        if asked.source == "csmith":  # the own programs have supported constructs only
            return Seen(name, ("programs", "refused", model.name), (), "", _seconds() - before)
        found = Comparison((f"refused: {refusal}",), ())
    except Exception as error:  # a crash is a mismatch, too
        said = getattr(error, "stderr", None) or ""
        found = Comparison((f"{type(error).__name__}: {error} {said}",), ())
    counted += found.theories
    if found.problems:
        counted.append("mismatches")
    elif not found.theories:
        counted.append("without end")
    return Seen(name, tuple(counted), found.problems, case.text if case else "", _seconds() - before)


def _seconds() -> float:
    usage = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(part.ru_utime + part.ru_stime for part in usage)


def _summary(seen: Counter[str], seconds: float) -> str:
    return (
        f"{seen['programs']} programs ({seen['LP64']} LP64, {seen['ILP32']} ILP32; {seen['lia']} in integers, "
        f"{seen['bv']} in bit-vectors, {seen['without end']} without end, {seen['refused']} refused), "
        f"{seen['mismatches']} mismatches, "
        f"{seconds:.0f} s of processor time"
    )


if __name__ == "__main__":
    sys.exit(main())

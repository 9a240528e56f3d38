"""python -m tests.differential.mutants [--only TEXT] [--jobs J]: which program notices each wrong rule of the encoder?

The exit status is 1 if one is not noticed by so many programs: the programs of this directory and random ones. Each
mutant has a process of its own, in which the module is loaded with the change; the encoder's files stay as they are.
"""

import argparse
import json
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass, replace
from functools import partial

from .mutant_table import MUTANTS
from .mutations import Mutant, apply

RANDOM_PROGRAMS = 60  # all mutants of the table are noticed within far fewer
NOTHING = Mutant("nothing", "", "", "", "")
_FIRST = 12  # random programs that come before the programs of this directory, which are larger


@dataclass(frozen=True)
class Noticed:
    """program: the name of the first program that notices the mutant, "" if none does; how: what was found.

    tried: how many programs were compared. broken: why the mutant does not fit the encoder, "" if it does.
    """

    program: str
    how: str
    tried: int
    broken: str = ""


def main(arguments: Sequence[str] | None = None) -> int:
    """Prints a table of mutants and what notices them; the exit status."""
    parser = argparse.ArgumentParser(prog="python -m tests.differential.mutants", description=__doc__)
    parser.add_argument("--only", default="", metavar="TEXT", help="mutants whose name contains it")
    parser.add_argument("--jobs", type=int, default=1, help="how many processes")
    parser.add_argument("--count", type=int, default=RANDOM_PROGRAMS, help="random programs for each mutant")
    parser.add_argument("--theory", default="auto", help=argparse.SUPPRESS)
    parser.add_argument("--here", action="store_true", help=argparse.SUPPRESS)  # one mutant in this process
    options = parser.parse_args(arguments)
    if options.here:
        mutant = next(m for m in (*MUTANTS, NOTHING) if m.name == options.only)
        print(json.dumps(asdict(_here(replace(mutant, theory=options.theory), options.count))))
        return 0
    chosen = [mutant for mutant in MUTANTS if options.only in mutant.name]
    missed = 0 if options.only else _control(options.count)
    with ThreadPoolExecutor(options.jobs) as pool:
        for mutant, noticed in zip(chosen, pool.map(partial(notice, count=options.count), chosen), strict=True):
            missed += not noticed.program
            program = noticed.program or f"NOT NOTICED by {noticed.tried} programs {noticed.broken}"
            print(f"{mutant.module}:{mutant.function}  {mutant.name}  ->  {program}: {noticed.how[:70]}", flush=True)
    print(f"{len(chosen)} mutants, {missed} not noticed, or mismatches of the encoder as it is")
    return int(missed > 0)


def _control(count: int) -> int:
    """How many theories notice something where nothing is wrong: what they notice of mutants would say nothing."""
    wrong = 0
    for theory in ("auto", "bv"):
        found = notice(replace(NOTHING, theory=theory), count)
        wrong += bool(found.program or found.broken)
        print(f"no mutant ({theory})  ->  {found.program or 'no mismatch'} {found.how} {found.broken}", flush=True)
    return wrong


def notice(mutant: Mutant, count: int = RANDOM_PROGRAMS) -> Noticed:
    """What notices a mutant, found by a process of its own."""
    command = [
        sys.executable,
        "-m",
        "tests.differential.mutants",
        "--here",
        "--only",
        mutant.name,
        "--theory",
        mutant.theory,
        "--count",
        str(count),
    ]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)
    if ended.returncode:
        return Noticed("", "", 0, ended.stderr.strip().rpartition("\n")[2])
    return Noticed(**json.loads(ended.stdout.splitlines()[-1]))


def _here(mutant: Mutant, count: int) -> Noticed:
    if mutant.name != NOTHING.name:
        apply(mutant)
    tried = 0
    for name, problems in _programs(count, mutant.theory):
        tried += 1
        try:
            found = problems()
        except LookupError as error:
            if mutant.name in str(error):
                raise
            found = (f"{type(error).__name__}: {error}",)
        except Exception as error:  # what the changed rule breaks
            found = (f"{type(error).__name__}: {error}",)
        if found:
            return Noticed(name, found[0], tried)
    return Noticed("", "", tried)


def _programs(count: int, theory: str) -> Iterator[tuple[str, Callable[[], tuple[str, ...]]]]:
    """Names of programs, and what finds their problems. The encoder is loaded here: the mutant has been applied."""
    from encoders.c.types.c_types import ILP32, LP64, DataModel

    from .compare import Case, compare, make
    from .test_programs import PROGRAMS, case

    def problems(program: Case, model: DataModel, thorough: bool) -> tuple[str, ...]:
        found = compare(program, model, thorough, theory)
        return found.problems if found.problems or found.theories else ("it does not end",)

    def random(seed: int) -> tuple[str, ...]:
        model = ILP32 if seed % 4 >= 2 else LP64
        return problems(make(seed, model), model, seed % 16 == 15)

    for seed in range(min(_FIRST, count)):
        yield f"random {seed}", partial(random, seed)
    for path in PROGRAMS:
        for model in (LP64, ILP32):
            yield f"{path.stem} {model.name}", partial(problems, case(path), model, False)
    for seed in range(_FIRST, count):
        yield f"random {seed}", partial(random, seed)


if __name__ == "__main__":
    sys.exit(main())

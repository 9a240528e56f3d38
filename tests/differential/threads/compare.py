"""Compares what the search for violations finds with all interleavings of a program."""

import math
from dataclasses import dataclass

from encoders.c.cfa import ir
from encoders.c.execution.threads.search import ThreadSearch, Wanted
from encoders.c.frontend import load_source
from encoders.c.types.c_types import LP64

from .enumeration import Meaning, TooManyStates, meaning
from .small_programs import HANDLER, SmallGenerator, SmallProgram, c_text

# Runs of a search that should find what there is. Of 2,000 programs all were found within them.
RUNS = 3_000
SAFE_RUNS = 300


@dataclass(frozen=True)
class ThreadComparison:
    """problems: what the enumeration contradicts. missed: what the search did not find. shown: what there is."""

    problems: tuple[str, ...]
    missed: tuple[str, ...]
    shown: tuple[str, ...]


def loaded(program: SmallProgram, with_errors: bool) -> ir.Program:
    """The automata of a program."""
    interrupts = (HANDLER,) if program.handler else ()
    return load_source(c_text(program, with_errors), "small.c", LP64, threads=True, interrupts=interrupts)


def compare(
    seed: int, runs: int = RUNS, safe_runs: int = SAFE_RUNS, interrupts: bool = False
) -> ThreadComparison | None:
    """The comparison for the program of a seed; None if it has too many states. safe_runs: of a search for nothing.

    interrupts: a program with an interrupt handler, whose deadlocks do not count.
    """
    program = SmallGenerator(seed, interrupts).program()
    try:
        with_errors, without = meaning(program), meaning(program, with_errors=False)
    except TooManyStates:
        return None
    problems, missed = list[str](), list[str]()
    shown = _shown(with_errors, without)
    shown = shown if not interrupts else tuple(name for name in shown if name != "deadlock")
    for name, wanted, errors in (
        ("error", Wanted(), True),
        ("race", Wanted(race=True), False),
        ("deadlock", Wanted(deadlock=True), False),
    ):
        if name == "deadlock" and interrupts:
            continue
        search = ThreadSearch(loaded(program, errors), wanted, seed)
        found = search.find(math.inf, runs if name in shown else safe_runs) is not None
        if found and name not in shown:
            problems.append(f"{name}: found, and no interleaving has it")
        if not found and name in shown:
            missed.append(name)
        if search.refused:
            problems.append(f"{name}: {search.refused} runs are not what they were, executed again")
    return ThreadComparison(tuple(problems), tuple(missed), shown)


def _shown(with_errors: Meaning, without: Meaning) -> tuple[str, ...]:
    facts = (("error", with_errors.error), ("race", without.race), ("deadlock", without.deadlock))
    return tuple(name for name, holds in facts if holds)

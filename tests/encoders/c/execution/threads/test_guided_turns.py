"""Runs that follow derivations from the product of threads."""

import time

import pytest

from chcverify.results.result import Unsafe
from encoders.c.concurrency.thread_product import encode_product
from encoders.c.execution.threads.guided_turns import GuidedStep, GuidedTurns
from encoders.c.execution.threads.search import ThreadSearch, ThreadViolation, Wanted
from encoders.c.frontend import load_source
from encoders.c.types.c_types import ILP32
from solvers.engine import Context
from solvers.spacer.engine import Spacer
from tests.encoders.c.concurrency.thread_texts import HEAD, RACE, UNSAFE


def followed(text: str, race: bool = False) -> ThreadViolation | None:
    """The run that follows the derivation of a program's product."""
    program = load_source(HEAD + text, "a.c", ILP32, "no-data-race" if race else "unreach-call", threads=True)
    encoding = encode_product(program, race)
    result = Spacer().solve(encoding.system, Context.within(300))
    assert isinstance(result, Unsafe)
    steps = [each for step in result.derivation.ground_steps for each in encoding.turns.get(step.clause, ())]
    return ThreadSearch(program, Wanted(race)).follow(steps, time.monotonic() + 300, 1)


@pytest.mark.parametrize("text", [*UNSAFE.values()])
def test_one_run_reaches_the_error(text: str) -> None:
    found = followed(text)
    assert found is not None and found.violation is not None


@pytest.mark.parametrize("name", ["nothing", "two locks", "never read"])
def test_one_run_has_the_race(name: str) -> None:
    found = followed(RACE[name], race=True)
    assert found is not None and found.race is not None


def test_without_a_run_the_last_thread_goes_on() -> None:
    turns = GuidedTurns([GuidedStep(7, 3), GuidedStep(2, 99)], {3})
    assert turns.choose((1, 2), 2, 0) == 1  # main, which may create thread 7
    assert turns.choose((2,), 2, 1) == 2  # it waits, and no step is left that a thread can take

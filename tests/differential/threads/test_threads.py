"""Random small programs: runs under a scheduler find what the enumeration of all interleavings shows, and no more."""

from dataclasses import replace
from pathlib import Path

import pytest

from .compare import compare
from .compare_clauses import compare_clauses
from .enumeration import Meaning, meaning
from .sanitizer import is_installed, reports_race
from .small_programs import (
    Assert,
    Body,
    FetchAdd,
    Increment,
    Locked,
    Read,
    Section,
    SmallGenerator,
    SmallProgram,
    Write,
)

COUNT = 24
X, Y = 0, 1


def two(one: Body, other: Body, last: Body = ()) -> SmallProgram:
    return SmallProgram((one, other), (), (0, 1), last)


def facts(program: SmallProgram) -> tuple[bool, bool, bool]:
    found: Meaning = meaning(program)
    return found.error, found.race, found.deadlock


@pytest.mark.parametrize("seed", range(COUNT))
def test_the_search_finds_what_there_is(seed: int) -> None:
    found = compare(seed, safe_runs=50)
    assert found is not None and not found.problems and not found.missed


@pytest.mark.parametrize("seed", range(COUNT))
def test_the_search_finds_what_there_is_with_interrupts(seed: int) -> None:
    found = compare(seed, safe_runs=50, interrupts=True)
    assert found is not None and not found.problems and not found.missed


@pytest.mark.parametrize("seed", range(100, 108))
def test_the_clauses_say_what_there_is_with_interrupts(seed: int) -> None:
    assert compare_clauses(seed, interrupts=True) == ([], [])


def test_the_enumeration_knows_what_interrupts_mean() -> None:
    written = SmallProgram((), (Increment(X), Read(0, X), Assert(0, 2)), (), (), handler=(Write(X, None, 2),))
    assert facts(written)[:2] == (True, True)
    guarded = replace(written, main=(Section((Increment(X), Read(0, X), Assert(0, 3))),))
    assert facts(guarded)[:2] == (True, False)  # 2 is written before the section, not within
    assert not facts(replace(guarded, main=(Section((Write(X, None, 0), Read(0, X), Assert(0, 2))),)))[0]


@pytest.mark.parametrize("seed", range(100, 108))
def test_the_clauses_say_what_there_is(seed: int) -> None:
    assert compare_clauses(seed) == ([], [])


def test_main_may_end_before_its_threads() -> None:
    for program in (
        two((Write(X, None, 1),), (Write(X, None, 1),)),
        two((Write(X, None, 1),), (Read(0, X), Assert(0, 1))),
    ):
        program = replace(program, joined=())
        assert facts(program) != (False, False, False)
        assert compare_clauses(0, program) == ([], [])


def test_a_run_may_show_what_threads_do_before_main_ends() -> None:
    found = compare(1020, safe_runs=50)  # main creates a thread, and has nothing else to do
    assert found is not None and "error" in found.shown and not found.problems and not found.missed


def test_the_programs_differ_in_what_they_show() -> None:
    found = [meaning(SmallGenerator(seed).program(), with_errors=False) for seed in range(0, 90, 3)]
    assert {each.race for each in found} == {True, False} == {each.deadlock for each in found}
    assert {meaning(SmallGenerator(seed).program()).error for seed in range(10)} == {True, False}


def test_the_enumeration_knows_what_programs_mean() -> None:
    lost = (Read(0, X), Assert(0, 1))
    assert facts(two((Increment(X),), (Increment(X),), lost)) == (True, True, False)
    guarded = (Locked(0, (Increment(X),)),)
    assert facts(two(guarded, guarded, lost)) == (False, False, False)
    assert facts(two((FetchAdd(0, X, 1),), (FetchAdd(0, X, 1),), lost)) == (False, False, False)
    assert facts(two((Section((Increment(X),)),), (Increment(X),))) == (False, True, False)
    crossed = two((Locked(0, (Locked(1, (Increment(X),)),)),), (Locked(1, (Locked(0, (Increment(X),)),)),))
    assert facts(crossed) == (False, False, True)
    buffers = two((Write(X, None, 1), Read(0, Y), Write(2, 0, 0)), (Write(Y, None, 1), Read(0, X), Assert(0, 0)))
    assert facts(buffers)[0]


@pytest.mark.skipif(not is_installed(), reason="needs gcc with -fsanitize=thread")
@pytest.mark.parametrize("seed", range(0, 36, 6))
def test_what_the_sanitizer_reports_is_a_race(seed: int, tmp_path: Path) -> None:
    program = SmallGenerator(seed).program()
    if reports_race(program, tmp_path):
        assert meaning(program, with_errors=False).race

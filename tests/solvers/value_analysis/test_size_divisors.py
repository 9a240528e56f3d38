"""Sizes of objects that are multiples of the size of an element: an element is in the object whole or not at all."""

import math
import random
import time
from dataclasses import replace

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.value_analysis import value_sets
from solvers.value_analysis.analysis import ValueAnalysis
from solvers.value_analysis.states import Life, Lives, Objects, TrackedArguments, with_reserved
from tests.solvers.value_analysis.test_value_analysis import accepted

STRIDE = 1 << 48
INT = z3.IntSort()
POINT, SIZE, STATE, P, N, INDEX = z3.Ints("point size state p n i")


def analysed(clauses: list[Clause]) -> tuple[HornSystem, ValueAnalysis]:
    """The object begins at STRIDE, where p leads to."""
    system = HornSystem.of(clauses)
    tracked = {
        q: with_reserved([TrackedArguments(0, 1, 2, STRIDE, 0, (4, 5))]) for q in system.predicates if q.arity > 2
    }
    return system, ValueAnalysis(system, tracked, time.monotonic() + 600)


def test_the_second_half_of_an_element_is_there_if_the_first_is() -> None:
    """n elements of 8 bytes; the byte at offset 16 is in the object, then that at 23 is, and perhaps not that at 24."""
    start, first, second = (Predicate(name, (INT,) * 4) for name in ("start", "first", "second"))
    here = POINT == P
    state = POINT, SIZE, STATE, P
    clauses = [
        Clause(
            start(POINT, z3.If(here, 8 * N, 0), z3.If(here, z3.IntVal(3), z3.IntVal(0)), P),
            (),
            z3.And(POINT >= STRIDE, POINT % STRIDE == 0, P == STRIDE, N >= 1, N < 1000),
        ),
        Clause(first(*state), (start(*state),), z3.Or(POINT != P, SIZE > 16)),
        Clause(second(*state), (first(*state),), z3.BoolVal(True)),
        Clause(None, (second(*state),), z3.And(POINT == P, SIZE <= 23)),
        Clause(None, (second(*state),), z3.And(POINT == P, SIZE <= 24)),
        Clause(None, (first(*state),), z3.And(POINT == P, SIZE > 7992)),
    ]
    system, analysis = analysed(clauses)
    assert analysis.refuted() == {3, 5}
    assert accepted(system, analysis)


def test_an_element_at_an_index_is_there_whole() -> None:
    """The first byte of element i is in the object, then its last byte is."""
    start, access = (Predicate(name, (INT,) * 5) for name in ("start", "access"))
    here = POINT == P
    state = POINT, SIZE, STATE, P, INDEX
    clauses = [
        Clause(
            start(POINT, z3.If(here, 8 * N, 0), z3.If(here, z3.IntVal(3), z3.IntVal(0)), P, INDEX),
            (),
            z3.And(POINT >= STRIDE, POINT % STRIDE == 0, P == STRIDE, N >= 1, N < 1000, INDEX >= 0, INDEX < 5000),
        ),
        Clause(access(*state), (start(*state),), z3.Or(POINT != P, SIZE > 8 * INDEX)),
        Clause(None, (access(*state),), z3.And(POINT == P, SIZE < 8 * INDEX + 8)),
        Clause(None, (access(*state),), z3.And(POINT == P, SIZE < 8 * INDEX + 9)),
    ]
    system, analysis = analysed(clauses)
    assert analysis.refuted() == {2}
    assert accepted(system, analysis)


@pytest.mark.parametrize("seed", range(50))
def test_a_joined_size_is_a_multiple_of_the_divisor(seed: int) -> None:
    source = random.Random(seed)
    lives = []
    for _ in range(2):
        step, number = source.choice((1, 4, 6, 16)), source.randint(0, 9)
        last = number if source.random() < 0.5 else number + source.randint(1, 4)
        lives.append(Life(value_sets.of(step * number, step * last), value_sets.of(1, 1), divisor=step))
    joined = lives[0].joined(lives[1])
    for life in lives:
        ((low, high),) = life.size
        assert all(size % joined.divisor == 0 for size in range(low, high + 1, life.divisor))
    assert joined.divisor % math.gcd(lives[0].divisor, lives[1].divisor) == 0


@pytest.mark.parametrize("sort", [INT, z3.BitVecSort(64)])
def test_nothing_changes_where_equal_states_meet(sort: z3.SortRef) -> None:
    """Else a loop would be gone through once more for each object of one size in it."""
    start, joined = (Predicate(name, (sort,) * 4) for name in ("start", "joined"))
    point, size, state, p = (z3.Const(name, sort) for name in ("point", "size", "state", "p"))
    number = {value: z3.simplify(size - size + value) for value in (0, 3, 24, STRIDE)}
    new = start(point, z3.If(point == p, number[24], number[0]), z3.If(point == p, number[3], number[0]), p)
    clauses = [
        Clause(new, (), z3.And(p == number[STRIDE])),
        Clause(joined(point, size, state, p), (start(point, size, state, p),), z3.BoolVal(True)),
        Clause(joined(point, size, state, p), (start(point, size, state, p),), z3.BoolVal(True)),
    ]
    _, analysis = analysed(clauses)
    found = analysis.states[joined]
    again = replace(found, objects=tuple(_copied(each) for each in found.objects))
    assert found.joined(again) == found == analysis.states[start]


def _copied(objects: Objects) -> Objects:
    """Equal ones that are not the same."""
    lives = Lives(tuple(None if life is None else replace(life) for life in objects.other.phases))
    known = {
        key: Lives(tuple(None if life is None else replace(life) for life in each.phases))
        for key, each in objects.known.items()
    }
    return Objects(objects.arguments, known, lives)

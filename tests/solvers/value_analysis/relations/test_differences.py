"""Constant differences of arguments hold of all states that clauses derive, and carry what is known across copies."""

import itertools
import random
import time

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.value_analysis import value_sets
from solvers.value_analysis.analysis import ValueAnalysis
from solvers.value_analysis.clause_code import ClauseCode, TermTable
from solvers.value_analysis.relations.differences import ClauseDifferences, Differences, joined
from tests.solvers.value_analysis.test_value_analysis import accepted

ARITY = 4
State = tuple[int, ...]


def satisfies(state: State, differences: Differences) -> bool:
    return all(state[i] == state[first] + distance for i, (first, distance) in differences.items())


def exact(states: list[State]) -> Differences:
    """The differences that hold of all states, class by class."""
    found: dict[int, tuple[int, int]] = {}
    for i in range(ARITY):
        for first in range(i + 1):
            distances = {state[i] - state[first] for state in states}
            if len(distances) == 1:
                if first != i:
                    found[i] = first, distances.pop()
                    found[first] = first, 0
                break
    return found


@pytest.mark.parametrize("seed", range(60))
def test_joined_differences_are_those_of_both(seed: int) -> None:
    source = random.Random(seed)
    sides: list[list[State]] = []
    for _ in range(2):
        moves, first = [source.randint(0, 1) for _ in range(ARITY)], [source.randint(-2, 2) for _ in range(ARITY)]
        turns = range(source.randint(1, 3))
        sides.append([tuple(a + turn * b for a, b in zip(first, moves, strict=True)) for turn in turns])
    values = [tuple(value_sets.united((s[i], s[i]) for s in side) for i in range(ARITY)) for side in sides]
    known = [exact(side) if len(side) > 1 else {} for side in sides]
    found = joined(known[0], values[0], known[1], values[1])
    assert all(satisfies(state, found) for state in itertools.chain(*sides))
    wanted = exact([*sides[0], *sides[1]])
    varying = {i for i in wanted if len({s[i] for side in sides for s in side}) > 1}
    assert all(found.get(i, (i, 0))[1] == wanted[i][1] for i in varying if wanted[i][0] in varying)


def test_the_head_keeps_what_the_body_knows() -> None:
    """p(x, y, z) & ... -> q(z + 3, x - 1, y, 7) where y = x + 2."""
    p, q = Predicate("p", (z3.IntSort(),) * 3), Predicate("q", (z3.IntSort(),) * 4)
    x, y, z = z3.Ints("x y z")
    clause = Clause(q(z + 3, x - 1, y, z3.IntVal(7)), (p(x, y, z),), x > 0)
    step = ClauseDifferences(ClauseCode(clause, TermTable()))
    assert step.after([{0: (0, 0), 1: (0, 2)}]) == {1: (1, 0), 2: (1, 3)}
    assert step.after([{}]) == {}


@pytest.mark.parametrize("limit", [50, 1 << 45])
def test_a_check_of_a_copy_bounds_what_was_moved(limit: int) -> None:
    """t = i; i = i + 1; check that t < limit: so i <= limit wherever the loop goes on, and the kernel accepts it."""
    integer = z3.IntSort()
    loop, moved = Predicate("loop", (integer,)), Predicate("moved", (integer, integer))
    i, t = z3.Ints("i t")
    clauses = (
        Clause(loop(z3.IntVal(0)), (), z3.BoolVal(True)),
        Clause(moved(i, i + 1), (loop(i),), z3.BoolVal(True)),
        Clause(loop(i), (moved(t, i),), t < limit),
        Clause(None, (loop(i),), i > limit),
        Clause(None, (loop(i),), i == limit),
    )
    system = HornSystem.of(clauses)
    analysis = ValueAnalysis(system, {}, time.monotonic() + 600)
    assert analysis.refuted() == {3}
    assert accepted(system, analysis)

"""imc: answers with checked certificates on small systems, and beside Spacer on random systems."""

import os

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_systems import LinearMaker, certified

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown, Unsafe
from solvers.engine import Context
from solvers.imc.engine import Imc
from solvers.spacer import Spacer

EXAMPLES = int(os.environ.get("CHCVERIFY_EXAMPLES", "20"))
REAL, BYTE = z3.RealSort(), z3.BitVecSort(8)


def toggle(limit: int) -> HornSystem:
    """Two reals that grow by turns: x leads by up to 1. The query: x - y > limit."""
    x, y, x2, y2 = z3.Reals("x y x2 y2")
    turn, turn2 = z3.Bools("turn turn2")
    state = Predicate("state", (REAL, REAL, z3.BoolSort()))
    first = z3.And(turn, x2 == x + 1, y2 == y)
    second = z3.And(z3.Not(turn), y2 == y + 1, x2 == x)
    return HornSystem.of(
        [
            Clause(state(x, y, turn), (), z3.And(x == 0, y == 0, turn)),
            Clause(state(x2, y2, turn2), (state(x, y, turn),), z3.And(z3.Or(first, second), turn2 == z3.Not(turn))),
            Clause(None, (state(x, y, turn),), x - y > limit),
        ]
    )


def two_locations(limit: int) -> HornSystem:
    """x grows by up to 2 in `first`, and falls from there in `second`. The query: x > limit in `second`."""
    x, y, x2, y2 = z3.Reals("x y x2 y2")
    first, second = Predicate("first", (REAL,)), Predicate("second", (REAL, REAL))
    return HornSystem.of(
        [
            Clause(first(x), (), x == 0),
            Clause(first(x2), (first(x),), z3.And(x < 4, x2 <= x + 2, x2 > x)),
            Clause(second(x2, y), (first(x),), z3.And(x2 == x, y == 1)),
            Clause(second(x2, y2), (second(x, y),), z3.And(x2 == x - y, y2 == y)),
            Clause(None, (second(x, y),), x > limit),
        ]
    )


def bytes_that_stay_even(target: int) -> HornSystem:
    """A byte that grows by 2. The query: it is `target`."""
    b, b2 = z3.BitVecs("b b2", 8)
    state = Predicate("state", (BYTE,))
    return HornSystem.of(
        [
            Clause(state(b), (), b == 0),
            Clause(state(b2), (state(b),), b2 == b + 2),
            Clause(None, (state(b),), b == target),
        ]
    )


@pytest.mark.parametrize(
    "system", [toggle(1), two_locations(6), bytes_that_stay_even(7)], ids=["toggle", "locations", "bytes"]
)
def test_safe_systems_have_checked_models(system: HornSystem) -> None:
    assert isinstance(certified(Imc(), system, 120), Safe)


@pytest.mark.parametrize(
    "system", [toggle(0), two_locations(5), bytes_that_stay_even(6)], ids=["toggle", "locations", "bytes"]
)
def test_unsafe_systems_have_checked_derivations(system: HornSystem) -> None:
    assert isinstance(certified(Imc(), system, 120), Unsafe)


def test_no_time_is_unknown() -> None:
    result = Imc().solve(toggle(1), Context.within(0))
    assert isinstance(result, Unknown) and "time" in result.reason


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 100, database=None)
@given(st.integers(0, 10**9))
def test_agrees_with_spacer(seed: int) -> None:
    system = LinearMaker(seed).system()
    answers = {type(certified(engine, system, 2)) for engine in (Imc(), Spacer())}
    assert not {Safe, Unsafe} <= answers, f"seed {seed}\n{system}"

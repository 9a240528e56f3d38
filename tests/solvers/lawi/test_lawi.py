"""lawi: answers with checked certificates on small systems, and beside Spacer on random systems."""

import os

import pytest
import z3
from hypothesis import given, settings
from hypothesis import strategies as st
from linear_systems import LinearMaker, certified

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unknown, Unsafe
from solvers.engine import Context
from solvers.lawi.engine import Lawi
from solvers.spacer import Spacer

EXAMPLES = int(os.environ.get("CHCVERIFY_EXAMPLES", "20"))
INT, REAL, BYTE = z3.IntSort(), z3.RealSort(), z3.BitVecSort(8)
WORDS = z3.ArraySort(INT, INT)


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


def equal_counters(limit: int) -> HornSystem:
    """x and y grow together, by 1 or by 2, without end. The query: x > limit and y < x."""
    x, y, x2, y2 = z3.Ints("x y x2 y2")
    loop = Predicate("loop", (INT, INT))
    step = z3.Or(z3.And(x2 == x + 1, y2 == y + 1), z3.And(x2 == x + 2, y2 == y + 2))
    return HornSystem.of(
        [
            Clause(loop(x, y), (), z3.And(x == y, x >= 0)),
            Clause(loop(x2, y2), (loop(x, y),), step),
            Clause(None, (loop(x, y),), z3.And(x > limit, y < x)),
        ]
    )


def masked_byte(target: int) -> HornSystem:
    """A byte that stays below 16, whatever is added. The query: it is `target`."""
    b, b2, c = z3.BitVecs("b b2 c", 8)
    state = Predicate("state", (BYTE,))
    return HornSystem.of(
        [
            Clause(state(b), (), b == 0),
            Clause(state(b2), (state(b),), b2 == (b + c) & 15),
            Clause(None, (state(b),), b == target),
        ]
    )


def filled(value: int) -> HornSystem:
    """a[0] is 7 and stays, whatever is written elsewhere. The query: a[0] = value."""
    a, a2, i = z3.Const("a", WORDS), z3.Const("a2", WORDS), z3.Int("i")
    memory = Predicate("memory", (WORDS,))
    return HornSystem.of(
        [
            Clause(memory(a), (), a[0] == 7),
            Clause(memory(a2), (memory(a),), z3.And(i > 0, a2 == z3.Store(a, i, i))),
            Clause(None, (memory(a),), a[0] == value),
        ]
    )


@pytest.mark.parametrize(
    "system",
    [two_locations(6), equal_counters(0), masked_byte(16), filled(8)],
    ids=["reals", "integers", "bits", "arrays"],
)
def test_safe_systems_have_checked_models(system: HornSystem) -> None:
    assert isinstance(certified(Lawi(), system, 120), Safe)


@pytest.mark.parametrize("system", [two_locations(5), masked_byte(15), filled(7)], ids=["reals", "bits", "arrays"])
def test_unsafe_systems_have_checked_derivations(system: HornSystem) -> None:
    assert isinstance(certified(Lawi(), system, 120), Unsafe)


def test_a_fact_that_violates_the_query_is_a_derivation_of_two_clauses() -> None:
    result = certified(Lawi(), filled(7), 120)
    assert isinstance(result, Unsafe) and len(result.derivation.steps) == 2


def test_no_time_is_unknown() -> None:
    result = Lawi().solve(two_locations(6), Context.within(0))
    assert isinstance(result, Unknown) and "time" in result.reason


def test_nonlinear_clauses_are_refused_with_the_reason() -> None:
    # x = 1 => P(x);  P(x) & P(y) => P(x + y);  P(x) & x < 1 => false
    x, y, z = z3.Ints("x y z")
    p = Predicate("P", (INT,))
    sums = Clause(p(z), (p(x), p(y)), z == x + y)
    system = HornSystem.of([Clause(p(x), (), x == 1), sums, Clause(None, (p(x),), x < 1)])
    result = Lawi().solve(system, Context.within(60))
    assert isinstance(result, Unknown) and "linear" in result.reason


@settings(max_examples=EXAMPLES, deadline=None, derandomize=EXAMPLES <= 100, database=None)
@given(st.integers(0, 10**9))
def test_agrees_with_spacer(seed: int) -> None:
    system = LinearMaker(seed).system()
    answers = {type(certified(engine, system, 2)) for engine in (Lawi(), Spacer())}
    assert not {Safe, Unsafe} <= answers, f"seed {seed}\n{system}"

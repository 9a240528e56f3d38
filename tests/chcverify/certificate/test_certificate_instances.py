"""Instances of clauses whose atoms repeat variables or have other terms as arguments, and values that are large."""

import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.checkers import cvc5_checker, z3_checker
from chcverify.horn.system import Clause, HornSystem, Predicate

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
ONE, PAIR = Predicate("one", (INT,)), Predicate("pair", (INT, INT))
HELD = Predicate("held", (INT, ARRAY))
n, a = z3.Int("n"), z3.Const("a", ARRAY)
TRUE = z3.BoolVal(True)

REPEATED = HornSystem.of(
    [
        Clause(ONE(n), (), n >= 3),
        Clause(PAIR(n, n), (ONE(n),), TRUE),
        Clause(PAIR(n, n + 1), (ONE(n),), TRUE),
        Clause(None, (PAIR(n, n),), TRUE),
    ]
)


def derivation(*steps: tuple[int, tuple[int, ...], tuple[int, ...]]) -> Derivation:
    return Derivation(tuple(Step(clause, tuple(map(z3.IntVal, values)), before) for clause, values, before in steps))


@pytest.mark.parametrize("checker", [z3_checker, cvc5_checker])
@pytest.mark.parametrize(
    ("steps", "is_right"),
    [
        (((0, (3,), ()), (1, (3, 3), (0,)), (3, (), (1,))), True),
        (((0, (3,), ()), (1, (3, 4), (0,)), (3, (), (1,))), False),
        (((0, (3,), ()), (1, (4, 4), (0,)), (3, (), (1,))), False),
        (((0, (3,), ()), (2, (3, 4), (0,)), (3, (), (1,))), False),
        (((0, (3,), ()), (2, (3, 3), (0,)), (3, (), (1,))), False),
        (((0, (2,), ()), (1, (2, 2), (0,)), (3, (), (1,))), False),
    ],
)
def test_each_occurrence_of_a_variable_has_one_value(checker, steps, is_right: bool) -> None:
    assert checker.check_derivation(REPEATED, derivation(*steps), time.monotonic() + 600).accepted == is_right


KEPT = HornSystem.of(
    [
        Clause(HELD(z3.IntVal(0), a), (), a[0] == 7),
        Clause(HELD(n + 1, a), (HELD(n, a),), n < 2_000),
        Clause(None, (HELD(n, a),), z3.And(n == 2_000, a[0] == 7)),
    ]
)


def held(array: z3.ExprRef, changed: z3.ExprRef | None = None) -> Derivation:
    """changed: the array from the middle on."""
    steps = [
        Step(min(i, 1), (z3.IntVal(i), array if changed is None or i < 1_000 else changed), (i - 1,) if i else ())
        for i in range(2_001)
    ]
    return Derivation((*steps, Step(2, (), (2_000,))))


def test_a_large_array_that_steps_hand_on_costs_them_nothing() -> None:
    """Looking through it in each of 2,000 steps took over 10 s."""
    large: z3.ExprRef = z3.K(INT, z3.IntVal(0))
    for index in range(3_000):
        large = z3.Store(large, index, 7)
    begin = time.process_time()
    assert z3_checker.check_derivation(KEPT, held(large), time.monotonic() + 600).accepted
    assert time.process_time() - begin < 5.0


def test_an_array_that_changes_on_the_way_is_refused() -> None:
    one, other = (z3.Store(z3.K(INT, z3.IntVal(k)), 0, 7) for k in (0, 1))
    assert z3_checker.check_derivation(KEPT, held(one), time.monotonic() + 600).accepted
    assert not z3_checker.check_derivation(KEPT, held(one, other), time.monotonic() + 600).accepted


WORDS = z3.ArraySort(z3.BitVecSort(64), z3.BitVecSort(128))
FILLED = Predicate("filled", (WORDS,))


def filled(cells: int, read: bool = False) -> HornSystem:
    """An array that is nothing but zeros in so many cells. read: and seven in another one."""
    array = before = z3.Const("before", WORDS)
    for cell in range(cells):
        array = z3.Store(array, cell, z3.BitVecVal(0, 128))
    other = before[cells] == 7 if read else TRUE
    return HornSystem.of([Clause(FILLED(array), (), other), Clause(None, (FILLED(before),), TRUE)])


@pytest.mark.parametrize(("read", "is_right"), [(False, True), (True, False)])
def test_what_an_array_was_before_many_stores_is_found_at_once(read: bool, is_right: bool) -> None:
    zeros = z3.K(z3.BitVecSort(64), z3.BitVecVal(0, 128))
    steps = Derivation((Step(0, (zeros,), ()), Step(1, (), (0,))))
    begin = time.process_time()
    system = filled(3 if read else 300, read)
    assert z3_checker.check_derivation(system, steps, time.monotonic() + 3).accepted == is_right
    assert time.process_time() - begin < 2

"""Obligations that differ in names only are asked once; every other one is asked, and a wrong one is found."""

import math
import time
from itertools import pairwise

import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.certificate.kernel.equal_obligations import without_equal_ones
from chcverify.certificate.kernel.obligation import Obligation
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.effort import MAX_BUILT, MAX_COMPARED
from chcverify.horn.system import Clause, HornSystem, Predicate

INT, LATER = z3.IntSort(), math.inf


def obligation(assumption: z3.BoolRef, goal: z3.BoolRef, *variables: z3.ExprRef) -> Obligation:
    return Obligation(str(goal), lambda: (assumption, goal), variables=variables)


def copies(name: str) -> Obligation:
    """x > y => x > y + 1 with other names; it does not hold."""
    x, y = z3.Int(f"x{name}"), z3.Int(f"y{name}")
    return obligation(x > y, x > y + 1, x, y)


def test_one_of_those_with_other_names_is_asked() -> None:
    found = without_equal_ones([copies(str(number)) for number in range(MAX_COMPARED)], LATER)
    assert [item.name for item in found] == ["x0 > y0 + 1"]
    assert len(without_equal_ones([copies("a"), copies("b")], LATER)) == 2  # few are all asked


@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 2), st.integers(0, 1)), min_size=MAX_COMPARED))
def test_what_is_left_out_is_equal_to_an_earlier_one(kinds: list[tuple[int, int, int]]) -> None:
    """Obligations about three variables: two are equal up to names if and only if they repeat variables alike."""
    variables = z3.Ints("a b c")
    asked = [
        obligation(variables[one] >= number, variables[two] > 0, variables[one], variables[two])
        for one, two, number in kinds
    ]
    found = without_equal_ones(asked, LATER)
    assert len(found) == len({(one == two, number) for one, two, number in kinds})


def test_constants_that_are_no_variables_keep_their_names() -> None:
    x, other, zero = z3.Int("x"), z3.Int("other"), z3.Int("0")
    asked = [obligation(x > other, x > 0, x), obligation(x > zero, x > 0, x)] * MAX_COMPARED
    assert len(without_equal_ones(asked, LATER)) == 2


def test_a_wrong_step_among_many_equal_ones_is_found() -> None:
    """P0(n) => P1(n + 1) => ...: each says n >= 0, but for one step that subtracts."""
    n = z3.Int("n")
    predicates = [Predicate(f"P{number}", (INT,)) for number in range(2 * MAX_COMPARED)]
    model = Model({p: p.formals[0] >= 0 for p in predicates})  # type: ignore[operator]

    def system(wrong: int) -> HornSystem:
        clauses = [Clause(predicates[0](n), (), n == 0)]
        for number, (one, two) in enumerate(pairwise(predicates)):
            step = n - 1 if number == wrong else n + 1
            clauses.append(Clause(two(step), (one(n),), z3.BoolVal(True)))
        return HornSystem.of([*clauses, Clause(None, (predicates[-1](n),), n < 0)])

    assert certify(system(-1), model, time.monotonic() + 600).accepted
    refused = certify(system(70), model, time.monotonic() + 600)
    assert not refused.accepted and "clause 71" in refused.reason


def test_nothing_is_left_out_once_time_is_over_or_there_are_too_many() -> None:
    same = [copies(str(number)) for number in range(MAX_COMPARED)]
    assert without_equal_ones(same, time.monotonic()) == same
    n = z3.Int("n")
    different = [obligation(n > number, n > 0, n) for number in range(MAX_BUILT)]
    assert without_equal_ones([*different, *same], LATER) == [*different, *same]
    assert without_equal_ones([*different[2:], *same], LATER) == [*different[2:], same[0]]

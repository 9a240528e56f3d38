"""Derivations about long arrays: their obligations are short, hold for the right values, and fail for all others."""

import time
from dataclasses import replace

import pytest
import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.certificate_obligations import derivation_obligations
from chcverify.certificate.kernel.checkers import cvc5_checker, z3_checker
from chcverify.certificate.kernel.shared_arrays import MAX_NEW_STORES
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import subterms

INT = z3.IntSort()
CELLS = z3.ArraySort(INT, INT)
FILLED = Predicate("filled", (INT, CELLS))
COPIED = Predicate("copied", (INT, CELLS, CELLS))
i = z3.Int("i")
a, b, c = (z3.Const(name, CELLS) for name in "abc")
LENGTH = 3 * MAX_NEW_STORES
ZERO, END = z3.IntVal(0), z3.IntVal(LENGTH)

SYSTEM = HornSystem.of(
    [
        # a = const(0) => filled(0, a);  filled(i, a) & i < LENGTH => filled(i + 1, a[i := 3 i])
        Clause(FILLED(i, a), (), z3.And(i == 0, a == z3.K(INT, ZERO))),
        Clause(FILLED(i + 1, b), (FILLED(i, a),), z3.And(i < LENGTH, b == z3.Store(a, i, 3 * i))),
        # filled(LENGTH, a) => copied(0, a, const(0))
        Clause(COPIED(ZERO, a, z3.K(INT, ZERO)), (FILLED(END, a),), z3.BoolVal(True)),
        # copied(i, a, b) & i < LENGTH => copied(i + 1, a, b[i := a[i]])
        Clause(COPIED(i + 1, a, c), (COPIED(i, a, b),), z3.And(i < LENGTH, c == z3.Store(b, i, a[i]))),
        # copied(LENGTH, a, b) & b[b[1]] = 9 => false
        Clause(None, (COPIED(END, a, b),), b[b[1]] == 9),
    ]
)


def filled(length: int) -> z3.ExprRef:
    array = z3.K(INT, ZERO)
    for index in range(length):
        array = z3.Store(array, index, 3 * index)
    return array


def derivation() -> Derivation:
    steps = [Step(0, (z3.IntVal(0), filled(0)), ())]
    for length in range(1, LENGTH + 1):
        steps.append(Step(1, (z3.IntVal(length), filled(length)), (len(steps) - 1,)))
    whole = filled(LENGTH)
    steps.append(Step(2, (z3.IntVal(0), whole, filled(0)), (len(steps) - 1,)))
    for length in range(1, LENGTH + 1):
        steps.append(Step(3, (z3.IntVal(length), whole, filled(length)), (len(steps) - 1,)))
    steps.append(Step(4, (), (len(steps) - 1,)))
    return Derivation(tuple(steps))


def later() -> float:
    return time.monotonic() + 600


def test_obligations_do_not_grow_with_the_arrays() -> None:
    sizes = []
    for obligation in derivation_obligations(SYSTEM, derivation(), later()):
        assumption, goal = obligation.build()
        sizes.append(len(list(subterms(assumption, goal))))
    assert max(sizes) < 10 * MAX_NEW_STORES


@pytest.mark.parametrize("check", [z3_checker.check_derivation, cvc5_checker.check_derivation])
def test_both_solvers_accept_it(check) -> None:
    assert check(SYSTEM, derivation(), later()).accepted


@pytest.mark.parametrize("check", [z3_checker.check_derivation, cvc5_checker.check_derivation])
@pytest.mark.parametrize("number", [LENGTH // 2, LENGTH, LENGTH + 3, 2 * LENGTH, 2 * LENGTH + 1])
@pytest.mark.parametrize("cell", [0, 1, LENGTH - 1])
def test_a_wrong_cell_is_refused(check, number: int, cell: int) -> None:
    good = derivation()
    step = good.steps[number]
    assert isinstance(step, Step)
    changed = z3.simplify(z3.Store(step.arguments[-1], cell, 1000))
    forged = replace(step, arguments=(*step.arguments[:-1], changed))
    steps = (*good.steps[:number], forged, *good.steps[number + 1 :])
    assert not check(SYSTEM, Derivation(steps), later()).accepted


def test_a_violation_that_reads_another_value_is_refused() -> None:
    system = HornSystem.of([*SYSTEM.clauses[:-1], Clause(None, (COPIED(END, a, b),), b[b[1]] == 10)])
    assert not z3_checker.check_derivation(system, derivation(), later()).accepted

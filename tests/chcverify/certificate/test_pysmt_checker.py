"""Certificates checked by solvers that pysmt finds; z3 is always one of them."""

import time

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.certificate.model import Model
from chcverify.certificate.pysmt_checker import _without_divisions, check_also_by, solver_names
from chcverify.errors import InputError
from chcverify.horn.system import Clause, HornSystem, Predicate

pytest.importorskip("pysmt")


def _counter() -> tuple[HornSystem, Predicate]:
    """x counts in steps of 2 from 0; an odd x is the violation."""
    x = z3.Int("x")
    p = Predicate("P", (z3.IntSort(),))
    clauses = [Clause(p(x), (), x == 0), Clause(p(x + 2), (p(x),), z3.BoolVal(True)), Clause(None, (p(x),), x % 2 == 1)]
    return HornSystem.of(clauses), p


def test_a_model_is_accepted() -> None:
    system, p = _counter()
    verdict = check_also_by("z3", system, Model({p: p.formals[0] % 2 == 0}), time.monotonic() + 60)
    assert (verdict.accepted, verdict.checker) == (True, "z3 by pysmt")


def test_what_is_no_model_is_not_accepted() -> None:
    system, p = _counter()
    verdict = check_also_by("z3", system, Model({p: p.formals[0] >= 0}), time.monotonic() + 60)
    assert not verdict.accepted and "does not hold" in verdict.reason


def test_what_pysmt_cannot_read_is_open() -> None:
    x, y = z3.Ints("x y")
    p = Predicate("P", (z3.IntSort(), z3.IntSort()))
    system = HornSystem.of([Clause(p(x, y), (), x % y == 0), Clause(None, (p(x, y),), x % y == 1)])
    verdict = check_also_by("z3", system, Model({p: p.formals[0] % p.formals[1] == 0}), time.monotonic() + 60)
    assert not verdict.accepted and "NotImplementedError" in verdict.reason


def test_a_solver_that_is_not_there() -> None:
    system, p = _counter()
    assert "z3" in solver_names()
    with pytest.raises(InputError, match="no solver nosuch"):
        check_also_by("nosuch", system, Model({p: z3.BoolVal(True)}), time.monotonic() + 60)


NUMBERS = st.integers(-20, 20)


@given(NUMBERS, st.integers(1, 7), NUMBERS, NUMBERS)
def test_without_divisions_it_is_satisfiable_just_if_it_was(value: int, divisor: int, quotient: int, rest: int) -> None:
    x = z3.Int("x")
    formula = z3.And(x == value, z3.Or(x / divisor == quotient, x % divisor == rest), (x % divisor) % 2 == 1)
    plainer, _ = _without_divisions(formula)
    assert "mod" not in plainer.sexpr() and "div " not in plainer.sexpr()
    answers = []
    for each in (formula, plainer):
        solver = z3.Solver()
        solver.add(each)
        answers.append(solver.check())
    assert answers[0] == answers[1]

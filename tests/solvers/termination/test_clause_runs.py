"""Random runs of clauses: instances of the clauses, one after the other; facts that come again."""

import time

import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.effort import MAX_TRIED
from chcverify.horn.system import Clause, HornSystem, Predicate
from solvers.termination.clause_runs import clause_runs, lasso_of

x, y = z3.Ints("x y")
LOOP = Predicate("loop", (z3.IntSort(), z3.IntSort()))


def system(least: int, guard: z3.BoolRef) -> HornSystem:
    """while (guard) x -= y; with y at least `least`"""
    return HornSystem.of([Clause(LOOP(x, y), (), y >= least), Clause(LOOP(x - y, y), (LOOP(x, y),), guard)])


def test_a_fact_that_comes_again_is_a_certificate() -> None:
    stays = system(0, x > 0)
    lassos = [lasso for steps in clause_runs(stays, 0, time.monotonic() + 60) if (lasso := lasso_of(stays, steps))]
    assert lassos and certify(stays, lassos[0], time.monotonic() + 60, "off").accepted


def test_runs_are_as_long_as_asked() -> None:
    falls = system(1, z3.BoolVal(True))
    steps = next(clause_runs(falls, 0, time.monotonic() + 60))
    assert len(steps) == MAX_TRIED and lasso_of(falls, steps) is None
    assert all(step.premises == ((number - 1,) if number else ()) for number, step in enumerate(steps))


def test_short_runs_are_left_out() -> None:
    assert not list(clause_runs(system(10, x > 0), 0, time.monotonic() + 60))

"""Bounded model checking depth by depth: shortest violations, and the forward condition."""

import time

import pytest
import z3
from random_systems import random_system

from chcverify.certificate.kernel.checkers.z3_checker import check_derivation, check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from solvers.bmc.engine import FORWARD_CONDITION_INTERVAL_DEPTHS, BaseCase, Bmc
from solvers.engine import Context
from solvers.spacer import Spacer
from solvers.unrolling.acyclic_models import acyclic_model

INT = z3.IntSort()
x, y = z3.Ints("x y")
P = Predicate("P", (INT,))


def counter(limit: int, wrong: int) -> HornSystem:
    return HornSystem.of(
        [
            Clause(P(x), (), x == 0),
            Clause(P(y), (P(x),), z3.And(x < limit, y == x + 1)),
            Clause(None, (P(x),), x == wrong),
        ]
    )


def test_the_first_depth_with_a_violation() -> None:
    system = counter(10, 4)
    base = BaseCase(system, Context.within(600))
    found = None
    depths = 0
    while found is None and depths < 20:
        found = base.check_next()
        depths += 1
    assert found is not None and not isinstance(found, str)
    assert len(found.steps) == 6  # five facts and the query
    assert check_derivation(system, found, time.monotonic() + 60).accepted


def test_loops_that_end_have_models() -> None:
    system = counter(10, 11)
    result = Bmc().solve(system, Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, result.model, time.monotonic() + 60).accepted
    assert FORWARD_CONDITION_INTERVAL_DEPTHS >= 1


@pytest.mark.parametrize("seed", range(12))
def test_violations_of_random_systems(seed: int) -> None:
    system = random_system(seed)
    reference = Spacer().solve(system, Context.within(20))
    if isinstance(reference, Unsafe):
        result = Bmc().solve(system, Context.within(600))
        assert isinstance(result, Unsafe)
        assert check_derivation(system, result.derivation, time.monotonic() + 60).accepted


def phases(limit: int) -> HornSystem:
    """0 <= x <= 5 => P(x); P(x) & y = 2x => Q(y); Q(y) & z = y + 1 => R(z); R(z) & z > limit => false."""
    q, r = Predicate("Q", (INT,)), Predicate("R", (INT,))
    return HornSystem.of(
        [
            Clause(P(x), (), z3.And(x >= 0, x <= 5)),
            Clause(q(y), (P(x),), y == 2 * x),
            Clause(r(y), (q(x),), y == x + 1),
            Clause(None, (r(x),), x > limit),
        ]
    )


def test_systems_without_cycles_have_models_by_elimination_alone() -> None:
    system = phases(11)
    result = Bmc().solve(system, Context.within(600))
    assert isinstance(result, Safe)
    model = acyclic_model(system, Context.within(600))
    assert model is not None
    assert all(check_model(system, found, time.monotonic() + 60).accepted for found in (model, result.model))


def test_systems_without_cycles_may_be_violated() -> None:
    system = phases(10)
    result = Bmc().solve(system, Context.within(600))
    assert isinstance(result, Unsafe)
    assert check_derivation(system, result.derivation, time.monotonic() + 60).accepted


def test_near_the_facts_models_are_strongest_and_elsewhere_weakest() -> None:
    b = z3.Bool("b")
    q, r = Predicate("Q", (INT,)), Predicate("R", (INT,))
    system = HornSystem.of(
        [
            Clause(P(x), (), z3.Or(z3.And(b, x >= 3), z3.And(z3.Not(b), x <= -3))),
            Clause(q(y), (P(x),), z3.And(x * x * x - 7 * x == y * y, y <= 2)),  # no equation for x
            Clause(r(y), (q(x),), y == x + 1),
            Clause(None, (r(x),), x > 3),
        ]
    )
    model = acyclic_model(system, Context.within(600))
    assert model is not None
    assert check_model(system, model, time.monotonic() + 60).accepted
    (p,), (second,) = P.formals, q.formals
    for found, wanted in ((model[P], z3.Or(p >= 3, p <= -3)), (model[q], second <= 2)):
        solver = z3.Solver()
        # found and wanted differ
        solver.add(found != wanted)
        assert solver.check() == z3.unsat


def test_only_systems_without_cycles_have_models_by_elimination_alone() -> None:
    assert acyclic_model(counter(10, 11), Context.within(600)) is None


def test_variables_that_no_equation_fixes_leave_the_model_to_others() -> None:
    q = Predicate("Q", (INT,))
    system = HornSystem.of(
        [
            Clause(P(x), (), z3.And(y * y <= x, y * y * y >= x)),
            Clause(q(y), (P(x),), y == x),
            Clause(None, (q(x),), z3.And(y * y <= x, y * y * y >= x + 1, x > 10)),
        ]
    )
    assert acyclic_model(system, Context.within(600)) is None

"""Bounded model checking depth by depth: shortest violations, and the forward condition."""

import time

import pytest
import z3
from random_systems import random_system

from chcverify.certificate.kernel.z3_checker import check_derivation, check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from solvers.bmc.bmc_tuning import BMC_TUNING
from solvers.bmc.engine import BaseCase, Bmc
from solvers.engine import Context
from solvers.spacer import Spacer

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
    assert BMC_TUNING.forward_condition_interval_depths >= 1


@pytest.mark.parametrize("seed", range(12))
def test_violations_of_random_systems(seed: int) -> None:
    system = random_system(seed)
    reference = Spacer().solve(system, Context.within(20))
    if isinstance(reference, Unsafe):
        result = Bmc().solve(system, Context.within(600))
        assert isinstance(result, Unsafe)
        assert check_derivation(system, result.derivation, time.monotonic() + 60).accepted

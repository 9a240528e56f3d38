"""bmc and kind on small systems; every witness is validated clause by clause."""

import pytest
import z3
from unrolling_systems import validate

from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from solvers.bmc.engine import Bmc
from solvers.engine import Context
from solvers.kinduction.engine import KInduction
from solvers.kinduction.invariant_seeding import kind_df, kind_df_kipdr, kind_kipdr
from solvers.kinduction.kipdr import KiPdr

INT = z3.IntSort()
x, y, z, x1, y1, z1 = z3.Ints("x y z x1 y1 z1")
P = Predicate("P", (INT, INT))


def step(head: Application, body: Application, constraint: z3.BoolRef) -> Clause:
    return Clause(head, (body,), constraint)


def swap(start: z3.BoolRef) -> HornSystem:
    Q = Predicate("Q", (INT, INT, INT))
    return HornSystem.of(
        [
            # start => Q(x, y, z)
            Clause(Q(x, y, z), (), start),
            # Q(x, y, z) & x1 = y & y1 = z & z1 = x => Q(x1, y1, z1)
            step(Q(x1, y1, z1), Q(x, y, z), z3.And(x1 == y, y1 == z, z1 == x)),
            # Q(x, y, z) & x = y => false
            Clause(None, (Q(x, y, z),), x == y),
        ]
    )


def counter(limit: int) -> HornSystem:
    return HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x < 10 & x1 = x + 1 & y1 = y + 2 => P(x1, y1)
            step(P(x1, y1), P(x, y), z3.And(x < 10, x1 == x + 1, y1 == y + 2)),
            # P(x, y) & y = limit => false
            Clause(None, (P(x, y),), y == limit),
        ]
    )


def test_cyclic_swap_needs_k_3_and_no_invariant() -> None:
    system, context = swap(z3.And(x == 1, y == 2, z == 3)), Context.within(600)
    result = KInduction().solve(system, context)
    assert isinstance(result, Safe)
    validate(system, result)
    assert context.statistics["k"] == 3


def test_swap_of_equal_values_is_unsafe() -> None:
    system = swap(z3.And(x == 1, y == 2, z == 2))
    for engine in (Bmc(), KInduction()):
        result = engine.solve(system, Context.within(600))
        assert isinstance(result, Unsafe)
        validate(system, result)
        assert len(result.derivation.steps) == 3


def test_forward_condition_gives_a_model() -> None:
    system = counter(21)
    for engine in (Bmc(), KInduction()):
        result = engine.solve(system, Context.within(600))
        assert isinstance(result, Safe)
        validate(system, result)


def test_last_iteration_is_reached() -> None:
    system = counter(20)
    result = Bmc().solve(system, Context.within(600))
    assert isinstance(result, Unsafe)
    validate(system, result)
    assert len(result.derivation.steps) == 12


def test_query_without_body_is_found_at_depth_0() -> None:
    system = HornSystem.of([Clause(None, (), x > 3)])
    result = Bmc().solve(system, Context.within(600))
    assert isinstance(result, Unsafe)
    validate(system, result)


def lockstep() -> HornSystem:
    return HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x1 = x + 1 & y1 = y + 1 => P(x1, y1)
            step(P(x1, y1), P(x, y), z3.And(x1 == x + 1, y1 == y + 1)),
            # P(x, y) & x > 3 & x != y => false: only some violating states show themselves in a step
            Clause(None, (P(x, y),), z3.And(x > 3, x != y)),
        ]
    )


def flag() -> HornSystem:
    """Safe by x >= 0, which is not k-inductive for the query alone: the obligation must be found."""
    return HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x1 = x + 1 & (y1 = 0 | x < 0 & y1 = 1) => P(x1, y1)
            step(P(x1, y1), P(x, y), z3.And(x1 == x + 1, z3.Or(y1 == 0, z3.And(x < 0, y1 == 1)))),
            # P(x, y) & y = 1 => false
            Clause(None, (P(x, y),), y == 1),
        ]
    )


def test_property_direction_finds_what_plain_k_induction_misses() -> None:
    for system in (flag(), lockstep()):
        for engine in (KiPdr(), kind_kipdr(), kind_df_kipdr()):
            result = engine.solve(system, Context.within(600))
            assert isinstance(result, Safe)
            validate(system, result)
        assert not isinstance(KInduction().solve(system, Context.within(1)), Unsafe)


def test_family_agrees() -> None:
    for system, expected in ((counter(20), Unsafe), (counter(21), Safe)):
        for engine in (KInduction(), KiPdr(), kind_df(), kind_kipdr(), kind_df_kipdr()):
            result = engine.solve(system, Context.within(600))
            assert isinstance(result, expected), engine.name
            validate(system, result)


def test_bounded_model_checking_reaches_depth_1000() -> None:
    system = HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) & x1 = x + 1 & y1 = y + 2 => P(x1, y1)
            step(P(x1, y1), P(x, y), z3.And(x1 == x + 1, y1 == y + 2)),
            # P(x, y) & x = 1000 => false
            Clause(None, (P(x, y),), x == 1000),
        ]
    )
    result = Bmc().solve(system, Context.within(600))
    assert isinstance(result, Unsafe)
    assert len(result.derivation.steps) == 1002


def test_what_needs_no_invariant_does_not_wait_for_the_generator(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*arguments: object) -> None:
        raise AssertionError("the generator was asked")

    monkeypatch.setattr("solvers.kinduction.invariant_seeding.analysis_steps", never)
    system = HornSystem.of([*counter(0).clauses[:2], Clause(None, (P(x, y),), x > 10)])
    assert isinstance(kind_df().solve(system, Context.within(600)), Safe)

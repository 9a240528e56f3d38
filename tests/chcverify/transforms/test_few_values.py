"""Numbers of few values: their value sets, and a copy of a predicate for each value."""

from fractions import Fraction

import pytest
import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.transforms.exact.finite_values import value_sets
from chcverify.transforms.exact.specialisation import SpecialiseEnumerations
from chcverify.transforms.exact.value_splitting import SplitByFlags, SplitByValues
from solvers.engine import Context
from solvers.registry import get

from .law import assert_derivation, assert_model

REAL = z3.RealSort()
P = Predicate("P", (REAL, REAL, REAL))
mode, time, other = z3.Reals("mode time other")
mode2, time2, other2 = z3.Reals("mode2 time2 other2")
before, after = P(mode, time, other), P(mode2, time2, other2)


def phases(limit: int) -> HornSystem:
    """A process that waits (1), runs (2) with a growing time, and stops (3); `other` is 4 or 7 all the time.

    The query: it has stopped, and time > limit. Time is at most other + 1 then, so limit 8 is safe and 7 is not.
    """
    start = z3.And(mode == 1, time == 0, z3.Or(other == 4, other == 7))
    step = z3.Or(
        z3.And(mode == 1, mode2 == 2, time2 == time),
        z3.And(mode == 2, mode2 == mode, time < other, time2 <= time + 1, time2 > time),
        z3.And(mode == 2, mode2 == 3, time2 == time),
        z3.And(mode == 3, mode2 == 3, time2 == time),
    )
    bad = z3.And(mode - 1 >= z3.If(other == 4, z3.RealVal(2), z3.RealVal(1)) + 0 * other, mode > 2, time > limit)
    return HornSystem.of(
        [
            Clause(before, (), start),
            Clause(after, (before,), z3.And(step, other2 == other)),
            Clause(None, (before,), bad),
        ]
    )


def test_value_sets_follow_disjunctions_and_copies() -> None:
    shapes = value_sets(phases(8))
    assert shapes is not None
    assert shapes[P] == (frozenset(map(Fraction, (1, 2, 3))), None, frozenset(map(Fraction, (4, 7))))


def test_a_counter_has_no_value_set() -> None:
    # mode = 0 => P; P(mode) => P(mode + 1)
    system = HornSystem.of(
        [
            Clause(before, (), z3.And(mode == 0, time == 0, other == 0)),
            Clause(after, (before,), z3.And(mode2 == mode + 1, time2 == time, other2 == other)),
        ]
    )
    shapes = value_sets(system)
    assert shapes is not None and shapes[P] == (None, frozenset({Fraction(0)}), frozenset({Fraction(0)}))


def test_splitting_gives_a_predicate_for_each_mode_and_constant() -> None:
    result, _ = SplitByValues().apply(phases(8))
    assert len(result.predicates) == 6 and all(predicate.arity == 1 for predicate in result.predicates)


@pytest.mark.parametrize("limit", [8, 7])
def test_certificates_come_back(limit: int) -> None:
    system = phases(limit)
    result, back = SplitByValues().apply(system)
    answer = get("pdr").solve(result, Context.within(60))
    if limit == 8:
        assert isinstance(answer, Safe)
        assert_model(system, back.model(answer.model))
    else:
        assert isinstance(answer, Unsafe)
        assert_derivation(system, back.derivation(answer.derivation))


def test_a_system_without_few_values_stays() -> None:
    # time > mode & time > other => P;  P(mode, time, other) => P(time, mode + 1, other)
    system = HornSystem.of(
        [
            Clause(before, (), z3.And(time > mode, time > other)),
            Clause(after, (before,), z3.And(mode2 == time, time2 == mode + 1, other2 == other)),
            Clause(None, (before,), time < other),
        ]
    )
    assert SplitByValues().apply(system)[0] is system


INT = z3.IntSort()
Q = Predicate("Q", (INT, INT))
i, i2, k, k2 = z3.Ints("i i2 k k2")


def counting_by(bounds: z3.BoolRef, goal: int) -> HornSystem:
    """i counts from 0 to `goal` * k in steps of k. The query: it ends elsewhere."""
    return HornSystem.of(
        [
            Clause(Q(i, k), (), z3.And(i == 0, bounds)),
            Clause(Q(i2, k2), (Q(i, k),), z3.And(i < goal * k, i2 == i + k, k2 == k)),
            Clause(None, (Q(i, k),), z3.And(i >= goal * k, i != goal * k)),
        ]
    )


BOUNDS = {
    "two comparisons": z3.And(k >= 2, k <= 4),
    "negated comparisons": z3.And(z3.Not(k <= 1), z3.Not(k >= 5)),
    "the other way round": z3.And(z3.IntVal(2) <= k, z3.IntVal(4) >= k),
}


@pytest.mark.parametrize("name", BOUNDS)
def test_a_parameter_of_a_small_range_gets_a_copy_for_each_value(name: str) -> None:
    system = counting_by(BOUNDS[name], 1000)
    copies, back = SplitByValues(parameters=True).apply(system)
    assert len(copies.predicates) == 3
    assert len(SplitByValues().apply(system)[0].predicates) == 1
    result = get("df").solve(copies, Context.within(600))
    assert isinstance(result, Safe)
    assert_model(system, back.model(result.model))


@pytest.mark.parametrize("bounds", [z3.And(k >= 2, k <= 400), k >= 2, z3.And(k >= 2, i <= 4)])
def test_without_a_small_range_there_is_nothing_to_split(bounds: z3.BoolRef) -> None:
    system = counting_by(bounds, 1000)
    assert SplitByValues(parameters=True).apply(system)[0] is system


def test_what_a_loop_changes_is_no_parameter() -> None:
    # k = 1 => Q; Q(i, k) => Q(i, 3 - k)
    system = HornSystem.of(
        [Clause(Q(i, k), (), z3.And(i == 0, k == 1)), Clause(Q(i2, k2), (Q(i, k),), z3.And(i2 == i, k2 == 3 - k))]
    )
    assert SplitByValues(parameters=True).apply(system)[0] is system


def test_a_bound_alone_is_no_parameter() -> None:
    # 0 <= k <= 4 => Q(0, k); Q(i, k), i < k => Q(i + 1, k)
    system = HornSystem.of(
        [
            Clause(Q(i, k), (), z3.And(i == 0, k >= 0, k <= 4)),
            Clause(Q(i2, k2), (Q(i, k),), z3.And(i < k, i2 == i + 1, k2 == k)),
        ]
    )
    assert SplitByValues(parameters=True).apply(system)[0] is system


BOOL = z3.BoolSort()
STEP = Predicate("step", (BOOL, BOOL, INT))
p, q, p2, q2 = z3.Bools("p q p2 q2")


def by_flags(limit: int, start: z3.BoolRef) -> HornSystem:
    """Location 0 (neither flag) goes to 1 (q), which counts n up to 5, then to 2 (p). The query: n > limit there."""
    n, m = z3.Ints("n m")
    moves = z3.Or(
        z3.And(z3.Not(p), z3.Not(q), z3.Not(p2), q2, m == 0),
        z3.And(z3.Not(p), q, z3.Not(p2), q2, n < 5, m == n + 1),
        z3.And(z3.Not(p), q, p2, z3.Not(q2), n >= 5, m == n),
    )
    return HornSystem.of(
        [
            Clause(STEP(p, q, n), (), start),
            Clause(STEP(p2, q2, m), (STEP(p, q, n),), moves),
            Clause(None, (STEP(p, q, n),), z3.And(p, n > limit)),
        ]
    )


@pytest.mark.parametrize("limit", [5, 4])
def test_flags_become_locations(limit: int) -> None:
    system = by_flags(limit, z3.Not(z3.Or(p, q)))
    result, back = SplitByFlags().apply(system)
    # three locations, the fact, three edges and the query
    assert [predicate.arity for predicate in result.predicates] == [1, 1, 1] and len(result.clauses) == 5
    answer = get("pdr").solve(result, Context.within(60))
    if limit == 5:
        assert isinstance(answer, Safe)
        assert_model(system, back.model(answer.model))
    else:
        assert isinstance(answer, Unsafe)
        assert_derivation(system, back.derivation(answer.derivation))


def test_flags_that_facts_leave_open_stay_arguments() -> None:
    system = by_flags(5, z3.BoolVal(True))
    assert SplitByFlags().apply(system)[0] is system
    result, _ = SplitByFlags().apply(by_flags(5, z3.Not(p)))
    assert {predicate.arity for predicate in result.predicates} == {2}


def two_threads() -> HornSystem:
    """Two threads that each count once: 0 waits, 1 has counted; the number is their sum at most."""
    first, second, number = z3.Ints("first second number")
    threads = Predicate("threads", (z3.IntSort(), z3.IntSort(), z3.IntSort()))
    atom = threads(first, second, number)
    return HornSystem.of(
        [
            Clause(threads(z3.IntVal(0), z3.IntVal(0), number), (), number == 0),
            Clause(threads(z3.IntVal(1), second, number + 1), (atom,), first == 0),
            Clause(threads(first, z3.IntVal(1), number + 1), (atom,), second == 0),
            Clause(None, (atom,), z3.And(first == 1, second == 1, number != 2)),
        ]
    )


def test_states_of_threads_become_control() -> None:
    system = two_threads()
    copies, back = SpecialiseEnumerations().apply(system)
    assert sorted(predicate.arity for predicate in copies.predicates) == [1, 1, 1, 1]
    found = get("pdr").solve(copies, Context.within(20))
    assert isinstance(found, Safe)
    assert_model(system, back.model(found.model))


def test_enumerations_become_control_all_or_none() -> None:
    system = two_threads()
    assert SpecialiseEnumerations(most=2).apply(system)[0] is system

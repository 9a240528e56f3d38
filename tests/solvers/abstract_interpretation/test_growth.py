"""Sums that no step increases, the bounds that they give, and what keeps bounds from being lost."""

import time

import pytest
import z3

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe
from solvers.abstract_interpretation.analysis_passes import AnalysisContext, boxes
from solvers.abstract_interpretation.domains.basic_domains import Bounds
from solvers.abstract_interpretation.domains.budget import Budget
from solvers.abstract_interpretation.engine import DataFlow, analysis_passes
from solvers.abstract_interpretation.features import thresholds
from solvers.abstract_interpretation.fixpoint import Fixpoint
from solvers.abstract_interpretation.growth import growth, sum_value
from solvers.abstract_interpretation.narrowing import narrow
from solvers.engine import Context

INT = z3.IntSort()
n, i, j, s, t, n1, i1, j1, s1, t1 = z3.Ints("n i j s t n1 i1 j1 s1 t1")
P, Q, R = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT, INT)), Predicate("R", (INT, INT, INT, INT))


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    """The term as a signed machine integer of 32 bits, if it is at most one range away."""
    size = 1 << 32
    return z3.If(term > (1 << 31) - 1, term - size, z3.If(term < -(1 << 31), term + size, term))


def triangle(limit: int) -> HornSystem:
    """The sum of the numbers below the limit, with any earlier end."""
    return HornSystem.of(
        [
            # s = 1 & i = 0 => P(s, i)
            Clause(P(s, i), (), z3.And(s == 1, i == 0)),
            # P(s, i) & i < limit & s1 = wrapped(s + i) & i1 = i + 1 => P(s1, i1)
            Clause(P(s1, i1), (P(s, i),), z3.And(i < limit, s1 == wrapped(s + i), i1 == i + 1)),
            # P(s, i) & s < i => false
            Clause(None, (P(s, i),), s < i),
        ]
    )


def nested(step: int) -> HornSystem:
    """s grows by the step in an inner loop of at most i steps, within a loop of at most 200 steps."""
    outer, inner = Q(n, s, i), R(n, s, i, j)
    return HornSystem.of(
        [
            # 0 <= n <= 200 & s = 0 & i = 0 => Q(n, s, i)
            Clause(outer, (), z3.And(n >= 0, n <= 200, s == 0, i == 0)),
            # Q(n, s, i) & i < n & j = 0 => R(n, s, i, j)
            Clause(inner, (outer,), z3.And(i < n, j == 0)),
            # R(n, s, i, j) & j < i & s1 = wrapped(s + step) & j1 = j + 1 => R(n, s1, i, j1)
            Clause(R(n, s1, i, j1), (inner,), z3.And(j < i, s1 == wrapped(s + step), j1 == j + 1)),
            # R(n, s, i, j) & j >= i & i1 = i + 1 => Q(n, s, i1)
            Clause(Q(n, s, i1), (inner,), z3.And(j >= i, i1 == i + 1)),
            # Q(n, s, i) & i >= n & s < 0 => false
            Clause(None, (outer,), z3.And(i >= n, s < 0)),
        ]
    )


def products(most: int) -> HornSystem:
    """Multiplication by recursion: P(i, n) is called, Q(i, n, s) returns s = i * n."""
    called, returned = P(i, n), Q(i, n, s)
    return HornSystem.of(
        [
            # 0 <= i <= 3000 & 0 <= n <= most => P(i, n)
            Clause(called, (), z3.And(i >= 0, i <= 3000, n >= 0, n <= most)),
            # P(i, n) & i > 0 & i1 = i - 1 => P(i1, n)
            Clause(P(i1, n), (called,), z3.And(i > 0, i1 == i - 1)),
            # P(i, n) & i = 0 & s = 0 => Q(i, n, s)
            Clause(returned, (called,), z3.And(i == 0, s == 0)),
            # P(i, n) & i > 0 & i1 = i - 1 & Q(i1, n, s) & s1 = wrapped(s + n) => Q(i, n, s1)
            Clause(Q(i, n, s1), (called, Q(i1, n, s)), z3.And(i > 0, i1 == i - 1, s1 == wrapped(s + n))),
            # Q(i, n, s) & s < 0 => false
            Clause(None, (returned,), s < 0),
        ]
    )


@pytest.mark.parametrize("system", [triangle(1000), nested(3), products(2000)], ids=["loop", "nested", "recursion"])
def test_sums_that_cannot_wrap_around_are_proved(system: HornSystem) -> None:
    result = DataFlow("df").solve(system, Context.within(600))
    assert isinstance(result, Safe)
    assert check_model(system, result.model, time.monotonic() + 600).accepted


@pytest.mark.parametrize("system", [triangle(100_000), nested(1 << 18), products(1 << 20)])
def test_sums_that_wrap_around_are_not(system: HornSystem) -> None:
    for invariants in analysis_passes(system, "df-segments", Context.within(600)):
        assert check_model(HornSystem.of([c for c in system.clauses if c.head]), Model(invariants), _later()).accepted
        assert not check_model(system, Model(invariants), _later()).accepted


def _later() -> float:
    return time.monotonic() + 600


def growing(system: HornSystem) -> dict[str, list[z3.ArithRef]]:
    """The sums by predicate, given boxes."""
    (*_, known) = analysis_passes(system, "df-boxes", Context.within(600))
    return {p.name: list(sums) for p, sums in growth(system, known, Context.within(600)).sums.items() if sums}


def same(one: z3.ArithRef, other: z3.ArithRef) -> bool:
    solver = z3.Solver()
    # one != other
    solver.add(one != other)
    return bool(solver.check() == z3.unsat)


def test_the_growth_of_a_sum_is_that_of_a_multiple_of_the_counter() -> None:
    found = growing(triangle(1000))
    a, b = P.formals
    assert list(found) == ["P"]
    assert any(same(total, a - 999 * b) for total in found["P"])


def test_each_loop_around_adds_a_counter() -> None:
    found = growing(nested(3))
    _, total, outer = Q.formals
    _, total_inside, outer_inside, inner = R.formals
    assert any(same(each, total - 600 * outer) for each in found["Q"])
    assert any(same(each, total_inside - 600 * outer_inside - 3 * inner) for each in found["R"])


def test_without_a_bound_of_what_is_added_there_is_no_sum() -> None:
    # s = 0 & i = 0 => P(s, i); P(s, i) & s1 = s + t & i1 = i + 1 => P(s1, i1), for every t
    clauses = [
        Clause(P(s, i), (), z3.And(s == 0, i == 0)),
        Clause(P(s1, i1), (P(s, i),), z3.And(s1 == s + t, i1 == i + 1)),
    ]
    system = HornSystem.of(clauses)
    assert not growing(system)
    assert growth(system, {}, Context.within(600)).is_open


def test_arguments_with_bounds_are_left_out() -> None:
    # s = 0 & i = 0 => P(s, i); P(s, i) & i < 9 & s < 100 & s1 = s + i & i1 = i + 1 => P(s1, i1)
    clauses = [
        Clause(P(s, i), (), z3.And(s == 0, i == 0)),
        Clause(P(s1, i1), (P(s, i),), z3.And(i < 9, s < 100, s1 == s + i, i1 == i + 1)),
    ]
    assert not growing(HornSystem.of(clauses))


def test_a_parameter_that_nested_loops_copy_keeps_its_range() -> None:
    system = nested(3)
    (*_, found) = analysis_passes(system, "df-boxes", Context.within(600))
    for predicate in (Q, R):
        solver = z3.Solver()
        # Q(n, ...) & (n < 0 | n > 200), and the same for R
        solver.add(found[predicate], z3.Or(predicate.formals[0] < 0, predicate.formals[0] > 200))
        assert solver.check() == z3.unsat


def test_a_jump_ends_at_the_first_stop() -> None:
    bounds = Bounds([0], [0, 5, 100], delay=0)  # type: ignore[list-item]
    bounds.join([2], {0: ([], [77, 3])})  # type: ignore[list-item]
    assert bounds.bound(0, 1) == 3
    bounds.join([4], {0: ([], [77, 3])})  # type: ignore[list-item]
    assert bounds.bound(0, 1) == 5
    bounds.join([6])  # type: ignore[list-item]
    assert bounds.bound(0, 1) == 100
    bounds.join([101], {0: ([], [1000])})  # type: ignore[list-item]
    assert bounds.bound(0, 1) == 1000
    bounds.join([1001])  # type: ignore[list-item]
    assert bounds.bound(0, 1) is None


def test_loops_settle_one_after_the_other() -> None:
    # x = 0 => P(x, y); P(x, y) & x < 977 & x1 = x + 1 => P(x1, y); P(x, y) & x >= 977 & y = x => Q(x, y, s) with a loop
    total = z3.IntVal(900) + z3.IntVal(77)
    first = [
        Clause(P(s, i), (), z3.And(s == 0, i == 0)),
        Clause(P(s1, i), (P(s, i),), z3.And(s < total, s1 == s + 1)),
    ]
    second = [
        Clause(Q(s, i, n), (P(s, i),), z3.And(s >= total, n == 0)),
        Clause(Q(s, i, n1), (Q(s, i, n),), z3.And(n < s, n1 == n + 1)),
    ]
    system = HornSystem.of([*second, *first])
    fixpoint = Fixpoint(system, boxes(AnalysisContext(thresholds(system), Budget())), {}, Context.within(600))
    settled = []
    for group in fixpoint.steps():
        narrow(fixpoint, group)
        settled += [p.name for p in group]
    assert settled == ["P", "Q"]
    solver = z3.Solver()
    # Q(s, i, n) => n <= 977: the bound of s was narrowed before Q took it over
    solver.add(fixpoint.invariants()[Q], Q.formals[2] > 977)
    assert solver.check() == z3.unsat
    assert check_model(system, Model(fixpoint.invariants()), _later()).accepted


def test_a_sum_of_nothing_is_a_term() -> None:
    assert z3.is_int_value(sum_value({("P", 0): 1}, {}, ()))


def set_in_the_first_step(most: int) -> HornSystem:
    """s is arbitrary; the first of n steps sets it to 0, each other one adds 2."""
    before = R(n, s, i, j)
    return HornSystem.of(
        [
            # 1 <= n <= 500 & i = 0 => R(n, s, i, j)
            Clause(before, (), z3.And(n >= 1, n <= 500, i == 0)),
            # R(n, s, i, j) & i < n & i = 0 & s1 = 0 & i1 = i + 1 => R(n, s1, i1, j)
            Clause(R(n, s1, i1, j), (before,), z3.And(i < n, i == 0, s1 == 0, i1 == i + 1)),
            # R(n, s, i, j) & i < n & i != 0 & s1 = wrapped(s + 2) & i1 = i + 1 => R(n, s1, i1, j)
            Clause(R(n, s1, i1, j), (before,), z3.And(i < n, i != 0, s1 == wrapped(s + 2), i1 == i + 1)),
            # R(n, s, i, j) & i >= n & s > 2 * n - most => false
            Clause(None, (before,), z3.And(i >= n, s > 2 * n - most)),
        ]
    )


def test_a_sum_that_the_first_step_sets() -> None:
    system = set_in_the_first_step(2)
    result = DataFlow("df-segments").solve(system, Context.within(120.0))
    assert isinstance(result, Safe)
    assert check_model(system, result.model, time.monotonic() + 60).accepted
    assert not isinstance(DataFlow("df-segments").solve(set_in_the_first_step(3), Context.within(120.0)), Safe)

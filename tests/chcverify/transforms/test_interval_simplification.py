"""Ranges: what bounds decide, and only that."""

import time
from itertools import pairwise

import z3

from chcverify.certificate.derivation import Derivation, Step
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.arithmetic.bounds import Intervals
from chcverify.terms.core.traversal import subterms
from chcverify.terms.native.arena import Arena
from chcverify.transforms.exact.interval_simplification import IntervalSimplification
from chcverify.transforms.exact.unfolding import Unfold

INT = z3.IntSort()
P = Predicate("P", (INT, INT))
x, y = z3.Ints("x y")
HALF = 2**31


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    low = z3.If(term >= -HALF, term, term + 2 * HALF)
    return z3.If(term <= HALF - 1, low, term - 2 * HALF)


def after(constraint: z3.BoolRef, head: z3.ArithRef) -> Clause:
    system = HornSystem.of([Clause(P(head, y), (P(x, y),), constraint)])
    (clause,) = IntervalSimplification().apply(system)[0].clauses
    return clause


def test_arithmetic_that_cannot_wrap_loses_its_choice() -> None:
    # P(x, y) & 0 <= x < 10 => P(wrap(wrap(x + 1) + 1), y)
    clause = after(z3.And(x >= 0, z3.Not(x >= 10)), wrapped(wrapped(x + 1) + 1))
    assert clause.head is not None
    assert z3.simplify(clause.head.arguments[0] == x + 2).eq(z3.BoolVal(True))
    assert z3.simplify(clause.constraint).eq(z3.simplify(z3.And(x >= 0, z3.Not(x >= 10))))


def test_bounds_stay_and_what_is_open_stays() -> None:
    head = wrapped(x + 1)
    clause = after(x >= 0, head)
    assert clause.head is not None
    solver = z3.Solver()
    # x >= 0 & new head != old head
    solver.add(x >= 0, clause.head.arguments[0] != head)
    assert solver.check() == z3.unsat and clause.constraint.eq(x >= 0)


def test_a_bound_does_not_decide_itself() -> None:
    clause = after(z3.And(x <= 3, z3.Or(x <= 5, y == 0)), x)
    assert clause.constraint.eq(x <= 3)
    assert after(z3.And(x <= 3, x >= 7), x).constraint.eq(z3.And(x <= 3, x >= 7))


def test_what_a_bound_is_about_is_decided_by_others() -> None:
    array = z3.Array("array", z3.IntSort(), z3.IntSort())
    clause = after(z3.And(x >= 0, x <= 5, array[wrapped(x + 1)] <= 9), x)
    assert clause.constraint.eq(z3.And(x >= 0, x <= 5, array[z3.simplify(x + 1)] <= 9))


def test_a_modulus_that_makes_no_difference_goes() -> None:
    small = z3.And(x >= 0, x <= 40, y >= 1, y <= 40)
    head = after(small, (x * y + HALF) % (2 * HALF)).head
    assert head is not None and z3.simplify(head.arguments[0] == x * y + HALF).eq(z3.BoolVal(True))
    kept = after(small, (x - y) % 100).head
    assert kept is not None and kept.arguments[0].eq((x - y) % 100)


def accumulated(most: int) -> HornSystem:
    """S0(0, 0);  S_i(x, z) & |y| <= 100 => S_i+1(wrap(x + y), y <= 100 ? z : u);  S_9(x, 0) & x > most => false"""
    stages = [Predicate(f"S{i}", (INT, INT)) for i in range(10)]
    z, u = z3.Ints("z u")
    clauses = [Clause(stages[0](z3.IntVal(0), z3.IntVal(0)), (), z3.BoolVal(True))]
    for one, following in pairwise(stages):
        step = following(wrapped(x + y), z3.If(y <= 100, z, u))
        clauses.append(Clause(step, (one(x, z),), z3.And(y >= -100, y <= 100)))
    clauses.append(Clause(None, (stages[-1](x, z),), z3.And(x > most, z == 0)))
    return HornSystem.of(clauses)


def test_unfolding_decides_what_it_brings_together() -> None:
    system = accumulated(900)
    after, back = Unfold().apply(system)
    (query,) = after.clauses
    assert not any(z3.is_app_of(term, z3.Z3_OP_ITE) for term in subterms(query.constraint))
    assert certify(system, back.model(Model({})), time.monotonic() + 600).accepted


def test_derivations_come_back_where_variables_vanished() -> None:
    system = accumulated(800)
    _, back = Unfold().apply(system)
    assert certify(system, back.derivation(Derivation((Step(0, (), ()),))), time.monotonic() + 600).accepted


def test_intervals_contain_every_value() -> None:
    bounds = [x >= -3, x <= 4, y >= 1, y < 4]
    terms = [x + y, x - 2 * y, -x, x * y, x % 3, x / 2, z3.If(x <= 0, -x, x), wrapped(x + HALF - 2), 7 - x * x]
    arena = Arena()
    intervals = Intervals(arena, map(arena.handle, bounds))
    for term in map(z3.simplify, terms):
        low, high = intervals.of(arena.handle(term))
        solver = z3.Solver()
        assert low is not None and high is not None
        # bounds & term outside its interval
        solver.add(*bounds, z3.Or(term < low, term > high))
        assert solver.check() == z3.unsat, term
    assert intervals.of(arena.handle(z3.If(x <= 0, x + 5, x))) == (1, 5)
    chosen = z3.If(z3.Bool("b"), x, z3.If(x % 2 == y % 2, y, x + 2))
    assert intervals.of(arena.handle(chosen)) == (-3, 6)

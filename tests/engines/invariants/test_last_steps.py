"""What the last steps tell holds of every derivable fact, whatever else is known."""

import random
import time

import pytest
import z3
from invariant_loops import loop

from chcverify.certificate.check import check_model
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.result import Safe
from solvers.engine import Context
from solvers.invariants.congruence_engine import Congruences, without_products
from solvers.invariants.last_steps import MOST_CASES, last_steps

INT = z3.IntSort()
n, m, s = z3.Ints("n m s")
WORD = 1 << 32
MOST = (1 << 31) - 1


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    return z3.If(term <= MOST, z3.If(term >= -MOST - 1, term, term + WORD), term - WORD)


def inside(*variables: z3.ArithRef) -> z3.BoolRef:
    return z3.And(*[z3.And(v >= -MOST - 1, v <= MOST) for v in variables])


def assert_told(system: HornSystem, count: int) -> None:
    """Every rule establishes them by its constraint alone."""
    told = last_steps(system)
    assert len(told) == count
    rules = [Clause(c.head, (), c.constraint) for c in system.clauses if c.head is not None]
    model = Model({p: told.get(p, z3.BoolVal(True)) for p in system.predicates})
    verdict = check_model(HornSystem(system.predicates, tuple(rules)), model, time.monotonic() + 30)
    assert verdict.accepted, verdict.reason


def test_a_counter_is_at_its_start_or_was_within_its_guard() -> None:
    guard, step = z3.And(n <= m, inside(n, m)), [wrapped(n + 1), m, wrapped(s + n)]
    system = loop([n, m, s], z3.And(n == 0, s == 0, inside(m)), step, z3.BoolVal(False), guard)
    assert_told(system, 1)
    (told,) = last_steps(system).values()
    first, bound, _ = system.predicates[0].formals
    solver = z3.Solver()
    # the cases & n > m & ~(n = 0 | n = m + 1)
    solver.add(told, inside(first, bound), first > bound, first != 0, first != bound + 1)
    assert solver.check() == z3.unsat


def random_term(chooser: random.Random) -> z3.ArithRef:
    plain = chooser.choice([n, m, s]) + chooser.randint(-3, 3)
    return chooser.choice([plain, wrapped(plain), z3.If(n <= m, plain, s), z3.IntVal(chooser.randint(-3, 3)), n * m])


@pytest.mark.parametrize("seed", range(30))
def test_they_hold_after_any_step(seed: int) -> None:
    chooser = random.Random(seed)
    P, Q = (Predicate(name, (INT, INT)) for name in "PQ")

    def clause(head: Predicate, *body: Predicate) -> Clause:
        guards = [chooser.choice([n <= m, n < 5, s == m + 1, z3.Not(m <= s), n * m <= 3, z3.Or(n == 1, m == 2)])]
        atoms = tuple(p(n, m) for p in body)
        return Clause(head(random_term(chooser), random_term(chooser)), atoms, z3.And(*guards, inside(n, m)))

    clauses = [clause(P), clause(P, P), clause(Q, P), clause(Q, P, Q), Clause(None, (Q(n, m),), n > m)]
    assert_told(HornSystem.of(clauses), len(last_steps(HornSystem.of(clauses))))


def test_too_many_cases_tell_nothing() -> None:
    P = Predicate("P", (INT,))
    facts = [Clause(P(z3.IntVal(value)), (), z3.BoolVal(True)) for value in range(MOST_CASES + 1)]
    assert not last_steps(HornSystem.of(facts))
    assert len(last_steps(HornSystem.of(facts[1:]))) == 1


def test_congruences_and_the_last_step_exclude_what_neither_does() -> None:
    # s is the sum of all numbers below n, for n = 0, 1, ... while n <= m: at the end 2 s = n m
    start = z3.And(n == 0, s == 0, inside(m))
    product = wrapped(n * m % WORD)
    bad = z3.And(n > m, inside(n, m, s), wrapped(2 * s) != product)
    words = wrapped(2 * s) != wrapped(n * (n - 1) % WORD)
    step = [wrapped(n + 1), m, wrapped(s + n)]
    system = loop([n, m, s], start, step, z3.Or(bad, words), guard=z3.And(n <= m, inside(n, m, s)))
    result = Congruences().solve(system, Context.within(60))
    assert isinstance(result, Safe)
    assert check_model(system, result.model, time.monotonic() + 60).accepted


def test_without_products_more_is_derived() -> None:
    P = Predicate("P", (INT, INT))
    clause = Clause(P(n, m), (P(m, n),), z3.And(n <= m, n * m >= 4, n == 2 * m, n == m * s + 1))
    (after,) = without_products(HornSystem.of([clause])).clauses
    assert after.constraint.eq(z3.And(n <= m, n == 2 * m))

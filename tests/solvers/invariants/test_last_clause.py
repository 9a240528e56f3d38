"""What the last steps tell holds of every derivable fact, whatever else is known."""

import random
import time
from dataclasses import replace

import pytest
import z3
from invariant_loops import loop

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.certificate.model import Model
from chcverify.effort import MAX_ALTERNATIVES
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe
from chcverify.terms.core.traversal import conjunction
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context
from solvers.invariants.candidate_checks import no_query_holds
from solvers.invariants.congruences.engine import CongruenceEngine, as_formulas, modular_systems, without_products
from solvers.invariants.congruences.last_clause import last_clause_postconditions

INT = z3.IntSort()
n, m, s = z3.Ints("n m s")
WORD = 1 << 32
MOST = (1 << 31) - 1


def wrapped(term: z3.ArithRef) -> z3.ArithRef:
    return z3.If(term <= MOST, z3.If(term >= -MOST - 1, term, term + WORD), term - WORD)


def inside(*variables: z3.ArithRef) -> z3.BoolRef:
    return z3.And(*[z3.And(v >= -MOST - 1, v <= MOST) for v in variables])


def told_of(system: HornSystem) -> Invariants:
    return last_clause_postconditions(system, Context.within(600))


def assert_told(system: HornSystem) -> None:
    """Every rule establishes them by its constraint alone."""
    transferred = told_of(system)
    rules = [Clause(c.head, (), c.constraint) for c in system.clauses if c.head is not None]
    model = Model({p: transferred.get(p, z3.BoolVal(True)) for p in system.predicates})
    verdict = check_model(HornSystem(system.predicates, tuple(rules)), model, time.monotonic() + 600)
    assert verdict.accepted, verdict.reason


def test_a_counter_is_at_its_start_or_was_within_its_guard() -> None:
    guard, step = z3.And(n <= m, inside(n, m)), [wrapped(n + 1), m, wrapped(s + n)]
    system = loop([n, m, s], z3.And(n == 0, s == 0, inside(m)), step, z3.BoolVal(False), guard)
    assert_told(system)
    (transferred,) = told_of(system).values()
    first, bound, _ = system.predicates[0].formals
    solver = z3.Solver()
    # the cases & n > m & ~(n = 0 | n = m + 1)
    solver.add(transferred, inside(first, bound), first > bound, first != 0, first != bound + 1)
    assert solver.check() == z3.unsat


def random_term(chooser: random.Random) -> z3.ArithRef:
    plain = chooser.choice([n, m, s]) + chooser.randint(-3, 3)
    return chooser.choice([plain, wrapped(plain), z3.If(n <= m, plain, s), z3.IntVal(chooser.randint(-3, 3)), n * m])


def random_rules(seed: int) -> HornSystem:
    chooser = random.Random(seed)
    P, Q = (Predicate(name, (INT,) * 3) for name in "PQ")

    def clause(head: Predicate, *body: Predicate) -> Clause:
        guards = [chooser.choice([n <= m, n < 5, s == m + 1, z3.Not(m <= s), n * m <= 3, z3.Or(n == 1, m == 2)])]
        atoms = tuple(p(n, m, s) for p in body)
        return Clause(head(*(random_term(chooser) for _ in range(3))), atoms, z3.And(*guards, inside(n, m)))

    return HornSystem.of([clause(P), clause(P, P), clause(Q, P), clause(Q, P, Q), Clause(None, (Q(n, m, s),), n > m)])


SEEDS = range(40)


@pytest.mark.parametrize("seed", SEEDS)
def test_they_hold_after_any_step(seed: int) -> None:
    assert_told(random_rules(seed))


def test_many_tell_something() -> None:
    assert sum(map(len, map(told_of, map(random_rules, SEEDS)))) > 20


def test_no_choice_is_forgotten() -> None:
    """Of 16 ways to take the four choices 14 are impossible, and the last one is not."""
    P, test = Predicate("P", (INT,) * 4), n <= m
    head = P(z3.If(test, n, n + 1), z3.If(test, m, m + 1), z3.If(test, n, m), z3.If(test, m, n))
    system = HornSystem.of([Clause(head, (), n <= m + 5), Clause(None, (P(n, m, n, m),), n > m)])
    assert_told(system)
    assert [len(transferred.children()) for transferred in told_of(system).values()] == [2]


def test_too_many_cases_tell_nothing() -> None:
    P = Predicate("P", (INT,))
    facts = [Clause(P(z3.IntVal(value)), (), z3.BoolVal(True)) for value in range(MAX_ALTERNATIVES + 1)]
    assert not told_of(HornSystem.of(facts))
    assert len(told_of(HornSystem.of(facts[1:]))) == 1


def test_choices_of_choices_tell_nothing_and_take_no_time() -> None:
    P = Predicate("P", (INT, INT))
    value: z3.ArithRef = n
    for bound in range(200):
        value = z3.If(n <= bound, value, z3.If(m <= bound, n, value))
    assert not told_of(HornSystem.of([Clause(P(value, z3.IntVal(0) + n * m), (P(n, m),), n <= m)]))


def test_congruences_and_the_last_step_exclude_what_neither_does() -> None:
    # s is the sum of all numbers below n, for n = 0, 1, ... while n <= m: at the end 2 s = n m
    start = z3.And(n == 0, s == 0, inside(m))
    product = wrapped(n * m % WORD)
    bad = z3.And(n > m, inside(n, m, s), wrapped(2 * s) != product)
    words = wrapped(2 * s) != wrapped(n * (n - 1) % WORD)
    step = [wrapped(n + 1), m, wrapped(s + n)]
    system = loop([n, m, s], start, step, z3.Or(bad, words), guard=z3.And(n <= m, inside(n, m, s)))
    context = Context.within(600)
    suggested = modular_systems(system)
    inductive = as_formulas(suggested, [one.inductive() for one in suggested])
    congruences = {p: conjunction(formulas) for p, formulas in inductive.items()}
    assert not no_query_holds(system, congruences, Context.within(600))
    assert not no_query_holds(system, told_of(system), Context.within(600))
    without = replace(Context.within(600), options={"last-clause": "off"})
    assert not isinstance(CongruenceEngine().solve(system, without), Safe)
    result = CongruenceEngine().solve(system, context)
    assert isinstance(result, Safe)
    assert check_model(system, result.model, time.monotonic() + 600).accepted


def test_without_products_more_is_derived() -> None:
    P = Predicate("P", (INT, INT))
    clause = Clause(P(n, m), (P(m, n),), z3.And(n <= m, n * m >= 4, n == 2 * m, n == m * s + 1))
    (after,) = without_products(HornSystem.of([clause])).clauses
    assert after.constraint.eq(z3.And(n <= m, n == 2 * m))

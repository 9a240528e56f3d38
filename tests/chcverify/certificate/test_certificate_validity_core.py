"""Candidates that the refutation of queries needs: few, and as strong as the greatest inductive subset."""

import itertools
import time
from random import Random

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.search import validity_core
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.certificate.search.validity_core import ValidityCore
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjunction, conjuncts
from tests.systems.random_systems import random_system

INT = z3.IntSort()
x, y, x1, y1 = z3.Ints("x y x1 y1")
P, Q = Predicate("P", (INT, INT)), Predicate("Q", (INT, INT))
a, b = P.formals


def soon() -> float:
    return time.monotonic() + 600


def is_accepted(system: HornSystem, core: ValidityCore, refuted: frozenset[int]) -> bool:
    """The kernel accepts the model for all clauses that are no queries, and for the refuted queries."""
    kept = [clause for i, clause in enumerate(system.clauses) if not clause.is_query or i in refuted]
    return certify(HornSystem(system.predicates, tuple(kept)), core.model(refuted), soon(), "off").accepted


def two_counters() -> HornSystem:
    """x counts up and y down; the queries are that either has the wrong sign, and that x is 7."""
    return HornSystem.of(
        [
            # x = 0 & y = 0 => P(x, y)
            Clause(P(x, y), (), z3.And(x == 0, y == 0)),
            # P(x, y) => P(x + 1, y - 1)
            Clause(P(x + 1, y - 1), (P(x, y),), z3.BoolVal(True)),
            # P(x, y) => Q(y, x)
            Clause(Q(y, x), (P(x, y),), z3.BoolVal(True)),
            # Q(x, y) & x > 0 => false
            Clause(None, (Q(x, y),), x > 0),
            # P(x, y) & x < 0 => false
            Clause(None, (P(x, y),), x < 0),
            # P(x, y) & x = 7 => false
            Clause(None, (P(x, y),), x == 7),
        ]
    )


CANDIDATES = {P: [a >= 0, b <= 0, a + b == 0, a != 7, a >= b], Q: [Q.formals[0] <= 0, Q.formals[1] <= 5]}


def test_queries_ask_for_what_they_need_alone() -> None:
    system = two_counters()
    core = ValidityCore(system, CANDIDATES)
    assert core.refuted([3], soon()) == {3}
    first = core.model([3])
    assert [str(first[P]), str(first[Q])] == ["$1 <= 0", "$0 <= 0"]
    assert core.refuted(system.queries, soon()) == {3, 4}
    assert is_accepted(system, core, frozenset({3, 4}))


def test_queries_that_are_asked_later_add_to_what_is_known() -> None:
    system = two_counters()
    core = ValidityCore(system, CANDIDATES)
    assert core.refuted([4], soon()) == {4}
    assert z3.is_true(core.model([4])[Q])
    assert core.refuted([3, 5], soon()) == {3}
    assert is_accepted(system, core, frozenset({3, 4}))


def test_what_is_not_shown_in_time_refutes_nothing() -> None:
    system = two_counters()
    core = ValidityCore(system, CANDIDATES)
    assert core.refuted([4], soon()) == {4}
    assert core.refuted([3], time.monotonic()) == frozenset()
    assert core.refuted([4], soon()) == {4} and is_accepted(system, core, frozenset({4}))


def test_queries_before_those_for_which_time_is_up_stay_refuted(monkeypatch: pytest.MonkeyPatch) -> None:
    """First the query of P, then that of Q, which stands behind it."""
    monkeypatch.setattr(validity_core, "MAX_TRIED", 1)
    system, clock = two_counters(), itertools.count()
    with monkeypatch.context() as patch:
        patch.setattr(time, "monotonic", lambda: float(next(clock)))
        core = ValidityCore(system, CANDIDATES)
        assert core.refuted([3, 4], 3.0) == {4}
    assert is_accepted(system, core, frozenset({4}))


def test_false_is_a_candidate_of_what_nothing_derives() -> None:
    system = HornSystem.of([Clause(Q(x, y), (P(x, y),), z3.BoolVal(True)), Clause(None, (Q(x, y),), x == y)])
    core = ValidityCore(system, {P: [z3.BoolVal(False)], Q: [z3.BoolVal(False)]})
    assert core.refuted([1], soon()) == {1} and is_accepted(system, core, frozenset({1}))


def test_cells_are_assumed_where_a_counterexample_violates_them() -> None:
    cells = z3.ArraySort(INT, INT)
    t, i = z3.Const("t", cells), z3.Int("i")
    R = Predicate("R", (cells, INT))
    array, index = R.formals
    system = HornSystem.of(
        [
            # R(K(0), 0)
            Clause(R(z3.K(INT, z3.IntVal(0)), z3.IntVal(0)), (), z3.BoolVal(True)),
            # R(t, i) & i < 3 => R(t[i := i], i + 1)
            Clause(R(z3.Store(t, i, i), i + 1), (R(t, i),), i < 3),
            # R(t, i) & t[1] > 2 => false
            Clause(None, (R(t, i),), t[1] > 2),
        ]
    )
    within = [z3.And(array[k] >= 0, array[k] <= 2) for k in range(8)]  # type: ignore[index]
    core = ValidityCore(system, {R: [*within, z3.And(index >= 0, index <= 3)]})  # type: ignore[operator]
    assert core.refuted([2], soon()) == {2} and is_accepted(system, core, frozenset({2}))
    assert len(conjuncts(core.model([2])[R])) == 2, "the bounds of one cell"


def random_candidates(system: HornSystem, random: Random) -> dict[Predicate, list[z3.BoolRef]]:
    """Some comparisons of numbers with constants and with one another, few of which are invariants."""
    found: dict[Predicate, list[z3.BoolRef]] = {}
    for predicate in system.predicates:
        numbers = [formal for formal in predicate.formals if z3.is_int(formal)]
        pool = [n >= k for n in numbers for k in range(-3, 4)] + [n <= k for n in numbers for k in range(-3, 4)]
        pool += [m <= n for m in numbers for n in numbers if m is not n]
        found[predicate] = [*random.sample(pool, min(8, len(pool))), z3.BoolVal(False)]
    return found


@pytest.mark.parametrize("seed", range(12))
def test_as_many_queries_as_by_the_greatest_inductive_subset(seed: int) -> None:
    system = random_system(seed)
    candidates = random_candidates(system, Random(seed))
    core = ValidityCore(system, candidates)
    refuted = core.refuted(system.queries, soon())
    kept = inductive_subset(system, candidates, soon())
    for index in system.queries:
        clause, solver = system.clauses[index], z3.Solver()
        for atom in clause.body:
            formula = conjunction(kept[atom.predicate])
            solver.add(z3.substitute(formula, *zip(atom.predicate.formals, atom.arguments, strict=True)))
        # greatest inductive subset(body) & constraint
        solver.add(clause.constraint)
        assert (solver.check() == z3.unsat) == (index in refuted)
    assert is_accepted(system, core, refuted)

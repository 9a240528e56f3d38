"""The engine `conjuncts`: conjuncts of facts and steps as candidates, relative to which queries are 1-inductive."""

import pytest
import z3
from invariant_loops import loop, proves
from recording_bus import Bus

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Unknown
from solvers.engine import Context
from solvers.invariants.clause_conjuncts_engine import ClauseConjuncts

x, y, z = z3.Ints("x y z")
r, s, t = z3.Reals("r s t")

SAFE = {
    # x >= 0 is a conjunct of the fact; the query is 1-inductive relative to it
    "sum": loop([x, y], z3.And(x >= 0, y == 0), [x, y + x], y < 0),
    # the parameter t never changes, so the relation of the fact stays
    "parameter": loop([r, t], z3.And(r == t, t > 0), [r + t, t], r < t),
    # the query's negation has a clause for each pair, also within a disjunction
    "pairs": loop(
        [r, s, t],
        z3.And(t > 0, z3.Or(t == 0, z3.And(r - s < t, s - r < t))),
        [s, r, t],
        z3.And(t != 0, z3.Or(r - s >= t, s - r >= t)),
    ),
    # what comes true first is dropped, and with it what used it
    "dropped": loop([x, y, z], z3.And(x == 0, y == 0, z == 1, y <= 5), [x, y + x, z + 1], y > 5),
}


@pytest.mark.parametrize("name", SAFE)
def test_proves(name: str) -> None:
    assert proves(SAFE[name], ClauseConjuncts().solve(SAFE[name], Context.within(600)))


@pytest.mark.parametrize("bad", [x == 7, x > 1000, y < x])
def test_unsafe_is_never_called_safe(bad: z3.BoolRef) -> None:
    system = loop([x, y], z3.And(x == 0, y == 2), [x + 1, y], bad)
    assert isinstance(ClauseConjuncts().solve(system, Context.within(600)), Unknown)


def test_what_a_step_establishes_need_not_hold_in_facts() -> None:
    p = Predicate("p", (z3.IntSort(), z3.IntSort()))
    clauses = [
        Clause(p(x, y), (), z3.And(x == 3, y == 1)),
        Clause(p(z, y), (p(x, y),), z3.And(z > 5, y == 1)),
        Clause(None, (p(x, y),), z3.And(x <= 5, x != 3)),
    ]
    system = HornSystem.of(clauses)
    assert proves(system, ClauseConjuncts().solve(system, Context.within(600)))


def test_publishes_what_is_inductive_where_the_query_is_not() -> None:
    system = loop([x, y], z3.And(x == 0, y >= 2), [x + 1, y], x == -7)
    bus = Bus()
    context = Context(Context.within(600).deadline, bus=bus)
    assert isinstance(ClauseConjuncts().solve(system, context), Unknown)
    (lemma,) = bus.lemmas
    solver = z3.Solver()
    solver.add(z3.Not(z3.Implies(lemma.formula, lemma.predicate.formals[1] >= 2)))
    assert solver.check() == z3.unsat
    solver = z3.Solver()
    solver.add(lemma.formula, lemma.predicate.formals[0] == 1)
    assert solver.check() == z3.sat


def test_queries_with_two_atoms_are_not_taken() -> None:
    p = Predicate("p", (z3.IntSort(),))
    system = HornSystem.of([Clause(p(x), (), x == 0), Clause(None, (p(x), p(y)), x != y)])
    assert isinstance(ClauseConjuncts().solve(system, Context.within(600)), Unknown)


def test_without_time_there_is_no_answer() -> None:
    assert isinstance(ClauseConjuncts().solve(SAFE["pairs"], Context.within(0)), Unknown)

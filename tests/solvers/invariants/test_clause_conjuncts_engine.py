"""The engine `conjuncts`: conjuncts of facts and steps as candidates, relative to which queries are 1-inductive."""

import pytest
import z3
from invariant_loops import loop, proves
from recording_bus import Bus

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Unknown
from solvers.engine import Context
from solvers.invariants import clause_conjuncts_engine
from solvers.invariants.clause_conjuncts_engine import ClauseConjuncts
from solvers.invariants.renamed_proofs import RenamedProofs

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


def nodes(count: int) -> HornSystem:
    """Values that stay near each other: each new one is one of three that were received, which are near a common one.

    Each pair of nodes is a goal, and all have the same proof under other names.
    """
    bound, centre, *own = z3.Reals(" ".join(["bound centre", *(f"own{node}" for node in range(count))]))
    after = [z3.Real(f"after{node}") for node in range(count)]
    step = []
    for node, new in enumerate(after):
        got = [z3.Real(f"got{node}_{sender}") for sender in range(3)]
        step += [z3.And(centre - bound <= value, value <= centre + bound) for value in got]
        step.append(z3.Or([new == value for value in got]))
    apart = z3.Or([one - other > 2 * bound for one in own for other in own if one is not other])
    p = Predicate("p", (z3.RealSort(),) * (count + 1))
    clauses = [
        Clause(p(*own, bound), (), z3.And([bound >= 0, *(value == 0 for value in own)])),
        Clause(p(*after, bound), (p(*own, bound),), z3.And(step)),
        Clause(None, (p(*own, bound),), apart),
    ]
    return HornSystem.of(clauses)


def test_candidates_of_equal_nodes_are_proved_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(clause_conjuncts_engine, "HARD_QUESTION_S", 0.0)
    found: list[bool] = []
    find = RenamedProofs.find

    def counted(self: RenamedProofs, goal: z3.BoolRef, without: set[int]) -> frozenset[int] | None:
        image = find(self, goal, without)
        found.append(image is not None)
        return image

    monkeypatch.setattr(RenamedProofs, "find", counted)
    system = nodes(4)
    assert proves(system, ClauseConjuncts().solve(system, Context.within(600)))
    assert sum(found) >= 10  # of twelve pairs

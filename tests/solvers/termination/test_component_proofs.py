"""Ranks of each component by itself, with those of many facts that they need."""

import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import conjuncts
from solvers.termination import ranking_search
from solvers.termination.component_proofs import Facts, Kinds, prove_by_components
from solvers.termination.ranking_search import NotFound
from solvers.termination.relevant_arguments import relevant_arguments
from tests.chcverify.certificate.termination_systems import endless, nested

INT = z3.IntSort()
x, y, n = z3.Ints("x y n")
TRUE = z3.BoolVal(True)


def until() -> float:
    return time.monotonic() + 600


def anything(system: HornSystem) -> Model:
    return Model(dict.fromkeys(system.predicates, TRUE))


def stepping() -> tuple[HornSystem, Facts]:
    """y = 2; for (x = any; x < n; x += y); and what holds there: of y, and something that nobody needs."""
    head, body = Predicate("head", (INT, INT, INT)), Predicate("body", (INT, INT, INT))
    system = HornSystem.of(
        [
            Clause(head(x, z3.IntVal(2), n), (), n != 50),
            Clause(body(x, y, n), (head(x, y, n),), x < n),
            Clause(head(x + y, y, n), (body(x, y, n),), TRUE),
        ]
    )
    return system, {p: [p.formals[2] != 50, p.formals[1] == 2] for p in (head, body)}


def test_a_proof_has_the_facts_that_its_ranks_need() -> None:
    system, facts = stepping()
    with pytest.raises(NotFound):
        prove_by_components(system, anything(system), lambda: None, until())
    proof = prove_by_components(system, anything(system), lambda: facts, until())
    assert certify(system, proof, until(), "off").accepted
    assert all([part.eq(facts[p][1]) for part in conjuncts(proof.model[p])] == [True] for p in facts)


def test_facts_are_not_asked_for_where_ranks_need_none() -> None:
    system, known = nested()

    def facts() -> Facts:
        raise AssertionError("facts were asked for")

    proof = prove_by_components(system, known.model, facts, until())
    assert certify(system, proof, until(), "off").accepted


def test_facts_that_do_not_hold_are_of_no_use() -> None:
    system, facts = stepping()
    wrong = {p: [p.formals[1] == 3] for p in facts}
    with pytest.raises(NotFound, match="inductive"):
        prove_by_components(system, anything(system), lambda: wrong, until())


def test_a_loop_that_nothing_leads_to() -> None:
    """By the facts; the clauses alone have an edge to it."""
    head = Predicate("head", (INT,))
    start = Predicate("start", (INT,))
    system = HornSystem.of(
        [
            Clause(start(z3.IntVal(1)), (), TRUE),
            Clause(head(x), (start(x),), x == 0),
            Clause(head(x), (head(x),), TRUE),
        ]
    )
    proof = prove_by_components(system, anything(system), lambda: {start: [start.formals[0] == 1]}, until())
    assert certify(system, proof, until(), "off").accepted


def test_there_is_no_proof_of_a_loop_that_does_not_end() -> None:
    system, _ = endless()
    with pytest.raises(NotFound):
        prove_by_components(system, anything(system), lambda: {p: [TRUE] for p in system.predicates}, until())


@pytest.mark.parametrize("made", [nested, stepping])
def test_large_components(made: object, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is done for components of many clauses, with few."""
    system, found = made()  # type: ignore[operator]
    facts = found if isinstance(found, dict) else {p: conjuncts(found.model[p]) for p in system.predicates}
    monkeypatch.setattr(ranking_search, "MOST_WHOLE_CLAUSES", 1)
    proof = prove_by_components(system, anything(system), lambda: facts, until())
    assert certify(system, proof, until(), "off").accepted


def test_arguments_that_matter() -> None:
    """for (;; x++) { if (x >= n) break; y = any; }: y does not, nor a number that is never looked at."""
    head, body = Predicate("head", (INT, INT, INT, INT)), Predicate("body", (INT, INT, INT, INT))
    kept = z3.Int("kept")
    system = HornSystem.of(
        [
            Clause(head(x, y, n, kept), (), TRUE),
            Clause(body(x, y, n, kept), (head(x, y, n, kept),), x < n),
            Clause(head(x + 1, z3.Int("any"), n, kept), (body(x, y, n, kept),), TRUE),
        ]
    )
    found = relevant_arguments(system, {1, 2}, {head})
    assert found.all == {head: {0, 2}, body: {0, 2}}
    assert found.counters == [{head: {0}, body: {0}}]


def test_cases_relative_to_facts() -> None:
    """while (slot != owner) slot = slot > 0 ? slot - 1 : highest; ends by 0 <= owner < highest and two phases."""
    slot, owner, highest = z3.Ints("slot owner highest")
    ring = Predicate("ring", (z3.IntSort(),) * 3)
    first = z3.And(owner >= 0, owner < highest, slot >= 0, slot <= highest, highest <= 1000)
    system = HornSystem.of(
        [
            Clause(ring(slot, owner, highest), (), first),
            Clause(ring(slot - 1, owner, highest), (ring(slot, owner, highest),), z3.And(slot != owner, slot > 0)),
            Clause(ring(highest, owner, highest), (ring(slot, owner, highest),), z3.And(slot != owner, slot <= 0)),
        ]
    )
    facts = {ring: tuple(z3.substitute(first, *zip((slot, owner, highest), ring.formals, strict=True)).children())}
    known = Model({ring: z3.BoolVal(True)})
    with pytest.raises(NotFound):
        prove_by_components(system, known, lambda: facts, time.monotonic() + 60)
    for kinds in (Kinds.ALL, Kinds.CASES):
        proof = prove_by_components(system, known, lambda: facts, time.monotonic() + 600, kinds)
        assert certify(system, proof, time.monotonic() + 600, "off").accepted

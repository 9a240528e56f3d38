"""Clauses strengthened by invariants: smaller, and their certificates are carried back to those that they come from."""

import time
from collections.abc import Mapping

import pytest
import z3

from chcverify.certificate.derivation import Cycle, Derivation, Link, Step
from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.transforms.known_invariants import KnownInvariants, conjunctions
from solvers.engine import Context
from solvers.spacer.engine import Spacer

P, Q = Predicate("P", (z3.IntSort(),)), Predicate("Q", (z3.IntSort(),))
x, y = z3.Ints("x y")
SYSTEM = HornSystem.of(
    (
        Clause(P(x), (), x == 0),
        Clause(P(y), (P(x),), z3.And(x < 5, y == x + 1)),
        Clause(P(y), (P(x),), z3.And(x < 0, y == 7)),
        Clause(Q(x), (P(x),), x > 2),
        Clause(None, (P(x),), x == 7),
    ),
    (P, Q),
)
KNOWN: Mapping[Predicate, z3.BoolRef] = {P: P.formals[0] >= 0, Q: Q.formals[0] > 2}


def accepted(system: HornSystem, model: Model) -> bool:
    return certify(system, model, time.monotonic() + 60, "off").accepted


@pytest.mark.parametrize("strengthened", [False, True])
def test_clauses_that_lead_nowhere_are_gone(strengthened: bool) -> None:
    known = KnownInvariants(KNOWN)
    smaller, back = known.strengthened(SYSTEM) if strengthened else known.pruned(SYSTEM)
    assert [clause.name for clause in smaller.clauses] == [SYSTEM.clauses[i].name for i in (0, 1, 3, 4)]
    assert (smaller.clauses[1].constraint is not SYSTEM.clauses[1].constraint) == strengthened
    result = Spacer().solve(smaller, Context.within(60))
    assert isinstance(result, Safe)
    whole = back.model(result.model)
    assert set(whole.interpretations) == {P, Q} and accepted(SYSTEM, whole)


def test_what_is_not_inductive_proves_nothing() -> None:
    smaller, back = KnownInvariants({P: P.formals[0] == 0}).strengthened(SYSTEM)
    result = Spacer().solve(smaller, Context.within(60))
    assert isinstance(result, Safe) and not accepted(SYSTEM, back.model(result.model))


def test_derivations_have_the_numbers_of_the_clauses_before() -> None:
    system = HornSystem.of((*SYSTEM.clauses[:4], Clause(None, (P(x),), x == 4)), (P, Q))
    smaller, back = KnownInvariants(KNOWN).strengthened(system)
    result = Spacer().solve(smaller, Context.within(60))
    assert isinstance(result, Unsafe)
    derivation = back.derivation(result.derivation)
    assert derivation.steps[-1].clause == 4  # type: ignore[union-attr]
    assert certify(system, derivation, time.monotonic() + 60, "off").accepted


def test_derivations_with_cycles_are_carried_back() -> None:
    """P(0), then P(x) gives P(x + 1) a hundred times."""
    n = z3.Int("n")
    step = Clause(P(x + 1), (P(x),), z3.BoolVal(True))
    system = HornSystem.of((SYSTEM.clauses[2], SYSTEM.clauses[0], step, Clause(None, (P(x),), x == 100)), (P, Q))
    smaller, back = KnownInvariants(KNOWN).pruned(system)
    assert len(smaller.clauses) == 3
    cycle = Cycle(n, 100, 0, (Link(1, (n + 1,), (None,)),))
    found = back.derivation(Derivation((Step(0, (z3.IntVal(0),), ()), cycle, Step(2, (), (1,)))))
    assert certify(system, found, time.monotonic() + 60, "off").accepted


def test_what_is_true_of_all_says_nothing() -> None:
    assert not KnownInvariants({P: z3.BoolVal(True)}).fit(SYSTEM)


def test_invariants_of_one_system_fit_no_other() -> None:
    known = KnownInvariants(KNOWN, only=SYSTEM)
    assert known.fit(SYSTEM) and not known.fit(HornSystem.of(SYSTEM.clauses, SYSTEM.predicates))


def test_without_time_all_clauses_stay() -> None:
    known = KnownInvariants(KNOWN)
    assert len(known.pruned(SYSTEM, until=0.0)[0].clauses) == len(SYSTEM.clauses)
    assert len(known.pruned(SYSTEM)[0].clauses) == len(SYSTEM.clauses) - 1  # they are asked about later


def test_invariants_of_other_predicates_do_not_fit() -> None:
    known = KnownInvariants({Predicate("R", ()): z3.BoolVal(False)})
    assert not known.fit(SYSTEM) and KnownInvariants(KNOWN).fit(SYSTEM)


def test_a_conjunction_has_each_part_once() -> None:
    part = P.formals[0] >= 0
    other = P.formals[0] <= 5
    assert conjunctions([{P: part}, {P: z3.And(part, other)}])[P].eq(z3.And(part, other))

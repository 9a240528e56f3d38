"""Clauses strengthened by invariants: smaller, and their models prove the clauses that they come from."""

import time

import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.certificate.model import Model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe, Unsafe
from chcverify.run.concurrency.known_invariants import conjoined, strengthened
from solvers.engine import Context
from solvers.spacer.engine import Spacer

P = Predicate("P", (z3.IntSort(),))
x, y = z3.Ints("x y")
SYSTEM = HornSystem.of(
    (
        Clause(P(x), (), x == 0),
        Clause(P(y), (P(x),), z3.And(x < 5, y == x + 1)),
        Clause(P(y), (P(x),), z3.And(x < 0, y == 7)),
        Clause(None, (P(x),), x == 7),
    ),
    (P,),
)


def test_clauses_that_lead_nowhere_are_gone() -> None:
    known = {P: P.formals[0] >= 0}
    smaller, indices = strengthened(SYSTEM, known)
    assert indices == [0, 1, 3] and len(smaller.clauses) == 3
    result = Spacer().solve(smaller, Context.within(60))
    assert isinstance(result, Safe)
    whole = conjoined(result, known)
    assert isinstance(whole, Safe) and certify(SYSTEM, whole.model, time.monotonic() + 60, "off").accepted


def test_what_is_not_inductive_proves_nothing() -> None:
    known = {P: P.formals[0] == 0}
    whole = conjoined(Safe(Model({P: z3.BoolVal(True)})), known)
    assert isinstance(whole, Safe) and not certify(SYSTEM, whole.model, time.monotonic() + 60, "off").accepted


def test_derivations_are_kept() -> None:
    result = Spacer().solve(HornSystem.of((Clause(P(x), (), x == 7), SYSTEM.clauses[3]), (P,)), Context.within(60))
    assert isinstance(result, Unsafe) and conjoined(result, {}) is result

"""The engine `given-invariants`: claims that are inductive prove, wrong ones cannot hurt."""

import json

import pytest
import z3
from invariant_loops import loop, proves

from chcverify.cache.old_models import models_document
from chcverify.certificate.model import Model
from chcverify.horn.system import HornSystem
from chcverify.results.result import Unknown
from solvers.engine import Context
from solvers.invariants.given_invariants_engine import GivenInvariants

x, y = z3.Ints("x y")
# x' = x + 1, y' = y + 2 x + 1 from 0, 0; y = x^2 is not among what the clauses suggest
SQUARES = loop([x, y], z3.And(x == 0, y == 0), [x + 1, y + 2 * x + 1], z3.And(x == 100, y != 10000))


def context(system: HornSystem, claim: z3.BoolRef) -> Context:
    (predicate,) = system.predicates
    formula = z3.substitute(claim, *zip((x, y), predicate.formals, strict=True))
    document = models_document(system, Model({predicate: formula}))
    return Context(deadline=Context.within(600).deadline, options={"claims": json.dumps(document)})


def test_a_claim_that_is_inductive_proves() -> None:
    assert proves(SQUARES, GivenInvariants().solve(SQUARES, context(SQUARES, y == x * x)))


@pytest.mark.parametrize("claim", [y == x, x == 0, z3.BoolVal(False)])
def test_wrong_claims_prove_nothing(claim: z3.BoolRef) -> None:
    wrong = loop([x, y], z3.And(x == 0, y == 0), [x + 1, y + 2 * x + 1], y == 16)
    assert isinstance(GivenInvariants().solve(wrong, context(wrong, claim)), Unknown)


def test_without_claims_the_reason_is_given() -> None:
    for options in ({}, {"claims": "?"}, {"claims": "[]"}):
        given = Context(deadline=Context.within(600).deadline, options=options)
        assert isinstance(GivenInvariants().solve(SQUARES, given), Unknown)
    with pytest.raises(ValueError, match="claims is"):
        GivenInvariants().check_options({"file": "x"})

"""The contract of interpolators, by truth tables: no solver is asked whether a proposal is an interpolant."""

from itertools import product

import pytest
import z3
from hypothesis import example, given, settings
from hypothesis import strategies as st

from chcverify.terms.core.traversal import free_variables
from solvers.interpolation import ALL, Interpolator, binary

P, Q, R, S = z3.Bools("p q r s")


def formulas(atoms: list[z3.BoolRef]) -> st.SearchStrategy[z3.BoolRef]:
    """Conjunctions of two or three clauses over the atoms."""
    literals = st.sampled_from([*atoms, *map(z3.Not, atoms)])
    clauses = st.lists(literals, min_size=1, max_size=2).map(z3.Or)
    return st.lists(clauses, min_size=2, max_size=3).map(z3.And)


def holds_for(formula: z3.BoolRef) -> set[tuple[bool, ...]]:
    """The values of P, Q, R, S for which the formula is true."""
    rows = product((False, True), repeat=4)
    return {row for row in rows if z3.is_true(z3.simplify(z3.substitute(formula, *pairs(row))))}


def pairs(row: tuple[bool, ...]) -> list[tuple[z3.BoolRef, z3.BoolRef]]:
    return [(atom, z3.BoolVal(value)) for atom, value in zip((P, Q, R, S), row, strict=True)]


@pytest.mark.parametrize("interpolator", ALL, ids=lambda interpolator: interpolator.name)
@given(a=formulas([P, Q, R]), b=formulas([Q, R, S]))
@example(a=z3.And(z3.Or(Q), z3.Or(P, R), z3.Or(R, z3.Not(P))), b=z3.And(z3.Or(Q), z3.Or(z3.Not(Q))))
@example(a=z3.And(z3.Or(Q), z3.Or(z3.Not(Q))), b=z3.And(Q, z3.Or(R, S)))
@settings(max_examples=25, deadline=None)
def test_a_proposal_is_implied_by_a_refutes_b_and_speaks_of_both(
    interpolator: Interpolator, a: z3.BoolRef, b: z3.BoolRef
) -> None:
    is_refuted = not holds_for(a) & holds_for(b)
    proposal = interpolator.propose(a, b, 2000)
    if proposal is None:
        return
    assert is_refuted
    assert holds_for(a) <= holds_for(proposal)
    assert not holds_for(proposal) & holds_for(b)
    names = [{str(v) for v in free_variables(formula)} for formula in (a, b, proposal)]
    assert names[2] <= names[0] & names[1]


@given(a=formulas([P, Q]), b=formulas([P, Q]))
@settings(max_examples=25, deadline=None)
def test_binary_finds_none_where_both_hold(a: z3.BoolRef, b: z3.BoolRef) -> None:
    if holds_for(a) & holds_for(b):
        assert binary(a, b, ALL, 2000) is None

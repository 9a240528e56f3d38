"""Equations as definitions: what is found says the same as the conjuncts, and each variable once."""

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.core.traversal import free_variables
from chcverify.terms.equation_definitions import definitions_in

NAMES = z3.Ints("u v w x")
A, B = z3.Array("A", z3.IntSort(), z3.IntSort()), z3.Array("B", z3.IntSort(), z3.IntSort())


@st.composite
def conjunct(draw: st.DrawFn) -> z3.BoolRef:
    """An equation or inequality of a variable and a small sum."""
    left, right = draw(st.sampled_from(NAMES)), draw(st.sampled_from(NAMES))
    total = right + draw(st.integers(-2, 2))
    return draw(st.sampled_from([left == total, total == left, left <= total]))


@given(st.lists(conjunct(), max_size=6), st.sets(st.sampled_from(range(4))))
def test_definitions_and_the_rest_are_equivalent_to_the_conjuncts(parts: list[z3.BoolRef], kept: set[int]) -> None:
    fixed = {NAMES[number].get_id() for number in kept}
    definitions, rest = definitions_in(parts, fixed)
    found = z3.And([variable == term for variable, term in definitions] + rest)
    solver = z3.Solver()
    solver.add(z3.And(parts) != found)
    # not (parts <=> definitions & rest)
    assert solver.check() == z3.unsat
    defined = {variable.get_id() for variable, _ in definitions}
    assert len(defined) == len(definitions) and not defined & fixed
    assert not defined & {v.get_id() for _, term in definitions for v in free_variables(term)}


@pytest.mark.parametrize(("arrays_only", "count"), [(True, 1), (False, 2)])
def test_equations_of_arrays_alone(arrays_only: bool, count: int) -> None:
    parts = [z3.Store(B, 1, 2) == A, NAMES[0] == NAMES[1] + 1]
    definitions, rest = definitions_in(parts, arrays_only=arrays_only)
    assert len(definitions) == count and len(rest) == 2 - count

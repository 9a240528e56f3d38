"""Concrete operations against z3's simplifier and against terms that are written as Python text."""

from fractions import Fraction
from typing import Any

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.arithmetic.operations import OPERATIONS
from chcverify.terms.evaluation.python_code import compile_term

X, Y, U, V, P, Q = z3.Int("x"), z3.Int("y"), z3.Real("u"), z3.Real("v"), z3.Bool("p"), z3.Bool("q")
TERMS = [
    X + Y, X - Y, -X, X * Y, X / Y, X % Y, X <= Y, X >= Y, X < Y, X > Y, U + V, U - V, -U, U * V, U / V, U <= V, U < V,
    z3.ToReal(X), z3.ToInt(U), z3.Not(P), z3.And(P, Q), z3.Or(P, Q), z3.Implies(P, Q), z3.If(P, X, Y),
]  # fmt: skip
VALUES = {
    z3.Z3_INT_SORT: st.integers(-20, 20),
    z3.Z3_REAL_SORT: st.fractions(-9, 9, max_denominator=6),
    z3.Z3_BOOL_SORT: st.booleans(),
}


def literal(value: Any, sort: z3.SortRef) -> z3.ExprRef:
    if sort.kind() == z3.Z3_BOOL_SORT:
        return z3.BoolVal(value)
    return z3.IntVal(value) if sort.kind() == z3.Z3_INT_SORT else z3.RealVal(str(value))


def number(term: z3.ExprRef) -> Any:
    if z3.is_bool(term):
        return z3.is_true(term)
    return term.as_long() if z3.is_int_value(term) else Fraction(term.as_fraction())


@pytest.mark.parametrize("term", TERMS, ids=str)
@given(data=st.data())
def test_operations_are_those_of_z3(term: z3.ExprRef, data: st.DataObject) -> None:
    arguments = term.children()
    values = [data.draw(VALUES[argument.sort().kind()]) for argument in arguments]
    kind = term.decl().kind()
    result = OPERATIONS[kind](*values)
    if kind in (z3.Z3_OP_IDIV, z3.Z3_OP_MOD, z3.Z3_OP_DIV) and values[1] == 0:
        assert result == 0
        return
    pairs = [(a, literal(value, a.sort())) for a, value in zip(arguments, values, strict=True)]
    assert result == number(z3.simplify(z3.substitute(term, *pairs)))
    assert result == compile_term(term, arguments)(*values)

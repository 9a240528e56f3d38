"""Linear comparisons for readers: equivalent to what they are made of, and without negative factors."""

import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.arithmetic.balanced_comparisons import with_balanced_comparisons
from chcverify.terms.core.traversal import subterms
from chcverify.terms.printing.infix import infix_text

X, Y, Z = z3.Ints("x y z")
_OPERATORS = (
    lambda left, right: left <= right,
    lambda left, right: left < right,
    lambda left, right: left >= right,
    lambda left, right: left > right,
    lambda left, right: left == right,
)
_factors = st.integers(-3, 3)


def test_summands_stand_where_their_factors_are_positive() -> None:
    shown = {
        X + -1 * Y > -1: "y ≤ x",
        1 + X - Y <= 0: "x < y",
        -1 * X <= -5: "x ≥ 5",
        X - Y - Z < 1: "x ≤ z + y",
        X - 2 * Y + 3 < Z: "x + 4 ≤ z + 2·y",
        2 * X - 4 * Y <= 7: "x ≤ 2·y + 3",
        z3.Not(X + (-z3.IntVal(1)) * Y >= 1): "y ≥ x",
        z3.Not(X - Y == 2): "x ≠ y + 2",
        z3.And(X - Y <= 0, Y * X - Z >= 1): "x ≤ y ∧ z < x·y",
    }
    for formula, text in shown.items():
        assert infix_text(with_balanced_comparisons(formula)) == text


def test_what_is_no_linear_comparison_stays() -> None:
    b, (a, c) = z3.BitVec("b", 8), (z3.Array(name, z3.IntSort(), z3.IntSort()) for name in "ac")
    for formula in (b == -1, z3.ULE(b, 3), a == c, z3.BoolVal(True), z3.ForAll([X], X - Y <= 0)):
        assert with_balanced_comparisons(formula).eq(formula)


@given(st.tuples(_factors, _factors, _factors, _factors), st.sampled_from(_OPERATORS))
def test_the_comparison_is_equivalent_and_has_no_negative_factor(factors: tuple[int, ...], operator) -> None:
    one, two, three, four = factors
    formula = operator(one * X + two * (Y - X) + four, three * Z + 1)
    balanced = with_balanced_comparisons(formula)
    solver = z3.Solver()
    solver.add(formula != balanced)
    assert solver.check() == z3.unsat
    for term in subterms(balanced):
        assert not (z3.is_mul(term) and z3.is_int_value(term.arg(0)) and term.arg(0).as_long() < 0)

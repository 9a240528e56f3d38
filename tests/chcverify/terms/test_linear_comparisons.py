"""Comparisons of sums for readers: equivalent to what they are made of, and without negative factors."""

import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.core.traversal import subterms
from chcverify.terms.printing.infix import infix_text
from chcverify.terms.printing.linear_comparisons import without_negative_factors

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
        X + -1 * Y > -1: "x ≥ y",
        1 + X - Y <= 0: "x < y",
        -1 * X <= -5: "x ≥ 5",
        X - Y - Z < 1: "x ≤ y + z",
        X - 2 * Y + 3 < Z: "x + 3 < 2·y + z",
        z3.Not(X - Y == 2): "x ≠ y + 2",
        z3.And(X - Y <= 0, Y * X - Z >= 1): "x ≤ y ∧ x·y > z",
    }
    for formula, text in shown.items():
        assert infix_text(without_negative_factors(formula)) == text


def test_what_compares_no_integers_stays() -> None:
    b, a = z3.BitVec("b", 8), z3.Array("a", z3.IntSort(), z3.IntSort())
    for formula in (b == -1, z3.ULE(b, 3), a == a, z3.BoolVal(True), z3.ForAll([X], X - Y <= 0)):
        assert without_negative_factors(formula).eq(formula)


@given(st.tuples(_factors, _factors, _factors, _factors), st.sampled_from(_OPERATORS))
def test_the_comparison_is_equivalent_and_has_no_negative_factor(factors: tuple[int, ...], operator) -> None:
    one, two, three, four = factors
    formula = operator(one * X + two * (Y - X) + four, three * X * Z + 1)
    balanced = without_negative_factors(formula)
    solver = z3.Solver()
    solver.add(formula != balanced)
    assert solver.check() == z3.unsat
    for term in subterms(balanced):
        assert not (z3.is_mul(term) and z3.is_int_value(term.arg(0)) and term.arg(0).as_long() < 0)

"""Equations from opposite inequalities: always equivalent to what was given, and made where both inequalities stand."""

import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.bitvectors.opposite_inequalities import with_equations
from chcverify.terms.core.traversal import conjuncts
from tests.chcverify.terms.equivalence import equivalent

WIDTH = 4
X, Y, Z = z3.BitVecs("x y z", WIDTH)


def equations(formula: z3.BoolRef) -> int:
    return sum(z3.is_eq(part) for part in conjuncts(with_equations(formula)))


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["signed", "unsigned", "sum"]),
            st.lists(st.integers(-2, 2), min_size=3, max_size=3),
            st.integers(-8, 7),
            st.booleans(),
        ),
        max_size=5,
    )
)
def test_the_result_is_equivalent(parts: list[tuple[str, list[int], int, bool]]) -> None:
    formulas = []
    for kind, factors, constant, both in parts:
        total = sum((factor * term for factor, term in zip(factors, (X, Y, Z), strict=True)), z3.BitVecVal(0, WIDTH))
        if kind == "sum":
            pair = (total + constant >= 0, -total - constant >= 0)
        elif kind == "signed":
            pair = (total <= constant, total >= constant)
        else:
            pair = (z3.ULE(total, X + constant), z3.ULE(X + constant, total))
        formulas += pair if both else pair[:1]
    formula = z3.And([z3.BoolVal(True), *formulas])
    assert equivalent(formula, with_equations(formula))


def test_differences_in_both_directions_are_an_equation() -> None:
    formula = z3.And(X - Y - 3 >= 0, Y - X + 3 >= 0, Z - X >= 0, Z - Y - 3 >= 0)
    assert equations(formula) == 1
    assert len(conjuncts(with_equations(formula))) == 2  # the last two inequalities became one


def test_plain_comparisons_in_both_directions_are_an_equation() -> None:
    assert equations(z3.And(X <= Y, Y <= X)) == 1
    assert equations(z3.And(z3.ULE(X, Y), z3.ULE(Y, X))) == 1


def test_other_formulas_stay_as_they_are() -> None:
    i, j = z3.Ints("i j")
    for formula in (z3.And(i <= j, j <= i), X <= Y, z3.BoolVal(True), z3.And(X <= Y, z3.ULE(Y, X))):
        assert with_equations(formula).eq(formula)


def test_sums_without_a_variable_that_can_be_isolated_stay_as_they_are() -> None:
    formula = z3.And(2 * X >= 0, -2 * X >= 0)
    assert with_equations(formula).eq(formula)

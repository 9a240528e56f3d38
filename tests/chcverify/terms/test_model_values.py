"""Values of terms in models, read without z3py's objects."""

from fractions import Fraction

import pytest
import z3

from chcverify.terms.native.model_values import values_in

X, Y, R, W = z3.Int("x"), z3.Int("y"), z3.Real("r"), z3.BitVec("w", 8)


@pytest.mark.parametrize("count", [1, 40])
def test_values_are_those_that_z3py_gives(count):
    solver = z3.Solver()
    # x = -3 & 3 * r = -1 & w = 200
    solver.add(X == -3, 3 * R == -1, W == 200)
    assert solver.check() == z3.sat
    terms = [X, X * X, R, W, W + 100, X < 0, z3.Not(X < 0), Y - Y, z3.If(X < 0, R, z3.RealVal(2))] * count
    expected = [Fraction(-3), Fraction(9), Fraction(-1, 3), Fraction(200), Fraction(44), True, False, Fraction(0)]
    assert values_in(solver.model(), terms) == [*expected, Fraction(-1, 3)] * count
    assert [type(value) is bool for value in values_in(solver.model(), terms[4:7])] == [False, True, True]


def test_free_constants_have_a_value_and_other_sorts_have_none():
    solver = z3.Solver()
    a = z3.Array("a", z3.IntSort(), z3.IntSort())
    # r * r = 2
    solver.add(R * R == 2)
    assert solver.check() == z3.sat
    assert values_in(solver.model(), [a, R]) == [None, None]
    assert isinstance(values_in(solver.model(), [Y])[0], Fraction)

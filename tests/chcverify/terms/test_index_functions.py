"""Functions from one index to another: they agree with both terms wherever the variables are in their ranges."""

from itertools import product

import pytest
import z3

from chcverify.terms.arithmetic.index_functions import (
    INDEX,
    affine_function,
    coefficients,
    digit_function,
    with_plain_indices,
)
from chcverify.terms.core.traversal import subterms

w, x, y, z = z3.Ints("w x y z")


def value(term: z3.ArithRef, **values: int) -> int:
    """The term's value where variables have these values."""
    pairs = [(z3.Int(name), z3.IntVal(number)) for name, number in values.items()]
    number = z3.simplify(z3.substitute(term, *pairs))
    assert isinstance(number, z3.IntNumRef)
    return number.as_long()


@pytest.mark.parametrize(
    ("base", "other"),
    [
        (5 * x + y, 3 * y + x),
        (20 * x + 5 * y + z + 3, x + 3 * y + 12 * z),
        (20 * x + 5 * y + z, 20 * x + 5 * y + z + 1),
    ],
)
def test_digits(base: z3.ArithRef, other: z3.ArithRef) -> None:
    function = digit_function(base, other)
    assert function is not None
    for first, second, third in product(range(3), range(4), range(5)):
        values = {"x": first, "y": second, "z": third}
        assert value(function, index=value(base, **values)) == value(other, **values)


@pytest.mark.parametrize("base", [x, 2 * x + 2 * y, 5 * x + 3 * y, 3 * x - y, x * y, 4 * x + 2 * y])
def test_no_digits(base: z3.ArithRef) -> None:
    assert digit_function(base, x) is None


def test_affine() -> None:
    function = affine_function(x - 1, 3 * x)
    assert function is not None
    assert z3.simplify(function - (3 * INDEX + 3), som=True).eq(z3.IntVal(0))
    assert affine_function(x, y) is None


def test_coefficients() -> None:
    assert coefficients(2 * x + 3 * (y - x) + 7) == {x.get_id(): -1, y.get_id(): 3}
    assert coefficients(x * y) is None


a = z3.Array("a", z3.IntSort(), z3.IntSort())


@pytest.mark.parametrize(
    ("formula", "index"),
    [
        (z3.Or(x < 0, x >= 4 * y, a[x + 100] <= 3), x),
        (z3.Or(x < 0, x >= z, a[7 + y + x] == a[7 + y] + x, a[y + 7 + x] < 2), x),
        (z3.Or(x < y, a[x] == a[x + 1]), x),
        (z3.Or(x < y, a[2 * x] == x), 2 * x),
        (z3.Or(x < y, a[y - x] == 4), y - x),
        (z3.Or(x < y, y > 3), None),
        (z3.Or(x < 0, z3.ForAll([w], z3.Or(w <= 0, a[w + x] == 0))), None),
        (z3.Or(x < 0, z3.ForAll([w], z3.Or(w <= 0, a[w + x] == 0, a[x + 3] < w))), x),
    ],
)
def test_plain_indices_keep_what_holds_for_all_values(formula: z3.BoolRef, index: z3.ArithRef | None) -> None:
    plain = with_plain_indices(formula, [x])
    solver = z3.Solver()
    # not (for all x. formula <=> for all x. plain), for arrays with one value from 104 on and another one below
    cells = z3.Lambda([z], z3.If(z >= 104, y, 9))
    before, after = (z3.ForAll([x], z3.substitute(each, (a, cells))) for each in (formula, plain))
    solver.add(before != after)
    assert solver.check() == z3.unsat
    indices = [term.arg(1) for term in subterms(plain) if z3.is_select(term)]
    assert index is None or any(each.eq(index) or each.eq(z3.simplify(index)) for each in indices)

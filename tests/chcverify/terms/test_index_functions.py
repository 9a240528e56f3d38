"""Functions from one index to another: they agree with both terms wherever the variables are in their ranges."""

from itertools import product

import pytest
import z3

from chcverify.terms.arithmetic.index_functions import INDEX, affine_function, coefficients, digit_function

x, y, z = z3.Ints("x y z")


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

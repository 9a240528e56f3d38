"""Conversions of floating-point numbers to integers, against exact arithmetic."""

from collections.abc import Iterator
from fractions import Fraction
from itertools import product

import pytest
import z3

from encoders.c.encoding import floats
from encoders.c.encoding.bitvector_integers import BitVectors
from encoders.c.types.c_types import (
    DOUBLE,
    FLOAT,
    INT,
    LDOUBLE,
    LLONG,
    SCHAR,
    UCHAR,
    UINT,
    ULLONG,
    CFloat,
    CInteger,
)


def near_bounds(kind: CInteger, source: CFloat) -> Iterator[z3.FPNumRef]:
    """Numbers of a format around the bounds of an integer type, and what is not finite."""
    sort = floats.sort(source)
    steps = [Fraction(0), *(sign * step for step in (Fraction(1, 1 << 20), Fraction(1, 2), 1) for sign in (1, -1))]
    for bound, step in product((kind.minimum - 1, kind.minimum, 0, kind.maximum, kind.maximum + 1), steps):
        yield z3.simplify(z3.fpToFP(z3.RNE(), z3.RealVal(bound + step), sort))
    yield from (z3.fpPlusInfinity(sort), z3.fpMinusInfinity(sort), z3.fpNaN(sort))


@pytest.mark.parametrize("kind", [SCHAR, UCHAR, INT, UINT, LLONG, ULLONG], ids=str)
@pytest.mark.parametrize("source", [FLOAT, DOUBLE, LDOUBLE], ids=str)
def test_the_integer_part_where_the_type_holds_it(kind: CInteger, source: CFloat) -> None:
    other = z3.BitVec("other", kind.width)
    for number in near_bounds(kind, source):
        found = z3.simplify(floats.to_integer(number, kind, BitVectors(), other))
        whole = None if number.isNaN() or number.isInf() else int(z3.simplify(z3.fpToReal(number)).as_fraction())
        if whole is not None and kind.minimum <= whole <= kind.maximum:
            assert z3.is_bv_value(found), number
            assert (found.as_signed_long() if kind.signed else found.as_long()) == whole
        else:
            assert found.eq(other), number


def test_no_real_numbers_are_in_the_formula() -> None:
    term = floats.to_integer(z3.FP("x", z3.Float64()), INT, BitVectors(), z3.BitVec("other", 32))
    assert "Real" not in term.sexpr()
    assert "to_fp" not in term.sexpr()

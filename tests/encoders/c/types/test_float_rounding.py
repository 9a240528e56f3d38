"""Rounding to the types of floating-point numbers against the processor, and against the definition for long double."""

import math
import random
import struct
from fractions import Fraction

import pytest

from encoders.c.types.c_types import DOUBLE, FLOAT, LDOUBLE
from encoders.c.types.float_rounding import exponent_of, round_to


@pytest.mark.parametrize("seed", range(20))
def test_floats_and_doubles_are_those_of_the_processor(seed: int) -> None:
    source = random.Random(seed)
    for _ in range(50):
        double = math.ldexp(source.uniform(-2, 2), source.randint(-160, 127))
        (single,) = struct.unpack("<f", struct.pack("<f", double))
        assert round_to(double, FLOAT) == round_to(Fraction(double), FLOAT) == single
        exact = Fraction(source.randint(-(10**30), 10**30), source.randint(1, 10**30))
        assert round_to(exact, DOUBLE) == exact.numerator / exact.denominator


@pytest.mark.parametrize("seed", range(20))
def test_a_long_double_is_the_nearest_one(seed: int) -> None:
    source = random.Random(seed)
    exact = Fraction(source.randint(1, 10**40), source.randint(1, 10**40))
    unit = Fraction(2) ** (exponent_of(exact) - 63)
    rounded = Fraction(round_to(exact, LDOUBLE))
    assert abs(rounded - exact) <= unit / 2 and (rounded / unit).denominator == 1


def test_numbers_out_of_range() -> None:
    assert round_to(Fraction(2) ** 128, FLOAT) == round_to(Fraction(2) ** 16384, LDOUBLE) == math.inf
    assert round_to(-(Fraction(2) ** 16384), LDOUBLE) == -math.inf
    assert isinstance(round_to(Fraction(2) ** 16383, LDOUBLE), Fraction)
    zero = round_to(-Fraction(1, 2**200), FLOAT)
    assert zero == 0 and math.copysign(1, float(zero)) == -1

"""Exact results of floating-point operations, rounded once to a type: binary32, binary64 and x87's format (IEEE 754).

A value is a Python float where one holds it (so infinities, NaN and zeros with their signs), else a fraction: a long
double that no double is.
"""

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction

from encoders.c.types.c_types import CFloat

FloatValue = float | Fraction
EXACT: Mapping[str, Callable[[FloatValue, FloatValue], FloatValue]] = {
    "+": operator.add,
    "-": operator.sub,
    "*": operator.mul,
    "/": operator.truediv,
}
"""The operators of C on fractions, or on floats; the divisor is not 0."""
_FORMATS = {32: (24, -126, 127), 64: (53, -1022, 1023), 80: (64, -16382, 16383)}  # digits, exponents, by width


def is_finite(value: int | FloatValue) -> bool:
    """Is it a number? Fractions may be larger than every float."""
    return not isinstance(value, float) or math.isfinite(value)


def round_to(value: FloatValue, kind: CFloat) -> FloatValue:
    """The nearest value of the type (ties to even)."""
    if isinstance(value, float):
        return value if kind.width > 32 or not math.isfinite(value) else _rounded(Fraction(value), kind)
    return _rounded(value, kind)


def _rounded(value: Fraction, kind: CFloat) -> FloatValue:
    digits, smallest, largest = _FORMATS[kind.width]
    if value == 0:
        return 0.0
    exponent = max(exponent_of(abs(value)), smallest)
    unit = Fraction(2) ** (exponent - digits + 1)
    rounded = round(value / unit) * unit
    if abs(rounded) >= Fraction(2) ** (largest + 1):
        return math.inf if value > 0 else -math.inf
    if rounded == 0:
        return 0.0 if value > 0 else -0.0
    return simplest(rounded)


def exponent_of(magnitude: Fraction) -> int:
    """The greatest e with 2^e <= magnitude, which is above 0."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if Fraction(2) ** guess <= magnitude else guess - 1


def simplest(value: Fraction) -> FloatValue:
    """The float that is the value, or else the value itself."""
    try:
        double = float(value)
    except OverflowError:
        return value
    return double if double == value else value

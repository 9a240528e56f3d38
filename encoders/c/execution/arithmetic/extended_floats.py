"""Arithmetic of long double as on x87: 64 digits of the significand, 15 bits of the exponent, rounded to nearest even.

A value is a Python float where one holds it (so infinities, NaN and zeros with their signs), else a fraction.
"""

import math
from fractions import Fraction

Extended = float | Fraction
_DIGITS, _LEAST_EXPONENT, _GREATEST_EXPONENT = 64, -16382, 16383
_ROOT_BITS = 2 * _DIGITS + 8  # of the whole part of a root, before it is rounded


def rounded(value: Fraction) -> Extended:
    """The nearest value; infinite beyond the greatest one. value: not 0, whose sign a fraction does not have."""
    exponent = max(_exponent(abs(value)), _LEAST_EXPONENT)
    unit = Fraction(2) ** (exponent - _DIGITS + 1)
    nearest = round(value / unit) * unit
    if nearest == 0:
        return 0.0 * _sign(value)
    if abs(nearest) >= Fraction(2) ** (_GREATEST_EXPONENT + 1):
        return math.inf * _sign(value)
    return simplest(nearest)


def simplest(value: Fraction) -> Extended:
    """The float that is the value, or else the value itself."""
    try:
        double = float(value)
    except OverflowError:
        return value
    return double if Fraction(double) == value else value


def _exponent(magnitude: Fraction) -> int:
    """The greatest e with 2^e <= magnitude."""
    guess = magnitude.numerator.bit_length() - magnitude.denominator.bit_length()
    return guess if Fraction(2) ** guess <= magnitude else guess - 1


def binary(operator: str, a: Extended, b: Extended) -> Extended:
    """The value of +, -, * or /, rounded once."""
    if not (is_finite(a) and is_finite(b)) or (operator == "/" and b == 0) or (a == 0 and b == 0):
        return _of_signs(operator, _proxy(a), _proxy(b))
    one, other = Fraction(a), Fraction(b)
    match operator:
        case "+":
            exact = one + other
        case "-":
            exact = one - other
        case "*":
            exact = one * other
        case _:
            exact = one / other
    if exact != 0:
        return rounded(exact)
    return math.copysign(0.0, _sign(a) * _sign(b)) if operator in "*/" else 0.0


def _of_signs(operator: str, a: float, b: float) -> float:
    """The result where it depends on signs, zeros, infinities and NaN only."""
    if operator == "/" and b == 0:
        return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, _sign(a) * _sign(b))
    match operator:
        case "+":
            return a + b
        case "-":
            return a - b
        case "*":
            return a * b
        case _:
            return a / b


def _proxy(value: Extended) -> float:
    """A float of the same sign that is 0, infinite or NaN where the value is."""
    return value if isinstance(value, float) else _sign(value)


def _sign(value: Extended) -> float:
    if isinstance(value, float):
        return math.copysign(1.0, value)
    return -1.0 if value < 0 else 1.0


def is_finite(value: Extended) -> bool:
    """Is it a number?"""
    return isinstance(value, Fraction) or math.isfinite(value)


def square_root(value: Extended) -> Extended:
    """The square root, rounded once; NaN for negative values, -0 for -0."""
    if value == 0 or value == math.inf or (isinstance(value, float) and math.isnan(value)):
        return value
    if value < 0:
        return math.nan
    exact = Fraction(value)
    shift = max(0, _ROOT_BITS - _exponent(exact))
    shift += shift % 2
    whole = exact * 2**shift
    floor = math.isqrt(math.floor(whole))
    sticky = floor * floor != whole  # a bit behind the last one keeps the rounding right
    return rounded(Fraction(2 * floor + sticky, 2 ** (shift // 2 + 1)))


def to_type(value: Extended, width: int) -> Extended:
    """The value in a type of 32, 64 or 80 bits, rounded once."""
    if isinstance(value, float):
        return value
    if width == 80:
        return rounded(value)
    digits, least, greatest = (24, -126, 127) if width == 32 else (53, -1022, 1023)
    unit = Fraction(2) ** (max(_exponent(abs(value)), least) - digits + 1)
    nearest = round(value / unit) * unit
    if nearest == 0:
        return 0.0 * _sign(value)
    if abs(nearest) >= Fraction(2) ** (greatest + 1):
        return math.inf * _sign(value)
    return float(nearest)

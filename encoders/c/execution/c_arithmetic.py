"""C arithmetic on Python numbers: the interpreter's own semantics, independent of the encoding's."""

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from encoders.c.types.c_types import LLONG, CFloat, CInteger
from encoders.c.types.comparison_operators import COMPARISONS
from encoders.c.types.float_rounding import EXACT, FloatValue, exponent_of, is_finite, round_to

Undefined = Callable[[int], int]
"""Takes the value that x86-64 processors give where C defines none, and returns the one to go on with."""
_ROOT_BITS = 2 * 64 + 8
"""Of the whole part of the root of a long double, before it is rounded to its 64 digits."""


def quotient(operator: str, a: int, b: int, kind: CInteger) -> int:
    """The value of / or % with a divisor other than zero, towards zero."""
    result = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return kind.wrap(result if operator == "/" else a - b * result)


def shift(operator: str, a: int, b: int, kind: CInteger, undefined: Undefined) -> int:
    """The value of << or >>. undefined: for a shift by more bits than there are, or by less than none (C11 6.5.7p3)."""
    is_defined = 0 <= b < kind.width
    # Processors look at the low bits of the count (Intel, Software Developer's Manual, SAL and SHR).
    bits = b if is_defined else b & (_word_bits(kind) - 1)
    value = kind.wrap(a << bits) if operator == "<<" else a >> bits
    return value if is_defined else undefined(value)


def _word_bits(kind: CInteger) -> int:
    """The width of the word in which processors compute with a type."""
    return next((bits for bits in (32, 64) if kind.width <= bits), 128)


def compare(operator: str, a: FloatValue, b: FloatValue) -> int:
    return int(COMPARISONS[operator](a, b))


def rounded(value: FloatValue, kind: CFloat) -> FloatValue:
    """A value rounded to the precision of a type.

    float: rounding from a double once is exact for + - * / of floats (Figueroa 1995).
    """
    if isinstance(value, Fraction):
        return round_to(value, kind)
    if kind.width != 32 or math.isinf(value) or math.isnan(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def float_binary(operator: str, a: FloatValue, b: FloatValue, kind: CFloat) -> FloatValue:
    """The value of +, -, * or /, rounded once."""
    if kind.width == 80:
        if _is_exact(operator, a, b):
            return _rounded_result(operator, a, b, kind)
        a, b = _of_same_sign(a), _of_same_sign(b)
    a, b = float(a), float(b)
    return rounded(_quotient(a, b) if operator == "/" else EXACT[operator](a, b), kind)


def _is_exact(operator: str, a: FloatValue, b: FloatValue) -> bool:
    """Is there an exact result, whose sign needs no rule if it is 0? Otherwise signs, zeros and infinities give it."""
    return is_finite(a) and is_finite(b) and not (a == b == 0) and not (operator == "/" and b == 0)


def _rounded_result(operator: str, a: FloatValue, b: FloatValue, kind: CFloat) -> FloatValue:
    exact = EXACT[operator](Fraction(a), Fraction(b))
    if exact != 0:
        return round_to(exact, kind)
    return math.copysign(0.0, _of_same_sign(a) * _of_same_sign(b)) if operator in "*/" else 0.0


def _of_same_sign(value: FloatValue) -> float:
    """The value itself, or 1 or -1 in the place of a number that no float is."""
    if isinstance(value, float):
        return value
    return -1.0 if value < 0 else 1.0


def square_root(value: FloatValue, kind: CFloat) -> FloatValue:
    """The square root, rounded once; NaN for negative values, -0 for -0.

    float: rounding the double root once more is exact (Figueroa 1995).
    """
    if kind.width == 80 and is_finite(value) and value > 0:
        return round_to(_long_root(Fraction(value)), kind)
    return rounded(math.sqrt(value) if value >= 0 else math.nan, kind)


def _long_root(value: Fraction) -> Fraction:
    """A number that is rounded to 64 digits as the square root is."""
    shift = max(0, _ROOT_BITS - exponent_of(value))
    shift += shift % 2
    whole = value * 2**shift
    floor = math.isqrt(math.floor(whole))
    sticky = floor * floor != whole  # a bit behind the last one keeps the rounding right
    return Fraction(2 * floor + sticky, 2 ** (shift // 2 + 1))


def _quotient(a: float, b: float) -> float:
    if b != 0 or math.isnan(b):
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))


def from_integer(value: int, kind: CFloat) -> FloatValue:
    """An integer as a floating-point number, rounded once to nearest even."""
    if kind.width == 80:
        return round_to(Fraction(value), kind)
    digits = 24 if kind.width == 32 else 53
    excess = max(0, abs(value).bit_length() - digits)
    low = abs(value) >> excess
    rest, half = abs(value) - (low << excess), (1 << excess) >> 1
    if excess and (rest > half or (rest == half and low & 1)):
        low += 1
    return math.copysign(float(low << excess), value)


def to_integer(value: FloatValue, kind: CInteger, undefined: Undefined) -> int:
    """A floating-point number without its fraction. undefined: where the type does not hold that (C11 6.3.1.4p1)."""
    if kind.is_bool:
        return int(value != 0)
    if is_finite(value) and kind.minimum <= (whole := math.trunc(value)) <= kind.maximum:
        return whole
    return undefined(_low_bits(value, kind))


def _low_bits(value: FloatValue, kind: CInteger) -> int:
    """What code of gcc makes of a float or double that the type does not hold: it converts to a signed word and keeps
    the low bits; what the word does not hold becomes its least value (Intel, Software Developer's Manual, CVTTSD2SI).
    """
    if kind.width == 64 and not kind.signed and value >= 2**63:
        return kind.wrap(_low_bits(value - 2**63, LLONG) + 2**63)
    bits = 64 if kind.width == 32 and not kind.signed else _word_bits(kind)
    least = -(2 ** (bits - 1))
    return kind.wrap(math.trunc(value) if least <= value < -least else least)

"""C arithmetic on Python numbers: the interpreter's own semantics, independent of the encoding's."""

import math
import struct
from collections.abc import Callable
from fractions import Fraction

from encoders.c.execution.arithmetic import extended_floats
from encoders.c.execution.arithmetic.extended_floats import Extended
from encoders.c.types.c_types import CFloat, CInteger

Undefined = Callable[[], int | float]


def quotient(operator: str, a: int, b: int, kind: CInteger) -> int:
    """The value of / or % with a divisor other than zero, towards zero."""
    result = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
    return kind.wrap(result if operator == "/" else a - b * result)


def shift(operator: str, a: int, b: int, kind: CInteger, undefined: Undefined) -> int:
    """The value of << or >>. undefined: gives the value where C defines none."""
    if not 0 <= b < kind.width:
        return int(undefined())
    return kind.wrap(a << b) if operator == "<<" else a >> b


def compare(operator: str, a: Extended, b: Extended) -> int:
    return int(
        {"==": a == b, "!=": a != b, "<": a < b, "<=": a <= b, ">": a > b, ">=": a >= b}[operator]  # NaN as IEEE says
    )


def rounded(value: Extended, kind: CFloat) -> Extended:
    """A value rounded to the precision of a type.

    float: rounding from a double once is exact for + - * / of floats (Figueroa 1995).
    """
    if isinstance(value, Fraction):
        return extended_floats.to_type(value, kind.width)
    if kind.width != 32 or math.isinf(value) or math.isnan(value):
        return value
    try:
        return float(struct.unpack("<f", struct.pack("<f", value))[0])
    except OverflowError:
        return math.copysign(math.inf, value)


def float_binary(operator: str, a: Extended, b: Extended, kind: CFloat) -> Extended:
    if kind.width == 80:
        return extended_floats.binary(operator, a, b)
    a, b = float(a), float(b)
    match operator:
        case "+":
            result = a + b
        case "-":
            result = a - b
        case "*":
            result = a * b
        case _:
            result = _quotient(a, b)
    return rounded(result, kind)


def square_root(value: Extended, kind: CFloat) -> Extended:
    """The square root; NaN for negative values, -0 for -0.

    float: rounding the double root once more is exact (Figueroa 1995).
    """
    if kind.width == 80:
        return extended_floats.square_root(value)
    return rounded(math.sqrt(value) if value >= 0 else math.nan, kind)


def _quotient(a: float, b: float) -> float:
    if b != 0 or math.isnan(b):
        return a / b
    if a == 0 or math.isnan(a):
        return math.nan
    return math.copysign(math.inf, math.copysign(1.0, a) * math.copysign(1.0, b))


def from_integer(value: int, kind: CFloat) -> Extended:
    """An integer as a floating-point number, rounded once to nearest even."""
    if kind.width == 80:
        return extended_floats.rounded(Fraction(value)) if value else 0.0
    digits = 24 if kind.width == 32 else 53
    excess = max(0, abs(value).bit_length() - digits)
    low = abs(value) >> excess
    rest, half = abs(value) - (low << excess), (1 << excess) >> 1
    if excess and (rest > half or (rest == half and low & 1)):
        low += 1
    return math.copysign(float(low << excess), value)


def to_integer(value: Extended, kind: CInteger, undefined: Undefined) -> int:
    if kind.is_bool:
        return int(value != 0)
    if not extended_floats.is_finite(value):
        return int(undefined())
    whole = math.trunc(value)
    return whole if kind.minimum <= whole <= kind.maximum else int(undefined())

"""When a conversion changes a value (C11 6.3.1.3, 6.3.1.4), which is defined for integers and seldom meant.

As clang's `-fsanitize=implicit-conversion` and `-fsanitize=float-cast-overflow` see it: an integer that the type does
not represent, if no cast asks for the conversion; a floating-point number whose whole part the type does not represent,
whoever asks for it, since C leaves that undefined. Conversions to _Bool are comparisons with zero.
"""

from fractions import Fraction

from encoders.c.cfa.ir import Constant, Expression
from encoders.c.lowering.operators.conversions import binary, unary
from encoders.c.lowering.operators.overflow_checks import either
from encoders.c.types.c_types import INT, CFloat, CInteger, CType
from encoders.c.types.float_rounding import round_to


def changes_value(value: Expression, kind: CType, explicit: bool) -> Expression:
    """An int that is not zero where the conversion to `kind` changes the value. explicit: a cast asks for it."""
    source, never = value.type, Constant(0, INT)
    if not isinstance(kind, CInteger) or kind.is_bool:
        return never
    if isinstance(source, CFloat):
        return _is_beyond(value, source, kind)
    if explicit or not isinstance(source, CInteger):
        return never
    found: Expression = never
    if source.minimum < kind.minimum:
        found = binary("<", value, Constant(kind.minimum, source), INT)
    if source.maximum > kind.maximum:
        found = either(found, binary(">", value, Constant(kind.maximum, source), INT))
    return found


def _is_beyond(value: Expression, source: CFloat, kind: CInteger) -> Expression:
    """The whole part of a floating-point number does not fit, or it is no number.

    !(least - 1 < value && value < greatest + 1); where least - 1 is no number of the floating-point type, nothing of
    the type lies between it and least.
    """
    below = round_to(Fraction(kind.minimum - 1), source)
    is_exact = Fraction(below) == kind.minimum - 1
    low = binary(">", value, Constant(below, source), INT)
    if not is_exact:
        low = binary(">=", value, Constant(round_to(Fraction(kind.minimum), source), source), INT)
    high = binary("<", value, Constant(round_to(Fraction(kind.maximum + 1), source), source), INT)
    return unary("!", binary("&&", low, high, INT))

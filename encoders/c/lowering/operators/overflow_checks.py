"""When a signed operation's exact result does not fit its type (C11 6.5 paragraph 5; 6.5.5 to 6.5.7)."""

from encoders.c.cfa.ir import Constant, Expression
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.types.c_types import INT, INT128, LLONG, CInteger

CHECKED = frozenset({"+", "-", "*", "/", "%", "<<"})


class NotExpressible(Exception):
    """No integer type is wide enough for the exact result."""


def overflows(operator: str, left: Expression, right: Expression) -> Expression:
    """An int that is not zero where `left operator right` is undefined in the signed type of `left`.

    The operands are converted already; unary minus is 0 - operand. Division by zero is no overflow. A left shift is
    undefined for a count outside the width, a negative operand, and a result that does not fit.
    """
    kind = left.type
    assert isinstance(kind, CInteger) and kind.signed
    if operator in ("/", "%"):
        return _both(_compare("==", left, kind.minimum), _compare("==", right, -1))
    if operator == "<<":
        return _shifted_out(left, right, kind)
    if kind.width > 64:
        if operator == "*":
            raise NotExpressible
        return _wide_sum(operator, left, right, kind)
    wide = LLONG if kind.width <= 32 else INT128
    result = binary(operator, convert(left, wide), convert(right, wide), wide)
    return either(_compare("<", result, kind.minimum), _compare(">", result, kind.maximum))


def _shifted_out(left: Expression, right: Expression, kind: CInteger) -> Expression:
    assert isinstance(right.type, CInteger)
    outside = _compare(">=", right, kind.width)
    if right.type.signed:
        outside = either(_compare("<", right, 0), outside)
    limit = binary(">>", Constant(kind.maximum, kind), right, kind)
    lost = either(_compare("<", left, 0), binary(">", left, limit, INT))
    return either(outside, lost)


def _wide_sum(operator: str, left: Expression, right: Expression, kind: CInteger) -> Expression:
    """True if the sum or the difference does not fit. All parts fit, since maximum - right does if right is positive.

    left + right > maximum iff right > 0 and left > maximum - right
    left + right < minimum iff right < 0 and left < minimum - right
    left - right > maximum iff right < 0 and left > maximum + right
    left - right < minimum iff right > 0 and left < minimum + right
    """
    back = "-" if operator == "+" else "+"
    above, below = ("<", ">") if operator == "-" else (">", "<")
    highest = binary(back, Constant(kind.maximum, kind), right, kind)
    lowest = binary(back, Constant(kind.minimum, kind), right, kind)
    return either(
        _both(_compare(above, right, 0), binary(">", left, highest, INT)),
        _both(_compare(below, right, 0), binary("<", left, lowest, INT)),
    )


def _compare(relation: str, value: Expression, bound: int) -> Expression:
    return binary(relation, value, Constant(bound, value.type), INT)


def _both(left: Expression, right: Expression) -> Expression:
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant):
            return other if one.value else one
    return binary("&&", left, right, INT)


def either(left: Expression, right: Expression) -> Expression:
    """left || right, without constants."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Constant):
            return one if one.value else other
    return binary("||", left, right, INT)

"""Which kinds of checks an arithmetic operation has, and when they fail (C11 6.5.5, 6.5.7)."""

from collections.abc import Iterator

from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import Constant, Expression
from encoders.c.lowering.operators.conversions import binary
from encoders.c.lowering.operators.overflow_checks import CHECKED, either, overflows
from encoders.c.types.c_types import INT, CInteger

OPERATORS: dict[CheckKind, frozenset[str]] = {
    CheckKind.DIVISION: frozenset({"/", "%"}),
    CheckKind.SHIFT: frozenset({"<<", ">>"}),
    CheckKind.OVERFLOW: CHECKED,
}
"""The operators that each kind of check is about."""


def violations(
    checks: frozenset[CheckKind], operator: str, left: Expression, right: Expression
) -> Iterator[tuple[CheckKind, Expression]]:
    """The kinds of checks that `left operator right` may fail, with the condition, in the order in which they are made.

    The operands are converted already, and integers. Raises NotExpressible as `overflows`.
    """
    for kind, operators in OPERATORS.items():
        if kind not in checks or operator not in operators:
            continue
        if kind is CheckKind.DIVISION:
            yield kind, binary("==", right, Constant(0, right.type), INT)
        elif kind is CheckKind.SHIFT:
            yield kind, _is_bad_shift(operator, left, right)
        elif isinstance(left.type, CInteger) and left.type.signed:
            yield kind, overflows(operator, left, right)


def _is_bad_shift(operator: str, left: Expression, right: Expression) -> Expression:
    """The count is negative or not below the width, or a negative value is shifted left."""
    assert isinstance(left.type, CInteger) and isinstance(right.type, CInteger)
    bad = binary(">=", right, Constant(left.type.width, right.type), INT)
    if right.type.signed:
        bad = either(binary("<", right, Constant(0, right.type), INT), bad)
    if operator == "<<" and left.type.signed:
        bad = either(bad, binary("<", left, Constant(0, left.type), INT))
    return bad

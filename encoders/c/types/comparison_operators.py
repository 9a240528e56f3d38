"""The comparison operators of C (6.5.8, 6.5.9): their values for numbers, their negations and their mirror images."""

import operator
from collections.abc import Callable, Mapping

from encoders.c.types.float_rounding import FloatValue

COMPARISONS: Mapping[str, Callable[[FloatValue, FloatValue], bool]] = {
    "==": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""With a NaN all but `!=` are false, as IEEE 754 has it."""
NEGATED = {"==": "!=", "!=": "==", "<": ">=", ">=": "<", ">": "<=", "<=": ">"}
"""The operator that holds where this one does not, unless an operand is a NaN."""
MIRRORED = {"==": "==", "!=": "!=", "<": ">", ">": "<", "<=": ">=", ">=": "<="}
"""The operator that holds for the operands in the other order."""

"""Operators of Boogie as functions on terms."""

from collections.abc import Callable
from typing import Any

import z3

from encoders.boogie import syntax as s

CONNECTIVES: dict[s.Operator, Callable[..., z3.BoolRef]] = {
    s.Operator.EQUIVALENT: lambda a, b: a == b,
    s.Operator.IMPLIES: z3.Implies,
    s.Operator.AND: z3.And,
    s.Operator.OR: z3.Or,
}
SIGNS = {s.Operator.IMPLIES: (-1, 1), s.Operator.EQUIVALENT: (0, 0)}
"""For each operand 1 where the connective is weaker if the operand is, -1 where stronger, 0 where neither."""
COMPARISONS: dict[s.Operator, Callable[[Any, Any], z3.BoolRef]] = {
    s.Operator.LESS: lambda a, b: a < b,
    s.Operator.AT_MOST: lambda a, b: a <= b,
    s.Operator.GREATER: lambda a, b: a > b,
    s.Operator.AT_LEAST: lambda a, b: a >= b,
}
ARITHMETIC: dict[s.Operator, Callable[[Any, Any], z3.ExprRef]] = {
    s.Operator.PLUS: lambda a, b: a + b,
    s.Operator.MINUS: lambda a, b: a - b,
    s.Operator.TIMES: lambda a, b: a * b,
    s.Operator.DIV: lambda a, b: a / b,
    s.Operator.MOD: lambda a, b: a % b,
}

"""What z3's operations do with concrete values. Division by zero gives zero: one of its interpretations."""

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import z3

from solvers.acceleration.values import Constant, Stored, equal, read


def _add(*terms: Any) -> Any:
    return sum(terms)


def _idiv(a: int, b: int) -> int:
    """The quotient whose remainder is not negative."""
    return (a // b if b > 0 else -(a // -b)) if b else 0


def _sub(first: Any, *others: Any) -> Any:
    return first - sum(others)


def _distinct(*terms: Any) -> bool:
    return not any(equal(a, b) for i, a in enumerate(terms) for b in terms[:i])


OPERATIONS: Mapping[int, Callable[..., Any]] = {
    z3.Z3_OP_ADD: _add,
    z3.Z3_OP_SUB: _sub,
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_MUL: lambda *factors: math.prod(factors),
    z3.Z3_OP_IDIV: _idiv,
    z3.Z3_OP_MOD: lambda a, b: a % abs(b) if b else 0,
    z3.Z3_OP_DIV: lambda a, b: Fraction(a) / b if b else 0,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_EQ: equal,
    z3.Z3_OP_IFF: operator.eq,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_XOR: _distinct,
    z3.Z3_OP_NOT: operator.not_,
    z3.Z3_OP_AND: lambda *parts: all(parts),
    z3.Z3_OP_OR: lambda *parts: any(parts),
    z3.Z3_OP_IMPLIES: lambda a, b: not a or b,
    z3.Z3_OP_ITE: lambda condition, then, otherwise: then if condition else otherwise,
    z3.Z3_OP_SELECT: read,
    z3.Z3_OP_STORE: Stored,
    z3.Z3_OP_CONST_ARRAY: Constant,
    z3.Z3_OP_TO_REAL: lambda a: a,
    z3.Z3_OP_TO_INT: math.floor,
}

"""z3's operations on integers, rationals and Booleans, as functions of concrete values.

Integers are `int`, rationals `Fraction` (or `int`), Booleans `bool`. SMT-LIB leaves division by zero open; here it
gives zero, which is one of its interpretations. Operations on arrays, and equality, which arrays have as well, are the
business of those who represent arrays. (`terms/evaluation/python_code.py` writes whole terms as Python text, with the
same meaning for divisors that are not zero.)
"""

import math
import operator
from collections.abc import Callable, Mapping
from fractions import Fraction
from typing import Any

import z3


def quotient(number: int, divisor: int) -> int:
    """SMT-LIB's div: the quotient for which 0 <= number - quotient * divisor < |divisor|; 0 for the divisor 0."""
    if divisor == 0:
        return 0
    return number // divisor if divisor > 0 else -(number // -divisor)


def remainder(number: int, divisor: int) -> int:
    """SMT-LIB's mod, which is never negative; 0 for the divisor 0."""
    return number % abs(divisor) if divisor else 0


def _difference(first: Any, *others: Any) -> Any:
    return first - sum(others)


OPERATIONS: Mapping[int, Callable[..., Any]] = {
    z3.Z3_OP_ADD: lambda *terms: sum(terms),
    z3.Z3_OP_SUB: _difference,
    z3.Z3_OP_UMINUS: operator.neg,
    z3.Z3_OP_MUL: lambda *factors: math.prod(factors),
    z3.Z3_OP_IDIV: quotient,
    z3.Z3_OP_MOD: remainder,
    z3.Z3_OP_DIV: lambda number, divisor: Fraction(number) / divisor if divisor else 0,
    z3.Z3_OP_LE: operator.le,
    z3.Z3_OP_GE: operator.ge,
    z3.Z3_OP_LT: operator.lt,
    z3.Z3_OP_GT: operator.gt,
    z3.Z3_OP_IFF: operator.eq,
    z3.Z3_OP_NOT: operator.not_,
    z3.Z3_OP_AND: lambda *parts: all(parts),
    z3.Z3_OP_OR: lambda *parts: any(parts),
    z3.Z3_OP_IMPLIES: lambda premise, conclusion: not premise or conclusion,
    z3.Z3_OP_ITE: lambda condition, then, otherwise: then if condition else otherwise,
    z3.Z3_OP_TO_REAL: lambda number: number,
    z3.Z3_OP_TO_INT: math.floor,
}
"""By the kind of the term's function (Z3_OP_...)."""

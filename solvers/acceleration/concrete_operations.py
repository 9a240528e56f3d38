"""Concrete evaluation of z3's operations. Division by zero gives zero, one of its interpretations."""

from collections.abc import Callable, Mapping
from typing import Any

import z3

from chcverify.terms.arithmetic.operations import OPERATIONS as NUMBERS
from solvers.acceleration.run_values import ConstantArray, Stored, equal, read


def _distinct(*terms: Any) -> bool:
    return not any(equal(a, b) for i, a in enumerate(terms) for b in terms[:i])


OPERATIONS: Mapping[int, Callable[..., Any]] = {
    **NUMBERS,
    z3.Z3_OP_EQ: equal,
    z3.Z3_OP_DISTINCT: _distinct,
    z3.Z3_OP_XOR: _distinct,
    z3.Z3_OP_SELECT: read,
    z3.Z3_OP_STORE: Stored,
    z3.Z3_OP_CONST_ARRAY: ConstantArray,
}

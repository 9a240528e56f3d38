"""Index functions: what maps the index of one array access to that of another, as far as their linear terms show it."""

from collections.abc import Mapping
from itertools import pairwise

import z3

from chcverify.terms.core.traversal import free_variables, is_variable, substitute

INDEX = z3.Int("index")
"""Stands for the index that is mapped."""


def affine_function(base: z3.ArithRef, other: z3.ArithRef) -> z3.ArithRef | None:
    """The affine function of INDEX that maps one term to the other, by a variable of both that is once in the first."""
    first, second = coefficients(base), coefficients(other)
    if first is None or second is None:
        return None
    for variable in free_variables(base):
        factor, target = first.get(variable.get_id(), 0), second.get(variable.get_id(), 0)
        if abs(factor) == 1 and target:
            # variable = factor * (INDEX - base[variable = 0])
            zero = substitute(base, [(variable, z3.IntVal(0))])
            return z3.simplify(substitute(other, [(variable, factor * (INDEX - zero))]), som=True)
    return None


def digit_function(base: z3.ArithRef, other: z3.ArithRef) -> z3.ArithRef | None:
    """The function of INDEX that maps one term to the other where the first is a position in row-major order.

    base: c1 * x1 + ... + cn * xn + c, where each factor divides the one before, and the last is 1; the variables are
    the digits of INDEX - c in that mixed radix, if they are in their ranges. None for other terms.
    """
    factors = coefficients(base)
    if factors is None or coefficients(other) is None or len(factors) < 2:
        return None
    digits = sorted(((factors[v.get_id()], v) for v in free_variables(base)), key=lambda digit: -digit[0])
    sizes = [factor for factor, _ in digits]
    if sizes[-1] != 1 or any(low <= 0 or high % low or high == low for high, low in pairwise(sizes)):
        return None
    rest = INDEX - z3.simplify(substitute(base, [(variable, z3.IntVal(0)) for _, variable in digits]))
    values = []
    for factor, variable in digits:
        values.append((variable, rest / factor if factor > 1 else rest))
        rest = rest % factor
    return z3.simplify(substitute(other, values), som=True)


def coefficients(term: z3.ArithRef) -> Mapping[int, int] | None:
    """The coefficients of a linear integer term by the ids of its variables; None for others."""
    found: dict[int, int] = {}
    stack = [(z3.simplify(term, som=True), 1)]
    while stack:
        part, factor = stack.pop()
        if is_variable(part):
            found[part.get_id()] = found.get(part.get_id(), 0) + factor
        elif z3.is_add(part):
            stack += [(child, factor) for child in part.children()]
        elif z3.is_mul(part) and part.num_args() == 2 and z3.is_int_value(part.arg(0)):
            stack.append((part.arg(1), factor * part.arg(0).as_long()))
        elif not z3.is_int_value(part):
            return None
    return found

"""Index functions: what maps the index of one array access to that of another, as far as their linear terms show it."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise

import z3

from chcverify.terms.core.traversal import free_variables, is_quantifier_free, is_variable, substitute, subterms

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


def with_plain_indices(formula: z3.BoolRef, variables: Sequence[z3.ExprRef]) -> z3.BoolRef:
    """A formula that holds for all values of the variables if and only if this one does: a variable stands for the
    index that it was a summand of in most reads of arrays, a[base + k] becomes a[k].

    Solvers instantiate quantifiers at indices that are read; that k is an index less the base they do not see.
    """
    for variable in variables:
        offsets = _offsets(formula, variable)
        if offsets:
            ids = Counter(offset.get_id() for offset in offsets)
            offset = max(offsets, key=lambda each: ids[each.get_id()])
            formula = z3.simplify(substitute(formula, [(variable, variable - offset)]))
    return formula


def _offsets(formula: z3.BoolRef, variable: z3.ExprRef) -> list[z3.ExprRef]:
    """The terms t, without bound variables, for which an array is read at t + variable."""
    reads = (term for term in subterms(formula) if z3.is_select(term) and term.num_args() == 2)
    found = (_offset(read.arg(1), variable) for read in reads)
    return [offset for offset in found if offset is not None and is_quantifier_free(offset)]


def _offset(index: z3.ExprRef, variable: z3.ExprRef) -> z3.ExprRef | None:
    """t if an index is t + variable, where the variable is not in t; None for others, and for other sorts."""
    if index.sort() != variable.sort() or not (z3.is_int(index) or z3.is_bv(index)):
        return None
    zero = z3.BitVecVal(0, variable.sort()) if z3.is_bv(variable) else z3.IntVal(0)
    rest = substitute(index, [(variable, zero)])
    return z3.simplify(rest, som=True) if z3.is_true(z3.simplify(index - rest == variable, som=True)) else None

"""Comparisons of sums for readers: no factor is negative, and a strict comparison with a constant is rounded.

`1 + -1 * n + r > 0` becomes `r + 1 > n`.
"""

from collections.abc import Callable, Mapping

import z3

from chcverify.terms.core.traversal import subterms

_MIRRORED = {
    z3.Z3_OP_LE: z3.Z3_OP_GE,
    z3.Z3_OP_GE: z3.Z3_OP_LE,
    z3.Z3_OP_LT: z3.Z3_OP_GT,
    z3.Z3_OP_GT: z3.Z3_OP_LT,
    z3.Z3_OP_EQ: z3.Z3_OP_EQ,
}
_STRICT = {z3.Z3_OP_LE: z3.Z3_OP_LT, z3.Z3_OP_GE: z3.Z3_OP_GT}
_WEAK = {z3.Z3_OP_LT: z3.Z3_OP_LE, z3.Z3_OP_GT: z3.Z3_OP_GE}
_COMPARISONS: Mapping[int, Callable[[z3.ArithRef, z3.ArithRef | int], z3.ExprRef]] = {
    z3.Z3_OP_LE: lambda left, right: left <= right,
    z3.Z3_OP_GE: lambda left, right: left >= right,
    z3.Z3_OP_LT: lambda left, right: left < right,
    z3.Z3_OP_GT: lambda left, right: left > right,
    z3.Z3_OP_EQ: lambda left, right: left == right,
}


def without_negative_factors(formula: z3.ExprRef) -> z3.ExprRef:
    """The equivalent formula in which comparisons of integer sums have no negative factor.

    formula: over integers, or any other; what is no comparison of integers stays as it is, and so do bodies of
    quantifiers.
    """
    changed: dict[int, z3.ExprRef] = {}
    parts = list(subterms(formula))  # children first; keeps them alive, and so their identities
    for part in parts:
        children = [changed.get(child.get_id(), child) for child in part.children()]
        if z3.is_app(part) and z3.is_bool(part) and children and all(z3.is_bool(child) for child in children):
            changed[part.get_id()] = part.decl()(*children)
        elif _compares_integers(part):
            changed[part.get_id()] = _balanced(part)
    return changed.get(formula.get_id(), formula)


def _compares_integers(term: z3.ExprRef) -> bool:
    return z3.is_app(term) and term.decl().kind() in _COMPARISONS and z3.is_int(term.arg(0))


def _balanced(comparison: z3.ExprRef) -> z3.ExprRef:
    """The comparison with each summand on the side where its factor is positive."""
    kind = comparison.decl().kind()
    positive: list[z3.ArithRef] = []
    negative: list[z3.ArithRef] = []
    constant = 0
    for factor, term in _summands(z3.simplify(comparison.arg(0) - comparison.arg(1), som=True)):
        if term is None:
            constant += factor
            continue
        side = positive if factor > 0 else negative
        side.append(term if abs(factor) == 1 else abs(factor) * term)
    if not positive and negative:
        positive, negative, constant, kind = negative, positive, -constant, _MIRRORED[kind]
    if kind in _STRICT and abs(constant) == 1 and negative and (constant > 0) == (kind == z3.Z3_OP_LE):
        kind, constant = _STRICT[kind], 0  # a + 1 <= b is a < b
    if kind in _WEAK and abs(constant) == 1 and (constant < 0) == (kind == z3.Z3_OP_LT):
        kind, constant = _WEAK[kind], 0  # a - 1 < b is a <= b
    if constant > 0 and negative:
        positive.append(z3.IntVal(constant))
    elif constant and negative:
        negative.append(z3.IntVal(-constant))
    if not positive:
        return comparison
    return _COMPARISONS[kind](_total(positive), _total(negative) if negative else -constant)


def _summands(total: z3.ArithRef) -> list[tuple[int, z3.ArithRef | None]]:
    """The factors and terms of a simplified sum; the term of a constant is None."""
    found: list[tuple[int, z3.ArithRef | None]] = []
    for part in total.children() if z3.is_add(total) else [total]:
        if z3.is_int_value(part):
            found.append((part.as_long(), None))
        elif z3.is_mul(part) and z3.is_int_value(part.arg(0)):
            rest = part.children()[1:]
            found.append((part.arg(0).as_long(), rest[0] if len(rest) == 1 else z3.Product(rest)))
        else:
            found.append((1, part))
    return found


def _total(terms: list[z3.ArithRef]) -> z3.ArithRef:
    return terms[0] if len(terms) == 1 else z3.Sum(terms)

"""Equations for pairs of opposite inequalities, such as  a <= b  and  b <= a,  also where both are written as sums.

Modulo 2^w the signed inequalities  0 <= t  and  0 <= -t  leave only t = 0: the least number, which is its own negative,
is below 0. With equations in their place most of the inequalities about terms that are equal become the same formula.
"""

import z3

from chcverify.terms.bitvectors.modular_sums import Key, ModularSum
from chcverify.terms.core.traversal import conjunction, conjuncts, kind_of, substitute

_ORDERS = (z3.Z3_OP_SLEQ, z3.Z3_OP_ULEQ)


def with_equations(formula: z3.BoolRef) -> z3.BoolRef:
    """An equivalent formula with an equation for each pair of opposite inequalities of bit-vectors among its conjuncts.

    A term that such an equation gives to a variable replaces it in all other conjuncts. The formula itself without such
    a pair.
    """
    equations: list[tuple[z3.ExprRef, z3.ExprRef]] = []
    rest = formula
    while (pair := _opposites(rest)) is not None:
        equations = [(variable, z3.simplify(substitute(term, [pair]))) for variable, term in equations] + [pair]
        rest = substitute(rest, [pair])
    if not equations:
        return formula
    return z3.simplify(conjunction([*(variable == term for variable, term in equations), rest]))


def _opposites(formula: z3.BoolRef) -> tuple[z3.ExprRef, z3.ExprRef] | None:
    """(x, t) for the first two opposite inequalities that together say x = t, for a variable x; None without any."""
    seen: set[Key] = set()
    for part in conjuncts(z3.simplify(formula)):
        if kind_of(part) not in _ORDERS:
            continue
        total, own, opposite = _read(part)
        if opposite in seen and (pair := total.solved()) is not None:
            return pair
        seen.add(own)
    return None


def _read(inequality: z3.BoolRef) -> tuple[ModularSum, Key, Key]:
    """A sum that is 0 where the inequality and its opposite hold; the keys of these two."""
    kind, (left, right) = kind_of(inequality), inequality.children()
    if kind == z3.Z3_OP_SLEQ and z3.is_bv_value(left) and left.as_long() == 0:
        total = ModularSum.of(right)
        return total, total.key(1), total.key(-1)
    ids = left.get_id(), right.get_id()
    return ModularSum.of(left - right), (kind, *ids), (kind, *reversed(ids))

"""Equations for pairs of opposite inequalities, such as  a <= b  and  b <= a,  also where both are written as sums.

Modulo 2^w the signed inequalities  0 <= t  and  0 <= -t  leave only t = 0: the least number, which is its own negative,
is below 0. With equations in their place most of the inequalities about terms that are equal become the same formula.
"""

from collections.abc import Mapping

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_variable, kind_of, substitute

_ORDERS = (z3.Z3_OP_SLEQ, z3.Z3_OP_ULEQ)
_Key = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class _ModularSum:
    """The sum of factors times terms, plus a constant, modulo 2^width. factors: not zero, by the id of their term."""

    factors: Mapping[int, int]
    terms: Mapping[int, z3.BitVecRef]
    constant: int
    width: int

    @classmethod
    def of(cls, root: z3.BitVecRef) -> "_ModularSum":
        factors: dict[int, int] = {}
        terms: dict[int, z3.BitVecRef] = {}
        constant, width = 0, root.size()
        stack = [(root, 1)]
        while stack:
            term, factor = stack.pop()
            kind = kind_of(term)
            if z3.is_bv_value(term):
                constant += factor * term.as_long()
            elif kind == z3.Z3_OP_BADD:
                stack.extend((child, factor) for child in reversed(term.children()))
            elif kind == z3.Z3_OP_BSUB:
                first, *rest = term.children()
                stack.extend([(first, factor), *((child, -factor) for child in rest)])
            elif kind == z3.Z3_OP_BMUL and term.num_args() == 2 and z3.is_bv_value(term.arg(0)):
                stack.append((term.arg(1), factor * term.arg(0).as_long()))
            else:
                terms[term.get_id()] = term
                factors[term.get_id()] = factors.get(term.get_id(), 0) + factor
        kept = {key: value % 2**width for key, value in factors.items() if value % 2**width}
        return cls(kept, terms, constant % 2**width, width)

    def key(self, sign: int) -> _Key:
        """Equal for sums that are equal; sign: 1 for the sum itself, -1 for its negative."""
        modulus = 2**self.width
        factors = frozenset((key, sign * value % modulus) for key, value in self.factors.items())
        return self.width, factors, sign * self.constant % modulus

    def solved(self) -> tuple[z3.BitVecRef, z3.BitVecRef] | None:
        """(x, t) for a variable x and a term t without x, so that the sum is 0 if and only if x = t; None without one.

        The last variable with the factor 1 or -1 is chosen.
        """
        modulus = 2**self.width
        for key, factor in reversed(list(self.factors.items())):
            variable = self.terms[key]
            if not is_variable(variable) or factor not in (1, modulus - 1):
                continue
            others = {other: value for other, value in self.factors.items() if other != key}
            if any(variable.eq(inner) for other in others for inner in free_variables(self.terms[other])):
                continue
            sign = -1 if factor == 1 else 1
            total: z3.BitVecRef = z3.BitVecVal(sign * self.constant, self.width)
            for other, value in others.items():
                total = total + z3.BitVecVal(sign * value, self.width) * self.terms[other]
            return variable, z3.simplify(total)
        return None


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
    seen: set[_Key] = set()
    for part in conjuncts(z3.simplify(formula)):
        if kind_of(part) not in _ORDERS:
            continue
        total, own, opposite = _read(part)
        if opposite in seen and (pair := total.solved()) is not None:
            return pair
        seen.add(own)
    return None


def _read(inequality: z3.BoolRef) -> tuple[_ModularSum, _Key, _Key]:
    """A sum that is 0 where the inequality and its opposite hold; the keys of these two."""
    kind, (left, right) = kind_of(inequality), inequality.children()
    if kind == z3.Z3_OP_SLEQ and z3.is_bv_value(left) and left.as_long() == 0:
        total = _ModularSum.of(right)
        return total, total.key(1), total.key(-1)
    ids = left.get_id(), right.get_id()
    return _ModularSum.of(left - right), (kind, *ids), (kind, *reversed(ids))

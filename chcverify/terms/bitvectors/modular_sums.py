"""Terms of bit-vectors as sums modulo 2^width."""

from collections.abc import Mapping
from dataclasses import dataclass

import z3

from chcverify.terms.core.traversal import free_variables, is_variable, kind_of

Key = tuple[object, ...]


@dataclass(frozen=True, eq=False)
class ModularSum:
    """The sum of factors times terms, plus a constant, modulo 2^width. factors: not zero, by the id of their term."""

    factors: Mapping[int, int]
    terms: Mapping[int, z3.BitVecRef]
    constant: int
    width: int

    @classmethod
    def of(cls, root: z3.BitVecRef) -> "ModularSum":
        """The sum that the term is; what is no sum and no product with a number is one of the terms."""
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
            elif kind == z3.Z3_OP_BNEG:
                stack.append((term.arg(0), -factor))
            elif kind == z3.Z3_OP_BMUL and term.num_args() == 2 and any(map(z3.is_bv_value, term.children())):
                number, other = sorted(term.children(), key=z3.is_bv_value, reverse=True)
                stack.append((other, factor * number.as_long()))
            else:
                terms[term.get_id()] = term
                factors[term.get_id()] = factors.get(term.get_id(), 0) + factor
        kept = {key: value % 2**width for key, value in factors.items() if value % 2**width}
        return cls(kept, terms, constant % 2**width, width)

    def key(self, sign: int) -> Key:
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

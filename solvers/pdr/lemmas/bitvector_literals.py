"""Weaker literals for bit-vector equalities: unsigned and signed bounds, and single bits."""

import z3

from chcverify.terms.native.raw import Raw, Term


class BitLiterals:
    """Equivalent conjunctions for literals `x = numeral` over bit-vectors; cached."""

    def __init__(self, raw: Raw) -> None:
        self.raw = raw
        self._known: dict[Term, list[list[Term]]] = {}

    def refinements(self, literal: Term) -> list[list[Term]]:
        """Conjunctions of weaker literals, each equivalent to the literal: bounds, then bits; [] if it has none."""
        if literal not in self._known:
            self._known[literal] = self._refine(literal)
        return self._known[literal]

    def _refine(self, literal: Term) -> list[list[Term]]:
        raw = self.raw
        if raw.kind(literal) != z3.Z3_OP_EQ or raw.sort_kind(raw.children(literal)[0]) != z3.Z3_BV_SORT:
            return []
        left, right = (raw.wrap(child) for child in raw.children(literal))
        if z3.is_bv_value(left):
            left, right = right, left
        if not z3.is_bv_value(right) or z3.is_bv_value(left):
            return []
        value = right.as_long()
        bits = [z3.Extract(i, i, left) == z3.BitVecVal(value >> i & 1, 1, left.ctx) for i in range(left.size())]
        bounds = [z3.ULE(left, right), z3.UGE(left, right)]
        return [[raw.handle(part) for part in parts] for parts in (bounds, bits)]

"""Clauses of a formula over Booleans and linear arithmetic, with a definition for each of its parts.

Plaisted, Greenbaum: A structure-preserving clause form translation (1986) [PlaistedGreenbaum1986]: a definition is an
implication, in the direction in which the part occurs.
"""

from collections.abc import Sequence

import z3

from chcverify.terms.arithmetic.linear_literals import Arithmetic
from chcverify.terms.native.raw import Raw, Term

LiteralClause = tuple[Term, ...]
Part = tuple[Term, bool]
"""A subformula, or with False its negation."""

_COMPARISONS = (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT)
_NUMBERS = (z3.Z3_INT_SORT, z3.Z3_REAL_SORT)


class NoClauses(Exception):
    """Raised for operators that are neither Boolean nor comparisons of numbers."""


class ClausalForm:
    """Makes clauses; definitions are shared by all formulas of the same object, and so are their clauses."""

    def __init__(self, raw: Raw, arithmetic: Arithmetic) -> None:
        self.raw, self.arithmetic = raw, arithmetic
        self._literals: dict[Part, Term] = {}

    def clauses(self, formula: Term) -> list[LiteralClause]:
        """Clauses that are equivalent to the formula, up to the variables of definitions; those made before are left
        out.
        """
        out: list[LiteralClause] = []
        stack: list[Part] = [(formula, True)]
        while stack:
            part = self._stripped(stack.pop())
            kind, below = self._connective(part)
            if kind == z3.Z3_OP_AND:
                stack.extend(reversed(below))
            elif kind == z3.Z3_OP_OR:
                out.append(tuple(self._literal(child, out) for child in below))
            else:
                out.append((self._literal(part, out),))
        return out

    def _literal(self, root: Part, out: list[LiteralClause]) -> Term:
        """A literal that implies the part, with the clauses that say so."""
        stack = [root]
        while stack:
            part = self._stripped(stack[-1])
            if part in self._literals:
                stack.pop()
                continue
            kind, below = self._connective(part)
            if kind is None:
                self._literals[part] = part[0] if part[1] else self.raw.negate(part[0])
                stack.pop()
                continue
            missing = [child for child in map(self._stripped, below) if child not in self._literals]
            if missing:
                stack.extend(missing)
                continue
            stack.pop()
            self._define(part, kind, [self._literals[self._stripped(child)] for child in below], out)
        return self._literals[self._stripped(root)]

    def _define(self, part: Part, kind: int, below: Sequence[Term], out: list[LiteralClause]) -> None:
        raw = self.raw
        name = self._literals[part] = raw.literal("def")
        no = raw.negate(name)
        if kind == z3.Z3_OP_AND:
            out.extend((no, literal) for literal in below)
        elif kind == z3.Z3_OP_OR:
            out.append((no, *below))
        else:  # two alternatives: below is  not c, x, c, y  for  c => x and not c => y
            out.extend(((no, below[0], below[1]), (no, below[2], below[3])))

    def _stripped(self, part: Part) -> Part:
        """The part without negations on top."""
        term, sign = part
        while self.raw.kind(term) == z3.Z3_OP_NOT:
            term, sign = self.raw.children(term)[0], not sign
        return term, sign

    def _connective(self, part: Part) -> tuple[int | None, Sequence[Part]]:
        """AND or OR with parts, ITE with the parts of two implications, or None for a literal."""
        term, sign = part
        kind, children = self.raw.kind(term), self.raw.children(term)
        if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
            return (kind if sign else _DUAL[kind]), [(child, sign) for child in children]
        if kind == z3.Z3_OP_IMPLIES:
            return (z3.Z3_OP_OR if sign else z3.Z3_OP_AND), [(children[0], not sign), (children[1], sign)]
        if kind in (z3.Z3_OP_TRUE, z3.Z3_OP_FALSE):
            return (z3.Z3_OP_AND if (kind == z3.Z3_OP_TRUE) == sign else z3.Z3_OP_OR), []
        if kind == z3.Z3_OP_ITE:
            condition, then, other = children
            return kind, [(condition, False), (then, sign), (condition, True), (other, sign)]
        if kind in (z3.Z3_OP_EQ, z3.Z3_OP_DISTINCT, z3.Z3_OP_XOR) and len(children) == 2:
            return self._equality(part, sign == (kind == z3.Z3_OP_EQ))
        if kind in _COMPARISONS:
            return None, ()
        if self.raw.is_variable(term) and self.raw.sort_kind(term) == z3.Z3_BOOL_SORT:
            return None, ()
        raise NoClauses(f"no clauses for {self.raw.wrap(term).decl().name()}")

    def _equality(self, part: Part, equal: bool) -> tuple[int, Sequence[Part]]:
        """left = right or left != right, of Booleans or numbers."""
        raw = self.raw
        left, right = raw.children(part[0])
        kind = raw.sort_kind(left)
        if kind == z3.Z3_BOOL_SORT:
            return z3.Z3_OP_ITE, [(left, False), (right, equal), (left, True), (right, not equal)]
        if kind not in _NUMBERS:
            raise NoClauses("no clauses for an equality of this sort")
        bounds = [(raw.le(left, right), equal), (raw.ge(left, right), equal)]
        return (z3.Z3_OP_AND if equal else z3.Z3_OP_OR), bounds


_DUAL = {z3.Z3_OP_AND: z3.Z3_OP_OR, z3.Z3_OP_OR: z3.Z3_OP_AND}

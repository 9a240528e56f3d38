"""Negation normal form, for people: no negations in front of conjunctions, disjunctions and implications."""

import z3

from chcverify.terms.core.traversal import conjunction, disjunction, kind_of

# Not the operators themselves: Python asks the right operand first where it is a numeral, and turns the order round.
_LT, _LE, _GT, _GE = z3.ArithRef.__lt__, z3.ArithRef.__le__, z3.ArithRef.__gt__, z3.ArithRef.__ge__
_OPPOSITE = (
    (z3.is_le, _GT),
    (z3.is_lt, _GE),
    (z3.is_ge, _LT),
    (z3.is_gt, _LE),
)
_MIRRORED = {_GT: _LT, _GE: _LE}
_Signed = tuple[z3.BoolRef, bool]
"""A formula, and whether it is to be read as it is (True) or denied."""


def negations_inside(formula: z3.BoolRef) -> z3.BoolRef:
    """An equivalent formula whose negations stand at atoms and quantifiers; below quantifiers it stays as it is."""
    if not z3.is_bool(formula):
        return formula
    done: dict[tuple[int, bool], z3.BoolRef] = {}
    parts: dict[tuple[int, bool], list[_Signed] | None] = {}  # keeps the terms alive, and so their identities
    stack: list[_Signed] = [(formula, True)]
    while stack:
        signed = stack[-1]
        key = _key(signed)
        if key not in parts:
            parts[key] = _parts(*signed)
        below = parts[key]
        missing = [part for part in below or () if _key(part) not in done]
        if missing:
            stack += missing
            continue
        stack.pop()
        term, positive = signed
        if below is None:
            done[key] = term if positive else _opposite(term)
        else:
            is_conjunction = (kind_of(term) == z3.Z3_OP_AND) == positive
            done[key] = (conjunction if is_conjunction else disjunction)([done[_key(part)] for part in below])
    return done[_key((formula, True))]


def _key(signed: _Signed) -> tuple[int, bool]:
    return signed[0].get_id(), signed[1]


def _parts(term: z3.BoolRef, positive: bool) -> list[_Signed] | None:
    """The formulas that a connective joins, with their signs; None for an atom or a quantifier."""
    kind = kind_of(term)
    if kind == z3.Z3_OP_NOT:
        return [(term.arg(0), not positive)]
    if kind in (z3.Z3_OP_AND, z3.Z3_OP_OR):
        return [(child, positive) for child in term.children()]
    if kind == z3.Z3_OP_IMPLIES:
        return [(term.arg(0), not positive), (term.arg(1), positive)]
    return None


def _opposite(atom: z3.ExprRef) -> z3.BoolRef:
    """The negation; of an order of numbers the opposite one, as < or <= but for numerals on the right."""
    if z3.is_app(atom) and atom.num_args() == 2 and z3.is_arith(atom.arg(0)):
        left, right = atom.children()
        is_value = z3.is_int_value(right) or z3.is_rational_value(right)
        for recognise, opposite in _OPPOSITE:
            if recognise(atom):
                mirrored = None if is_value else _MIRRORED.get(opposite)
                return opposite(left, right) if mirrored is None else mirrored(right, left)
    return z3.Not(atom)

"""Negation normal form, for people: no negations in front of conjunctions, disjunctions and implications."""

from typing import cast

import z3

from chcverify.terms.core.traversal import conjunction, disjunction, fold

# Not the operators themselves: Python asks the right operand first where it is a numeral, and turns the order round.
_LT, _LE, _GT, _GE = z3.ArithRef.__lt__, z3.ArithRef.__le__, z3.ArithRef.__gt__, z3.ArithRef.__ge__
_OPPOSITE = (
    (z3.is_le, _GT),
    (z3.is_lt, _GE),
    (z3.is_ge, _LT),
    (z3.is_gt, _LE),
)
_MIRRORED = {_GT: _LT, _GE: _LE}
_Both = tuple[z3.BoolRef, z3.BoolRef]


def negations_inside(formula: z3.BoolRef) -> z3.BoolRef:
    """An equivalent formula whose negations stand at atoms and quantifiers; below quantifiers it stays as it is."""
    if not z3.is_bool(formula):
        return formula
    return fold(formula, _visit)[0]


def _visit(term: z3.ExprRef, parts: list[_Both]) -> _Both:
    """The term and its negation; of what is no formula, the term twice."""
    if not z3.is_bool(term):
        both = cast(z3.BoolRef, term)  # of no formula; nobody looks at it
        return both, both
    plain, negated = [part[0] for part in parts], [part[1] for part in parts]
    if z3.is_and(term):
        return conjunction(plain), disjunction(negated)
    if z3.is_or(term):
        return disjunction(plain), conjunction(negated)
    if z3.is_not(term):
        return negated[0], plain[0]
    if z3.is_implies(term):
        return disjunction([negated[0], plain[1]]), conjunction([plain[0], negated[1]])
    return term, _opposite(term)


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

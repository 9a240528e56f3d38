"""Nominal variables: numbers that are compared by equality only (locations, states, message kinds).

Their order has no meaning: a cube with x = 3 gives a better lemma than half of it, x >= 3.
"""

from collections.abc import Iterable, Sequence

import z3

from chcverify.terms.core.unionfind import UnionFind
from chcverify.terms.native.raw import Raw, Term

_NUMBERS = (z3.Z3_INT_SORT, z3.Z3_REAL_SORT)
_CONNECTIVES = (
    z3.Z3_OP_AND,
    z3.Z3_OP_OR,
    z3.Z3_OP_NOT,
    z3.Z3_OP_IMPLIES,
    z3.Z3_OP_ITE,
    z3.Z3_OP_XOR,
    z3.Z3_OP_DISTINCT,
)


def enumerated(raw: Raw, formulas: Iterable[Term], same: Iterable[Sequence[Term]]) -> frozenset[Term]:
    """The Int and Real variables that, like all that are equal to them, occur in no atom but x = y and x = number.

    same: variables that stand for the same argument.
    """
    groups = list(same)
    classes, ordered, seen = _united(groups), list[Term](), set[Term]()
    variables = {term for group in groups for term in group}
    stack = list(formulas)
    while stack:
        term = stack.pop()
        if term in seen:
            continue
        seen.add(term)
        children = raw.children(term)
        if _is_nominal(raw, term, children):
            variables.update(filter(raw.is_variable, children))
            if all(map(raw.is_variable, children)):
                classes.union(*children)
        elif _is_connective(raw, term, children):
            stack.extend(children)
            ordered.extend(child for child in children if raw.is_variable(child))
        else:
            ordered.extend(raw.variables(term))
    order = {classes.find(term) for term in ordered}
    return frozenset(term for term in variables if _is_number(raw, term) and classes.find(term) not in order)


def _united(groups: Iterable[Sequence[Term]]) -> UnionFind[Term]:
    """The classes in which the terms of each group are together."""
    classes: UnionFind[Term] = UnionFind()
    for group in groups:
        for other in group[1:]:
            classes.union(group[0], other)
    return classes


def _is_number(raw: Raw, term: Term) -> bool:
    return raw.sort_kind(term) in _NUMBERS


def _is_connective(raw: Raw, term: Term, children: Sequence[Term]) -> bool:
    """True for Boolean connectives and for equality of anything but numbers."""
    kind = raw.kind(term)
    return kind in _CONNECTIVES or (kind == z3.Z3_OP_EQ and not _is_number(raw, children[0]))


def _is_nominal(raw: Raw, term: Term, children: Sequence[Term]) -> bool:
    """True for x = y and x = number over numbers."""
    if raw.kind(term) != z3.Z3_OP_EQ or not _is_number(raw, children[0]):
        return False
    return all(raw.is_variable(child) or raw.is_numeral(child) for child in children)

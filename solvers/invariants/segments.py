"""Segments: the cells of an array are kept apart by the order of their index with the other integers.

For systems over array cells, where a predicate has arguments named k and a[k]: the order of k with loop counters, with
sizes and with the constants that clauses compare with cuts the array into segments, each with a value of its own.
Halbwachs, Peron: Discovering properties about arrays in simple programs (PLDI 2008), section 4.
"""

from collections.abc import Sequence

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.walk import subterms

MOST_CONDITIONS = 6
MOST_CONSTANTS = 3
_LARGEST = 2**31 - 2  # constants beyond this are limits of machine integers
_ORDER = {z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT}


def segments(system: HornSystem, most: int = MOST_CONDITIONS) -> dict[Predicate, list[z3.ExprRef]]:
    """For each predicate the conditions k < c and k < x: k an index, c a constant, x an integer that is no cell."""
    bounds = _constants(system)
    table: dict[Predicate, list[z3.ExprRef]] = {}
    for predicate in system.predicates:
        indices, others = _indices(predicate)
        found = [index < other for index in indices for other in others]
        found += [index < constant for index in indices for constant in bounds]
        table[predicate] = found[:most]
    return table


def _indices(predicate: Predicate) -> tuple[list[z3.ArithRef], list[z3.ArithRef]]:
    """The integer formals that are indices of cells, and those that are neither indices nor cells."""
    named = list(zip(predicate.names, predicate.formals, strict=False))
    read = {name.rpartition("[")[2].removesuffix("]") for name in predicate.names if name.endswith("]")}
    integers = [(name, formal) for name, formal in named if z3.is_int(formal) and not name.endswith("]")]
    indices = [formal for name, formal in integers if name in read]
    return indices, [formal for name, formal in integers if name not in read]


def _constants(system: HornSystem) -> Sequence[int]:
    """0 and the small constants on one side of an order, the smallest first: where segments may begin and end."""
    found = {0}
    for clause in system.clauses:
        for term in subterms(clause.constraint):
            if z3.is_app(term) and term.decl().kind() in _ORDER:
                found |= {side.as_long() for side in term.children() if z3.is_int_value(side)}
    return sorted((c for c in found if abs(c) < _LARGEST), key=lambda c: (abs(c), c))[:MOST_CONSTANTS]

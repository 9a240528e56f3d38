"""Features: the arithmetic terms over a predicate's formals that domains track, and the thresholds of a system."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement
from typing import TypeVar

import z3

from chcverify.effort import MAX_COMPARED
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.sums import product_of
from chcverify.terms.core.traversal import subterms
from solvers.abstract_interpretation.domains.basic_domains import TYPE_LIMITS
from solvers.abstract_interpretation.domains.budget import Budget

E = TypeVar("E", bound=z3.ExprRef)


def arguments(predicate: Predicate) -> list[z3.ArithRef]:
    """One feature per numeric or Boolean formal (false is 0, true is 1)."""
    found = []
    for formal in predicate.formals:
        if z3.is_arith(formal):
            found.append(formal)
        elif z3.is_bool(formal):
            found.append(z3.If(formal, z3.IntVal(1), z3.IntVal(0)))
    return found


def integers(predicate: Predicate) -> list[z3.ArithRef]:
    """The integer formals."""
    return [formal for formal in predicate.formals if z3.is_int(formal)]


def bounded(features: list[E], budget: Budget) -> list[E]:
    """The features if they are at most `budget.pairwise`; otherwise none, which the budget counts."""
    if len(features) <= budget.pairwise:
        return features
    budget.weaken("relations to boxes")
    return []


def reals(predicate: Predicate) -> list[z3.ArithRef]:
    """The real formals."""
    return [formal for formal in predicate.formals if z3.is_real(formal)]


def scalars(predicate: Predicate) -> list[z3.ExprRef]:
    """Numeric, Boolean and bit-vector features, for comparison among each other."""
    return [*arguments(predicate), *bitvectors(predicate)]


def bitvectors(predicate: Predicate) -> list[z3.BitVecRef]:
    """The bit-vector formals."""
    return [formal for formal in predicate.formals if z3.is_bv(formal)]


def of_width(predicate: Predicate, width: int, budget: Budget) -> list[z3.BitVecRef]:
    """The bit-vector formals of the width, if they are few."""
    return bounded([formal for formal in bitvectors(predicate) if formal.size() == width], budget)


def octagonal(predicate: Predicate, budget: Budget) -> list[z3.ArithRef]:
    """x - y and x + y for all pairs of arguments of one sort; for wide predicates none, which the budget counts."""
    own = [formal for formal in predicate.formals if z3.is_arith(formal)]
    if len(own) > budget.pairwise:
        budget.weaken("octagon to box")
        return []
    pairs = [(x, y) for x, y in combinations(own, 2) if x.sort() == y.sort()]
    return [x - y for x, y in pairs] + [x + y for x, y in pairs]


def monomials(predicate: Predicate, degree: int = 2) -> list[z3.ArithRef]:
    """All monomials of the numeric formals up to the degree, if they are all of one sort and not too many."""
    own = [formal for formal in predicate.formals if z3.is_arith(formal)]
    if not own or any(formal.sort() != own[0].sort() for formal in own):
        return []
    found = list(own)
    for size in range(2, degree + 1):
        found.extend(product_of(list(factors)) for factors in combinations_with_replacement(own, size))
    return found if len(found) <= MAX_COMPARED else []


def thresholds(system: HornSystem) -> Sequence[Fraction]:
    """The numerals of the clauses and their neighbours, ascending: the values to which widening moves bounds."""
    found: set[Fraction] = {Fraction(0)}
    for clause in system.clauses:
        for term in subterms(clause.constraint):
            if z3.is_int_value(term):
                value = Fraction(term.as_long())
                found |= {value - 1, value, value + 1, -value}
            elif z3.is_bv_value(term):
                numbers = (term.as_long(), term.as_signed_long())
                found |= {Fraction(number + k) for number in numbers for k in (-1, 0, 1)}
            elif z3.is_rational_value(term):
                found.add(term.as_fraction())
    # If there are too many: those of small magnitude, to which loops count, and the limits of machine types.
    return sorted({*sorted(found, key=abs)[:MAX_COMPARED], *(found & TYPE_LIMITS)})

"""Engine `data-driven`: polynomial equalities that hold in sampled facts, pruned to those that are inductive.

Sharma et al.: A data driven approach for algebraic loop invariants (ESOP 2013). Where machine integers wrap around, an
equality of the integers may hold modulo 2^w only: both are candidates.
"""

import math
import time
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import chain

import z3

from chcverify.certificate.search.houdini import inductive_subset
from chcverify.horn.system import HornSystem, Predicate
from chcverify.results.result import Result
from chcverify.terms.arithmetic.polynomial import Polynomial
from chcverify.terms.core.traversal import subterms
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context, Requirements
from solvers.invariants.candidate_checks import inductive, no_query_holds
from solvers.invariants.candidate_mining import mined
from solvers.invariants.data_driven.data_driven_tuning import DATA_DRIVEN_TUNING
from solvers.invariants.data_driven.polynomial_equalities import vanishing
from solvers.invariants.data_driven.sampling import Fact, number, reachable_facts
from solvers.invariants.houdini_engine import first_that_excludes, strengthened


class DataDriven:
    """Safe when the inductive equalities exclude every query."""

    name = "data-driven"
    description = "polynomial equalities of sampled facts, as far as they are inductive"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        return first_that_excludes(_rounds(system, context), system, self.name, context, no_query_holds)


def _rounds(system: HornSystem, context: Context) -> Iterator[Invariants]:
    """Yields the inductive invariants after each degree."""
    moduli = _moduli(system)
    facts = reachable_facts(system, context, _largest(system, moduli))
    context.statistics["facts"] = sum(map(len, facts.values()))
    found = {predicate: _equalities(predicate, facts[predicate], moduli) for predicate in system.predicates}
    end = time.monotonic() + DATA_DRIVEN_TUNING.mining_time_fraction * context.remaining()
    known = strengthened({}, inductive_subset(system, mined(system), end, check_s=DATA_DRIVEN_TUNING.mining_check_s))
    bounds = deque(
        analysis_passes(system, "df-growth", context.first(DATA_DRIVEN_TUNING.bounds_time_fraction)), maxlen=1
    )
    if bounds:
        known = strengthened(known, {p: [formula] for p, formula in bounds[0].items()})
    for degree in range(1, DATA_DRIVEN_TUNING.max_degree + 1):
        candidates = {p: equalities.get(degree, []) for p, equalities in found.items()}
        if any(candidates.values()):
            known = strengthened(known, inductive(system, candidates, known, context))
            yield known


def _equalities(predicate: Predicate, facts: Sequence[Fact], moduli: Sequence[int]) -> dict[int, list[z3.BoolRef]]:
    """Candidate equalities of the predicate by degree, among the formals of each numeric sort.

    moduli: each equality of integers is also a candidate modulo each of these numbers.
    """
    by_degree: dict[int, list[z3.BoolRef]] = {}
    numeric = [i for i, formal in enumerate(predicate.formals) if z3.is_arith(formal) or z3.is_bv(formal)]
    for sort in dict.fromkeys(predicate.sorts[i] for i in numeric):
        own = [i for i in numeric if predicate.sorts[i] == sort]
        variables = [predicate.formals[i] for i in own]
        for degree, polynomials in enumerate(vanishing(_points(facts, own), DATA_DRIVEN_TUNING.max_degree), 1):
            terms = [_term(polynomial, variables) for polynomial in _simplest(polynomials)]
            equalities = by_degree.setdefault(degree, [])
            equalities += [term == 0 for term in terms]
            equalities += [term % m == 0 for m in moduli for term in terms if z3.is_int(term)]
    return by_degree


def _points(facts: Sequence[Fact], positions: Sequence[int]) -> list[list[int]]:
    """The integers at these positions of each fact, without facts that have another value there."""
    rows = ([number(fact[i]) for i in positions] for fact in facts)
    return [[value for value in row if value is not None] for row in rows if None not in row]


def _simplest(polynomials: Sequence[Polynomial]) -> list[Polynomial]:
    """At most `max_equalities` polynomials, those with few and small coefficients first."""
    plausible = [p for p in polynomials if max(map(abs, p.values())) <= DATA_DRIVEN_TUNING.largest_coefficient]
    return sorted(plausible, key=lambda p: (len(p), sum(map(abs, p.values()))))[: DATA_DRIVEN_TUNING.max_equalities]


def _term(polynomial: Polynomial, variables: Sequence[z3.ExprRef]) -> z3.ExprRef:
    summands = []
    for monomial, coefficient in polynomial.items():
        factors = [variables[i] for i in monomial]
        summands.append(coefficient * z3.Product(factors) if factors else coefficient)
    total: z3.ExprRef = z3.Sum(summands)
    return total


def _moduli(system: HornSystem) -> list[int]:
    """The sizes of machine integers among the numerals of the clauses."""
    terms = chain.from_iterable(subterms(clause.constraint) for clause in system.clauses)
    numerals = {term.as_long() for term in terms if z3.is_int_value(term)}
    return sorted(1 << width for width in (8, 16, 32, 64) if 1 << width in numerals)


def _largest(system: HornSystem, moduli: Sequence[int]) -> int:
    """Numbers up to which sums of a few products do not wrap around."""
    widths = {
        sort.size() for predicate in system.predicates for sort in predicate.sorts if isinstance(sort, z3.BitVecSortRef)
    }
    return min(
        [DATA_DRIVEN_TUNING.largest_value, *(math.isqrt(size) for size in (*moduli, *(1 << width for width in widths)))]
    )

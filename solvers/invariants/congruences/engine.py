"""Engine `congruences`: what queries ask of sums of products modulo 2^w, as far as algebra shows it inductive.

Where that does not exclude every query by itself, it may do so with what the last steps tell and bounds of variables.
"""

from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from itertools import chain

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Result, Safe, Unknown
from chcverify.terms.core.traversal import conjunction, conjuncts, is_nonlinear, subterms
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context, Requirements
from solvers.invariants.candidate_checks import no_query_holds
from solvers.invariants.congruences.congruence_candidates import congruences
from solvers.invariants.congruences.ideal_membership import inductive_congruences
from solvers.invariants.congruences.last_clause import last_clause_postconditions
from solvers.invariants.houdini_engine import first_that_excludes, strengthened

# of the time for the congruences without anything else: where they are enough that is soon clear
SOLO_TIME_FRACTION = 0.15
BOUNDS_TIME_FRACTION = 0.25  # of the rest for the bounds of variables


class CongruenceEngine:
    """Safe when the congruences, alone or with what else is cheaply known, exclude every query."""

    name = "congruences"
    description = "polynomial equations modulo 2^w that queries suggest, shown inductive by algebra"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        found = inductive(system)
        context.statistics["congruences"] = sum(map(len, found.values()))
        if not any(found.values()):
            return Unknown(f"{self.name}: none is inductive")
        known = strengthened({}, found)
        alone = first_that_excludes(
            iter((known,)), system, self.name, context.first(SOLO_TIME_FRACTION), no_query_holds
        )
        if isinstance(alone, Safe):
            return alone
        return first_that_excludes(_more(system, known, context), system, self.name, context, no_query_holds)


def inductive(system: HornSystem) -> dict[Predicate, list[z3.BoolRef]]:
    """The congruences as formulas over each predicate's formals."""
    found: dict[Predicate, list[z3.BoolRef]] = {predicate: [] for predicate in system.predicates}
    seen: set[tuple[Predicate, int]] = set()
    for modulus in reversed(moduli(system)):  # a congruence holds modulo smaller powers of 2, too
        for predicate, terms in inductive_congruences(system, congruences(system, modulus), modulus).items():
            fresh = [term for term in terms if (predicate, term.get_id()) not in seen]
            seen |= {(predicate, term.get_id()) for term in fresh}
            found[predicate] += [term % modulus == 0 for term in fresh]
    return found


def moduli(system: HornSystem) -> list[int]:
    """The sizes of machine integers among the numerals of the clauses."""
    terms = chain.from_iterable(subterms(clause.constraint) for clause in system.clauses)
    numerals = {term.as_long() for term in terms if z3.is_int_value(term)}
    return sorted(1 << width for width in (8, 16, 32, 64) if 1 << width in numerals)


def _more(system: HornSystem, known: Invariants, context: Context) -> Iterator[Invariants]:
    """What is known and what the last steps tell; then also bounds of variables; then also what the lemma bus says; and
    what is known alone once more, with the time that is left.
    """
    alone = known
    steps = last_clause_postconditions(system, context)
    if steps:
        known = _both(known, steps)
        yield known
    for bounds in deque(
        analysis_passes(without_products(system), "df-boxes", context.first(BOUNDS_TIME_FRACTION)), maxlen=1
    ):
        known = _both(known, bounds)
        yield known
    others: dict[Predicate, list[z3.BoolRef]] = {}
    for lemma in context.bus.poll():
        others.setdefault(lemma.predicate, []).append(lemma.formula)
    if others:
        yield _both(known, {p: conjunction(formulas) for p, formulas in others.items()})
    yield alone


def _both(known: Invariants, more: Invariants) -> Invariants:
    return {p: conjunction([formula, more[p]]) if p in more else formula for p, formula in known.items()}


def without_products(system: HornSystem) -> HornSystem:
    """The clauses without what they say of products of variables, or quotients by them: they derive more."""

    def linear(clause: Clause) -> z3.BoolRef:
        return conjunction(
            [part for part in conjuncts(clause.constraint) if not any(map(is_nonlinear, subterms(part)))]
        )

    return HornSystem(system.predicates, tuple(replace(c, constraint=linear(c)) for c in system.clauses))

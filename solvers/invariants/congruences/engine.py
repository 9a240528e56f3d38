"""Engine `congruences`: polynomial equations modulo 2^w that queries suggest and algebra shows to be inductive.

Where they do not exclude every query, they are combined with last-clause disjunctions and bounds of variables.
"""

from collections import deque
from collections.abc import Iterator, Mapping
from dataclasses import replace
from itertools import chain

import z3

from chcverify.effort import BRIEF_SHARE, EARLY_SHARE
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

LAST_CLAUSE = "last-clause"
"""The option that switches the disjunctions of `last_clause.py` off, which were made for loops with a counter."""


class CongruenceEngine:
    """Safe when the congruences, alone or with further invariants that are cheap to compute, exclude every query.

    Option last-clause=on|off.
    """

    name = "congruences"
    description = "polynomial equations modulo 2^w that queries suggest, shown inductive by algebra"
    requires = Requirements()

    def check_options(self, given: Mapping[str, str]) -> None:
        """Raises ValueError for anything but last-clause=on or last-clause=off."""
        for name, value in given.items():
            if name != LAST_CLAUSE:
                raise ValueError(f"congruences has no option {name!r}; it has {LAST_CLAUSE}")
            if value not in ("on", "off"):
                raise ValueError(f"congruences option {name} is on or off, not {value!r}")

    def solve(self, system: HornSystem, context: Context) -> Result:
        found = inductive(system)
        context.statistics["congruences"] = sum(map(len, found.values()))
        if not any(found.values()):
            return Unknown(f"{self.name}: none is inductive")
        known = strengthened({}, found)
        alone = first_that_excludes(iter((known,)), system, self.name, context.first(BRIEF_SHARE), no_query_holds)
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
    """Increasingly strong invariants: `known` and the last-clause disjunctions; bounds of variables; lemmas of the bus.

    At the end `known` alone once more, for the remaining time.
    """
    alone = known
    use_last_clause = context.options.get(LAST_CLAUSE, "on") == "on"
    postconditions = last_clause_postconditions(system, context) if use_last_clause else {}
    if postconditions:
        known = _both(known, postconditions)
        yield known
    for bounds in deque(
        analysis_passes(without_products(system), "df-boxes", context.first(EARLY_SHARE)),
        maxlen=1,
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
    """The clauses without conjuncts that contain products of variables or quotients by them: a weaker system."""

    def linear(clause: Clause) -> z3.BoolRef:
        return conjunction(
            [part for part in conjuncts(clause.constraint) if not any(map(is_nonlinear, subterms(part)))]
        )

    return HornSystem(system.predicates, tuple(replace(c, constraint=linear(c)) for c in system.clauses))

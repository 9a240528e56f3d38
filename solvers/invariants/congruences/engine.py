"""Engine `congruences`: polynomial equations modulo 2^w that queries suggest and algebra shows to be inductive.

Where they do not exclude every query, they are combined with last-clause disjunctions and bounds of variables.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, permutations

import z3

from chcverify.certificate.model import Model
from chcverify.certificate.search.houdini import inductive_subset
from chcverify.certificate.search.splitting import cases
from chcverify.effort import BRIEF_SHARE, EARLY_SHARE, MAX_ALTERNATIVES, STEP_S
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.results.result import Result, Unknown
from chcverify.terms.core.traversal import conjunction, subterms
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.engine import Context, Requirements
from solvers.invariants.candidate_checks import no_query_holds
from solvers.invariants.candidate_mining import Candidates
from solvers.invariants.congruences.affine_relations import linear_part
from solvers.invariants.congruences.congruence_candidates import Congruences, congruences
from solvers.invariants.congruences.ideal_membership import (
    PolynomialQuery,
    PolynomialRule,
    inductive_congruences,
    polynomial_rules,
)
from solvers.invariants.congruences.kept_polynomials import highest_degree, kept_polynomials
from solvers.invariants.congruences.last_clause import last_clause_postconditions
from solvers.invariants.congruences.power_relations import power_relations, without_implied
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
        suggested = modular_systems(system)
        if not suggested:
            return Unknown(f"{self.name}: no candidates")
        search = _Search(system, suggested, context)
        return first_that_excludes(search.rounds(), system, self.name, context, search.excludes)


@dataclass(frozen=True, eq=False)
class ModularSystem:
    """Clauses in polynomials modulo a power of two, with terms over the formals that may be 0 there.

    candidates: the terms, which queries suggest.
    rules: the clauses with heads.
    """

    system: HornSystem
    modulus: int
    candidates: Congruences
    rules: Sequence[PolynomialRule]

    def relative(self, known: Invariants) -> "ModularSystem":
        """The same candidates, where the clauses have what is known of their bodies and heads."""
        return replace(self, rules=polynomial_rules(self.system, self.modulus, known))

    def with_all_kept(self) -> "ModularSystem":
        """Also the polynomials that no query names and the clauses keep."""
        more = kept_polynomials(self.system.predicates, self.rules, highest_degree(self.candidates, self.modulus))
        return replace(self, candidates={p: [*terms, *more[p]] for p, terms in self.candidates.items()})

    def inductive(self) -> Congruences:
        """The candidates that are inductive."""
        return inductive_congruences(self.rules, self.candidates, self.modulus)

    def excludes(self, query: Clause, inductive: Congruences, known: Invariants) -> bool:
        """Do inductive terms exclude a query, in each case of what is known of its body?"""
        given = conjunction([Model(known).instantiate(atom) for atom in query.body if atom.predicate in known])
        clauses = (replace(query, constraint=conjunction([query.constraint, case])) for case in cases(given))
        return all(PolynomialQuery(clause, self.modulus).is_excluded(inductive) for clause in clauses)


def modular_systems(system: HornSystem) -> list[ModularSystem]:
    """The system for each size of machine integers, ascending; [] if the queries suggest nothing."""
    candidates = {modulus: congruences(system, modulus) for modulus in moduli(system)}
    if not any(any(terms.values()) for terms in candidates.values()):
        return []
    return [ModularSystem(system, m, terms, polynomial_rules(system, m)) for m, terms in candidates.items()]


def as_formulas(suggested: Sequence[ModularSystem], inductive: Sequence[Congruences]) -> Candidates:
    """Terms that are 0 modulo m, as formulas over each predicate's formals. suggested: by ascending moduli."""
    found: dict[Predicate, list[z3.BoolRef]] = {}
    seen: set[tuple[Predicate, int]] = set()
    for one, own in zip(reversed(suggested), reversed(inductive), strict=True):
        for predicate, terms in own.items():  # a congruence holds modulo smaller powers of 2, too
            fresh = [term for term in terms if (predicate, term.get_id()) not in seen]
            seen |= {(predicate, term.get_id()) for term in fresh}
            found.setdefault(predicate, []).extend(term % one.modulus == 0 for term in fresh)
    return found


def moduli(system: HornSystem) -> list[int]:
    """The sizes of machine integers that are near numerals of the clauses: where a sum that wraps around was
    simplified, 2^64 appears as 2^64 - 1, off by what is added."""
    terms = chain.from_iterable(subterms(clause.constraint) for clause in system.clauses)
    numerals = {abs(term.as_long()) for term in terms if z3.is_int_value(term)}
    sizes = {1 << width: max(2, 1 << (width // 4 - 2)) for width in (8, 16, 32, 64)}
    return sorted(size for size, near in sizes.items() if any(abs(size - number) <= near for number in numerals))


class _Search:
    """Invariants of a system, and which queries algebra excludes by them. excluded: the numbers of their clauses."""

    def __init__(self, system: HornSystem, suggested: Sequence[ModularSystem], context: Context) -> None:
        self.system, self.suggested, self.context = system, suggested, context
        self.excluded: set[int] = set()

    def excludes(self, system: HornSystem, known: Invariants, context: Context) -> bool:
        """Do the invariants exclude every query that algebra does not exclude?"""
        return no_query_holds(system, known, context, self.excluded)

    def rounds(self) -> Iterator[Invariants]:
        """Mostly stronger and stronger invariants: the congruences found, with the last-clause disjunctions or bounds
        of variables; congruences that no query names, which are many and make questions large, relative to bounds and
        comparisons of variables, from which equations follow where loops end (j >= n and j <= n); powers, and the
        congruences that are inductive with all of these; lemmas of the bus.

        At the end again those without powers, for the remaining time.
        """
        system, context = self.system, self.context
        use_last_clause = context.options.get(LAST_CLAUSE, "on") == "on"
        postconditions = last_clause_postconditions(system, context) if use_last_clause else {}
        found = self._inductive(self.suggested, postconditions)
        context.statistics["congruences"] = sum(map(len, found.values()))
        linear = without_products(system)
        bounds: Invariants = dict.fromkeys(system.predicates, z3.BoolVal(True))
        for found_bounds in analysis_passes(linear, "df-boxes", context.first(EARLY_SHARE)):
            bounds = found_bounds
        named = strengthened({}, found)
        if any(found.values()) or postconditions:
            yield _both(named, postconditions or bounds)
        comparisons = _comparisons(linear, bounds, context.first(BRIEF_SHARE))
        bounds = _both(bounds, strengthened({}, comparisons))
        suggested = [one.relative(bounds) for one in self.suggested]
        kept = self._inductive([one.with_all_kept() for one in suggested], _both(bounds, postconditions))
        known = without_powers = _both(_both(strengthened({}, kept), bounds), postconditions)
        if kept != found or postconditions:
            yield known
        if powers := _powers(linear, bounds, comparisons, context.first(EARLY_SHARE)):
            known = _both(known, powers)
        excluded = frozenset(self.excluded)
        more = self._inductive([one.relative(known) for one in self.suggested], postconditions)
        if powers or more != kept:
            known = _both(known, strengthened({}, more))
            yield known
        others: dict[Predicate, list[z3.BoolRef]] = {}
        for lemma in context.bus.poll():
            others.setdefault(lemma.predicate, []).append(lemma.formula)
        if others:
            yield _both(known, {p: conjunction(formulas) for p, formulas in others.items()})
        self.excluded = set(excluded)  # what is known besides excluded the others
        yield without_powers

    def _inductive(self, suggested: Sequence[ModularSystem], known: Invariants) -> Candidates:
        """The candidates that are inductive, as formulas. Notes the queries that they and what is known exclude."""
        terms = [one.inductive() for one in suggested]
        algebra = self.context.first(BRIEF_SHARE)
        for index in self.system.queries:
            if algebra.remaining() <= 0:
                break
            query = self.system.clauses[index]
            pairs = zip(suggested, terms, strict=True)
            if index not in self.excluded and any(one.excludes(query, own, known) for one, own in pairs):
                self.excluded.add(index)
        return as_formulas(suggested, terms)


def _powers(system: HornSystem, known: Invariants, comparisons: Candidates, context: Context) -> Invariants:
    """The power relations that are inductive, with further comparisons of arguments, relative to the bounds that are
    known. comparisons: those among them."""
    relations = {p: [one.within(known[p]) for one in own] for p, own in power_relations(system).items()}
    if not any(relations.values()):
        return {}
    given = {p: {formula.get_id() for formula in own} for p, own in comparisons.items()}
    others = {p: [order for order in _orders(p) if order.get_id() not in given.get(p, ())] for p in relations}
    candidates = {p: [*(one.formula() for one in own), *others[p]] for p, own in relations.items()}
    numbers = {p: {formula.get_id(): i for i, formula in enumerate(own)} for p, own in candidates.items()}
    found: dict[Predicate, list[z3.BoolRef]] = {}
    for p, formulas in inductive_subset(system, candidates, context.deadline, known, STEP_S).items():
        kept = [number for formula in formulas if (number := numbers[p][formula.get_id()]) < len(relations[p])]
        strongest = without_implied([relations[p][number] for number in kept])
        orders = [formula for formula in formulas if numbers[p][formula.get_id()] >= len(relations[p])]
        found[p] = [*(one.formula() for one in strongest), *(e for one in strongest for e in one.products()), *orders]
    return strengthened({}, found)


def _comparisons(linear: HornSystem, known: Invariants, context: Context) -> Candidates:
    """The comparisons of arguments that are inductive, relative to the bounds that are known."""
    candidates = {p: list(_orders(p)) for p in linear.predicates}
    return inductive_subset(linear, candidates, context.deadline, known, STEP_S)


def _orders(predicate: Predicate) -> Iterator[z3.BoolRef]:
    for one, other in permutations([formal for formal in predicate.formals if z3.is_int(formal)][:MAX_ALTERNATIVES], 2):
        yield from (one <= other, one < other)


def _both(known: Invariants, more: Invariants) -> Invariants:
    return {p: conjunction([formula, more[p]]) if p in more else formula for p, formula in known.items()}


def without_products(system: HornSystem) -> HornSystem:
    """The clauses without conjuncts that contain products of variables or quotients by them: a weaker system."""
    return HornSystem(system.predicates, tuple(replace(c, constraint=linear_part(c)) for c in system.clauses))

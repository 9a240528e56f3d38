"""Inductive congruences by algebra: the head's congruence must be a sum of multiples of the body's, modulo m.

A solver is only asked what the linear conditions of a clause say of its quotients and choices
(`affine_relations.py`). The result is sound but incomplete: of other conditions only equations are used.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import z3

from chcverify.effort import MAX_FORMULAS
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from chcverify.terms.arithmetic.polynomial import Monomial, Polynomial, degree, times
from chcverify.terms.core.traversal import conjuncts, substitute
from solvers.invariants.congruences.affine_relations import Replacements, affine_relations, linear_part
from solvers.invariants.congruences.congruence_candidates import Congruences, definitions


def inductive_congruences(system: HornSystem, candidates: Congruences, modulus: int) -> Congruences:
    """The greatest subset of terms (0 modulo m) of which each is preserved by every clause for a polynomial reason."""
    kept = {predicate: list(terms) for predicate, terms in candidates.items()}
    rules = [_PolynomialRule(clause, modulus) for clause in system.clauses if clause.head is not None]
    changed = True
    while changed:
        changed = False
        for rule in rules:
            held = rule.keeps(kept)
            changed |= len(held) < len(kept[rule.target])
            kept[rule.target] = held
    return {predicate: _independent(terms, modulus) for predicate, terms in kept.items()}


def _independent(terms: Sequence[z3.ArithRef], modulus: int) -> list[z3.ArithRef]:
    """The terms without those that follow from others, longer ones from shorter ones if possible."""
    residues = ModularPolynomials(modulus)
    polynomials = {term: residues.of(term) for term in terms}
    kept: list[z3.ArithRef] = []
    for term in sorted(terms, key=lambda t: (degree(polynomials[t]), len(polynomials[t]))):
        if not _implied(polynomials[term], [polynomials[other] for other in kept], modulus):
            kept.append(term)
    return kept


class _PolynomialRule:
    """A clause with a head, in polynomials modulo m, its definitions substituted."""

    def __init__(self, clause: Clause, modulus: int) -> None:
        assert clause.head is not None
        self.target = clause.head.predicate
        self._clause = clause
        self._arguments = clause.head.arguments
        self._definitions = list(definitions(clause))
        self._residues = ModularPolynomials(modulus)
        for argument in self._arguments:
            if z3.is_int(argument):
                self._residues.of(self._defined(argument))
        relations = affine_relations(linear_part(clause), self._residues)
        self._replacements = Replacements(relations, self._residues)
        self._equations = [*self._conditions(), *self._replacements.rest]

    def keeps(self, assumed: Congruences) -> list[z3.ArithRef]:
        """The terms of the head that are 0 if those of the body are."""
        premises = [
            self._polynomial(term, atom.predicate, atom.arguments)
            for atom in self._clause.body
            for term in assumed[atom.predicate]
        ] + self._equations
        return [
            term
            for term in assumed[self.target]
            if _implied(self._polynomial(term, self.target, self._arguments), premises, self._residues.modulus)
        ]

    def _conditions(self) -> Iterator[Polynomial]:
        """The polynomials that are 0 by equations of the constraint."""
        for part in conjuncts(self._clause.constraint):
            is_equation = z3.is_eq(part) and z3.is_int(part.arg(0))
            if is_equation and (polynomial := self._residue(part.arg(0) - part.arg(1))):
                yield polynomial

    def _polynomial(self, term: z3.ArithRef, predicate: Predicate, arguments: Sequence[z3.ExprRef]) -> Polynomial:
        return self._residue(substitute(term, zip(predicate.formals, arguments, strict=True)))

    def _residue(self, term: z3.ArithRef) -> Polynomial:
        return self._replacements.applied(self._residues.of(self._defined(term)))

    def _defined(self, term: z3.ArithRef) -> z3.ArithRef:
        return substitute(substitute(term, self._definitions), self._definitions)


def _implied(goal: Polynomial, premises: Sequence[Polynomial], modulus: int) -> bool:
    """True if the goal is a sum of multiples of the premises, by Gaussian elimination with units modulo m as pivots."""
    if not goal:
        return True
    basis: list[tuple[Monomial, Polynomial]] = []
    for multiple in _multiples(goal, premises):
        rest = _reduced(multiple, basis, modulus)
        pivot = next((monomial for monomial, c in rest.items() if math.gcd(c, modulus) == 1), None)
        if pivot is not None:
            inverse = pow(rest[pivot], -1, modulus)
            basis.append((pivot, {monomial: c * inverse % modulus for monomial, c in rest.items()}))
    return not _reduced(goal, basis, modulus)


def _multiples(goal: Polynomial, premises: Sequence[Polynomial]) -> Iterator[Polynomial]:
    """The premises times monomials over the goal's atoms, up to the goal's degree."""
    atoms = sorted({atom for monomial in goal for atom in monomial})
    count = 0
    for premise in premises:
        for size in range(max(0, degree(goal) - degree(premise)) + 1):
            for factor in combinations_with_replacement(atoms, size):
                yield {times(monomial, factor): c for monomial, c in premise.items()}
                count += 1
                if count >= MAX_FORMULAS:
                    return


def _reduced(polynomial: Polynomial, basis: Sequence[tuple[Monomial, Polynomial]], modulus: int) -> Polynomial:
    """The polynomial reduced by the basis, whose pivots have the coefficient 1."""
    rest = dict(polynomial)
    for pivot, row in basis:
        factor = rest.get(pivot, 0)
        if factor:
            for monomial, coefficient in row.items():
                rest[monomial] = (rest.get(monomial, 0) - factor * coefficient) % modulus
    return {monomial: coefficient for monomial, coefficient in rest.items() if coefficient}

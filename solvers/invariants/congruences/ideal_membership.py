"""Inductive congruences by algebra: the head's congruence must be a sum of multiples of the body's, modulo m.

A solver is only asked what the linear conditions of a clause say of its quotients and choices
(`affine_relations.py`). The result is sound but incomplete: of other conditions only equations are used.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations_with_replacement

import z3

from chcverify.certificate.model import Model
from chcverify.effort import MAX_FORMULAS, MOMENT_MS
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from chcverify.terms.arithmetic.polynomial import Monomial, Polynomial, degree, times
from chcverify.terms.core.traversal import conjunction, conjuncts, is_nonlinear, kind_of, substitute, subterms
from solvers.invariants.congruences.affine_relations import (
    Replacements,
    affine_relations,
    integer_variables,
    linear_part,
)
from solvers.invariants.congruences.congruence_candidates import Congruences, definitions


def polynomial_rules(
    system: HornSystem, modulus: int, known: Mapping[Predicate, z3.BoolRef] | None = None
) -> list["PolynomialRule"]:
    """The clauses with heads, in polynomials modulo m. known: an inductive invariant, which is added to the clauses;
    with it, equations are taken from what they compare, as from j >= n and the invariant j <= n."""
    rules = []
    for clause in system.clauses:
        if clause.head is not None:
            groups = () if known is None else _compared(clause)
            relative = clause if known is None else _relative(clause, known)
            rules.append(PolynomialRule(relative, clause.head, modulus, groups))
    return rules


def _relative(clause: Clause, known: Mapping[Predicate, z3.BoolRef]) -> Clause:
    """The clause with what is known of its body and, since it is inductive, of its head."""
    model = Model(known)
    return replace(clause, constraint=conjunction([clause.constraint, *map(model.instantiate, clause.applications)]))


def _compared(clause: Clause) -> list[list[z3.ArithRef]]:
    """The integer variables of body atoms that linear conditions of the clause compare with one another, in groups that
    have no condition in common."""
    given = {argument.get_id() for atom in clause.body for argument in atom.arguments}
    parts = ([v for v in integer_variables(part) if v.get_id() in given] for part in conjuncts(linear_part(clause)))
    groups: list[dict[int, z3.ArithRef]] = []
    for variables in parts:
        if len(variables) > 1:
            own = {variable.get_id(): variable for variable in variables}
            for group in [group for group in groups if group.keys() & own.keys()]:
                groups.remove(group)
                own = {**group, **own}
            groups.append(own)
    return [list(group.values()) for group in groups]


def inductive_congruences(rules: Sequence["PolynomialRule"], candidates: Congruences, modulus: int) -> Congruences:
    """The greatest subset of the terms (0 modulo m) that every rule preserves for a polynomial reason."""
    kept = {predicate: list(terms) for predicate, terms in candidates.items()}
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


class PolynomialRule:
    """A clause with a head, in polynomials modulo m. groups: as of PolynomialClause."""

    def __init__(
        self, clause: Clause, head: Application, modulus: int, groups: Sequence[Sequence[z3.ArithRef]] = ()
    ) -> None:
        self.head, self.target = head, head.predicate
        heads = [a for a in head.arguments if z3.is_arith(a) and a.is_int()]
        self.clause = PolynomialClause(clause, modulus, heads, groups)

    def keeps(self, assumed: Congruences) -> list[z3.ArithRef]:
        """The terms of the head that are 0 if those of the body are."""
        premises = self.clause.premises(assumed)
        return [
            term
            for term in assumed[self.target]
            if _implied(self.clause.polynomial(term, self.head), premises, self.clause.modulus)
        ]


class PolynomialQuery:
    """A clause without a head, in polynomials modulo m; equations are taken from all its linear conditions, as of
    i > n and i - 1 <= n."""

    def __init__(self, clause: Clause, modulus: int) -> None:
        self._query, self._modulus, self._linear = clause, modulus, linear_part(clause)
        parts = (part.arg(0) for part in conjuncts(clause.constraint) if z3.is_not(part))
        self._differences = [part.arg(0) - part.arg(1) for part in parts if z3.is_eq(part) and z3.is_int(part.arg(0))]

    def is_excluded(self, assumed: Congruences) -> bool:
        """Do the linear conditions contradict each other, or is one of the differences that the query asks to be other
        than 0 equal to 0 if the terms of the body are?"""
        if _contradict(self._linear):
            return True
        if not self._differences:
            return False
        clause = PolynomialClause(self._query, self._modulus, (), [integer_variables(self._linear)])
        premises = clause.premises(assumed)
        return any(
            _implied(clause.residue(difference), premises, self._modulus) and self._is_below_modulus(difference)
            for difference in self._differences
        )

    def _is_below_modulus(self, difference: z3.ArithRef) -> bool:
        """Do the linear conditions show that a difference is 0 if it is 0 modulo m? Values of integer types are near
        enough to each other, whatever the products and remainders in them are."""
        remainders = [
            term for term in subterms(difference) if kind_of(term) == z3.Z3_OP_MOD and _is_positive(term.arg(1))
        ]
        products = filter(is_nonlinear, subterms(difference))
        free = {term: z3.FreshInt("r") for term in (*remainders, *products)}
        within = [z3.And(free[term] >= 0, free[term] < term.arg(1)) for term in remainders]
        plain = z3.substitute(difference, *free.items())
        # linear conditions & 0 <= r < c, for each remainder r of a division by c & |difference| >= m
        return _contradict(self._linear, *within, z3.Or(plain >= self._modulus, plain <= -self._modulus))


def _is_positive(term: z3.ExprRef) -> bool:
    return z3.is_int_value(term) and term.as_long() > 0


def _contradict(*conditions: z3.BoolRef) -> bool:
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    # the conditions
    return bool(solver.check(*conditions) == z3.unsat)


class PolynomialClause:
    """The constraint of a clause in polynomials modulo m, its definitions substituted.

    heads: the integer arguments of its head. groups: of variables between which equations are looked for.
    """

    def __init__(
        self, clause: Clause, modulus: int, heads: Sequence[z3.ArithRef], groups: Sequence[Sequence[z3.ArithRef]] = ()
    ) -> None:
        self.body = clause.body
        self.modulus = modulus
        self._clause = clause
        self._definitions = list(definitions(clause))
        self._residues = ModularPolynomials(modulus)
        for argument in heads:
            self._residues.of(self._defined(argument))
        conditions = list(self._conditions())
        affine = [condition for condition in conditions if degree(condition) < 2]
        relations = affine_relations(linear_part(clause), self._residues, groups)
        self._replacements = Replacements([*relations, *affine], self._residues)
        others = [self._replacements.applied(condition) for condition in conditions if degree(condition) > 1]
        self._equations = [*self._replacements.rest, *others]

    def premises(self, assumed: Congruences) -> list[Polynomial]:
        """What is 0: the terms of the body, and what equations of the constraint say."""
        terms = [self.polynomial(term, atom) for atom in self.body for term in assumed[atom.predicate]]
        return terms + self._equations

    def _conditions(self) -> Iterator[Polynomial]:
        """The polynomials that are 0 by equations of the constraint."""
        for part in conjuncts(self._clause.constraint):
            is_equation = z3.is_eq(part) and z3.is_int(part.arg(0))
            if is_equation and (polynomial := self._residues.of(self._defined(part.arg(0) - part.arg(1)))):
                yield polynomial

    def polynomial(self, term: z3.ArithRef, atom: Application) -> Polynomial:
        """A term over the formals at an application's arguments, over the atoms of the clause."""
        return self.residue(substitute(term, zip(atom.predicate.formals, atom.arguments, strict=True)))

    def signed(self, coefficient: int) -> int:
        """The coefficient as the number next to 0 that is equal modulo m."""
        return coefficient - self.modulus if 2 * coefficient > self.modulus else coefficient

    def residue(self, term: z3.ArithRef) -> Polynomial:
        """A term over the variables of the clause, over its atoms."""
        return self._replacements.applied(self._residues.of(self._defined(term)))

    def _defined(self, term: z3.ArithRef) -> z3.ArithRef:
        return substitute(substitute(term, self._definitions), self._definitions)


def _implied(goal: Polynomial, premises: Sequence[Polynomial], modulus: int) -> bool:
    """True if the goal is a sum of multiples of the premises, by Gaussian elimination modulo a power of two.

    The pivots are coefficients with the fewest factors 2. No multiples of rows by powers of two are added for what they
    make 0, so not all sums are found.
    """
    if not goal:
        return True
    basis: list[tuple[Monomial, Polynomial]] = []
    for multiple in _multiples(goal, premises):
        rest = _reduced(multiple, basis, modulus)
        if rest:
            pivot = min(rest, key=lambda monomial: math.gcd(rest[monomial], modulus))
            inverse = pow(rest[pivot] // math.gcd(rest[pivot], modulus), -1, modulus)
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
    """The polynomial reduced by the basis, whose pivots have powers of two as coefficients."""
    rest = dict(polynomial)
    for pivot, row in basis:
        factor, left = divmod(rest.get(pivot, 0), row[pivot])
        if factor and not left:
            for monomial, coefficient in row.items():
                rest[monomial] = (rest.get(monomial, 0) - factor * coefficient) % modulus
    return {monomial: coefficient for monomial, coefficient in rest.items() if coefficient}

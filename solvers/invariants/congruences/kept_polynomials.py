"""Candidate congruences that no query names: all polynomials up to a degree that the clauses keep.

A vector space of polynomials for each predicate, at first all of the degree. A clause leaves those whose instance at
the head is a linear combination of the polynomials of the body's atoms. What is left is inductive over the rationals,
where nothing wraps around; modulo 2^w it is checked like all candidates. Linear combinations in place of ideal
membership set this apart from [MullerOlmSeidl2005], who compute all polynomials of a degree that hold.
"""

import math
from collections.abc import Mapping, Sequence
from itertools import chain, combinations_with_replacement

import flint
import z3

from chcverify.horn.system import Application, Predicate
from chcverify.terms.arithmetic.modular_polynomials import MAX_MONOMIALS, ModularPolynomials
from chcverify.terms.arithmetic.polynomial import ONE, Monomial, Polynomial, degree, product
from chcverify.terms.core.sums import product_of, sum_of
from solvers.invariants.congruences.congruence_candidates import Congruences
from solvers.invariants.congruences.ideal_membership import PolynomialRule

Row = list[int]


def highest_degree(candidates: Congruences, modulus: int) -> int:
    """Of the candidates, at least 2."""
    residues = ModularPolynomials(modulus)
    return max([2, *(degree(residues.of(term)) for terms in candidates.values() for term in terms)])


def kept_polynomials(
    predicates: Sequence[Predicate], rules: Sequence[PolynomialRule], top: int
) -> Mapping[Predicate, list[z3.ArithRef]]:
    """Terms over the formals that every clause keeps at 0, as far as its definitions are polynomials. top: degree."""
    monomials = {predicate: _monomials(predicate, top) for predicate in predicates}
    spaces = {p: [[int(i == j) for j in range(len(own))] for i in range(len(own))] for p, own in monomials.items()}
    steps = [_Step(rule, monomials) for rule in rules]
    changed = True
    while changed:
        changed = False
        for step in steps:
            own = spaces[step.target]
            if own and len(left := step.left(spaces)) < len(own):
                spaces[step.target] = left
                changed = True
    return {p: [_term(p, row, monomials[p]) for row in rows] for p, rows in spaces.items()}


def _monomials(predicate: Predicate, top: int) -> list[Monomial]:
    """The products of integer formals, by their positions, up to the degree, or a smaller one if they are too many."""
    formals = [i for i, formal in enumerate(predicate.formals) if z3.is_int(formal)]
    while top > 1 and math.comb(len(formals) + top, top) > MAX_MONOMIALS:
        top -= 1
    found = list(chain.from_iterable(combinations_with_replacement(formals, size) for size in range(top + 1)))
    return found if len(found) <= MAX_MONOMIALS else []


class _Step:
    """A clause with the instances of all monomials at its head and at the atoms of its body, as rows of a matrix."""

    def __init__(self, rule: PolynomialRule, monomials: Mapping[Predicate, list[Monomial]]) -> None:
        self.target = rule.target
        self._body = [atom.predicate for atom in rule.clause.body]
        self._columns: dict[Monomial, int] = {}
        self._head = self._rows(rule, rule.head, monomials[rule.target])
        self._bodies = [self._rows(rule, atom, monomials[atom.predicate]) for atom in rule.clause.body]

    def _rows(self, rule: PolynomialRule, atom: Application, monomials: Sequence[Monomial]) -> list[dict[int, int]]:
        arguments = [
            rule.clause.polynomial(formal, atom) if z3.is_int(formal) else {} for formal in atom.predicate.formals
        ]
        instances: dict[Monomial, Polynomial] = {(): ONE}
        for monomial in monomials[1:]:
            instances[monomial] = product(instances[monomial[:-1]], arguments[monomial[-1]], rule.clause.modulus)
        return [
            {
                self._columns.setdefault(m, len(self._columns)): rule.clause.signed(c)
                for m, c in instances[monomial].items()
            }
            for monomial in monomials
        ]

    def left(self, spaces: Mapping[Predicate, list[Row]]) -> list[Row]:
        """The polynomials of the head's space whose instances are combinations of those of the body."""
        own = spaces[self.target]
        rows = self._instances(own, self._head)
        for predicate, instances in zip(self._body, self._bodies, strict=True):
            rows += self._instances(spaces[predicate], instances)
        if not self._columns:
            return own
        # (a, b) * rows = 0: the combination a of the head's instances is -b of the body's
        basis, count = flint.fmpz_mat(rows).transpose().nullspace()
        found = []
        for j in range(count):
            weights = [int(basis[i, j]) for i in range(len(own))]
            found.append([sum(w * p[k] for w, p in zip(weights, own, strict=True)) for k in range(len(own[0]))])
        return _independent(found)

    def _instances(self, space: Sequence[Row], monomials: Sequence[Mapping[int, int]]) -> list[Row]:
        table = []
        for row in space:
            total = [0] * len(self._columns)
            for factor, instance in zip(row, monomials, strict=True):
                for column, coefficient in instance.items() if factor else ():
                    total[column] += factor * coefficient
            table.append(total)
        return table


def _independent(rows: Sequence[Row]) -> list[Row]:
    """A basis of the same space, in reduced echelon form with coprime integers, the last one, of the highest degree,
    positive: z3 checks n * i + j - c = 0 modulo 2^32 in a second, and c - j - n * i = 0 in six."""
    if not rows:
        return []
    reduced, _, rank = flint.fmpz_mat(rows).rref()  # all rows times one denominator
    table = [[int(entry) for entry in row] for row in reduced.tolist()[:rank]]
    return [[entry // _content(row) for entry in row] for row in table]


def _content(row: Row) -> int:
    """The greatest common divisor of the entries, with the sign of the last one that is not 0."""
    last = next((entry for entry in reversed(row) if entry), 1)
    return math.gcd(*row) if last > 0 else -math.gcd(*row)


def _term(predicate: Predicate, row: Row, monomials: Sequence[Monomial]) -> z3.ArithRef:
    formals = predicate.formals
    factors = [product_of([formals[i] for i in monomial]) for monomial in monomials]
    total: z3.ArithRef = sum_of([c * factor for c, factor in zip(row, factors, strict=True) if c])
    return total

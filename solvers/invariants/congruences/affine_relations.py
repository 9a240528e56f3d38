"""Affine equations that hold of the quotients and choices of a clause: x = 2 * (x div 2) where x is even, and the like.

Modulo 2^w a quotient is no polynomial. What a clause's linear conditions say of it mostly is: that a halved number is
even, or that (i + 2) div 2 is one more than i div 2.
"""

import math
from collections.abc import Iterator, Sequence
from fractions import Fraction

import z3

from chcverify.effort import MAX_ALTERNATIVES, QUESTION_MS
from chcverify.horn.system import Clause
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from chcverify.terms.arithmetic.polynomial import Monomial, Polynomial, combination, product
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, is_nonlinear, is_variable, subterms
from solvers.abstract_interpretation.domains.basic_domains import AffineHull


def linear_part(clause: Clause) -> z3.BoolRef:
    """The conjuncts of the constraint without products of variables or quotients by them."""
    parts = conjuncts(clause.constraint)
    return conjunction([part for part in parts if not any(map(is_nonlinear, subterms(part)))])


def integer_variables(*terms: z3.ExprRef) -> list[z3.ArithRef]:
    """The integer variables of terms."""
    return [variable for variable in free_variables(*terms) if z3.is_int(variable)]


def affine_relations(
    condition: z3.BoolRef, residues: ModularPolynomials, more: Sequence[Sequence[z3.ArithRef]] = ()
) -> list[Polynomial]:
    """Polynomials over the atoms of `residues` that are 0 where the condition holds, for linear ones and their
    variables; and for more groups of variables."""
    composite = [a for a in residues.atoms if not is_variable(a) and not any(map(is_nonlinear, subterms(a)))]
    groups = [[*group, *integer_variables(*group)] for group in _related(composite)]
    found: list[Polynomial] = []
    for features in [*groups, *more]:
        if 0 < len(features) <= MAX_ALTERNATIVES:
            atoms = [residues.of(feature) for feature in features]
            for coefficients, constant in _equalities(condition, features):
                found.append(combination([*atoms, {(): 1}], [*coefficients, -constant], residues.modulus))
    return [polynomial for polynomial in found if polynomial]


def _related(terms: Sequence[z3.ArithRef]) -> list[list[z3.ArithRef]]:
    """The terms in groups that have no variable in common."""
    groups: list[tuple[set[int], list[z3.ArithRef]]] = []
    for term in terms:
        names, group = {v.get_id() for v in free_variables(term)}, [term]
        apart = []
        for others, members in groups:
            if others & names:
                names, group = names | others, [*members, *group]
            else:
                apart.append((others, members))
        groups = [*apart, (names, group)]
    return [group for _, group in groups]


def _equalities(condition: z3.BoolRef, features: Sequence[z3.ArithRef]) -> list[tuple[list[int], int]]:
    """Coefficients c and constants d of the equalities c . features = d that the condition implies; none if the
    solver gives no answer."""
    solver = z3.SimpleSolver()
    solver.set("timeout", QUESTION_MS)
    values = [z3.FreshInt("f") for _ in features]
    solver.add(condition, *(value == feature for value, feature in zip(values, features, strict=True)))
    hull: AffineHull | None = None
    # condition & values = features & values not in the hull
    while (answer := solver.check()) == z3.sat:
        model = solver.model()
        point = [Fraction(model.eval(value, model_completion=True).as_long()) for value in values]
        if hull is None:
            hull = AffineHull(point)
        else:
            hull.join(point)
        known = hull.formula(values)
        if not known:
            return []
        solver.push()
        solver.add(z3.Not(conjunction(known)))
    return hull.equalities() if hull is not None and answer == z3.unsat else []


class Replacements:
    """Polynomials with some atoms replaced, by equations in which they have the coefficient 1 or -1."""

    def __init__(self, equations: Sequence[Polynomial], residues: ModularPolynomials) -> None:
        self._modulus = residues.modulus
        self._values: dict[int, Polynomial] = {}
        self.rest: list[Polynomial] = []
        """The equations from which no atom can be computed."""
        for equation in equations:
            reduced = self.applied(equation)
            number = next(_units(reduced, residues), None)
            if number is not None:
                value = self._solved(reduced, number)
                self._values = {n: _put_in(v, {number: value}, self._modulus) for n, v in self._values.items()}
                self._values[number] = value
            elif reduced:
                self.rest.append(reduced)

    def applied(self, polynomial: Polynomial) -> Polynomial:
        """The polynomial without the atoms that are replaced."""
        return _put_in(polynomial, self._values, self._modulus)

    def _solved(self, equation: Polynomial, number: int) -> Polynomial:
        sign = pow(equation[(number,)], -1, self._modulus)
        return combination([{m: c for m, c in equation.items() if m != (number,)}], [-sign], self._modulus)


def _units(equation: Polynomial, residues: ModularPolynomials) -> Iterator[int]:
    """The atoms that occur once, alone and with a unit as coefficient; variables first."""
    alone = [
        monomial[0]
        for monomial, c in equation.items()
        if len(monomial) == 1
        and math.gcd(c, residues.modulus) == 1
        and sum(monomial[0] in other for other in equation) == 1
    ]
    yield from sorted(alone, key=lambda number: not is_variable(residues.atoms[number]))


def _put_in(polynomial: Polynomial, values: dict[int, Polynomial], modulus: int) -> Polynomial:
    """The polynomial with values for atoms."""
    if not any(number in values for monomial in polynomial for number in monomial):
        return polynomial
    parts = []
    for monomial in polynomial:
        kept: Monomial = tuple(number for number in monomial if number not in values)
        part: Polynomial = {kept: 1}
        for number in monomial:
            if number in values:
                part = product(part, values[number], modulus)
        parts.append(part)
    return combination(parts, polynomial.values(), modulus)

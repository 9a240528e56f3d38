"""Terms as polynomials modulo m. Wrap-around adds multiples of 2^w only, so modulo 2^w it does not show.

A polynomial's atoms are the terms that are no sums, products, numerals, remainders modulo a multiple of m, or choices
between two terms that are equal modulo m.
"""

from collections.abc import Sequence

import z3

from chcverify.terms.arithmetic.polynomial import ONE, Polynomial, combination, product
from chcverify.terms.core.sums import product_of, sum_of
from chcverify.terms.core.traversal import fold

MAX_MONOMIALS = 120
"""Monomials of a polynomial; a term with more is an atom. Chosen by hand."""


class ModularPolynomials:
    """Polynomials modulo `modulus`; equal ones have equal representations, if their atoms are independent."""

    def __init__(self, modulus: int) -> None:
        self.modulus = modulus
        self.atoms: list[z3.ArithRef] = []
        self._numbers: dict[int, int] = {}

    def of(self, term: z3.ArithRef) -> Polynomial:
        """The polynomial of an integer term; terms whose polynomials would be too large are atoms."""
        return fold(term, self._visit)

    def term(self, polynomial: Polynomial) -> z3.ArithRef:
        """A sum of products of the atoms, with coefficients around zero."""
        summands = []
        for monomial, coefficient in sorted(polynomial.items()):
            signed = coefficient - self.modulus if 2 * coefficient > self.modulus else coefficient
            summands.append(signed * product_of([self.atoms[i] for i in monomial]) if monomial else z3.IntVal(signed))
        return sum_of(summands)

    def _visit(self, term: z3.ExprRef, below: Sequence[Polynomial]) -> Polynomial:
        if not z3.is_int(term):
            return {}
        value = self._value(term, below)
        return self._atom(term) if value is None or len(value) > MAX_MONOMIALS else value

    def _value(self, term: z3.ArithRef, below: Sequence[Polynomial]) -> Polynomial | None:
        """From those of its children; None if it is an atom."""
        if z3.is_int_value(term):
            return self._combined([ONE], [term.as_long()])
        match term.decl().kind():
            case z3.Z3_OP_ADD:
                return self._combined(below, [1] * len(below))
            case z3.Z3_OP_SUB:
                return self._combined(below, [1] + [-1] * (len(below) - 1))
            case z3.Z3_OP_UMINUS:
                return self._combined(below, [-1])
            case z3.Z3_OP_MUL:
                return self._product(below)
            case z3.Z3_OP_MOD if _is_multiple(term.arg(1), self.modulus):
                return below[0]
            case z3.Z3_OP_ITE if below[1] == below[2]:
                return below[1]
        return None

    def _atom(self, term: z3.ArithRef) -> Polynomial:
        number = self._numbers.setdefault(term.get_id(), len(self.atoms))
        if number == len(self.atoms):
            self.atoms.append(term)
        return {(number,): 1}

    def _combined(self, polynomials: Sequence[Polynomial], factors: Sequence[int]) -> Polynomial:
        return combination(polynomials, factors, self.modulus)

    def _product(self, polynomials: Sequence[Polynomial]) -> Polynomial | None:
        """None if it would be too large."""
        result = ONE
        for polynomial in polynomials:
            if len(result) * len(polynomial) > MAX_MONOMIALS**2:
                return None
            result = product(result, polynomial, self.modulus)
        return result


def _is_multiple(term: z3.ExprRef, modulus: int) -> bool:
    return bool(z3.is_int_value(term) and term.as_long() != 0 and term.as_long() % modulus == 0)

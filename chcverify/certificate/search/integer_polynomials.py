"""Polynomials of the certificate checker, with integer coefficients.

The checker shares them with no engine, so that an error in the engines' polynomials shows in the check.
"""

from collections.abc import Sequence

import z3

from chcverify.effort import MAX_BUILT

Monomial = tuple[int, ...]
"""The numbers of its atoms, ascending; () is 1."""
Polynomial = dict[Monomial, int]
"""Coefficients that are not 0."""
PolynomialKey = tuple[tuple[Monomial, int], ...]


class PolynomialTooLarge(Exception):
    """A polynomial has too many monomials."""


def combined(summands: Sequence[tuple[Polynomial, int]]) -> Polynomial:
    """The sum of polynomials times factors."""
    total: Polynomial = {}
    for value, factor in summands:
        for monomial, coefficient in value.items():
            total[monomial] = total.get(monomial, 0) + factor * coefficient
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def product(left: Polynomial, right: Polynomial) -> Polynomial:
    """left * right; PolynomialTooLarge if that takes too many multiplications."""
    if len(left) * len(right) > MAX_BUILT:
        raise PolynomialTooLarge
    total: Polynomial = {}
    for m, a in left.items():
        for n, b in right.items():
            monomial = tuple(sorted(m + n))
            total[monomial] = total.get(monomial, 0) + a * b
    return {monomial: coefficient for monomial, coefficient in total.items() if coefficient}


def times(value: Polynomial, factor: Monomial) -> Polynomial:
    """A polynomial times a monomial."""
    return {tuple(sorted(monomial + factor)): coefficient for monomial, coefficient in value.items()}


def key_of(value: Polynomial) -> PolynomialKey:
    """The same for equal polynomials."""
    return tuple(sorted(value.items()))


def divisor_of(term: z3.ExprRef) -> int:
    """Of a quotient or remainder by a positive number; 0 for any other term."""
    if not z3.is_app(term) or term.decl().kind() not in (z3.Z3_OP_MOD, z3.Z3_OP_IDIV):
        return 0
    return max(0, term.arg(1).as_long()) if z3.is_int_value(term.arg(1)) else 0

"""Polynomials with integer coefficients, over the integers or modulo m, as maps from monomials to coefficients.

A monomial is the ascending tuple of the numbers of its variables, with repetitions: (0, 0, 2) is x0^2 * x2, () is 1. A
polynomial has no coefficient 0; modulo m coefficients are in 1 .. m - 1. Equal polynomials are equal maps.

The certificate checker has polynomials of its own (certificate/search/integer_polynomials.py), on purpose: it shares
no algebra with what it checks.
"""

from collections.abc import Iterable, Mapping

Monomial = tuple[int, ...]
Polynomial = Mapping[Monomial, int]

ONE: Polynomial = {(): 1}


def combination(polynomials: Iterable[Polynomial], factors: Iterable[int], modulus: int = 0) -> Polynomial:
    """The sum of the polynomials times their factors. modulus: 0 for the integers."""
    total: dict[Monomial, int] = {}
    for polynomial, factor in zip(polynomials, factors, strict=True):
        for monomial, coefficient in polynomial.items():
            total[monomial] = total.get(monomial, 0) + factor * coefficient
    return _normal(total, modulus)


def product(left: Polynomial, right: Polynomial, modulus: int = 0) -> Polynomial:
    """The product of two polynomials."""
    total: dict[Monomial, int] = {}
    for one, a in left.items():
        for other, b in right.items():
            monomial = times(one, other)
            total[monomial] = total.get(monomial, 0) + a * b
    return _normal(total, modulus)


def times(one: Monomial, other: Monomial) -> Monomial:
    """The product of two monomials."""
    return tuple(sorted(one + other))


def degree(polynomial: Polynomial) -> int:
    """The greatest number of factors of a monomial; 0 for the polynomial 0."""
    return max(map(len, polynomial), default=0)


def _normal(coefficients: Mapping[Monomial, int], modulus: int) -> Polynomial:
    if modulus:
        coefficients = {monomial: coefficient % modulus for monomial, coefficient in coefficients.items()}
    return {monomial: coefficient for monomial, coefficient in coefficients.items() if coefficient}

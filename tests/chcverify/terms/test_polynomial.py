"""Polynomials against their values at points, over the integers and modulo m."""

import math

from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.arithmetic import polynomial as ring
from chcverify.terms.arithmetic.polynomial import Monomial, Polynomial

monomials = st.lists(st.integers(0, 2), max_size=3).map(lambda factors: tuple(sorted(factors)))
polynomials = st.dictionaries(monomials, st.integers(-9, 9).filter(bool), max_size=5)
points = st.lists(st.integers(-5, 5), min_size=3, max_size=3)
moduli = st.sampled_from([0, 2, 8, 12])


def same(left: int, right: int, modulus: int) -> bool:
    return (left - right) % modulus == 0 if modulus else left == right


def value(polynomial: Polynomial, point: list[int]) -> int:
    return sum(c * math.prod(point[i] for i in monomial) for monomial, c in polynomial.items())


def is_normal(polynomial: Polynomial, modulus: int) -> bool:
    return all(c and (not modulus or 0 < c < modulus) for c in polynomial.values())


@given(st.lists(st.tuples(polynomials, st.integers(-4, 4)), max_size=3), points, moduli)
def test_combinations(parts: list[tuple[Polynomial, int]], point: list[int], modulus: int) -> None:
    found = ring.combination([p for p, _ in parts], [factor for _, factor in parts], modulus)
    assert same(value(found, point), sum(factor * value(p, point) for p, factor in parts), modulus)
    assert is_normal(found, modulus)


@given(polynomials, polynomials, points, moduli)
def test_products(left: Polynomial, right: Polynomial, point: list[int], modulus: int) -> None:
    found = ring.product(left, right, modulus)
    assert same(value(found, point), value(left, point) * value(right, point), modulus)
    assert is_normal(found, modulus)
    if not modulus and left and right:
        assert ring.degree(found) == ring.degree(left) + ring.degree(right)
    assert ring.product(ring.ONE, left) == left


@given(polynomials, moduli)
def test_the_difference_of_equals_is_zero(polynomial: Polynomial, modulus: int) -> None:
    assert ring.combination([polynomial, polynomial], [1, -1], modulus) == {}
    assert ring.degree({}) == 0


@given(monomials, monomials, points)
def test_monomials(one: Monomial, other: Monomial, point: list[int]) -> None:
    assert value({ring.times(one, other): 1}, point) == value({one: 1}, point) * value({other: 1}, point)

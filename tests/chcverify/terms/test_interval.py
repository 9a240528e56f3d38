"""Intervals against the sets that they stand for, cut off far outside of what the operations of the tests can tell."""

from fractions import Fraction

import pytest
import z3
from hypothesis import given
from hypothesis import strategies as st

from chcverify.terms.arithmetic import interval as domain
from chcverify.terms.arithmetic.interval import Interval

FAR = 40
ends = st.none() | st.integers(-6, 6)


@st.composite
def intervals(draw: st.DrawFn) -> Interval:
    """An interval with an integer in it."""
    low, high = draw(ends), draw(ends)
    return (high, low) if low is not None and high is not None and low > high else (low, high)


def members(interval: Interval) -> list[int]:
    return [n for n in range(-FAR, FAR + 1) if domain.contains(interval, n)]


COMPARISONS = {
    z3.Z3_OP_LE: lambda a, b: a <= b,
    z3.Z3_OP_LT: lambda a, b: a < b,
    z3.Z3_OP_GE: lambda a, b: a >= b,
    z3.Z3_OP_GT: lambda a, b: a > b,
    z3.Z3_OP_EQ: lambda a, b: a == b,
}


@given(intervals(), intervals())
def test_the_lattice(one: Interval, other: Interval) -> None:
    both = domain.intersection(one, other)
    assert members(both) == [n for n in members(one) if n in members(other)]
    assert domain.is_empty(both) == (not members(both))
    around = domain.hull(one, other)
    assert set(members(one)) | set(members(other)) <= set(members(around))
    for end in (0, 1):
        assert (around[end] is None) == (one[end] is None or other[end] is None)
        assert around[end] is None or around[end] in (one[end], other[end])


@given(intervals(), st.sampled_from(sorted(COMPARISONS)), st.integers(-8, 8))
def test_a_comparison_restricts_to_where_it_holds(interval: Interval, kind: int, value: int) -> None:
    holds = COMPARISONS[kind]
    assert members(domain.restricted(interval, kind, value)) == [n for n in members(interval) if holds(n, value)]
    if kind in domain.DENIED:
        denied = domain.restricted(interval, domain.DENIED[kind], value)
        assert members(denied) == [n for n in members(interval) if not holds(n, value)]


@pytest.mark.parametrize(
    ("kind", "operation"),
    [
        (z3.Z3_OP_ADD, lambda a, b: a + b),
        (z3.Z3_OP_SUB, lambda a, b: a - b),
        (z3.Z3_OP_MUL, lambda a, b: a * b),
    ],
)
@given(one=intervals(), other=intervals())
def test_results_of_operations_are_inside_and_finite_ones_tight(kind, operation, one, other) -> None:
    result = domain.apply(kind, [one, other])
    values = [operation(a, b) for a in members(one) for b in members(other)]
    assert all(domain.contains(result, value) for value in values)
    if None not in (*one, *other):
        assert result == (min(values), max(values))


@given(intervals(), st.integers(1, 7))
def test_negation_quotient_and_remainder(interval: Interval, divisor: int) -> None:
    assert members(domain.apply(z3.Z3_OP_UMINUS, [interval])) == sorted(-n for n in members(interval))
    by = (divisor, divisor)
    quotients = domain.apply(z3.Z3_OP_IDIV, [interval, by])
    remainders = domain.apply(z3.Z3_OP_MOD, [interval, by])
    for n in members(interval):
        assert domain.contains(quotients, n // divisor)
        assert domain.contains(remainders, n % divisor)
    assert domain.apply(z3.Z3_OP_IDIV, [interval, (0, divisor)]) == domain.WHOLE


@given(st.fractions(), st.fractions(), st.fractions())
def test_the_lattice_of_rationals(low: Fraction, high: Fraction, value: Fraction) -> None:
    low, high = min(low, high), max(low, high)
    assert domain.contains((low, high), value) == (low <= value <= high)
    assert domain.hull((low, low), (high, None)) == (low, None)
    assert domain.intersection((low, None), (None, high)) == (low, high)

"""Intervals of numbers, possibly unbounded: a lattice with the operations of arithmetic and of comparisons.

An interval is a pair of ends that belong to it: integers or rationals, or None for an infinite end. With a
lower end above the upper one it is empty. The lattice functions take numbers of both kinds; what rounds (quotients,
remainders, strict comparisons) is about intervals of integers. Results contain every exact result (soundness), and are
mostly the smallest such interval.

The C encoder has finite intervals of its own, with C's operators (encoders/c/analysis/machine_intervals.py).
"""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeVar

import z3

Interval = tuple[int | None, int | None]
"""Of integers. Both ends included; None: unbounded."""
N = TypeVar("N", int, Fraction)
WHOLE: Interval = (None, None)
DENIED = {z3.Z3_OP_LE: z3.Z3_OP_GT, z3.Z3_OP_GE: z3.Z3_OP_LT, z3.Z3_OP_LT: z3.Z3_OP_GE, z3.Z3_OP_GT: z3.Z3_OP_LE}
"""The comparison that holds where the given one does not."""


# The lattice.


def contains(interval: tuple[N | None, N | None], value: N) -> bool:
    """True if the value is in the interval."""
    low, high = interval
    return (low is None or low <= value) and (high is None or value <= high)


def is_empty(interval: tuple[N | None, N | None]) -> bool:
    """True if there is no value in the interval."""
    low, high = interval
    return low is not None and high is not None and low > high


def hull(one: tuple[N | None, N | None], other: tuple[N | None, N | None]) -> tuple[N | None, N | None]:
    """The smallest interval around two that are not empty (their join)."""
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])


def intersection(one: tuple[N | None, N | None], other: tuple[N | None, N | None]) -> tuple[N | None, N | None]:
    """The values in both (their meet); possibly empty."""
    low = one[0] if other[0] is None else other[0] if one[0] is None else max(one[0], other[0])
    return low, one[1] if other[1] is None else other[1] if one[1] is None else min(one[1], other[1])


def restricted(interval: Interval, kind: int, value: int) -> Interval:
    """The integers of the interval for which the comparison with the value holds. kind: Z3_OP_LE, LT, GE, GT or EQ."""
    low = value + (kind == z3.Z3_OP_GT) if kind in (z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ) else None
    high = value - (kind == z3.Z3_OP_LT) if kind in (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_EQ) else None
    return intersection(interval, (low, high))


# Arithmetic.


def apply(kind: int, intervals: Sequence[Interval]) -> Interval:
    """Of the result of an operation of z3 (Z3_OP_ADD, SUB, UMINUS, MUL, IDIV, MOD) on integers of the intervals.

    Quotients and remainders are known for one positive divisor alone.
    """
    first, *rest = intervals
    if kind == z3.Z3_OP_UMINUS:
        return negative(first)
    for other in rest:
        if kind == z3.Z3_OP_MUL:
            first = product(first, other)
        elif kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB):
            first = total(first, other if kind == z3.Z3_OP_ADD else negative(other))
        elif other[0] is None or other[0] <= 0 or other[0] != other[1]:
            return WHOLE
        else:
            first = remainder(first, other[0]) if kind == z3.Z3_OP_MOD else quotient(first, other[0])
    return first


def negative(interval: Interval) -> Interval:
    """Of -x."""
    low, high = interval
    return None if high is None else -high, None if low is None else -low


def total(one: Interval, other: Interval) -> Interval:
    """Of x + y."""
    low = None if one[0] is None or other[0] is None else one[0] + other[0]
    return low, None if one[1] is None or other[1] is None else one[1] + other[1]


def product(one: Interval, other: Interval) -> Interval:
    """Of x * y. With an infinite end exact only if one factor is a number."""
    if None not in (*one, *other):
        corners = [a * b for a in one for b in other if a is not None and b is not None]
        return min(corners), max(corners)
    for factor, interval in ((one, other), (other, one)):
        if factor[0] is not None and factor[0] == factor[1]:
            return _multiple(factor[0], interval)
    return WHOLE


def _multiple(factor: int, interval: Interval) -> Interval:
    if factor == 0:
        return 0, 0
    low, high = (None if end is None else end * factor for end in interval)
    return (low, high) if factor > 0 else (high, low)


def quotient(number: Interval, divisor: int) -> Interval:
    """Of x div d, rounded down, for d > 0."""
    low, high = (None if end is None else end // divisor for end in number)
    return low, high


def remainder(number: Interval, divisor: int) -> Interval:
    """Of x mod d, in 0 .. d - 1, for d > 0."""
    low, high = number
    return number if low is not None and high is not None and 0 <= low <= high < divisor else (0, divisor - 1)

"""Interval arithmetic on integers: what z3's operations make of intervals, and how comparisons narrow them."""

from collections.abc import Sequence

import z3

Interval = tuple[int | None, int | None]
"""Both ends included; None: unbounded."""
WHOLE: Interval = (None, None)
DENIED = {z3.Z3_OP_LE: z3.Z3_OP_GT, z3.Z3_OP_GE: z3.Z3_OP_LT, z3.Z3_OP_LT: z3.Z3_OP_GE, z3.Z3_OP_GT: z3.Z3_OP_LE}
"""What holds where a comparison does not."""


def meet(interval: Interval, kind: int, value: int) -> Interval:
    """Where the comparison with the value holds, too."""
    low, high = interval
    if kind in (z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_EQ):
        most = value - (kind == z3.Z3_OP_LT)
        high = most if high is None else min(high, most)
    if kind in (z3.Z3_OP_GE, z3.Z3_OP_GT, z3.Z3_OP_EQ):
        least = value + (kind == z3.Z3_OP_GT)
        low = least if low is None else max(low, least)
    return low, high


def is_empty(interval: Interval) -> bool:
    """Is there no integer in it?"""
    low, high = interval
    return low is not None and high is not None and low > high


def hull(one: Interval, other: Interval) -> Interval:
    """The smallest interval around both."""
    low = None if one[0] is None or other[0] is None else min(one[0], other[0])
    return low, None if one[1] is None or other[1] is None else max(one[1], other[1])


def apply(kind: int, intervals: Sequence[Interval]) -> Interval:
    """Of a sum, difference, negation or product, of a quotient or remainder by a positive number: kind is z3's."""
    first, *rest = intervals
    if kind == z3.Z3_OP_UMINUS:
        return _negative(first)
    for other in rest:
        if kind == z3.Z3_OP_MUL:
            first = _product(first, other)
        elif kind in (z3.Z3_OP_ADD, z3.Z3_OP_SUB):
            low, high = other if kind == z3.Z3_OP_ADD else _negative(other)
            first = _plus(first[0], low), _plus(first[1], high)
        else:
            first = _divided(kind, first, other)
    return first


def _negative(interval: Interval) -> Interval:
    low, high = interval
    return None if high is None else -high, None if low is None else -low


def _plus(left: int | None, right: int | None) -> int | None:
    return None if left is None or right is None else left + right


def _product(one: Interval, other: Interval) -> Interval:
    if None not in (*one, *other):
        corners = [a * b for a in one for b in other if a is not None and b is not None]
        return min(corners), max(corners)
    for factor, interval in ((one, other), (other, one)):
        if factor[0] is not None and factor[0] == factor[1]:
            low, high = (end if end is None else end * factor[0] for end in interval)
            return (low, high) if factor[0] > 0 else (high, low) if factor[0] < 0 else (0, 0)
    return WHOLE


def _divided(kind: int, number: Interval, divisor: Interval) -> Interval:
    by = divisor[0]
    if by is None or by <= 0 or divisor[1] != by:
        return WHOLE
    low, high = number
    if kind == z3.Z3_OP_MOD:
        return number if low is not None and high is not None and 0 <= low <= high < by else (0, by - 1)
    low, high = (end if end is None else end // by for end in number)
    return low, high

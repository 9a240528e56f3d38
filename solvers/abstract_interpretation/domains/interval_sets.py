"""Intervals with gaps: a disjunction of intervals per feature."""

import bisect
from collections.abc import Sequence
from fractions import Fraction

import z3

from chcverify.terms.arithmetic.interval import contains, hull
from chcverify.terms.core.traversal import disjunction
from solvers.abstract_interpretation.domains.basic_domains import Vector, numeral

Interval = tuple[Fraction | None, Fraction | None]
"""As in terms.arithmetic.interval, with rational ends."""


class IntervalSets:
    """Up to `most` disjoint intervals for each feature, ascending; integers that touch are one interval.

    A feature that has grown `delay` times is widened: outside its hull to the next threshold, inside by closing a gap.
    So a chain has at most delay + most + thresholds + 2 values.
    """

    def __init__(
        self, vector: Vector, thresholds: Sequence[Fraction], whole: Sequence[bool], most: int = 6, delay: int = 8
    ) -> None:
        self.intervals: list[list[Interval]] = [[(value, value)] for value in vector]
        self._thresholds = thresholds
        self._whole = whole  # is the feature an integer?
        self._moves = [0] * len(vector)
        self._most, self._delay = most, delay

    def join(self, vector: Vector) -> None:
        for i, value in enumerate(vector):
            if any(contains(interval, value) for interval in self.intervals[i]):
                continue
            self._moves[i] += 1
            widening = self._moves[i] > self._delay
            self.intervals[i] = self._widened(i, value) if widening else self._inserted(i, value)

    def _inserted(self, i: int, value: Fraction) -> list[Interval]:
        """The intervals with the value added; neighbouring integers, and at the limit the closest intervals, merge."""
        reach = 1 if self._whole[i] else 0
        merged: list[Interval] = []
        for interval in sorted([*self.intervals[i], (value, value)], key=_key):
            if merged and _distance(merged[-1], interval) <= reach:
                merged[-1] = hull(merged[-1], interval)
            else:
                merged.append(interval)
        while len(merged) > self._most:
            at = min(range(len(merged) - 1), key=lambda k: _distance(merged[k], merged[k + 1]))
            merged[at : at + 2] = [hull(merged[at], merged[at + 1])]
        return merged

    def _widened(self, i: int, value: Fraction) -> list[Interval]:
        """The intervals extended to the value: a gap is closed, or an end moves to the next threshold."""
        current = self.intervals[i]
        after = next((k for k, (low, _) in enumerate(current) if low is not None and value < low), len(current))
        before, behind = current[:after], current[after:]
        if before and behind:
            return [*before[:-1], (before[-1][0], behind[0][1]), *behind[1:]]
        if before:
            at = bisect.bisect_left(self._thresholds, value)
            high = self._thresholds[at] if at < len(self._thresholds) else None
            return [*before[:-1], (before[-1][0], high)]
        at = bisect.bisect_right(self._thresholds, value) - 1
        low = self._thresholds[at] if at >= 0 else None
        return [(low, behind[0][1]), *behind[1:]]

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        parts = []
        for feature, intervals in zip(features, self.intervals, strict=True):
            if intervals != [(None, None)]:
                parts.append(disjunction(_within(feature, interval) for interval in intervals))
        return parts


def _key(interval: Interval) -> tuple[bool, Fraction]:
    low = interval[0]
    return low is not None, low if low is not None else Fraction(0)


def _distance(left: Interval, right: Interval) -> Fraction:
    """The distance between neighbouring intervals, neither of which is unbounded on the other's side."""
    assert left[1] is not None and right[0] is not None
    return right[0] - left[1]


def _within(feature: z3.ArithRef, interval: Interval) -> z3.BoolRef:
    low, high = interval
    if low is not None and low == high:
        return feature == numeral(low, feature)
    parts = [] if low is None else [feature >= numeral(low, feature)]
    parts += [] if high is None else [feature <= numeral(high, feature)]
    return z3.And(parts) if len(parts) > 1 else parts[0]

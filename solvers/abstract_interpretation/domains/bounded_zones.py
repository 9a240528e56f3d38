"""Bounded zones: lower bounds of differences between features; equalities are orders in both directions."""

from collections.abc import Sequence
from fractions import Fraction

import z3

from solvers.abstract_interpretation.domains.basic_domains import Vector, numeral

MAX_ORDER_OFFSET = Fraction(3)
"""The greatest c in x + c <= y; chains stay short, and no widening is needed. Made for copies, sums and extrema;
does nothing for other offsets."""


class BoundedZones:
    """x + c <= y for pairs of features of one sort, with the greatest c from 0 to `MAX_ORDER_OFFSET` that always held.

    The part of zones that loops over arrays need: cells against bounds, counters against each other
    (Mine: A new numerical abstract domain based on difference-bound matrices, PADO 2001).
    """

    def __init__(self, vector: Vector) -> None:
        pairs = ((i, j) for i in range(len(vector)) for j in range(len(vector)) if i != j)
        self._gaps = {(i, j): min(MAX_ORDER_OFFSET, vector[j] - vector[i]) for i, j in pairs if vector[i] <= vector[j]}
        self._terms: dict[tuple[int, int, Fraction, bool], z3.BoolRef] = {}

    def join(self, vector: Vector) -> None:
        gaps = ((pair, min(gap, vector[pair[1]] - vector[pair[0]])) for pair, gap in self._gaps.items())
        self._gaps = {pair: gap for pair, gap in gaps if gap >= 0}

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        """Orders over the features, which must be the same in every call: terms are cached."""
        parts = []
        for (i, j), gap in self._gaps.items():
            equal = (j, i) in self._gaps
            if features[i].sort() == features[j].sort() and not (equal and i > j):
                key = i, j, gap, equal
                if key not in self._terms:
                    above = features[i] + numeral(gap, features[i]) if gap else features[i]
                    self._terms[key] = features[i] == features[j] if equal else above <= features[j]
                parts.append(self._terms[key])
        return parts

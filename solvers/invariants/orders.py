"""Orders: which integer and real features are never above which others; equalities are orders both ways."""

from collections.abc import Sequence

import z3

from solvers.invariants.domains import Vector


class LinearOrders:
    """The pairs of features that were always in order. No widening is needed: pairs can only be lost.

    The weakest part of zones, closed by nothing but the solver (Mine: A new numerical abstract domain based on
    difference-bound matrices, PADO 2001, with no constants but 0).
    """

    def __init__(self, vector: Vector) -> None:
        every = range(len(vector))
        self._pairs = {(i, j) for i in every for j in every if i != j and vector[i] <= vector[j]}
        self._terms: dict[tuple[int, int, bool], z3.BoolRef] = {}

    def join(self, vector: Vector) -> None:
        self._pairs = {(i, j) for i, j in self._pairs if vector[i] <= vector[j]}

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        """An equality for pairs in both orders. Always of the same features: no term is made twice."""
        parts = []
        for i, j in sorted(self._pairs):
            both = (j, i) in self._pairs
            if features[i].sort() == features[j].sort() and not (both and i > j):
                key = (i, j, both)
                if key not in self._terms:
                    self._terms[key] = features[i] == features[j] if both else features[i] <= features[j]
                parts.append(self._terms[key])
        return parts

"""Convex polyhedra by the Parma Polyhedra Library (pplpy, an optional extra), with octagons and boxes as fallback."""

import importlib.util
import math
import time
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

import z3

from chcverify.terms.core.sums import sum_of
from solvers.abstract_interpretation.domains.basic_domains import Bounds, Vector, numeral
from solvers.abstract_interpretation.domains.budget import Budget

MISSING = "convex polyhedra need the package pplpy: pip install 'chcverify[poly]'"


def available() -> bool:
    """True if the library `pplpy` is installed."""
    return importlib.util.find_spec("ppl") is not None


class Polyhedron:
    """The convex hull of the joined vectors, widened from the delay on.

    Bagnara, Hill, Ricci, Zaffanella: Precise widening operators for convex polyhedra (SAS 2003)
    [BagnaraHillRicciZaffanella2003].
    """

    def __init__(self, vector: Vector, thresholds: Sequence[Fraction], budget: Budget) -> None:
        import ppl

        self._ppl: Any = ppl
        self._width = len(vector)
        self._thresholds, self._budget = thresholds, budget
        self._joins, self._delay = 0, 2 * len(vector) + 2
        self._templates = [[int(i == j) for j in range(len(vector))] for i in range(len(vector))]
        if len(vector) <= budget.pairwise:
            self._templates += [
                [int(k == i) + sign * int(k == j) for k in range(self._width)]
                for i, j in combinations(range(self._width), 2)
                for sign in (1, -1)
            ]
        self._fallback: Bounds | None = None
        self._set: Any = ppl.C_Polyhedron(self._width, "empty")
        if self._width > budget.dimensions:
            self._weaken(vector)
        else:
            self._set.add_generator(self._point(vector))

    def join(self, vector: Vector) -> None:
        if self._fallback is not None:
            self._fallback.join(_products(self._templates, vector))
            return
        start = time.process_time()
        before = self._ppl.C_Polyhedron(self._set)
        self._set.add_generator(self._point(vector))
        self._joins += 1
        if self._joins > self._delay:
            self._set.limited_BHRZ03_extrapolation_assign(before, self._limits())
        crowded = len(self._set.minimized_generators()) > self._budget.generators
        if crowded or time.process_time() - start > self._budget.seconds:
            self._weaken(None)

    def _point(self, vector: Vector) -> Any:
        scale = math.lcm(*(value.denominator for value in vector))
        return self._ppl.point(self._sum(int(value * scale) for value in vector), scale)

    def _sum(self, coefficients: Any) -> Any:
        total = self._ppl.Linear_Expression(0)
        for i, coefficient in enumerate(coefficients):
            if coefficient:
                total += coefficient * self._ppl.Variable(i)
        return total

    def _limits(self) -> Any:
        """The constraints that widening keeps if they hold: for each feature the tightest thresholds around it."""
        found = self._ppl.Constraint_System()
        for i in range(self._width):
            high, low = self._greatest(self._unit(i, 1)), self._greatest(self._unit(i, -1))
            above = [t for t in self._thresholds if high is not None and t >= high]
            below = [t for t in self._thresholds if low is not None and t <= -low]
            variable = self._ppl.Variable(i)
            for t in above[:1]:
                found.insert(t.denominator * variable <= t.numerator)
            for t in below[-1:]:
                found.insert(t.denominator * variable >= t.numerator)
        return found

    def _unit(self, i: int, sign: int) -> list[int]:
        return [sign * int(j == i) for j in range(self._width)]

    def _greatest(self, coefficients: Sequence[int]) -> Fraction | None:
        """The supremum of the sum over the polyhedron."""
        found = self._set.maximize(self._sum(coefficients))
        return Fraction(int(found["sup_n"]), int(found["sup_d"])) if found["bounded"] else None

    def _weaken(self, vector: Vector | None) -> None:
        """Replaces the polyhedron by bounds of templates. vector: the only point so far, or None."""
        octagon = len(self._templates) > self._width
        self._budget.weaken("polyhedron to octagon" if octagon else "polyhedron to box")
        if vector is not None:
            self._fallback = Bounds(_products(self._templates, vector), self._thresholds)
            return
        self._fallback = Bounds([Fraction(0)] * len(self._templates), self._thresholds)
        for i, template in enumerate(self._templates):
            low = self._greatest([-c for c in template])
            self._fallback.low[i] = None if low is None else -low
            self._fallback.high[i] = self._greatest(template)

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        if self._fallback is not None:
            return self._fallback.formula([_term(template, features) for template in self._templates])
        parts = []
        for constraint in self._set.minimized_constraints():
            coefficients = [int(constraint.coefficient(self._ppl.Variable(i))) for i in range(self._width)]
            if any(coefficients):
                parts.append(_literal(coefficients, int(constraint.inhomogeneous_term()), constraint, features))
        return parts


def _literal(coefficients: list[int], constant: int, constraint: Any, features: Sequence[z3.ArithRef]) -> z3.BoolRef:
    """coefficients . features + constant >= 0 (or = 0), tightened over integers."""
    divisor = math.gcd(*coefficients)
    whole = all(feature.is_int() for feature in features)
    bound = Fraction(-constant, divisor)
    left = _term([c // divisor for c in coefficients], features)
    if constraint.is_equality():
        return left == numeral(bound, left)
    return left >= numeral(Fraction(math.ceil(bound)) if whole else bound, left)


def _term(coefficients: Sequence[int], features: Sequence[z3.ArithRef]) -> z3.ArithRef:
    total: z3.ArithRef = sum_of([f if c == 1 else c * f for c, f in zip(coefficients, features, strict=True) if c])
    return total


def _products(templates: Sequence[Sequence[int]], vector: Vector) -> list[Fraction]:
    return [sum((c * v for c, v in zip(t, vector, strict=True)), Fraction(0)) for t in templates]

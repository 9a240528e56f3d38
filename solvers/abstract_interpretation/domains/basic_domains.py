"""Abstract domains over vectors of feature values.

A feature is an arithmetic term over a predicate's formals (an argument, a difference, a monomial). A domain value
stands for a set of feature vectors; it starts with one vector and grows by `join` with further ones that the solver
finds outside it, which is the most precise transfer there is (Reps, Sagiv, Yorsh: Symbolic implementation of the best
transformer; path focusing as Henry, Monniaux, Moy: PAGAI, where the joined point comes with its path). Chains are
finite: equalities can only be lost, moduli only divided, and bounds jump to thresholds after a few steps.
"""

import bisect
import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any, Protocol

import flint
import z3

from chcverify.terms.core.sums import sum_of

WIDENING_DOUBLES_AFTER_JUMPS = 2
"""Jumps of a bound after which each next one skips twice as many thresholds. Chosen by hand."""

Vector = Sequence[Fraction]
TYPE_LIMITS = frozenset(
    Fraction(end) for w in (8, 16, 32, 64) for end in (-1 << (w - 1), (1 << (w - 1)) - 1, (1 << w) - 1)
)
"""The ends of the ranges of machine integers."""
Stops = tuple[Sequence[Fraction], Sequence[Fraction]]
"""Values that jumps of a lower and of an upper bound do not pass."""
_NOWHERE: Stops = ((), ())


class AbstractValue(Protocol):
    """A set of feature vectors that contains all joined vectors. Values are updated in place by their owner."""

    def join(self, vector: Vector) -> None:
        """Extends the set by the vector, possibly by more: widening is part of `join`."""
        ...

    def formula(self, features: Sequence[Any]) -> list[z3.BoolRef]:
        """Conjuncts over the features that describe exactly the set."""
        ...


class Bounds:
    """Lower and upper bounds of each feature; a bound that has moved `delay` times jumps to the next threshold.

    After `WIDENING_DOUBLES_AFTER_JUMPS` more jumps, each jump skips twice as many thresholds as the one before:
    programs with hundreds of constants would otherwise move bounds through all of them. No jump passes the end of a
    machine type's range.
    """

    def __init__(self, vector: Vector, thresholds: Sequence[Fraction], delay: int = 2) -> None:
        self.low: list[Fraction | None] = list(vector)
        self.high: list[Fraction | None] = list(vector)
        self._moves = [[0, 0] for _ in vector]
        self._parts: list[list[z3.BoolRef] | None] = [None for _ in vector]  # of the formula; None: to be made
        self._thresholds = thresholds  # ascending
        self._delay = delay

    def join(self, vector: Vector, stops: Mapping[int, Stops] | None = None, doubling: bool = True) -> None:
        """Extends the bounds.

        stops: of features; no jump passes the first of them. doubling: jumps get longer.
        """
        for i, value in enumerate(vector):
            low, high = self.low[i], self.high[i]
            if (low is not None and value < low) or (high is not None and value > high):
                self._parts[i] = None
            lows, highs = stops.get(i, _NOWHERE) if stops else _NOWHERE
            if low is not None and value < low:
                self._moves[i][0] += 1
                below = value if self._moves[i][0] <= self._delay else self._below(value, self._skip(i, 0) * doubling)
                self.low[i] = max((end for end in (below, *lows) if end is not None and end <= value), default=None)
            if high is not None and value > high:
                self._moves[i][1] += 1
                above = value if self._moves[i][1] <= self._delay else self._above(value, self._skip(i, 1) * doubling)
                self.high[i] = min((end for end in (above, *highs) if end is not None and end >= value), default=None)

    def is_widened_by(self, vector: Vector) -> bool:
        """True if joining the vector makes a bound jump."""
        return any(
            (low is not None and value < low and moves[0] >= self._delay)
            or (high is not None and value > high and moves[1] >= self._delay)
            for value, low, high, moves in zip(vector, self.low, self.high, self._moves, strict=True)
        )

    def moved(self) -> list[tuple[int, int]]:
        """The bounds that widening has set, as (feature, 1 for the upper and -1 for the lower bound)."""
        sides = [(i, side) for i in range(len(self._moves)) for side in (-1, 1)]
        return [(i, side) for i, side in sides if self._moves[i][side > 0] > self._delay]

    def bound(self, i: int, side: int) -> Fraction | None:
        """The upper (side 1) or lower (-1) bound of the feature."""
        return self.high[i] if side > 0 else self.low[i]

    def tighten(self, i: int, side: int, bound: Fraction) -> None:
        """Sets a bound that was shown to hold."""
        (self.high if side > 0 else self.low)[i] = bound
        self._parts[i] = None

    def _skip(self, i: int, side: int) -> int:
        """The number of thresholds that the next jump skips."""
        return (1 << max(0, self._moves[i][side] - self._delay - WIDENING_DOUBLES_AFTER_JUMPS)) - 1

    def _below(self, value: Fraction, skip: int) -> Fraction | None:
        index = bisect.bisect_right(self._thresholds, value) - 1
        passed = self._thresholds[max(0, index - skip) : index + 1]
        return next((t for t in reversed(passed) if t in TYPE_LIMITS), passed[0]) if passed else None

    def _above(self, value: Fraction, skip: int) -> Fraction | None:
        index = bisect.bisect_left(self._thresholds, value)
        passed = self._thresholds[index : index + skip + 1]
        return next((t for t in passed if t in TYPE_LIMITS), passed[-1]) if passed else None

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        """Conjuncts over the features, which must be the same in every call as conjuncts are cached."""
        for i, part in enumerate(self._parts):
            if part is None:
                self._parts[i] = self._literals(features[i], self.low[i], self.high[i])
        return [literal for part in self._parts if part for literal in part]

    @staticmethod
    def _literals(feature: z3.ArithRef, low: Fraction | None, high: Fraction | None) -> list[z3.BoolRef]:
        if low is not None and low == high:
            return [feature == numeral(low, feature)]
        least = [] if low is None else [feature >= numeral(low, feature)]
        return least if high is None else [*least, feature <= numeral(high, feature)]


class Congruences:
    """feature = residue (mod modulus) for integer features; modulus 0 is a constant. cap: moduli are divisors of it."""

    def __init__(self, vector: Vector, cap: int = 0) -> None:
        self.residue = [int(value) for value in vector]
        self.modulus = [cap for _ in vector]
        self._parts: list[z3.BoolRef] | None = None  # of the formula; None: to be made

    def join(self, vector: Vector) -> None:
        for i, value in enumerate(vector):
            modulus = math.gcd(self.modulus[i], int(value) - self.residue[i])
            if modulus != self.modulus[i]:
                self.modulus[i], self._parts = modulus, None

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        """Conjuncts over the features, which must be the same in every call as conjuncts are cached."""
        if self._parts is None:
            self._parts = self._literals(features)
        return self._parts

    def _literals(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        parts: list[z3.BoolRef] = []
        for feature, residue, modulus in zip(features, self.residue, self.modulus, strict=True):
            if modulus == 0:
                parts.append(feature == residue)
            elif modulus > 1:
                parts.append(feature % modulus == residue % modulus)
        return parts


class PairEqualities:
    """The pairs of features that were always equal."""

    def __init__(self, vector: Vector) -> None:
        self.pairs = [(i, j) for i, j in combinations(range(len(vector)), 2) if vector[i] == vector[j]]
        self._terms: dict[tuple[int, int], z3.BoolRef] = {}

    def join(self, vector: Vector) -> None:
        self.pairs = [(i, j) for i, j in self.pairs if vector[i] == vector[j]]

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        """Equalities over the features, which must be the same in every call: equalities are cached."""
        if not self._terms:
            sorts = [feature.sort() for feature in features]
            self.pairs = [(i, j) for i, j in self.pairs if sorts[i] == sorts[j]]
            self._terms = {(i, j): features[i] == features[j] for i, j in self.pairs}
        return [self._terms[pair] for pair in self.pairs]


class AffineHull:
    """All affine equalities among the features (Karr's domain), exact, as the affine hull of the joined vectors."""

    def __init__(self, vector: Vector) -> None:
        self.base = list(vector)
        self.directions: list[list[Fraction]] = []  # linearly independent differences to the base
        self._equalities: list[tuple[list[int], int]] | None = None  # None: to be found
        self._parts: list[z3.BoolRef] | None = None  # of the formula; None: to be made

    def join(self, vector: Vector) -> None:
        if self._equalities is not None and all(_holds(equality, vector) for equality in self._equalities):
            return  # it lies in the hull
        difference = [a - b for a, b in zip(vector, self.base, strict=True)]
        extended = [*self.directions, difference]
        if _matrix(extended).rank() > len(self.directions):
            self.directions = extended
            self._equalities = self._parts = None

    def equalities(self) -> list[tuple[list[int], int]]:
        """Coefficients c and constants d of a basis of the equalities c . features = d, as coprime integers."""
        if self._equalities is None:
            self._equalities = self._basis()
        return self._equalities

    def _basis(self) -> list[tuple[list[int], int]]:
        found = []
        for row in _null_space(self.directions, len(self.base)):
            constant = sum((c * b for c, b in zip(row, self.base, strict=True)), Fraction(0))
            scale = math.lcm(constant.denominator, *(Fraction(c).denominator for c in row))
            whole = [int(c * scale) for c in row]
            divisor = math.gcd(*whole, int(constant * scale))
            found.append(([c // divisor for c in whole], int(constant * scale) // divisor))
        return found

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        """Equalities over the features, which must be the same in every call as they are cached."""
        if self._parts is None:
            self._parts = [
                sum_of([c * feature for c, feature in zip(coefficients, features, strict=True) if c]) == constant
                for coefficients, constant in self.equalities()
            ]
        return self._parts


def _holds(equality: tuple[list[int], int], vector: Vector) -> bool:
    """Does coefficients . vector = constant hold?"""
    coefficients, constant = equality
    return sum(c * value for c, value in zip(coefficients, vector, strict=True) if c) == constant


def _matrix(rows: list[list[Fraction]]) -> flint.fmpq_mat:
    entries = [flint.fmpq(v.numerator, v.denominator) for row in rows for v in row]
    return flint.fmpq_mat(len(rows), len(rows[0]), entries)


def _null_space(rows: list[list[Fraction]], width: int) -> list[list[Fraction]]:
    """A basis of the vectors orthogonal to all rows, from the reduced row echelon form."""
    if not rows:
        return [[Fraction(int(i == j)) for j in range(width)] for i in range(width)]
    reduced, rank = _matrix(rows).rref()
    entry = [[Fraction(int(reduced[r, c].p), int(reduced[r, c].q)) for c in range(width)] for r in range(rank)]
    pivots = [next(c for c in range(width) if entry[r][c] != 0) for r in range(rank)]
    basis = []
    for free in (c for c in range(width) if c not in pivots):
        vector = [Fraction(0)] * width
        vector[free] = Fraction(1)
        for r, pivot in enumerate(pivots):
            vector[pivot] = -entry[r][free]
        basis.append(vector)
    return basis


def numeral(value: Fraction, feature: z3.ExprRef) -> z3.ExprRef:
    """The value as a z3 numeral of the feature's sort."""
    if z3.is_bv(feature):
        return z3.BitVecVal(int(value), feature.size())
    return z3.IntVal(int(value)) if feature.is_int() else z3.RealVal(value)

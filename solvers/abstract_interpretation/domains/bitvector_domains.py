"""Domains over bit-vectors, whose values are unsigned numbers: known bits, ranges, orders, modular equalities."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import permutations

import z3

from chcverify.terms.core.sums import sum_of
from solvers.abstract_interpretation.domains.basic_domains import Bounds, Vector
from solvers.abstract_interpretation.domains.linear_congruences import LinearCongruences

_LESS: tuple[Callable[[z3.BitVecRef, z3.BitVecRef], z3.BoolRef], ...] = (z3.ULE, lambda x, y: x <= y)


class KnownBits:
    """The bits that had the same value in all joined vectors."""

    def __init__(self, vector: Vector, widths: Sequence[int]) -> None:
        self.bits = [int(value) for value in vector]
        self.known = [(1 << width) - 1 for width in widths]

    def join(self, vector: Vector) -> None:
        for i, value in enumerate(vector):
            self.known[i] &= ~(self.bits[i] ^ int(value))

    def formula(self, features: Sequence[z3.BitVecRef]) -> list[z3.BoolRef]:
        parts = zip(features, self.known, self.bits, strict=True)
        return [feature & known == bits & known for feature, known, bits in parts if known]


class BitVectorRanges:
    """Unsigned and signed bounds; a bound that moves too often jumps to the next threshold or power of two."""

    def __init__(self, vector: Vector, widths: Sequence[int], thresholds: Sequence[Fraction]) -> None:
        powers = {Fraction(sign * (1 << w) - 1) for w in (*range(17), 31, 32, 63) for sign in (1, -1)}
        ladder = sorted({Fraction(0), *thresholds, *powers})
        self._widths = widths
        self._unsigned, self._signed = Bounds(vector, ladder), Bounds(self._as_signed(vector), ladder)

    def _as_signed(self, vector: Vector) -> list[Fraction]:
        pairs = zip(vector, self._widths, strict=True)
        return [value - (1 << w) if value >= 1 << (w - 1) else value for value, w in pairs]

    def join(self, vector: Vector) -> None:
        self._unsigned.join(vector)
        self._signed.join(self._as_signed(vector))

    def formula(self, features: Sequence[z3.BitVecRef]) -> list[z3.BoolRef]:
        parts: list[z3.BoolRef] = []
        for i, (x, width) in enumerate(zip(features, self._widths, strict=True)):
            low, high = self._unsigned.low[i], self._unsigned.high[i]
            parts += [z3.UGE(x, int(low))] if low is not None and low > 0 else []
            parts += [z3.ULE(x, int(high))] if high is not None and high < (1 << width) - 1 else []
            least, most = -(1 << (width - 1)), (1 << (width - 1)) - 1
            low, high = self._signed.low[i], self._signed.high[i]
            parts += [x >= int(low)] if low is not None and low > least else []
            parts += [x <= int(high)] if high is not None and high < most else []
        return parts


class BitVectorOrders:
    """The pairs of features that were always in order, as unsigned and as signed numbers."""

    def __init__(self, vector: Vector, widths: Sequence[int]) -> None:
        self._widths = widths
        pairs = [(i, j) for i, j in permutations(range(len(widths)), 2) if widths[i] == widths[j]]
        self._pairs = [self._kept(pairs, vector, signed) for signed in (False, True)]

    def _kept(self, pairs: list[tuple[int, int]], vector: Vector, signed: bool) -> list[tuple[int, int]]:
        def number(i: int) -> Fraction:
            half = 1 << (self._widths[i] - 1)
            return (vector[i] + half) % (2 * half) if signed else vector[i]

        return [(i, j) for i, j in pairs if number(i) <= number(j)]

    def join(self, vector: Vector) -> None:
        unsigned, signed = self._pairs
        self._pairs = [self._kept(unsigned, vector, False), self._kept(signed, vector, True)]

    def formula(self, features: Sequence[z3.BitVecRef]) -> list[z3.BoolRef]:
        both = zip(_LESS, self._pairs, strict=True)
        return [less(features[i], features[j]) for less, pairs in both for i, j in pairs]


class ModularGrid:
    """Equalities modulo 2^w between bit-vector features of one width: the smallest grid around the joined vectors.

    Mueller-Olm, Seidl: Analysis of modular arithmetic (ESOP 2005) [MullerOlmSeidl2005].
    """

    def __init__(self, vector: Vector, width: int) -> None:
        self._width = width
        self._grid = LinearCongruences(vector)
        for i in range(len(vector)):
            self._grid.join([value + (1 << width) * (i == j) for j, value in enumerate(vector)])

    def join(self, vector: Vector) -> None:
        self._grid.join(vector)

    def formula(self, features: Sequence[z3.BitVecRef]) -> list[z3.BoolRef]:
        parts = []
        for coefficients, residue, modulus in self._grid.congruences():
            factor = (1 << self._width) // modulus  # c . x = d (mod m) iff factor c . x = factor d (mod 2^width)
            terms = [factor * c * x for c, x in zip(coefficients, features, strict=True) if c]
            parts.append(sum_of(terms) == z3.BitVecVal(factor * residue, self._width))
        return parts

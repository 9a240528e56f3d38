"""Small exact linear algebra: affine hulls of points and Fourier-Motzkin elimination."""

from collections.abc import Sequence
from fractions import Fraction
from typing import NamedTuple

Vector = tuple[Fraction, ...]


class LinearRow(NamedTuple):
    """coefficients * variables <= bound."""

    coefficients: Vector
    bound: Fraction


def affine_hull(points: Sequence[Vector]) -> tuple[Vector, list[Vector]]:
    """A point and linearly independent directions that span the affine hull of the points (at least one)."""
    origin = points[0]
    basis: list[tuple[int, list[Fraction]]] = []
    directions: list[Vector] = []
    for point in points[1:]:
        difference = tuple(a - b for a, b in zip(point, origin, strict=True))
        rest = list(difference)
        for pivot, row in basis:
            if rest[pivot]:
                factor = rest[pivot] / row[pivot]
                rest = [a - factor * b for a, b in zip(rest, row, strict=True)]
        pivot = next((i for i, value in enumerate(rest) if value), -1)
        if pivot >= 0:
            basis.append((pivot, rest))
            directions.append(difference)
    return origin, directions


def eliminate(rows: Sequence[LinearRow], kept: int, limit: int = 60) -> list[LinearRow]:
    """The projection to the first `kept` variables (Fourier-Motzkin, over the rationals); [] beyond `limit` rows."""
    current = list(rows)
    width = len(rows[0].coefficients) if rows else 0
    for index in range(width - 1, kept - 1, -1):
        positive = [row for row in current if row.coefficients[index] > 0]
        negative = [row for row in current if row.coefficients[index] < 0]
        current = [row for row in current if not row.coefficients[index]]
        if len(positive) * len(negative) + len(current) > limit:
            return []
        current.extend(_combined(up, down, index) for up in positive for down in negative)
        current = list(dict.fromkeys(current))
    return [LinearRow(row.coefficients[:kept], row.bound) for row in current]


def _combined(up: LinearRow, down: LinearRow, index: int) -> LinearRow:
    """The sum of positive multiples of both in which the variable cancels."""
    a, b = -down.coefficients[index], up.coefficients[index]
    coefficients = tuple(a * u + b * d for u, d in zip(up.coefficients, down.coefficients, strict=True))
    return LinearRow(coefficients, a * up.bound + b * down.bound)

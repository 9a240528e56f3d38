"""Polynomial equalities among points, from the null spaces of their monomials.

The polynomials of degree at most d that vanish on the points, as a Groebner basis up to that degree (Moeller,
Buchberger: The construction of multivariate polynomials with preassigned zeros, EUROCAM 1982; for loops: Sharma et
al.: A data driven approach for algebraic loop invariants, ESOP 2013): degree by degree, a monomial that depends
linearly on smaller ones leads a new polynomial, and its multiples need not be looked at.
"""

import math
from collections.abc import Iterator, Sequence
from itertools import combinations_with_replacement

import flint

from chcverify.terms.arithmetic.polynomial import Monomial, Polynomial, divides, monomial_value
from solvers.invariants.data_driven.data_driven_tuning import DATA_DRIVEN_TUNING


def vanishing(points: Sequence[Sequence[int]], degree: int) -> Iterator[list[Polynomial]]:
    """For degree 1, 2, ... the new polynomials that are zero on all points. Ends early when there are too few points.

    Coefficients are coprime integers.
    """
    width = len(points[0]) if points else 0
    standard: list[Monomial] = [()]
    leading: list[Monomial] = []
    for size in range(1, degree + 1):
        fresh = [
            m
            for m in combinations_with_replacement(range(width), size)
            if not any(divides(lead, m) for lead in leading)
        ]
        columns = [*standard, *fresh]
        if not fresh or len(columns) > DATA_DRIVEN_TUNING.max_monomials:
            return
        if len(points) < len(columns) + DATA_DRIVEN_TUNING.spare_points:
            return
        found = _dependencies(points, columns)
        heads = {next(reversed(list(polynomial))) for polynomial in found}
        leading += sorted(heads)
        standard = [monomial for monomial in columns if monomial not in heads]
        yield found


def _dependencies(points: Sequence[Sequence[int]], columns: Sequence[Monomial]) -> list[Polynomial]:
    """One polynomial for each column that depends on those before it, which comes last in it."""
    rows = [monomial_value(column, point) for point in points for column in columns]
    reduced, denominator, rank = flint.fmpz_mat(len(points), len(columns), rows).rref()
    found: list[Polynomial] = []
    pivots: list[int] = []
    for j, column in enumerate(columns):
        if len(pivots) < rank and reduced[len(pivots), j] != 0 and not _below(reduced, len(pivots), j, rank):
            pivots.append(j)
            continue
        entries = {columns[pivot]: -int(reduced[row, j]) for row, pivot in enumerate(pivots)}
        entries[column] = int(denominator)
        divisor = math.gcd(*entries.values())
        found.append({monomial: c // divisor for monomial, c in entries.items() if c})
    return found


def _below(reduced: flint.fmpz_mat, row: int, column: int, rank: int) -> bool:
    """True if an entry below the row is not zero, which cannot happen in echelon form."""
    return any(reduced[r, column] != 0 for r in range(row + 1, rank))

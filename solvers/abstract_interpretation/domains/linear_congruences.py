"""Grids: congruences of affine sums of integer features, c . x = d (mod m).

Granger: Static analysis of linear congruence equalities among variables of a program (TAPSOFT 1991) [Granger1991]. The
joined vectors span a lattice around the first one; its Smith normal form gives all congruences that hold in it.
Ascending chains are finite: the lattice's rank grows, or its index in the same space is divided.
"""

import math
from collections.abc import Sequence

import flint
import z3

from chcverify.terms.core.sums import sum_of
from solvers.abstract_interpretation.domains.basic_domains import Vector

Row = list[int]


class LinearCongruences:
    """The affine lattice hull of the joined vectors; its formula gives the congruences, not the equalities."""

    def __init__(self, vector: Vector) -> None:
        self._base = [int(value) for value in vector]
        self._lattice: list[Row] = []  # in Hermite normal form

    def join(self, vector: Vector) -> None:
        rows = [*self._lattice, [int(a) - b for a, b in zip(vector, self._base, strict=True)]]
        reduced = flint.fmpz_mat(rows).hnf()
        table = [[int(entry) for entry in row] for row in reduced.tolist()]
        self._lattice = [row for row in table if any(row)]

    def congruences(self) -> list[tuple[Row, int, int]]:
        """Coefficients c, residue d and modulus m > 1 of congruences that, with the equalities, describe the grid."""
        found = []
        for modulus, column in smith(self._lattice, len(self._base)):
            if modulus > 1:
                coefficients = _smallest(column, modulus)
                residue = sum(c * b for c, b in zip(coefficients, self._base, strict=True)) % modulus
                found.append((coefficients, residue, modulus))
        return found

    def formula(self, features: Sequence[z3.ArithRef]) -> list[z3.BoolRef]:
        if not self._lattice:
            return [feature == value for feature, value in zip(features, self._base, strict=True)]
        return [
            sum_of([c * feature for c, feature in zip(coefficients, features, strict=True) if c]) % modulus == residue
            for coefficients, residue, modulus in self.congruences()
        ]


def _smallest(column: Row, modulus: int) -> Row:
    """The multiple by a unit, modulo the modulus, with small coefficients: one of those with a coefficient 1."""
    units = [1, *(pow(c, -1, modulus) for c in column if math.gcd(c, modulus) == 1)]
    rows = [[(u * c + modulus // 2) % modulus - modulus // 2 for c in column] for u in units]
    return min(rows, key=lambda row: sum(map(abs, row)))


def smith(rows: Sequence[Row], width: int) -> list[tuple[int, Row]]:
    """The Smith normal form of linearly independent rows R: pairs of a modulus s and a column v of a unimodular V.

    U R V = diag(s), U unimodular. A vector x is an integer combination of the rows iff x . v = 0 (mod s) for each pair,
    and x is in their span.
    """
    table = [list(row) for row in rows]
    columns = [[int(i == j) for j in range(width)] for i in range(width)]  # columns[j]: column j of V
    for corner in range(len(table)):
        rest = [1]
        while any(rest):
            _move_pivot(table, columns, corner)
            _reduce_by_pivot(table, columns, corner)
            rest = [table[i][corner] for i in range(corner + 1, len(table))] + table[corner][corner + 1 :]
    return [(abs(table[i][i]), columns[i]) for i in range(len(table))]


def _move_pivot(table: list[Row], columns: list[Row], corner: int) -> None:
    """Swaps the entry of least magnitude among the rows and columns from `corner` on to (corner, corner)."""
    width = len(columns)
    i, j = min(
        ((i, j) for i in range(corner, len(table)) for j in range(corner, width) if table[i][j]),
        key=lambda at: abs(table[at[0]][at[1]]),
    )
    table[corner], table[i] = table[i], table[corner]
    for row in table:
        row[corner], row[j] = row[j], row[corner]
    columns[corner], columns[j] = columns[j], columns[corner]


def _reduce_by_pivot(table: list[Row], columns: list[Row], corner: int) -> None:
    """Subtracts multiples of the pivot's row and column from later ones; what stays there are remainders."""
    pivot = table[corner][corner]
    for row in table[corner + 1 :]:
        factor = row[corner] // pivot
        row[:] = [a - factor * b for a, b in zip(row, table[corner], strict=True)]
    for j in range(corner + 1, len(columns)):
        factor = table[corner][j] // pivot
        for row in table:
            row[j] -= factor * row[corner]
        columns[j] = [a - factor * b for a, b in zip(columns[j], columns[corner], strict=True)]

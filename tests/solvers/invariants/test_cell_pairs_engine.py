"""The engine `cell-pairs` on loops that order the cells of an array, and on one that transposes a matrix."""

import time

import pytest
import z3
from invariant_loops import proves

from chcverify.certificate.kernel.checkers.z3_checker import check_model
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Safe, Unknown
from solvers.engine import Context
from solvers.invariants.cell_pairs_engine import CellPairs
from solvers.registry import get

INT, ARRAY = z3.IntSort(), z3.ArraySort(z3.IntSort(), z3.IntSort())
x, y, i, j, key = z3.Ints("x y i j key")
a, c = z3.Consts("a c", ARRAY)
ZERO, ONE = z3.IntVal(0), z3.IntVal(1)
LONG_S = 600.0


def bubbles(size: int, guard: z3.BoolRef, exchanged: bool = True) -> HornSystem:
    """Passes that exchange neighbours until none is exchanged, and the demand that any two cells are in order.

    guard: where neighbours a[i - 1] and a[i] are exchanged.
    """
    P = Predicate("P", (INT, INT, ARRAY), names=("swapped", "i", "a"))
    lower, upper = a[i - 1], a[i]
    swapped = z3.Store(z3.Store(a, i, lower), i - 1, upper)
    return HornSystem.of(
        [
            # true => P(0, 1, a)
            Clause(P(ZERO, ONE, a), (), z3.BoolVal(True)),
            # P(s, i, a) & i < size & guard => P(1, i + 1, a with a[i - 1] and a[i] exchanged)
            Clause(P(ONE if exchanged else x, i + 1, swapped), (P(x, i, a),), z3.And(i < size, guard)),
            # P(s, i, a) & i < size & ~guard => P(s, i + 1, a)
            Clause(P(x, i + 1, a), (P(x, i, a),), z3.And(i < size, z3.Not(guard))),
            # P(s, i, a) & i >= size & s != 0 => P(0, 1, a)
            Clause(P(ZERO, ONE, a), (P(x, i, a),), z3.And(i >= size, x != 0)),
            # P(0, i, a) & i >= size & 0 <= j < y < size & a[j] > a[y] => false
            Clause(None, (P(x, i, a),), z3.And(i >= size, x == 0, j >= 0, j < y, y < size, a[j] > a[y])),
        ]
    )


def transposed(rows: int, columns: int, wrong: int = 0) -> HornSystem:
    """c[rows * j + i] = a[columns * i + j] for all i and j, and the demand that it is so."""
    P = Predicate("P", (INT, INT, ARRAY, ARRAY), names=("i", "j", "a", "c"))
    Q = Predicate("Q", (INT, INT, ARRAY, ARRAY), names=("i", "j", "a", "c"))
    here, there = columns * i + j, rows * j + i
    return HornSystem.of(
        [
            # true => P(0, 0, a, c)
            Clause(P(ZERO, ZERO, a, c), (), z3.BoolVal(True)),
            # P(i, j, a, c) & j < columns => P(i, j + 1, a, c with c[rows * j + i] = a[columns * i + j])
            Clause(P(i, j + 1, a, z3.Store(c, there, a[here])), (P(i, j, a, c),), j < columns),
            # P(i, j, a, c) & j >= columns & i + 1 < rows => P(i + 1, 0, a, c)
            Clause(P(i + 1, ZERO, a, c), (P(i, j, a, c),), z3.And(j >= columns, i + 1 < rows)),
            # P(i, j, a, c) & j >= columns & i + 1 >= rows => Q(0, 0, a, c)
            Clause(Q(ZERO, ZERO, a, c), (P(i, j, a, c),), z3.And(j >= columns, i + 1 >= rows)),
            # Q(i, j, a, c) & j < columns => Q(i, j + 1, a, c), and likewise for i
            Clause(Q(i, j + 1, a, c), (Q(i, j, a, c),), j < columns),
            Clause(Q(i + 1, ZERO, a, c), (Q(i, j, a, c),), z3.And(j >= columns, i + 1 < rows)),
            # Q(i, j, a, c) & j < columns & c[rows * j + i] != a[columns * i + j] => false
            Clause(None, (Q(i, j, a, c),), z3.And(j < columns, c[there + wrong] != a[here])),
        ]
    )


def insertion(size: int) -> HornSystem:
    """Each cell is moved down to where no smaller one is below it, and the demand that neighbours are in order."""
    P = Predicate("P", (INT, ARRAY), names=("j", "a"))
    Q = Predicate("Q", (INT, INT, INT, ARRAY), names=("j", "key", "i", "a"))
    R = Predicate("R", (INT, ARRAY), names=("i", "a"))
    goes_on = z3.And(i >= 0, a[i] > key)
    return HornSystem.of(
        [
            # true => P(1, a)
            Clause(P(ONE, a), (), z3.BoolVal(True)),
            # P(j, a) & j < size => Q(j, a[j], j - 1, a)
            Clause(Q(j, a[j], j - 1, a), (P(j, a),), j < size),
            # Q(j, key, i, a) & i >= 0 & a[i] > key => Q(j, key, i - 1, a with a[i + 1] = a[i])
            Clause(Q(j, key, i - 1, z3.Store(a, i + 1, a[i])), (Q(j, key, i, a),), goes_on),
            # Q(j, key, i, a) & ~(i >= 0 & a[i] > key) => P(j + 1, a with a[i + 1] = key)
            Clause(P(j + 1, z3.Store(a, i + 1, key)), (Q(j, key, i, a),), z3.Not(goes_on)),
            # P(j, a) & j >= size => R(1, a)
            Clause(R(ONE, a), (P(j, a),), j >= size),
            # R(i, a) & i < size => R(i + 1, a)
            Clause(R(i + 1, a), (R(i, a),), i < size),
            # R(i, a) & i < size & a[i - 1] > a[i] => false
            Clause(None, (R(i, a),), z3.And(i < size, a[i - 1] > a[i])),
        ]
    )


SAFE = {
    "bubbles": bubbles(1000, a[i - 1] > a[i]),
    "square": transposed(1000, 1000),
    "oblong": transposed(40, 70),
    "insertion": insertion(500),
}


@pytest.mark.parametrize("name", SAFE)
def test_proves(name: str) -> None:
    made = SystemVariants(time.monotonic() + LONG_S).pairs(SAFE[name])
    assert made is not None
    pairs, back, _ = made
    result = CellPairs().solve(pairs, Context.within(LONG_S))
    assert proves(pairs, result)
    assert isinstance(result, Safe)
    assert check_model(SAFE[name], back.model(result.model), time.monotonic() + LONG_S).accepted


UNSAFE = {
    "exchanges some": bubbles(3, z3.And(a[i - 1] > a[i], a[i] != 7)),
    "no further pass": bubbles(3, a[i - 1] > a[i], exchanged=False),
    "one cell beside": transposed(2, 3, wrong=1),
}


@pytest.mark.parametrize("name", UNSAFE)
def test_unsafe_is_never_called_safe(name: str) -> None:
    made = SystemVariants(time.monotonic() + LONG_S).pairs(UNSAFE[name])
    assert made is not None
    assert isinstance(CellPairs().solve(made[0], Context.within(LONG_S)), Unknown)


def test_gives_up_without_goals() -> None:
    P = Predicate("P", (INT, ARRAY))
    system = HornSystem.of([Clause(P(i, a), (), i == 0), Clause(None, (P(i, a),), a[i] > a[i])])
    result = CellPairs().solve(system, Context.within(LONG_S))
    assert isinstance(result, Unknown)
    assert "no query" in result.reason


def test_the_name_of_the_engine() -> None:
    assert isinstance(get("cell-pairs"), CellPairs)

"""Cells of matrices at a symbolic row and column: what a matrix is, models that come back, what is no proof."""

import random
import time

import pytest
import z3

from chcverify.certificate.derivation import Derivation
from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.portfolio.variants import SystemVariants
from chcverify.results.result import Result, Safe
from chcverify.terms.core.traversal import substitute, subterms
from chcverify.transforms.abstractions.matrix_cells import MatrixCells
from chcverify.transforms.abstractions.row_lengths import coordinates, matrices
from chcverify.transforms.base import Identity, TranslationError
from solvers.engine import Context
from solvers.registry import get

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
a, b = z3.Consts("a b", ARRAY)
i, j, m, n = z3.Ints("i j m n")
ZERO = z3.IntVal(0)
ARGUMENTS = ("a", "b", "m", "n", "i", "j")
SORTS = (ARRAY, ARRAY, INT, INT, INT, INT)
COPY, CHECK = Predicate("copy", SORTS, names=ARGUMENTS), Predicate("check", SORTS, names=ARGUMENTS)


def copied(
    written: z3.ArithRef,
    wanted: z3.ArithRef,
    width: z3.ArithRef = n,
    begin: int = 0,
    here: z3.ArithRef = a[n * i + j],
) -> HornSystem:
    """b[written] := here for each row i < m and column j < width; then b[wanted] is that, a[n * i + j] if not given?"""
    return HornSystem.of(
        [
            # 1 <= m <= 50 & 1 <= n <= 60 => copy(a, b, m, n, begin, 0)
            Clause(COPY(a, b, m, n, z3.IntVal(begin), ZERO), (), z3.And(m >= 1, m <= 50, n >= 1, n <= 60)),
            # copy & i < m & j < width => copy with b[written] = here, and j + 1
            Clause(
                COPY(a, z3.Store(b, written, here), m, n, i, j + 1), (COPY(a, b, m, n, i, j),), z3.And(i < m, j < width)
            ),
            # copy & i < m & j >= width => copy with i + 1 and 0
            Clause(COPY(a, b, m, n, i + 1, ZERO), (COPY(a, b, m, n, i, j),), z3.And(i < m, j >= width)),
            # copy & i >= m => check(a, b, m, n, 0, 0)
            Clause(CHECK(a, b, m, n, ZERO, ZERO), (COPY(a, b, m, n, i, j),), i >= m),
            # check & i < m & j < n => check with j + 1
            Clause(CHECK(a, b, m, n, i, j + 1), (CHECK(a, b, m, n, i, j),), z3.And(i < m, j < n)),
            # check & i < m & j >= n => check with i + 1 and 0
            Clause(CHECK(a, b, m, n, i + 1, ZERO), (CHECK(a, b, m, n, i, j),), z3.And(i < m, j >= n)),
            # check & i < m & j < n & b[wanted] != here => false
            Clause(None, (CHECK(a, b, m, n, i, j),), z3.And(i < m, j < n, b[wanted] != here)),
        ]
    )


def solved(system: HornSystem, seconds: float = 300.0) -> Result | None:
    """The engine's result on the variant; a model must be accepted for the system itself. None without a variant."""
    made = SystemVariants(time.monotonic() + 300).rows(system)
    if made is None:
        return None
    result = get("cell-goals").solve(made[0], Context.within(seconds))
    if isinstance(result, Safe):
        verdict = certify(system, made[1].model(result.model), time.monotonic() + 60, "off")
        assert verdict.accepted, verdict.reason
    return result


def test_a_matrix_is_copied() -> None:
    assert isinstance(solved(copied(n * i + j, n * i + j)), Safe)


def test_numbers_on_and_off_the_diagonal() -> None:
    index = n * i + j
    unit = copied(index, index, here=z3.If(i == j, z3.IntVal(1), z3.IntVal(0)))
    queries = [  # check & i < m & j < n & i = j & b[index] != 1 => false, and so on
        Clause(None, (CHECK(a, b, m, n, i, j),), z3.And(i < m, j < n, (i == j) == on_diagonal, b[index] != value))
        for on_diagonal, value in ((z3.BoolVal(True), 1), (z3.BoolVal(False), 0))
    ]
    assert isinstance(solved(HornSystem.of([*unit.clauses[:-1], *queries])), Safe)
    wrong = Clause(None, (CHECK(a, b, m, n, i, j),), z3.And(i < m, j < n, i <= j, b[index] != 1))
    assert not isinstance(solved(HornSystem.of([*unit.clauses[:-1], wrong]), 8.0), Safe)


def test_numbers_by_row_and_column() -> None:
    assert isinstance(solved(copied(n * i + j, n * i + j, here=3 * i - j)), Safe)


def test_a_matrix_is_transposed() -> None:
    assert isinstance(solved(copied(m * j + i, m * j + i)), Safe)


@pytest.mark.parametrize(
    "system",
    [
        copied(n * i + j, n * i + j, width=n - 1),
        copied(n * i + j, n * i + j, width=n + 1, begin=1),
        copied(n * i + j, n * i + j, begin=1),
        copied(n * i + j + 1, n * i + j),
        copied(n * j + i, n * i + j),
    ],
)
def test_what_is_no_proof(system: HornSystem) -> None:
    assert not isinstance(solved(system, 8.0), Safe)


def test_coordinates() -> None:
    chooser = random.Random(5)
    for length in (z3.IntVal(7), n):
        for _ in range(30):
            factors = [chooser.randrange(-3, 4) for _ in range(3)]
            index = length * (factors[0] * i + factors[1]) + factors[2] * j + chooser.randrange(0, 7)
            row, column = coordinates(index, length)
            numbers = [(v, z3.IntVal(chooser.randrange(-9, 10))) for v in (i, j, n)]
            same = substitute(index == length * row + column, numbers)
            assert z3.is_true(z3.simplify(same)), (index, row, column)


@pytest.mark.parametrize(
    ("index", "row", "column"),
    [(8 * i, i, i), (8 * i + 1, i, i + 1), (6 * i + 6, ZERO, 6 * i + 6), (7 * i - j, i, -j), (-8 * i, -i, -i)],
)
def test_coordinates_of_diagonals(index: z3.ArithRef, row: z3.ArithRef, column: z3.ArithRef) -> None:
    found = coordinates(index, z3.IntVal(7))
    assert z3.is_true(z3.simplify(z3.And(found[0] == row, found[1] == column)))


def test_what_a_matrix_is() -> None:
    found = matrices(copied(n * i + j, n * i + j))
    assert found is not None
    assert {name: str(length) for name, length in found.lengths.items()} == {"a": "n", "b": "n"}
    assert not found.transposed
    turned = matrices(copied(m * j + i, m * j + i))
    assert turned is not None
    assert {name: str(length) for name, length in turned.lengths.items()} == {"a": "n", "b": "m"}
    assert len(turned.transposed) == 1
    plain = HornSystem.of([Clause(None, (CHECK(a, b, m, n, i, j),), a[i] != b[j])])
    assert matrices(plain) is None
    assert MatrixCells(None, {}).apply(plain)[0] is plain
    assert isinstance(MatrixCells(None, {}).apply(plain)[1], Identity)
    assert SystemVariants(time.monotonic() + 60).rows(plain) is None


def test_no_derivation_comes_back() -> None:
    system = copied(n * i + j, n * i + j)
    _, back = MatrixCells(matrices(system), {}).apply(system)
    with pytest.raises(TranslationError):
        back.derivation(Derivation(()))


def test_branching_arrays() -> None:
    """Each array is looked at once, however many branches lead there."""
    condition = z3.Int("condition")
    branches = a
    for number in range(40):
        branches = z3.If(condition == number, z3.Store(branches, 3, 0), z3.Store(branches, 4, 0))
    rows = Predicate("rows", (ARRAY, INT), names=("a", "i"))
    step = Clause(rows(a, i), (rows(a, i),), a[10 * i + 3] > 0)
    system = HornSystem.of([Clause(rows(branches, i), (), z3.BoolVal(True)), step])
    changed, _ = MatrixCells(matrices(system), {}).apply(system)
    head = changed.clauses[0].head
    assert head is not None and len(list(subterms(*head.arguments))) < 5_000

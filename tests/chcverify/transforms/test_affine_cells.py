"""Related cells: what queries compare at different places is found, and models over such cells come back."""

import time

import pytest
import z3

from chcverify.certificate.kernel.policy import certify
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.results.result import Safe
from chcverify.transforms.abstractions.affine_cells import INDEX, affine_cells, cells_in_other_order
from chcverify.transforms.abstractions.cell_morphing import CellMorphing
from chcverify.transforms.exact.normalisation import Normalise
from solvers.engine import Context
from solvers.registry import get

INT = z3.IntSort()
ARRAY = z3.ArraySort(INT, INT)
NAMES = ("i", "n", "a", "b")
FILL = Predicate("fill", (INT, INT, ARRAY, ARRAY), None, NAMES)
READ = Predicate("read", (INT, INT, ARRAY, ARRAY), None, NAMES)
i, n = z3.Ints("i n")
a, b = z3.Array("a", INT, INT), z3.Array("b", INT, INT)


def copied(to, compared, at=i):
    """for (i = 0; i < n; i++) b[to] = a[i]; then every b[compared] is a[at] for i < n."""
    return HornSystem.of(
        (
            Clause(FILL(i, n, a, b), (), i == 0),
            Clause(FILL(i + 1, n, a, z3.Store(b, to, a[i])), (FILL(i, n, a, b),), i < n),
            Clause(READ(z3.IntVal(0), n, a, b), (FILL(i, n, a, b),), i >= n),
            Clause(READ(i + 1, n, a, b), (READ(i, n, a, b),), i < n),
            Clause(None, (READ(i, n, a, b),), z3.And(i < n, b[compared] != a[at])),
        )
    )


@pytest.mark.parametrize(
    ("compared", "at", "index_term"),
    [(n - 1 - i, i, -1 - INDEX + n), (2 * i + 1, i, 2 * INDEX + 1), (i, i + 3, 3 + INDEX), (7 - i, i, 7 - INDEX)],
    ids=["mirrored", "stride", "shifted", "mirrored at a number"],
)
def test_what_is_found(compared, at, index_term):
    (cell,) = affine_cells(copied(compared, compared, at))
    assert z3.simplify(cell.index_term - z3.substitute(index_term, (n, z3.Int("n")))).eq(z3.IntVal(0))


def test_neighbours_in_one_array_are_in_the_same_order():
    assert len(cells_in_other_order(copied(n - 1 - i, n - 1 - i))) == 1
    assert len(cells_in_other_order(copied(i, i, i + 3))) == 1
    neighbours = Clause(None, (READ(i, n, a, b),), z3.And(i < n, b[i] > b[i + 1]))
    system = HornSystem.of((*copied(i, i).clauses[:-1], neighbours))
    assert [cell.array for cell in affine_cells(system)] == ["b", "a"] and cells_in_other_order(system) == ()


@pytest.mark.parametrize(
    ("to", "index_terms"),
    [(n - 1 - i, {"b": n - 1 - INDEX}), (i + 1, {"b": INDEX - 1, "a": INDEX - 2}), (i, {})],
    ids=["mirrored", "shifted", "same place"],
)
def test_what_is_copied_in_two_loops(to, index_terms):
    """for (i = 0; i < n; i++) b[to] = a[i]; the same from b to c; then every c[i] is compared with a number."""
    c = z3.Array("c", INT, INT)
    first, second = (
        Predicate(name, (INT, INT, ARRAY, ARRAY, ARRAY), None, (*NAMES, "c")) for name in ("fill", "again")
    )
    system = HornSystem.of(
        (
            Clause(first(i, n, a, b, c), (), i == 0),
            Clause(first(i + 1, n, a, z3.Store(b, to, a[i]), c), (first(i, n, a, b, c),), i < n),
            Clause(second(z3.IntVal(0), n, a, b, c), (first(i, n, a, b, c),), i >= n),
            Clause(second(i + 1, n, a, b, z3.Store(c, to, b[i])), (second(i, n, a, b, c),), i < n),
            Clause(None, (second(i, n, a, b, c),), z3.And(i >= n, c[n - 1] != 0)),
        )
    )
    found = {cell.array: cell.index_term for cell in affine_cells(system)}
    assert found.keys() == index_terms.keys()
    assert all(z3.simplify(found[array] - term).eq(z3.IntVal(0)) for array, term in index_terms.items())


def test_arrays_with_several_indices_are_left_out():
    plane = z3.ArraySort(INT, INT, INT)
    m = z3.Const("m", plane)
    rows = Predicate("rows", (INT, plane), None, ("i", "m"))
    step = Clause(rows(i + 1, z3.Store(m, i, i, m[i, i + 1])), (rows(i, m),), i < 5)
    query = Clause(None, (rows(i, m),), m[i, i] != m[i + 1, i])
    assert affine_cells(HornSystem.of((step, query))) == ()


def test_wrap_around_is_looked_through():
    wrapped = z3.If(i <= 2**31 - 2, i + 1, i + 1 - 2**32)
    (cell,) = affine_cells(copied(wrapped, wrapped))
    assert z3.simplify(cell.index_term - INDEX).eq(z3.IntVal(1))
    far = (6 * i + 2**31) % 2**32 - 2**31
    (cell,) = affine_cells(copied(far, far))
    assert z3.simplify(cell.index_term - 6 * INDEX).eq(z3.IntVal(0))


@pytest.mark.parametrize("compared", [i, 2 * n, i * n], ids=["same", "no function of it", "not linear"])
def test_nothing_to_find(compared):
    assert affine_cells(copied(i, compared)) == ()


def test_a_place_that_moves_is_none():
    """The sum of the index and a counter that changes says nothing of the next step."""
    j = z3.Int("j")
    pairs = Predicate("pairs", (INT, INT, ARRAY), None, ("i", "j", "a"))
    step = Clause(pairs(i, j + 1, a), (pairs(i, j, a),), z3.BoolVal(True))
    query = Clause(None, (pairs(i, j, a),), a[i] != a[i + j])
    assert affine_cells(HornSystem.of((step, query))) == ()


@pytest.mark.parametrize("to", [n - 1 - i, i], ids=["safe", "unsafe"])
def test_a_mirrored_copy(to):
    system = copied(to, n - 1 - i)
    cells, back = CellMorphing(related=affine_cells).apply(system)
    assert cells.predicates[0].names[:6] == ("i", "n", "k'0", "a[k'0]", "b[k'0]", "b[-1 + n - k'0]")
    normal, return_ = Normalise().apply(cells)
    result = get("df-segments").solve(normal, Context(time.monotonic() + (600 if to is not i else 5)))
    assert isinstance(result, Safe) == (to is not i)
    if isinstance(result, Safe):
        assert certify(system, back.model(return_.model(result.model)), time.monotonic() + 600).accepted

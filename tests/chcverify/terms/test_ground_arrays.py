"""Cells of long arrays are what z3 says, in whatever order arrays are looked into."""

import random

import pytest
import z3

from chcverify.terms.evaluation.ground_arrays import GroundArrays

SORTS = {"integers": (z3.IntSort(), z3.IntVal), "words": (z3.BitVecSort(8), lambda n: z3.BitVecVal(n, 8))}


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("kind", SORTS)
def test_cells_are_what_z3_reads(kind: str, seed: int) -> None:
    source = random.Random(seed)
    sort, number = SORTS[kind]
    arrays = [z3.K(sort, number(7)), z3.K(sort, number(9))]
    for _ in range(60):
        before = source.choice(arrays[-3:] + arrays[:2])  # most go on from a late one, some branch off
        arrays.append(z3.Store(before, number(source.randint(-3, 6)), number(source.randint(-20, 20))))
    cells = GroundArrays()
    for _ in range(200):
        array, index = source.choice(arrays), number(source.randint(-4, 7))
        held = cells.cell(array, index)
        assert held is not None and held.eq(z3.simplify(z3.Select(array, index)))


def test_the_index_of_a_read_may_be_the_value_of_another_one() -> None:
    c = z3.Array("c", z3.IntSort(), z3.IntSort())
    array = z3.Store(z3.Store(z3.K(z3.IntSort(), z3.IntVal(0)), 3, 4), 4, 5)
    found = GroundArrays().evaluated(c[c[3]] == 5, {c.get_id(): array})
    assert found is not None and z3.is_true(found.value)
    assert [(str(read), str(held)) for read, held in found.reads] == [("c[3]", "4"), ("c[4]", "5")]
    assert GroundArrays().evaluated(c[z3.Int("i")] == 5, {c.get_id(): array}) is None


def test_nothing_is_said_of_arrays_that_are_not_written_as_stores_at_numerals() -> None:
    i, zero = z3.Int("i"), z3.IntVal(0)
    some, constant = z3.Array("some", z3.IntSort(), z3.IntSort()), z3.K(z3.IntSort(), zero)
    cells = GroundArrays()
    assert cells.cell(some, zero) is None
    assert cells.cell(z3.Store(some, 0, 1), zero) is None
    assert cells.cell(z3.Store(z3.Store(constant, i, 1), 0, 2), zero) is None
    assert cells.cell(z3.Lambda([i], i), zero) is None
    assert cells.cell(constant, i) is None
    assert cells.cell(constant, zero + 1) is None
    two_keys = z3.K(z3.IntSort(), constant)
    assert cells.cell(z3.Store(two_keys, 0, z3.Store(constant, 1, 5)), zero).eq(z3.Store(constant, 1, 5))

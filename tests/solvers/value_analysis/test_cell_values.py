"""Abstract arrays: what is read is held by every array that they stand for."""

from hypothesis import given
from hypothesis import strategies as st

from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import MAX_READ, CellValues

ANYTHING = value_sets.of(-value_sets.FAR, value_sets.FAR)
NUMBERS = st.integers(-3, 60)


def held(value: int, pieces: value_sets.Pieces) -> bool:
    return any(low <= value <= high for low, high in pieces)


@given(st.dictionaries(NUMBERS, st.integers(-9, 9)), st.one_of(st.none(), st.integers(-9, 9)), NUMBERS, NUMBERS)
def test_a_read_holds_the_cells_of_its_range(known: dict[int, int], other: int | None, one: int, two: int) -> None:
    pieces = {index: value_sets.of(value, value) for index, value in known.items()}
    cells = CellValues(pieces, None if other is None else value_sets.of(other, other))
    low, high = min(one, two), max(one, two)
    found = cells.read(value_sets.of(low, high), ANYTHING)
    for index in range(low, high + 1):
        assert held(known.get(index, 1_000 if other is None else other), found)


def test_a_table_that_is_read_anywhere_holds_its_own_values_only() -> None:
    table = CellValues({index: value_sets.of(8 * index, 8 * index) for index in range(2 * MAX_READ)})
    found = table.read(value_sets.of(0, 2 * MAX_READ - 1), ANYTHING)
    assert held(0, found) and held(8 * (2 * MAX_READ - 1), found)
    assert not held(-1, found) and not held(16 * MAX_READ, found)
    assert table.read(value_sets.of(0, 2 * MAX_READ), ANYTHING) == ANYTHING

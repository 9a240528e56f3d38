"""Abstract arrays: what is read is held by every array that they stand for."""

from hypothesis import given
from hypothesis import strategies as st

from chcverify.effort import MAX_CASES
from solvers.value_analysis import value_sets
from solvers.value_analysis.cell_values import CellValues

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
    table = CellValues({index: value_sets.of(8 * index, 8 * index) for index in range(2 * MAX_CASES)})
    found = table.read(value_sets.of(0, 2 * MAX_CASES - 1), ANYTHING)
    assert held(0, found) and held(8 * (2 * MAX_CASES - 1), found)
    assert not held(-1, found) and not held(16 * MAX_CASES, found)
    assert table.read(value_sets.of(0, 2 * MAX_CASES), ANYTHING) == ANYTHING


@given(st.dictionaries(NUMBERS, st.integers(0, 2)), st.integers(0, 2), NUMBERS, NUMBERS)
def test_indices_whose_cells_may_hold_a_value_are_kept(known: dict[int, int], value: int, one: int, two: int) -> None:
    cells = CellValues({index: value_sets.of(held_there, held_there) for index, held_there in known.items()})
    low, high = min(one, two), max(one, two)
    found = cells.indices_of(value_sets.of(value, value), value_sets.of(low, high))
    kept = [index for index in range(low, high + 1) if held(index, found)]
    assert all(index in kept for index in range(low, high + 1) if known.get(index, value) == value)
    assert not kept or all(known.get(end, value) == value for end in (kept[0], kept[-1]))


def test_the_end_of_a_string_outlives_what_all_others_hold() -> None:
    zero = value_sets.of(0, 0)
    letters = {index: value_sets.of(97, 122) for index in range(3)}
    string = CellValues(letters, zero).without_others()
    assert string == CellValues({**letters, 3: zero})
    assert CellValues({}, zero).without_others() == CellValues({0: zero})
    assert [index for index in range(-1, 6) if string.is_in_string(index)] == [1, 2, 3]

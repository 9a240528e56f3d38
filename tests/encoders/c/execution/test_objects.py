"""Cells of objects: what overlaps is found however cells are placed, at whole bytes or not."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from encoders.c.execution.objects import (
    NULL_POINTER,
    ExecutionStuck,
    MovedNull,
    Object,
    encode_bits,
    is_one_object,
    overlapping_cells,
    split,
    store,
    width_of,
)
from encoders.c.types.c_types import CInteger, CPointer

WIDTHS = st.sampled_from([1, 3, 8, 16, 32, 64])
PLACES = st.tuples(st.integers(0, 40), st.sampled_from([1, 8, 16, 32]), WIDTHS, st.booleans())


def in_the_way(target: Object, offset: int, width: int) -> list[int]:
    """The cells with a bit in [offset, offset + width), among all cells."""
    cells = sorted(target.cells.items())
    return [start for start, (kind, _) in cells if start < offset + width and start + width_of(target, kind) > offset]


@given(st.lists(PLACES, max_size=12), st.integers(0, 600), WIDTHS)
def test_overlapping_cells_are_all_found(places: list[tuple[int, int, int, bool]], offset: int, width: int) -> None:
    target = Object("o")
    for number, unit, size, is_stored in places:
        if is_stored:
            store(target, number * unit, CInteger("cell", size, False, 1), 1)
        else:
            split(target, number * unit, size)
        found = [start for start, _ in overlapping_cells(target, offset, width)]
        assert found == in_the_way(target, offset, width)


def test_an_address_computed_from_null_has_no_known_bytes() -> None:
    pointer = CPointer(CInteger("char", 8, True, 1))
    assert encode_bits(pointer, NULL_POINTER) == 0
    with pytest.raises(ExecutionStuck):
        encode_bits(pointer, MovedNull(None))
    with pytest.raises(ExecutionStuck):
        is_one_object(MovedNull(None), NULL_POINTER)

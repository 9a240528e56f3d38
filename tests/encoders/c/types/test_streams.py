"""Which types are those of streams."""

import pytest

from encoders.c.types.c_types import CHAR, INT, CPointer, CRecord, CType
from encoders.c.types.streams import is_stream


@pytest.mark.parametrize(
    ("kind", "expected"),
    [
        (CPointer(CRecord("_IO_FILE", False)), True),
        (CPointer(CRecord("chc_file#2", False)), True),
        (CPointer(CRecord("file", False)), False),
        (CRecord("_IO_FILE", False), False),
        (CPointer(CHAR), False),
        (INT, False),
    ],
)
def test_pointers_to_files(kind: CType, expected: bool) -> None:
    assert is_stream(kind) == expected

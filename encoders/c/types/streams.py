"""The type of streams."""

from encoders.c.types.c_types import CPointer, CRecord, CType

_RECORDS = frozenset({"_IO_FILE", "chc_file"})  # what FILE is in headers of glibc and in ours


def is_stream(kind: CType) -> bool:
    """Is it the type `FILE *`?"""
    if not isinstance(kind, CPointer) or not isinstance(kind.target, CRecord):
        return False
    return kind.target.tag.partition("#")[0] in _RECORDS

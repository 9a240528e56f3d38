"""Which functions a pointer may call."""

from encoders.c.types.c_types import VOID, CFunction, CInteger, CPointer, CType


def fits(function: CFunction, called: CFunction) -> bool:
    """Could a pointer of the called type reach the function in a program that works?"""
    if not _alike(function.result, called.result):
        return False
    if (called.variadic and not called.parameters) or (function.variadic and not function.parameters):
        return True
    return len(function.parameters) == len(called.parameters) and all(
        _alike(one, other) for one, other in zip(function.parameters, called.parameters, strict=True)
    )


def _alike(one: CType, other: CType) -> bool:
    if isinstance(one, CPointer) and isinstance(other, CPointer):
        return True
    if isinstance(one, CInteger) and isinstance(other, CInteger):
        return one.width == other.width
    return one == other


def is_same_kind(declared: CFunction, defined: CFunction) -> bool:
    """May a program that declares a library's function so call it? Widths of integers are converted as they are."""
    if not _same_kind(declared.result, defined.result) and declared.result != VOID:
        return False
    if declared.variadic and not declared.parameters:
        return True
    return len(declared.parameters) == len(defined.parameters) and all(
        _same_kind(one, other) for one, other in zip(declared.parameters, defined.parameters, strict=True)
    )


def _same_kind(one: CType, other: CType) -> bool:
    return _alike(one, other) or (isinstance(one, CInteger) and isinstance(other, CInteger))

"""Which functions a pointer may call."""

from encoders.c.library.function_table import LibraryFunction
from encoders.c.types.c_types import VOID, CFloat, CFunction, CInteger, CPointer, CRecord, CType


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


def is_declared_as(declared: CFunction, entry: LibraryFunction) -> bool:
    """Does a program declare the function of the library, not one of its own with the name? Widths of integers and
    what pointers point to are not compared."""
    if declared.result != VOID and not _is_such(declared.result, entry.result_type):
        return False
    if declared.variadic and not declared.parameters:
        return True
    if declared.variadic != entry.variadic or len(declared.parameters) != len(entry.parameters):
        return False
    kinds = zip(declared.parameters, entry.parameters, strict=True)
    return all(_is_such(kind, parameter.type) for kind, parameter in kinds)


_FLOATS = frozenset({"float", "double", "long double"})
_RECORDS = frozenset({"div_t", "ldiv_t", "lldiv_t"})


def _is_such(kind: CType, written: str) -> bool:
    """Is a type of the kind that the table writes?"""
    if written == "va_list":
        return True
    if written.endswith("*"):
        return isinstance(kind, CPointer)
    if written in _FLOATS:
        return isinstance(kind, CFloat)
    if written in _RECORDS:
        return isinstance(kind, CRecord)
    return kind == VOID if written == "void" else isinstance(kind, CInteger)

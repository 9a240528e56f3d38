"""Compiled lvalues and pointers: members, elements, and pointers that are moved.

What a number leads to (`NumberPointer`) moves by bytes and stays a number, whatever it is.
"""

from collections.abc import Callable
from typing import TypeVar

from encoders.c.execution.objects import NULL_POINTER, ExecutionStuck, MovedNull, NumberPointer, Pointer, Spot
from encoders.c.execution.state_access import Access, Integer, StateAccess, Value

SpotKind = TypeVar("SpotKind", bound=Spot)


def address(lvalue: Access) -> Callable[[StateAccess], Pointer]:
    """The function of a pointer to an lvalue."""

    def pointer(s: StateAccess) -> Pointer:
        spot = lvalue(s)
        return spot if isinstance(spot, NumberPointer | MovedNull) else Pointer(*spot)

    return pointer


def element(base: Access, index: Integer, size: int) -> Access:
    """The function of an element of an array. size: of one, in bits."""

    def found(s: StateAccess) -> Spot:
        spot = target, offset = base(s)
        return (target, offset + index(s) * size) if target is not None else _moved(spot, index(s) * size)

    return found


def field(base: Access, bits: int) -> Access:
    """The function of a member that begins so many bits behind its record."""

    def found(s: StateAccess) -> Spot:
        spot = target, offset = base(s)
        return (target, offset + bits) if target is not None else _moved(spot, bits)

    return found


def _moved(spot: SpotKind, bits: int) -> SpotKind | Pointer:
    """A place in no object of the run, moved; only what a number leads to has another place then."""
    if isinstance(spot, NumberPointer):
        moved = spot.offset + bits // 8
        if any(-limit <= spot.offset < limit and not -limit <= moved < limit for limit in (1 << 31, 1 << 63)):
            raise ExecutionStuck("a pointer is moved to where addresses may begin again from 0")
        return NumberPointer(None, moved)
    return MovedNull(None) if bits and tuple(spot) == NULL_POINTER else spot


def dereference(pointer: Value) -> Access:
    """The function of the lvalue that a pointer leads to. Runs are stuck where that is a function."""

    def found(s: StateAccess) -> Pointer:
        value = pointer(s)
        if not isinstance(value, Pointer):
            raise ExecutionStuck("a function is no object")
        return value

    return found


def advance(pointer: Value, index: Integer, size: int, moves_null: bool) -> Callable[[StateAccess], Pointer]:
    """The function of a pointer that is moved. size: of an element, in bits. moves_null: a moved null pointer is none,
    but an invalid one."""

    def moved(s: StateAccess) -> Pointer:
        value = pointer(s)
        if not isinstance(value, Pointer):
            raise ExecutionStuck("arithmetic on the address of a function")
        if value.target is not None:
            return Pointer(value.target, value.offset + index(s) * size)
        bits = index(s) * size
        return Pointer(None, bits) if moves_null and value == NULL_POINTER else _moved(value, bits)

    return moved

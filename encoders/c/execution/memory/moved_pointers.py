"""Compiled lvalues and pointers: members, elements, and pointers that are moved.

What a number leads to (`NumberPointer`) moves by bytes and stays a number, whatever it is.
"""

from collections.abc import Callable
from typing import Any

from encoders.c.execution.objects import NULL_POINTER, ExecutionStuck, MovedNull, NumberPointer, Pointer

Evaluated = Callable[[Any], Any]
"""A function of a run's state, as in closures.py."""


def address(lvalue: Evaluated) -> Evaluated:
    """The function of a pointer to an lvalue."""

    def pointer(s: Any) -> Pointer:
        spot = lvalue(s)
        return spot if isinstance(spot, NumberPointer | MovedNull) else Pointer(*spot)

    return pointer


def element(base: Evaluated, index: Evaluated, size: int) -> Evaluated:
    """The function of an element of an array. size: of one, in bits."""

    def found(s: Any) -> tuple[Any, int]:
        spot = target, offset = base(s)
        return (target, offset + index(s) * size) if target is not None else _moved(spot, index(s) * size)

    return found


def field(base: Evaluated, bits: int) -> Evaluated:
    """The function of a member that begins so many bits behind its record."""

    def found(s: Any) -> tuple[Any, int]:
        spot = target, offset = base(s)
        return (target, offset + bits) if target is not None else _moved(spot, bits)

    return found


def _moved(spot: Any, bits: int) -> Any:
    """A place in no object of the run, moved; only what a number leads to has another place then."""
    if isinstance(spot, NumberPointer):
        moved = spot.offset + bits // 8
        if any(-limit <= spot.offset < limit and not -limit <= moved < limit for limit in (1 << 31, 1 << 63)):
            raise ExecutionStuck("a pointer is moved to where addresses may begin again from 0")
        return NumberPointer(None, moved)
    return MovedNull(None) if bits and tuple(spot) == NULL_POINTER else spot


def dereference(pointer: Evaluated) -> Evaluated:
    """The function of the lvalue that a pointer leads to. Runs are stuck where that is a function."""

    def found(s: Any) -> Pointer:
        value = pointer(s)
        if not isinstance(value, Pointer):
            raise ExecutionStuck("a function is no object")
        return value

    return found


def advance(pointer: Evaluated, index: Evaluated, size: int, moves_null: bool) -> Evaluated:
    """The function of a pointer that is moved. size: of an element, in bits. moves_null: a moved null pointer is none,
    but an invalid one."""

    def moved(s: Any) -> Pointer:
        value = pointer(s)
        if not isinstance(value, Pointer):
            raise ExecutionStuck("arithmetic on the address of a function")
        if value.target is not None:
            return Pointer(value.target, value.offset + index(s) * size)
        bits = index(s) * size
        return Pointer(None, bits) if moves_null and value == NULL_POINTER else _moved(value, bits)

    return moved

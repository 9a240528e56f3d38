"""Compiled lvalues and pointers: members, elements, and pointers that are moved.

What a number leads to (`NumberPointer`) moves by bytes and stays a number, whatever it is.
"""

from collections.abc import Callable
from typing import Any

from encoders.c.execution.objects import NULL_POINTER, ExecutionStuck, NumberPointer, Pointer

Evaluated = Callable[[Any], Any]
"""A function of a run's state, as in closures.py."""


def address(lvalue: Evaluated) -> Evaluated:
    """The function of a pointer to an lvalue."""

    def pointer(s: Any) -> Pointer:
        spot = lvalue(s)
        return spot if isinstance(spot, NumberPointer) else Pointer(*spot)

    return pointer


def element(base: Evaluated, index: Evaluated, size: int) -> Evaluated:
    """The function of an element of an array. size: of one, in bits."""

    def found(s: Any) -> tuple[Any, int]:
        spot = target, offset = base(s)
        return (target, offset + index(s) * size) if target is not None else _moved(spot, index, s, size)

    return found


def field(base: Evaluated, bits: int) -> Evaluated:
    """The function of a member that begins so many bits behind its record."""

    def found(s: Any) -> tuple[Any, int]:
        spot = target, offset = base(s)
        if target is not None:
            return target, offset + bits
        return NumberPointer(None, offset + bits // 8) if isinstance(spot, NumberPointer) else (None, offset)

    return found


def _moved(spot: Any, index: Evaluated, s: Any, size: int) -> tuple[Any, int]:
    """A place in no object of the run, moved by so many elements; only what a number leads to moves."""
    if not isinstance(spot, NumberPointer):
        return None, spot[1]
    return NumberPointer(None, spot.offset + index(s) * size // 8)


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
        if isinstance(value, NumberPointer):
            return NumberPointer(None, value.offset + index(s) * size // 8)
        return Pointer(None, index(s) * size) if moves_null and value == NULL_POINTER else value

    return moved

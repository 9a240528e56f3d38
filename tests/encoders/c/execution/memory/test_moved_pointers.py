"""Lvalues and pointers in runs: numbers move by bytes and stay numbers, null moves only where that is asked."""

import pytest

from encoders.c.execution.memory import moved_pointers
from encoders.c.execution.objects import NULL_POINTER, ExecutionStuck, FunctionPointer, NumberPointer, Object, Pointer

BLOCK = Object("block", 64)
NUMBER = NumberPointer(None, 4096)


def constant(value):
    return lambda s: value


@pytest.mark.parametrize(
    ("pointer", "expected"), [(Pointer(BLOCK, 8), Pointer(BLOCK, 104)), (NUMBER, NumberPointer(None, 4108))]
)
def test_pointers_that_move(pointer: Pointer, expected: Pointer) -> None:
    """By three integers, by the same as elements of an array, and by a member that begins there."""
    base = moved_pointers.dereference(constant(pointer))
    three = constant(3)
    for found in (
        moved_pointers.advance(constant(pointer), three, 32, True),
        moved_pointers.address(moved_pointers.element(base, three, 32)),
        moved_pointers.address(moved_pointers.field(base, 96)),
    ):
        assert found(None) == expected and type(found(None)) is type(expected)


def test_null_pointers_and_functions() -> None:
    moved = moved_pointers.advance(constant(NULL_POINTER), constant(1), 32, True)(None)
    assert moved != NULL_POINTER and type(moved) is Pointer
    assert moved_pointers.advance(constant(NULL_POINTER), constant(1), 32, False)(None) == NULL_POINTER
    base = moved_pointers.dereference(constant(NULL_POINTER))
    assert moved_pointers.address(moved_pointers.field(base, 32))(None) == NULL_POINTER
    for stuck in (moved_pointers.dereference, lambda p: moved_pointers.advance(p, constant(1), 8, True)):
        with pytest.raises(ExecutionStuck):
            stuck(constant(FunctionPointer("f")))(None)

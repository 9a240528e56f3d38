"""Integers that are addresses: offsets from a null pointer; pointers that are converted, moved and converted back."""

from collections.abc import Callable

from encoders.c.cfa.ir import (
    AddressOf,
    Binary,
    Cast,
    Constant,
    Dereference,
    ElementLValue,
    Expression,
    FieldLValue,
    LValue,
    PointerAdd,
)
from encoders.c.lowering.operators.conversions import convert, pointer_integer, unary
from encoders.c.types.c_types import CHAR, CInteger, CPointer, CType, DataModel


def offset_from_null(value: Expression, size: Callable[[CType], int]) -> int | None:
    """The bytes between null and what `&((struct s *)0)->member` points to; None for other expressions."""
    if not isinstance(value, AddressOf):
        return None
    lvalue: LValue = value.lvalue
    offset = 0
    while True:
        match lvalue:
            case FieldLValue(base=base, field=member):
                offset, lvalue = offset + member.offset, base
            case ElementLValue(base=base, index=Constant(value=int(index)), type=kind):
                offset, lvalue = offset + index * size(kind), base
            case Dereference(pointer=pointer):
                while isinstance(pointer, Cast) and isinstance(pointer.operand.type, CPointer):
                    pointer = pointer.operand
                return offset if isinstance(pointer, Constant) and pointer.value == 0 else None
            case _:
                return None


def pointer_behind(value: Expression, model: DataModel) -> Expression | None:
    """The pointer that an integer expression stands for: `(unsigned long)p`, `(uintptr_t)p - 8`; None for others."""
    moves: list[Expression] = []  # outermost first, in bytes
    index = pointer_integer(model)
    while isinstance(value.type, CInteger):
        if value.type.width < 8 * model.pointer:
            return None
        match value:
            case Cast(operand=operand):
                value = operand
            case Binary(operator="+", left=left, right=right) if _is_address(left) != _is_address(right):
                value, by = (left, right) if _is_address(left) else (right, left)
                moves.append(convert(by, index))
            case Binary(operator="-", left=left, right=right) if _is_address(left) and not _is_address(right):
                value = left
                moves.append(unary("-", convert(right, index)))
            case _:
                return None
    if not isinstance(value.type, CPointer) or isinstance(value, Constant):
        return None
    for move in reversed(moves):
        value = PointerAdd(convert(value, CPointer(CHAR)), move, CPointer(CHAR))
    return value


def _is_address(value: Expression) -> bool:
    """Is a pointer's value in the sum?"""
    stack = [value]
    while stack:
        part = stack.pop()
        match part:
            case Cast(operand=operand):
                stack.append(operand)
            case Binary(operator="+" | "-", left=left, right=right):
                stack += [left, right]
            case _ if isinstance(part.type, CPointer):
                return True
    return False

"""The accesses to memory that an operation makes, in the order in which C makes them.

Expressions are pure, but their parts are evaluated under conditions: `p && *p` reads `*p` only where p is not null.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from encoders.c.cfa import ir
from encoders.c.types.c_types import CArray


@dataclass(frozen=True)
class Access:
    """An access to an lvalue that may lie outside of its object, or whose object may not live."""

    lvalue: ir.LValue


@dataclass(frozen=True)
class Choice:
    """The accesses that are made if a condition holds, and those that are made if not."""

    condition: ir.Expression
    then: "tuple[Access | Choice, ...]"
    otherwise: "tuple[Access | Choice, ...]"


Step = Access | Choice


def accesses(operation: ir.Operation) -> tuple[Step, ...]:
    """The accesses of an operation."""
    match operation:
        case ir.Assume(condition=condition):
            return of_expression(condition)
        case ir.Assign(lvalue=lvalue, value=value):
            return (*of_expression(value), *of_target(lvalue))
        case ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue):
            return of_target(lvalue)
        case ir.Allocate(lvalue=lvalue, size=size):
            return (*of_expression(size), *of_target(lvalue))
        case ir.Call(lvalue=target, arguments=arguments):
            parts = [step for argument in arguments for step in of_expression(argument)]
            return (*parts, *(() if target is None else of_target(target)))
        case ir.Havoc(arguments=arguments):
            return tuple(step for argument in arguments for step in of_expression(argument))
        case ir.Declare(length=length) if length is not None:
            return of_expression(length)
        case ir.Release(pointer=pointer):
            return of_expression(pointer)
        case ir.CheckAccess(lvalue=lvalue, size=None):
            return of_target(lvalue)
        case _:
            return ()


def of_target(lvalue: ir.LValue) -> tuple[Step, ...]:
    """The accesses of reading or writing an lvalue: those that its address needs, and the one to it."""
    inner = _of_parts(lvalue)
    return (*inner, Access(lvalue)) if needs_check(lvalue) else inner


def of_expression(expression: ir.Expression) -> tuple[Step, ...]:
    """The accesses of the evaluation of an expression."""
    match expression:
        case ir.Load(lvalue=lvalue):
            return of_target(lvalue)
        case ir.Binary(operator="&&", left=left, right=right):
            return (*of_expression(left), *_choice(left, of_expression(right), ()))
        case ir.Binary(operator="||", left=left, right=right):
            return (*of_expression(left), *_choice(left, (), of_expression(right)))
        case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
            return (*of_expression(condition), *_choice(condition, of_expression(then), of_expression(otherwise)))
        case _:
            return tuple(step for part in _operands(expression) for step in _of_part(part))


def _choice(condition: ir.Expression, then: tuple[Step, ...], otherwise: tuple[Step, ...]) -> Iterator[Choice]:
    if then or otherwise:
        yield Choice(condition, then, otherwise)


def _of_part(part: ir.Expression | ir.LValue) -> tuple[Step, ...]:
    if isinstance(part, ir.VariableLValue | ir.Dereference | ir.FieldLValue | ir.ElementLValue):
        return _of_parts(part)  # an address alone is no access
    return of_expression(part)


def _operands(expression: ir.Expression) -> tuple[ir.Expression | ir.LValue, ...]:
    match expression:
        case ir.AddressOf(lvalue=lvalue):
            return (lvalue,)
        case ir.Unary(operand=operand) | ir.Cast(operand=operand):
            return (operand,)
        case ir.Binary(left=left, right=right) | ir.PointerDifference(left=left, right=right):
            return (left, right)
        case ir.PointerAdd(pointer=pointer, index=index):
            return (pointer, index)
        case _:
            return ()


def _of_parts(lvalue: ir.LValue) -> tuple[Step, ...]:
    """The accesses that the address of an lvalue needs."""
    match lvalue:
        case ir.Dereference(pointer=pointer):
            return of_expression(pointer)
        case ir.FieldLValue(base=base):
            return _of_parts(base)
        case ir.ElementLValue(base=base, index=index):
            return (*_of_parts(base), *of_expression(index))
        case _:
            return ()


def needs_check(lvalue: ir.LValue) -> bool:
    """False if the lvalue is certainly a part of a living object: of a named variable, with constant indices."""
    while True:
        match lvalue:
            case ir.VariableLValue():
                return False
            case ir.Dereference():
                return True
            case ir.FieldLValue(base=base):
                lvalue = base
            case ir.ElementLValue(base=base, index=index):
                if not _is_inside(base, index):
                    return True
                lvalue = base


def _is_inside(base: ir.LValue, index: ir.Expression) -> bool:
    while isinstance(index, ir.Cast):
        index = index.operand
    if not isinstance(index, ir.Constant) or not isinstance(base.type, CArray) or base.type.length is None:
        return False
    return 0 <= int(index.value) < base.type.length

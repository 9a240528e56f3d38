"""Properties of expressions that later phases ask for, too."""

import itertools
from collections.abc import Iterator

from encoders.c.cfa.expression_walk import postorder, roots
from encoders.c.cfa.ir import (
    RESULT,
    Assign,
    Binary,
    Cast,
    Constant,
    Dereference,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    Variable,
    VariableLValue,
)
from encoders.c.types.c_types import INT, CField, CFloat, CInteger, CPointer, CRecord

_ON_BITS = frozenset({"&", "|", "^", "<<", ">>"})


def is_null_pointer(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.type, CPointer) and expression.value == 0


def without_casts(value: Expression) -> Expression:
    """The value before its conversions."""
    while isinstance(value, Cast):
        value = value.operand
    return value


def is_zero(value: Expression) -> bool:
    """True for the constant 0, also converted."""
    value = without_casts(value)
    return isinstance(value, Constant) and value.value == 0


def copied(value: Expression) -> LValue | None:
    """The lvalue that a value is read from, behind casts; None for other values."""
    value = without_casts(value)
    return value.lvalue if isinstance(value, Load) else None


def is_copy(operation: Assign) -> bool:
    """True for assignments that are no reads: what was not written stays so."""
    return operation.copies or isinstance(operation.lvalue.type, CRecord)


def begins_unwritten(variable: Variable) -> bool:
    """True for variables that hold nothing that anybody wrote when they are declared."""
    return variable.function is not None and (not variable.temporary or variable.name == RESULT)


def is_volatile(lvalue: LValue) -> bool:
    """Is the object declared volatile? Automatic variables do not count, which nobody else knows."""
    return any(declaration.volatile for declaration in _declarations(lvalue))


def is_atomic(lvalue: LValue) -> bool:
    """Is the object of an atomic type of C11, so that each access to it is a step that takes part in no data race?"""
    return any(declaration.atomic for declaration in itertools.islice(_declarations(lvalue), 1))


def is_uninterrupted(lvalue: LValue) -> bool:
    """May an interrupt handler and the code that it interrupts both access the object (C11 5.1.2.3 paragraph 5)?

    It is of an atomic type, or a volatile integer that is no wider than sig_atomic_t, an int.
    """
    kind = lvalue.type
    is_narrow = isinstance(kind, CInteger) and kind.width <= INT.width
    is_part = isinstance(lvalue, FieldLValue) and lvalue.field.bit_offset is not None
    return is_atomic(lvalue) or (is_narrow and not is_part and is_volatile(lvalue))


def is_about_words(operation: object) -> bool:
    """Does an operation of an edge look at the bits of numbers, or make floating-point numbers or take them?"""
    return any(
        node.operator in _ON_BITS if isinstance(node, Binary) else isinstance(node.type, CFloat)
        for node in postorder(*roots(operation))
    )


def is_constant(lvalue: LValue) -> bool:
    """Is the object declared const? Objects that are both const and volatile do not count."""
    return any(declaration.constant for declaration in _declarations(lvalue))


def _declarations(lvalue: LValue) -> Iterator[Variable | CPointer | CField]:
    """What declares an object and those that it is part of, from the inside: members, then a variable or a pointer."""
    while True:
        match lvalue:
            case VariableLValue(variable=variable):
                yield variable
                return
            case Dereference(pointer=pointer):
                if isinstance(pointer.type, CPointer):
                    yield pointer.type
                return
            case FieldLValue(base=base, field=member):
                yield member
                lvalue = base
            case ElementLValue(base=base):
                lvalue = base

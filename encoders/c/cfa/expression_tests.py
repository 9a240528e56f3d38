"""Properties of expressions that later phases ask for, too."""

from encoders.c.cfa.ir import (
    RESULT,
    Assign,
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
from encoders.c.types.c_types import CPointer, CRecord


def is_null_pointer(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.type, CPointer) and expression.value == 0


def copied(value: Expression) -> LValue | None:
    """The lvalue that a value is read from, behind casts; None for other values."""
    while isinstance(value, Cast):
        value = value.operand
    return value.lvalue if isinstance(value, Load) else None


def is_copy(operation: Assign) -> bool:
    """True for assignments that are no reads: what was not written stays so."""
    return operation.copies or isinstance(operation.lvalue.type, CRecord)


def begins_unwritten(variable: Variable) -> bool:
    """True for variables that hold nothing that anybody wrote when they are declared."""
    return variable.function is not None and (not variable.temporary or variable.name == RESULT)


def is_atomic(lvalue: LValue) -> bool:
    """Is the object of an atomic type of C11, so that each access to it is a step that takes part in no data race?"""
    while True:
        match lvalue:
            case VariableLValue(variable=variable):
                return variable.atomic
            case Dereference(pointer=pointer):
                return isinstance(pointer.type, CPointer) and pointer.type.atomic
            case FieldLValue(base=base, field=member):
                return member.atomic
            case ElementLValue(base=base):
                lvalue = base

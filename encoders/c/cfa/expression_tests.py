"""Properties of expressions that later phases ask for, too."""

from encoders.c.cfa.ir import RESULT, Assign, Cast, Constant, Expression, Load, LValue, Variable
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

"""Properties of expressions that later phases ask for, too."""

from encoders.c.cfa.ir import Constant, Expression
from encoders.c.types.c_types import CPointer


def is_null_pointer(expression: Expression) -> bool:
    return isinstance(expression, Constant) and isinstance(expression.type, CPointer) and expression.value == 0

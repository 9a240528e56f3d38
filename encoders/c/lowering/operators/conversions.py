"""Conversions between C types: promotions, usual arithmetic conversions, casts, and folding of constants (C11 6.3)."""

import math
from collections.abc import Callable, Mapping
from fractions import Fraction

from encoders.c.cfa.expression_tests import is_null_pointer
from encoders.c.cfa.ir import Binary, Cast, Constant, Expression, FunctionAddress, Unary
from encoders.c.lowering.qualifiers import have_equal_constancy
from encoders.c.types.c_types import (
    DOUBLE,
    INT,
    UINT,
    VOID,
    CFloat,
    CFunction,
    CInteger,
    CPointer,
    CType,
    DataModel,
    long_type,
)
from encoders.c.types.comparison_operators import COMPARISONS
from encoders.c.types.float_rounding import EXACT, FloatValue, is_finite, round_to

PAGE_BYTES = 4096  # neither the first page of memory nor the last one holds functions


def promoted(kind: CInteger) -> CInteger:
    """The integer promotions; bit-fields wider than int keep their own type, as in gcc."""
    if kind.width < INT.width or kind.is_bool:
        return INT
    if kind.rank < INT.rank or (kind.width == INT.width and kind.is_bit_field):
        return INT if kind.signed else UINT
    return kind


def arithmetic_type(left: CType, right: CType) -> CType:
    """The usual arithmetic conversions' common type of two arithmetic types."""
    if isinstance(left, CFloat) or isinstance(right, CFloat):
        floats = [kind for kind in (left, right) if isinstance(kind, CFloat)]
        return max(floats, key=lambda kind: kind.width)
    assert isinstance(left, CInteger) and isinstance(right, CInteger)
    left, right = promoted(left), promoted(right)
    if left == right:
        return left
    if left.signed == right.signed:
        return max(left, right, key=lambda kind: (kind.width, kind.rank))
    unsigned, signed = (right, left) if left.signed else (left, right)
    if (unsigned.width, unsigned.rank) >= (signed.width, signed.rank):
        return unsigned
    if signed.width > unsigned.width:
        return signed
    return CInteger(f"unsigned {signed.name}", signed.width, False, signed.rank)


def convert(expression: Expression, kind: CType) -> Expression:
    """The expression converted to a scalar type; nothing where it has that type, a constant where it is one."""
    source = expression.type
    if source == kind:
        return expression
    if isinstance(expression, Constant):
        folded = _convert_constant(expression.value, source, kind)
        if folded is not None:
            return folded
        if _is_of_no_function(expression, kind):
            return FunctionAddress(f"<{expression.value}>", kind)  # as SIG_IGN: equal to itself, and no function's
    return Cast(expression, kind)


def _is_of_no_function(number: Constant, kind: CType) -> bool:
    """Is it a number at which no function lies, converted to a pointer to one?"""
    is_function = isinstance(kind, CPointer) and isinstance(kind.target, CFunction)
    return is_function and isinstance(number.value, int) and abs(number.value) < PAGE_BYTES


def requalified(pointer: Expression, kind: CType, counts_volatile: bool, is_evaluated: bool) -> Expression:
    """An expression as one of an equal type, whose pointers may lead to objects that count as volatile or atomic, or
    not any more; where only its type counts, also to those that are const.

    counts_volatile: does it matter which objects are volatile? is_evaluated: does its value count?
    """
    source = pointer.type
    if not isinstance(source, CPointer) or not isinstance(kind, CPointer):
        return pointer
    differs = kind.atomic != source.atomic or (counts_volatile and kind.volatile != source.volatile)
    differs = differs or (not is_evaluated and not have_equal_constancy(source, kind))
    return Cast(pointer, kind) if differs else pointer


def _convert_constant(value: int | float | Fraction, source: CType, kind: CType) -> Constant | None:
    if isinstance(kind, CInteger):
        if isinstance(value, int):
            return Constant(kind.wrap(value), kind)
        if kind.is_bool:
            return Constant(int(value != 0), kind)
        whole = math.trunc(value) if is_finite(value) else None
        return Constant(whole, kind) if whole is not None and kind.minimum <= whole <= kind.maximum else None
    if isinstance(kind, CPointer):
        return Constant(0, kind) if value == 0 else None
    if isinstance(kind, CFloat) and not isinstance(source, CPointer):
        if value == 0:
            return Constant(float(value), kind)  # keeps the sign of a zero
        return Constant(round_to(Fraction(value) if is_finite(value) else value, kind), kind)
    return None


def unary(operator: str, operand: Expression) -> Expression:
    """-, ~ in the operand's promoted type, ! to int; constants folded. The operand is scalar."""
    if operator == "!":
        if isinstance(operand, Constant):
            return Constant(int(operand.value == 0), INT)
        return Unary("!", operand, INT)
    if isinstance(operand.type, CInteger):
        operand = convert(operand, promoted(operand.type))
    kind = operand.type
    if isinstance(operand, Constant):
        if isinstance(kind, CInteger):
            assert isinstance(operand.value, int)
            return Constant(kind.wrap(-operand.value if operator == "-" else ~operand.value), kind)
        return Constant(-operand.value, kind)
    return Unary(operator, operand, kind)


def binary(operator: str, left: Expression, right: Expression, kind: CType) -> Expression:
    """An operation on operands that are converted already; integer constants are folded."""
    if isinstance(left, Constant) and isinstance(right, Constant):
        folded = _fold(operator, left, right, kind)
        if folded is not None:
            return folded
    return Binary(operator, left, right, kind)


def greatest(value: Expression) -> int:
    """The greatest value that an integer may have by its type and, if conversions made it, the types before."""
    assert isinstance(value.type, CInteger)
    most = value.type.maximum
    while isinstance(value, Cast):
        inner = value.operand.type
        if not isinstance(inner, CInteger) or inner.signed:
            break
        value, most = value.operand, min(most, inner.maximum)
    return min(most, int(value.value)) if isinstance(value, Constant) else most


_RELATIONS: Mapping[str, Callable[[FloatValue, FloatValue], bool]] = {
    **COMPARISONS,
    "&&": lambda a, b: a != 0 and b != 0,
    "||": lambda a, b: a != 0 or b != 0,
}


def _fold(operator: str, left: Constant, right: Constant, kind: CType) -> Constant | None:
    a, b = left.value, right.value
    if operator in _RELATIONS:
        return Constant(int(_RELATIONS[operator](a, b)), kind)
    if isinstance(kind, CFloat):
        return _fold_floats(operator, a, b, kind)
    if not (isinstance(kind, CInteger) and isinstance(a, int) and isinstance(b, int)):
        return None
    result: int | None = None
    match operator:
        case "+":
            result = a + b
        case "-":
            result = a - b
        case "*":
            result = a * b
        case "&":
            result = a & b
        case "|":
            result = a | b
        case "^":
            result = a ^ b
        case "/" if b != 0:
            result = abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)
        case "%" if b != 0:
            result = abs(a) % abs(b) * (-1 if a < 0 else 1)
        case "<<" if 0 <= b < kind.width:
            result = a << b
        case ">>" if 0 <= b < kind.width:
            result = a >> b
    return None if result is None else Constant(kind.wrap(result), kind)


def _fold_floats(operator: str, a: int | float | Fraction, b: int | float | Fraction, kind: CFloat) -> Constant | None:
    """Rounded to nearest, as gcc folds; what gives a zero or starts from no number is left to the run."""
    if not (is_finite(a) and is_finite(b)) or (operator == "/" and b == 0):
        return None
    if operator not in EXACT:
        return None
    exact = EXACT[operator](Fraction(a), Fraction(b))
    return Constant(round_to(exact, kind), kind) if exact != 0 else None


def is_arithmetic(kind: CType) -> bool:
    """Is it an integer or floating-point type?"""
    return isinstance(kind, CInteger | CFloat)


def default_promotion(kind: CType) -> CType:
    """The default argument promotions, for calls without a prototype."""
    if isinstance(kind, CInteger):
        return promoted(kind)
    return DOUBLE if isinstance(kind, CFloat) and kind.width == 32 else kind


def pointer_integer(model: DataModel) -> CInteger:
    """ptrdiff_t."""
    return INT if model.pointer == 4 else long_type(model)


def is_null(expression: Expression) -> bool:
    """Is it a null pointer constant?"""
    return isinstance(expression, Constant) and isinstance(expression.type, CInteger) and expression.value == 0


def common_pointer(left: CPointer, right: CPointer, then: Expression, otherwise: Expression) -> CPointer:
    """The type of a conditional expression with operands of two types of pointers (C11 6.5.15p6).

    Beside the null pointer constant (void *)0 it is the type of the other operand. Else its target is that of both, or
    void, with the qualifiers of both.
    """
    if left != right and _is_null_constant(then):
        return right
    if left != right and _is_null_constant(otherwise):
        return left
    target = left.target if left == right else VOID
    return CPointer(
        target, left.volatile or right.volatile, left.atomic or right.atomic, left.constant or right.constant
    )


def _is_null_constant(expression: Expression) -> bool:
    """Is it (void *)0? (const void *)0 is a null pointer, but no null pointer constant (C11 6.3.2.3p3)."""
    kind = expression.type
    if not isinstance(kind, CPointer) or kind.constant or kind.volatile or kind.atomic:
        return False
    return kind.target == VOID and is_null_pointer(expression)

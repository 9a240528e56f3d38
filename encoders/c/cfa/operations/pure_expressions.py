"""Expressions and lvalues of the control-flow automata: typed and without side effects."""

import enum
from dataclasses import field
from fractions import Fraction

from chcverify.horn.system import Origin
from chcverify.quick_dataclass import dataclass
from encoders.c.types.c_types import CField, CType


@dataclass(frozen=True)
class Variable:
    """A global, static local, parameter, local or temporary.

    `unique` is unique in the program, `name` is the source's.
    """

    unique: str
    name: str
    type: CType
    function: str | None = None
    """Its owner, None for globals and static locals."""
    temporary: bool = False
    """Made by the lowering, not the user's."""
    address_taken: bool = False
    """Some & or array decay reaches it, so it lives in memory; all others are plain scalars or aggregates."""
    origin: Origin | None = field(default=None, compare=False)
    volatile: bool = field(default=False, compare=False)  # and with static storage, so that others may know it
    constant: bool = field(default=False, compare=False)  # declared const, or a string literal: nobody changes it
    atomic: bool = field(default=False, compare=False)  # of an atomic type of C11, or an array of these
    thread_local: bool = field(default=False, compare=False)  # _Thread_local


# --- lvalues: places that hold a value -------------------------------------------------------------------------


@dataclass(frozen=True)
class VariableLValue:
    variable: Variable
    type: CType

    @classmethod
    def of(cls, variable: Variable) -> "VariableLValue":
        """The whole object of a variable."""
        return cls(variable, variable.type)


@dataclass(frozen=True)
class Dereference:
    pointer: "Expression"
    type: CType


@dataclass(frozen=True)
class FieldLValue:
    base: "LValue"
    field: CField
    type: CType


@dataclass(frozen=True)
class ElementLValue:
    """The element base[index]; base has array type; index has ptrdiff_t's width (signed)."""

    base: "LValue"
    index: "Expression"
    type: CType


LValue = VariableLValue | Dereference | FieldLValue | ElementLValue

# --- expressions -------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Constant:
    """A constant. value: int for integers and pointers (null is 0), float for floats; always in the type's range.

    A long double constant that no double represents is a Fraction.
    """

    value: int | float | Fraction
    type: CType


@dataclass(frozen=True)
class Load:
    """The value of an lvalue (scalar, or a whole record for struct copies)."""

    lvalue: LValue
    type: CType


@dataclass(frozen=True)
class AddressOf:
    lvalue: LValue
    type: CType


@dataclass(frozen=True)
class FunctionAddress:
    function: str
    type: CType


@dataclass(frozen=True)
class Unary:
    """A unary operation: '-' or '~' in the operand's (promoted) type; 'sqrt' of a float; '!' gives int 0 or 1."""

    operator: str
    operand: "Expression"
    type: CType


ORDERS = frozenset(("<", "<=", ">", ">="))
SAME_OBJECT = "same object"
SHARED_OBJECT = "shared object"
OBJECT_COMPARISONS = frozenset((SAME_OBJECT, SHARED_OBJECT))


class AddressReuse(enum.Flag):
    """What may have the address of an object whose lifetime has ended (see reused_addresses.py)."""

    NONE = 0
    HEAP = enum.auto()  # a block, that of one that was released
    STACK = enum.auto()  # a local variable, that of one whose block has ended


@dataclass(frozen=True)
class Binary:
    """A binary operation: + - * / % & | ^ << >> in the operands' type; == != < <= > >= give int 0 or 1.

    '&&' and '||' over scalar operands give int 0 or 1; both sides are pure here (else the lowering branches).
    SAME_OBJECT gives int 1 where two pointers point into one object or are both null, else 0. SHARED_OBJECT gives int 1
    where two pointers point into one object, else 0: a null pointer, and one made by adding to it, points to none.
    """

    operator: str
    left: "Expression"
    right: "Expression"
    type: CType
    reuse: AddressReuse = AddressReuse.NONE
    """Of == and != of pointers: which objects may have the address of one that is gone, which a side may lead to."""


@dataclass(frozen=True)
class PointerAdd:
    """The pointer `index` elements behind another (index signed of pointer width, may be negative)."""

    pointer: "Expression"
    index: "Expression"
    type: CType


@dataclass(frozen=True)
class PointerDifference:
    """The difference left - right of pointers, in elements."""

    left: "Expression"
    right: "Expression"
    type: CType


@dataclass(frozen=True)
class Cast:
    """Conversion to `type` as C does it (to _Bool: != 0)."""

    operand: "Expression"
    type: CType


@dataclass(frozen=True)
class Conditional:
    condition: "Expression"
    then: "Expression"
    otherwise: "Expression"
    type: CType


Expression = (
    Constant | Load | AddressOf | FunctionAddress | Unary | Binary | PointerAdd | PointerDifference | Cast | Conditional
)

"""The accesses to memory that an operation makes, in the order in which C makes them.

Expressions are pure, but their parts are evaluated under conditions: `p && *p` reads `*p` only where p is not null.
"""

from collections.abc import Callable, Iterator

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa import ir
from encoders.c.cfa.expression_tests import copied, without_casts
from encoders.c.lowering.checks.subscripts import InnerArrays, Subscript
from encoders.c.types.c_types import CArray, CPointer


@dataclass(frozen=True)
class Access:
    """An access to an lvalue that may lie outside of its object, or whose object may not live."""

    lvalue: ir.LValue


@dataclass(frozen=True)
class Choice:
    """The accesses that are made if a condition holds, and those that are made if not."""

    condition: ir.Expression
    then: "tuple[Access | Subscript | Choice, ...]"
    otherwise: "tuple[Access | Subscript | Choice, ...]"


Step = Access | Subscript | Choice


@dataclass(frozen=True)
class AccessOrder:
    """The accesses of operations."""

    counts: Callable[[ir.LValue, bool], bool]
    """Is an access to an lvalue one of them; the second argument is true for reads."""
    values_only: bool = False
    """The read of a scalar that is only copied, by an operation that copies memory, is none."""
    arrays: InnerArrays | None = None
    """Those that indices must not leave, even where they stay in the object; None: all of them may."""

    def of(self, operation: ir.Operation) -> tuple[Step, ...]:
        """The accesses of an operation."""
        match operation:
            case ir.Assume(condition=condition):
                return self.of_expression(condition)
            case ir.Assign(lvalue=lvalue, value=value, copies=copies):
                return (*self._of_copied(value, copies), *self.of_target(lvalue, False))
            case ir.Nondet(lvalue=lvalue) | ir.Clear(lvalue=lvalue):
                return self.of_target(lvalue, False)
            case ir.Allocate(lvalue=lvalue, size=size):
                return (*self.of_expression(size), *self.of_target(lvalue, False))
            case ir.Call(lvalue=target, arguments=arguments):
                parts = [step for argument in arguments for step in self.of_expression(argument)]
                return (*parts, *(() if target is None else self.of_target(target, False)))
            case ir.Havoc(arguments=arguments):
                return tuple(step for argument in arguments for step in self.of_expression(argument))
            case ir.Declare(length=length) if length is not None:
                return self.of_expression(length)
            case ir.Release(pointer=pointer) | ir.Forget(pointer=pointer) | ir.EndStream(pointer=pointer):
                return self.of_expression(pointer)
            case _:
                return self._of_check(operation)

    def _of_check(self, operation: ir.Operation) -> tuple[Step, ...]:
        """What is read to decide a check of memory."""
        match operation:
            case ir.CheckAccess(lvalue=lvalue, size=None, is_claim=False):
                return self.of_target(lvalue, False)
            case ir.CheckAccess(lvalue=lvalue, size=size) if self.values_only:
                return (*self._of_parts(lvalue), *(() if size is None else self.of_expression(size)))
            case _:
                return ()

    def _of_copied(self, value: ir.Expression, copies: bool) -> tuple[Step, ...]:
        source = copied(value) if copies and self.values_only else None
        return self.of_expression(value) if source is None else self._of_parts(source)

    def of_target(self, lvalue: ir.LValue, reads: bool) -> tuple[Step, ...]:
        """The accesses of reading or writing an lvalue: those that its address needs, and the one to it."""
        indices = () if self.arrays is None else self.arrays.accessed(lvalue)
        inner = (*self._of_parts(lvalue), *indices)
        is_shown = indices and self.arrays is not None and self.arrays.is_inside(lvalue)
        return (*inner, Access(lvalue)) if self.counts(lvalue, reads) and not is_shown else inner

    def of_expression(self, expression: ir.Expression) -> tuple[Step, ...]:
        """The accesses of the evaluation of an expression."""
        match expression:
            case ir.Load(lvalue=lvalue):
                return self.of_target(lvalue, True)
            case ir.Binary(operator="&&", left=left, right=right):
                return (*self.of_expression(left), *_choice(left, self.of_expression(right), ()))
            case ir.Binary(operator="||", left=left, right=right):
                return (*self.of_expression(left), *_choice(left, (), self.of_expression(right)))
            case ir.Conditional(condition=condition, then=then, otherwise=otherwise):
                branches = self.of_expression(then), self.of_expression(otherwise)
                return (*self.of_expression(condition), *_choice(condition, *branches))
            case ir.PointerAdd(pointer=ir.AddressOf(lvalue=lvalue, type=kind), index=index) if self.arrays is not None:
                parts = (*self._of_parts(lvalue), *self.of_expression(index))
                is_element = isinstance(kind, CPointer) and kind.target == lvalue.type
                return (*parts, *self.arrays.addressed(lvalue, index if is_element else None))
            case _:
                return tuple(step for part in _operands(expression) for step in self._of_part(part))

    def _of_part(self, part: ir.Expression | ir.LValue) -> tuple[Step, ...]:
        if isinstance(part, ir.VariableLValue | ir.Dereference | ir.FieldLValue | ir.ElementLValue):
            indices = () if self.arrays is None else self.arrays.addressed(part)
            return (*self._of_parts(part), *indices)  # an address alone is no access
        return self.of_expression(part)

    def _of_parts(self, lvalue: ir.LValue) -> tuple[Step, ...]:
        """The accesses that the address of an lvalue needs."""
        match lvalue:
            case ir.Dereference(pointer=pointer):
                return self.of_expression(pointer)
            case ir.FieldLValue(base=base):
                return self._of_parts(base)
            case ir.ElementLValue(base=base, index=index):
                return (*self._of_parts(base), *self.of_expression(index))
            case _:
                return ()


def accesses(operation: ir.Operation, arrays: InnerArrays | None = None) -> tuple[Step, ...]:
    """The accesses of an operation that may be invalid. arrays: those that indices must not leave."""
    return AccessOrder(lambda lvalue, _: needs_check(lvalue), arrays=arrays).of(operation)


def _choice(condition: ir.Expression, then: tuple[Step, ...], otherwise: tuple[Step, ...]) -> Iterator[Choice]:
    if then or otherwise:
        yield Choice(condition, then, otherwise)


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
    index = without_casts(index)
    if not isinstance(index, ir.Constant) or not isinstance(base.type, CArray) or base.type.length is None:
        return False
    return 0 <= int(index.value) < base.type.length

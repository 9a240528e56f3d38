"""Variable numbers of arguments (C11 7.16) where caller and callee are both in the program.

A call puts its additional arguments into an array of slots, which has the type of the prelude, and gives two more
arguments: a pointer to the array, and its length. A va_list is what the ABI of the data model says. The record of
x86-64 holds the index of the next argument in gp_offset, their number in fp_offset, and the pointer in
overflow_arg_area. The pointer of i386 leads to the slot of the next argument, so behind the last one is a slot of no
kind.
"""

from collections.abc import Sequence

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import (
    AddressOf,
    Assign,
    Clear,
    Constant,
    ElementLValue,
    Expression,
    FieldLValue,
    Load,
    LValue,
    Skip,
    Variable,
)
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LVALUES, LValueLowering
from encoders.c.lowering.operators.conversions import binary, convert, pointer_integer
from encoders.c.lowering.symbols import LocalVariable, TypeName
from encoders.c.types.c_types import (
    DOUBLE,
    INT,
    UINT,
    VOID,
    CArray,
    CFloat,
    CFunction,
    CInteger,
    CPointer,
    CRecord,
    CType,
)

SLOT = "__chcverify_argument"  # the type's name in the prelude of the parser
_COPY_OF_RECORD = "<record>"  # a variable of the lowering
FIRST, COUNT = "<arguments>", "<count>"  # the parameters of a variadic function that come last
# Kinds of arguments. Those of integers are their widths in bits; from the last one on each record type has its own.
_REAL, _POINTER, _FIRST_RECORD = 100, 200, 300
_START, _END = ("__builtin_va_start", "va_start"), ("__builtin_va_end", "va_end")
_COPY, _NEXT = ("__builtin_va_copy", "va_copy"), ("__builtin_va_arg", "va_arg")


def is_variadic(kind: CFunction) -> bool:
    """Has it a variable number of arguments behind some that are declared?"""
    return kind.variadic and bool(kind.parameters)


@dataclass(frozen=True, eq=False)
class VariadicArguments:
    """Lowering of additional arguments, of the functions that take them, and of the macros of <stdarg.h>."""

    context: LoweringContext
    types: TypeLowering
    lvalues: LValueLowering
    expressions: ExpressionLowering

    @property
    def _is_pointer(self) -> bool:
        """Is a va_list a pointer to the next argument?"""
        return self.context.unit.model.pointer == 4

    # --- caller

    def passed(self, values: Sequence[Expression], node: c_ast.Node) -> tuple[Expression, Expression]:
        """The two arguments that stand for additional ones, whose values have been promoted."""
        slot = self._slot(node)
        count = Constant(len(values), UINT)
        if not values and not self._is_pointer:
            return Constant(0, CPointer(slot)), count
        array = self.context.temporary(CArray(slot, len(values) + self._is_pointer), FIRST)
        origin, index = self.context.origin(node), pointer_integer(self.context.unit.model)
        self.context.cfa.emit(Clear(array), origin)
        for number, value in enumerate(values):
            place = ElementLValue(array, Constant(number, index), slot)
            member, kind = self._form(value.type, node)
            part = self._member(place, member, node)
            if isinstance(value.type, CRecord):  # the slot has the address of a copy
                copy = self.context.temporary(value.type, _COPY_OF_RECORD)
                self.context.cfa.emit(Assign(copy, value), origin)
                value = AddressOf(copy, CPointer(value.type))
            self.context.cfa.emit(Assign(part, convert(value, part.type)), origin)
            self.context.cfa.emit(Assign(self._member(place, "kind", node), Constant(kind, INT)), origin)
        first = ElementLValue(array, Constant(0, index), slot)
        return AddressOf(first, CPointer(slot)), count

    def _form(self, kind: CType, node: c_ast.Node) -> tuple[str, int]:
        """The member of a slot that holds values of a promoted type, and the number of the kind."""
        if isinstance(kind, CInteger) and INT.width <= kind.width <= 64:
            return "number", kind.width
        if isinstance(kind, CFloat) and kind == DOUBLE:
            return "real", _REAL
        if isinstance(kind, CPointer) and not isinstance(kind.target, CFunction):
            return "pointer", _POINTER
        if isinstance(kind, CRecord):
            known = self.context.unit.variadic_records
            return "pointer", _FIRST_RECORD + known.setdefault(kind.tag, len(known))
        raise self.context.refuse(node, f"additional argument of type '{kind}'")

    # --- callee

    def declare_parameters(self, node: c_ast.Node) -> None:
        """Declares the two parameters of the function at hand."""
        for name, kind in ((FIRST, CPointer(self._slot(node))), (COUNT, UINT)):
            unique, origin = self.context.unique(name), self.context.origin(node)
            variable = Variable(unique, name, kind, self.context.name, temporary=True, origin=origin)
            self.context.scope.names[name] = LocalVariable(variable)
            self.context.parameters.append(variable)

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The macros of <stdarg.h>; None for other functions."""
        if name in _NEXT and len(arguments) == 2:
            return self._next(node, arguments)
        if name in _START and arguments:
            self._start(node, self._list(arguments[0]))
        elif name in _END and len(arguments) == 1:
            self.expressions.effect(arguments[0])
            self.context.emit(Skip(), node)
        elif name in _COPY and len(arguments) == 2:
            target, source = self._list(arguments[0]), self._list(arguments[1])
            self.context.emit(Assign(target, Load(source, source.type)), node)
        else:
            return None
        return Constant(0, VOID)

    def _list(self, node: c_ast.Node) -> LValue:
        """The record of a va_list, or the pointer that it is."""
        if self._is_pointer:
            held = self.context.held_lvalue(self.lvalues.lvalue(node, "lvalue required as va_list"), node)
            if not isinstance(held.type, CPointer):
                raise self.context.error(node, f"'{held.type}' as va_list")
            return held
        pointer = self.context.held(self.expressions.value(node), node)
        lvalue = self.lvalues.target(pointer, node)
        if not isinstance(lvalue.type, CRecord):
            raise self.context.refuse(node, "va_list of this data model")
        return lvalue

    def _start(self, node: c_ast.FuncCall, state: LValue) -> None:
        symbols = [self.context.scope.find(name) for name in (FIRST, COUNT)]
        if not all(isinstance(symbol, LocalVariable) for symbol in symbols):
            raise self.context.error(node, "va_start in a function with fixed arguments")
        first, count = (self.lvalues.named(c_ast.ID(name, node.coord)) for name in (FIRST, COUNT))
        assert isinstance(first, LVALUES) and isinstance(count, LVALUES)
        if self._is_pointer:
            self.context.emit(Assign(state, convert(Load(first, first.type), state.type)), node)
            return
        area = self._member(state, "overflow_arg_area", node)
        self.context.emit(Assign(area, convert(Load(first, first.type), area.type)), node)
        self.context.emit(Assign(self._member(state, "fp_offset", node), Load(count, UINT)), node)
        self.context.emit(Assign(self._member(state, "gp_offset", node), Constant(0, UINT)), node)

    def _next(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        """The value of va_arg; a trap where there is no further argument, or one of another type."""
        kind = self.types.plain_type(arguments[1])
        member, number = self._form(kind, node)
        state = self._list(arguments[0])
        place = self._next_slot(state, node)
        known = Load(self._member(place, "kind", node), INT)
        self._require(binary("==", known, Constant(number, INT), INT), "va_arg of another type", node)
        self._advance(state, node)
        found = self._member(place, member, node)
        if isinstance(kind, CRecord):
            copy = self.context.temporary(kind, _COPY_OF_RECORD)
            passed = self.lvalues.target(convert(Load(found, found.type), CPointer(kind)), node)
            self.context.emit(Assign(copy, Load(passed, kind)), node)
            return Load(copy, kind)
        return self.context.held(convert(Load(found, found.type), kind), node)

    def _next_slot(self, state: LValue, node: c_ast.Node) -> LValue:
        """The slot of the next argument; a trap where there is none."""
        slot = self._slot(node)
        if self._is_pointer:
            area = convert(Load(state, state.type), CPointer(slot))
            place = self.lvalues.target(self.context.held(area, node), node)
            kind = Load(self._member(place, "kind", node), INT)
            self._require(binary("!=", kind, Constant(0, INT), INT), "va_arg beyond the last argument", node)
            return place
        index = self.context.held(Load(self._member(state, "gp_offset", node), UINT), node)
        count = Load(self._member(state, "fp_offset", node), UINT)
        self._require(binary("<", index, count, INT), "va_arg beyond the last argument", node)
        area = convert(Load(self._member(state, "overflow_arg_area", node), CPointer(VOID)), CPointer(slot))
        where = self.lvalues.advanced(area, convert(index, pointer_integer(self.context.unit.model)))
        return self.lvalues.target(self.context.held(where, node), node)

    def _advance(self, state: LValue, node: c_ast.Node) -> None:
        """Lets a va_list go on to the next slot."""
        if self._is_pointer:
            area = convert(Load(state, state.type), CPointer(self._slot(node)))
            after = self.lvalues.advanced(area, Constant(1, pointer_integer(self.context.unit.model)))
            self.context.emit(Assign(state, convert(after, state.type)), node)
            return
        at = self._member(state, "gp_offset", node)
        self.context.emit(Assign(at, binary("+", Load(at, UINT), Constant(1, UINT), UINT)), node)

    def _require(self, condition: Expression, what: str, node: c_ast.Node) -> None:
        """A trap where the condition does not hold."""
        right, wrong = self.context.cfa.location(), self.context.cfa.location()
        self.expressions.assume(condition, node, right, wrong)
        self.context.cfa.current = wrong
        self.context.trap(what, node)
        self.context.cfa.current = right

    def _slot(self, node: c_ast.Node) -> CRecord:
        symbol = self.context.scope.find(SLOT)
        if not isinstance(symbol, TypeName) or not isinstance(symbol.type, CRecord):
            raise self.context.refuse(node, "definition of a variadic function for this data model")
        return symbol.type

    def _member(self, base: LValue, name: str, node: c_ast.Node) -> FieldLValue:
        assert isinstance(base.type, CRecord)
        (member,) = self.lvalues.member_path(base.type, name, node)
        return FieldLValue(base, member, member.type)

"""Calls of functions that other files of the program define, and what is assumed of these."""

from collections.abc import Iterable

from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.cfa.expression_walk import postorder
from encoders.c.cfa.ir import (
    AddressOf,
    Cast,
    Constant,
    ElementLValue,
    Expression,
    FieldLValue,
    Havoc,
    LValue,
    VariableLValue,
)
from encoders.c.library.table_reader import find
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.environment import UndefinedFunctions
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.file_scope.static_objects import StaticObjects
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import CInteger, CPointer, CRecord, CVoid

_EFFECTS = {
    UndefinedFunctions.PURE: "changes nothing",
    UndefinedFunctions.HAVOC: "changes what its arguments and global variables reach",
}


class ExternalCalls:
    """Lowering of what a call of an unknown function does, besides its result."""

    def __init__(
        self,
        context: LoweringContext,
        types: TypeLowering,
        static_objects: StaticObjects,
        expressions: ExpressionLowering,
    ) -> None:
        self.context = context
        self.types = types
        self.static_objects = static_objects
        self.expressions = expressions

    def call_elsewhere(
        self, node: c_ast.FuncCall, name: str, symbol: FunctionSymbol | None, arguments: list[c_ast.Node]
    ) -> str:
        """Evaluates the arguments of a function without a body, and does what it may do to the program's objects.

        Returns what is not modelled of that, "" if it is.
        """
        mode = self.context.unit.surroundings.functions
        is_user = kind_of(name, None if symbol is None else symbol.type) == NameKind.USER
        if is_user:
            self._assume_about(node, name, symbol)
        if not is_user or mode != UndefinedFunctions.HAVOC:
            for argument in reversed(arguments):
                self.expressions.used(argument)
            return f"call of {name}, which has no body" if is_user and mode == UndefinedFunctions.REFUSE else ""
        values = [self.expressions.value(argument) for argument in reversed(arguments)]
        if any(isinstance(value.type, CRecord) and self.types.holds_pointers(value.type) for value in values):
            return f"{name}, which has no body, is given a record with pointers"
        if any(_is_number_of_pointer(value) for value in values):
            return f"{name}, which has no body, is given a pointer as a number"
        for value in values:
            self.expressions.hold_read(value, node)
        self.havoc(node, name, values)
        return ""

    def havoc(self, node: c_ast.Node, name: str, values: Iterable[Expression]) -> None:
        """Any contents for what pointers among the values, and variables with external linkage, reach."""
        self._share_variables()
        pointers = (value for value in values if isinstance(value.type, CPointer) and not self._is_fixed(value))
        self.context.cfa.emit(Havoc(name, tuple(pointers)), self.context.origin(node), self.context.text(node))

    def _assume_about(self, node: c_ast.Node, name: str, symbol: FunctionSymbol | None) -> None:
        """Records what is assumed of a function that is called."""
        if not self.context.evaluated:
            return
        if symbol is None:
            self.context.unit.assume(
                "undeclared", name, "is not declared: taken for a function that returns int", self.context.origin(node)
            )
        effect = _EFFECTS.get(self.context.unit.surroundings.functions or UndefinedFunctions.PURE)
        if effect is None:
            return
        if symbol is not None and symbol.no_return:
            self.context.unit.assume("function", name, "does not return", self.context.origin(node))
            return
        returns = "" if symbol is not None and isinstance(symbol.type.result, CVoid) else "returns anything and "
        self.context.unit.assume("function", name, returns + effect, self.context.origin(node))

    def checked_values(
        self, node: c_ast.FuncCall, symbol: FunctionSymbol, values: tuple[Expression, ...]
    ) -> tuple[Expression, ...]:
        """The arguments, after an edge to the violation where a library function's result does not fit its type, or is
        that of a division by zero (C11 7.22.6: undefined)."""
        if not self.context.unit.checks & {CheckKind.OVERFLOW, CheckKind.DIVISION}:
            return values
        entry = find(symbol.name)
        operator = "" if entry is None else entry.overflow
        if not operator or not self.context.is_in_library(symbol.declaration):
            return values
        values = tuple(self.context.held(value, node) for value in values)
        left = values[0] if len(values) == 2 else Constant(0, values[0].type)
        self.expressions.checks.arithmetic(operator, left, values[-1], node)
        return values

    def _is_fixed(self, pointer: Expression) -> bool:
        """Does it point to what nobody changes and what leads to nothing: a string literal, a constant?"""
        lvalue: LValue | None = pointer.lvalue if isinstance(pointer, AddressOf) else None
        while isinstance(lvalue, ElementLValue | FieldLValue):
            lvalue = lvalue.base
        if not isinstance(lvalue, VariableLValue) or not lvalue.variable.constant:
            return False
        return not self.types.holds_pointers(lvalue.variable.type)

    def _share_variables(self) -> None:
        """Variables with external linkage lead to others, even where this file does not mention them again."""
        if not self.context.evaluated:
            return
        for symbol in [symbol for scope in self.context.unit.scopes() for symbol in scope.names.values()]:
            if isinstance(symbol, GlobalVariable) and symbol.external and symbol.defined and symbol.initialiser:
                try:
                    if self.types.holds_pointers(symbol.type):
                        self.static_objects.global_variable(symbol)
                except (SourceError, Unsupported):
                    continue  # an error only where it is used


def _is_number_of_pointer(value: Expression) -> bool:
    """Is a pointer converted to a number in the expression?"""
    casts = (node for node in postorder(value) if isinstance(node, Cast))
    return any(isinstance(cast.operand.type, CPointer) and isinstance(cast.type, CInteger) for cast in casts)

"""Calls of functions that other files of the program define, and what is assumed of these."""

from collections.abc import Iterable

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.cfa.expression_tests import without_casts
from encoders.c.cfa.expression_walk import postorder
from encoders.c.cfa.ir import (
    AddressOf,
    Assume,
    Cast,
    Constant,
    ElementLValue,
    Expression,
    FieldLValue,
    Havoc,
    Load,
    LValue,
    Nondet,
    VariableLValue,
)
from encoders.c.library.formats import of_literal
from encoders.c.library.function_table import FormatFamily, LibraryFunction
from encoders.c.library.table_reader import find
from encoders.c.lowering.calls.library_names import NameKind, kind_of
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.environment import EFFECTS_OF, UndefinedFunctions
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.file_scope.static_objects import StaticObjects
from encoders.c.lowering.operators.conversions import binary, convert, is_null, unary
from encoders.c.lowering.symbols import FunctionSymbol, GlobalVariable
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import INT, LLONG, CFunction, CInteger, CPointer, CRecord, CVoid, size_type

_EFFECTS = {
    UndefinedFunctions.PURE: "changes nothing",
    UndefinedFunctions.HAVOC: "changes what its arguments and global variables reach",
}


@dataclass(frozen=True, eq=False)
class ExternalCalls:
    """Lowering of what a call of an unknown function does, besides its result."""

    context: LoweringContext
    types: TypeLowering
    static_objects: StaticObjects
    expressions: ExpressionLowering

    @staticmethod
    def is_of_program(name: str, symbol: FunctionSymbol | None) -> bool:
        """Is it a function of the program, in another file, rather than one of a library?"""
        return kind_of(name, None if symbol is None else symbol.type) == NameKind.USER

    def call_elsewhere(
        self, node: c_ast.FuncCall, name: str, symbol: FunctionSymbol | None, arguments: list[c_ast.Node]
    ) -> str:
        """Evaluates the arguments of a function without a body, and does what it may do to the program's objects.

        Returns what is not modelled of that, "" if it is.
        """
        mode = self.context.unit.surroundings.functions
        is_user = self.is_of_program(name, symbol)
        name = name.removeprefix(EFFECTS_OF)
        if is_user:
            self._assume_about(node, name, symbol)
        if not is_user or mode != UndefinedFunctions.HAVOC:
            for argument in reversed(arguments):
                self.expressions.used(argument)
            return f"call of {name}, which has no body" if is_user and mode == UndefinedFunctions.REFUSE else ""
        if self.context.unit.streams_in_memory:
            return f"call of {name}, which has no body, beside a stream over memory"
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
        values = list(values)
        pointers = (value for value in values if isinstance(value.type, CPointer) and not self._is_fixed(value))
        numbers = (value for value in values if not isinstance(value.type, CPointer | CVoid | CFunction))
        computed = (value for value in numbers if not isinstance(value, Constant))
        self.context.emit(Havoc(name, tuple(pointers), tuple(computed)), node)

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

    def kept(self, name: str, entry: LibraryFunction, arguments: list[c_ast.Node]) -> str | None:
        """What is not modelled where a function keeps a pointer to what may change, or may not live as long."""
        positions = [entry.position(pointer) for pointer in entry.keeps]
        with self.context.unevaluated():
            values = [self.expressions.value(arguments[at]) for at in positions if at < len(arguments)]
        is_known = all(self._is_fixed(value) or is_null(value) for value in values)
        return None if is_known else f"call of {name}, which keeps a pointer"

    def assume_result(
        self,
        node: c_ast.FuncCall,
        entry: LibraryFunction,
        arguments: list[c_ast.Node],
        result: Expression,
        has_effects: bool,
    ) -> None:
        """No run goes on with a result that the function never gives. has_effects: do the arguments change objects?"""
        if not isinstance(result.type, CInteger):
            return
        impossible: list[Expression] = []
        if entry.between is not None:
            most = self._most(entry.between[1], entry, arguments, has_effects)
            impossible += [binary("<", result, Constant(entry.between[0], result.type), INT)]
            impossible += [] if most is None else [_is_above(result, most)]
        written = self._written(entry, arguments)
        if written is not None:
            impossible += self._counted(node, result, written)
        for condition in impossible:
            self.context.emit(Assume(condition, False), node)

    def _counted(self, node: c_ast.FuncCall, result: Expression, written: tuple[int, int | None]) -> list[Expression]:
        """The impossible results of output, which fails with a negative one, or counts characters: exactly as many, or
        as many as the arguments say, which is not modelled."""
        least, most = written
        assert isinstance(result.type, CInteger)
        negative = binary("<", result, Constant(0, result.type), INT)
        if least != most and isinstance(result, Load):
            fails, counts = self.context.cfa.location(), self.context.cfa.location()
            self.expressions.assume(negative, node, fails, counts)
            self.context.cfa.current = counts
            estimate = Nondet(result.lvalue, "the number of characters of formatted output", is_estimate=True)
            self.context.emit(estimate, node)
            self.context.emit(Assume(negative, False), node)
            self.context.cfa.fall_into(fails, self.context.origin(node))
        fewer = binary("<", result, Constant(least, result.type), INT)
        found: list[Expression] = [binary("&&", unary("!", negative), fewer, INT)]
        return found if most is None else [*found, _is_above(result, Constant(most, LLONG))]

    def _written(self, entry: LibraryFunction, arguments: list[c_ast.Node]) -> tuple[int, int | None] | None:
        """How many characters formatted output has, at least and at most, where the format is a literal."""
        if entry.format is None or entry.format.family is not FormatFamily.PRINTF or not entry.outside:
            return None
        model, position = self.context.unit.model, entry.position(entry.format.pointer)
        layout = of_literal(arguments[position], entry.format.family, model) if position < len(arguments) else None
        return None if layout is None else layout.written(model)

    def _most(
        self, most: int | str, entry: LibraryFunction, arguments: list[c_ast.Node], has_effects: bool
    ) -> Expression | None:
        """The greatest result, where it is a number or the value of a constant or of a local variable."""
        if isinstance(most, int):
            return Constant(most, LLONG)
        with self.context.unevaluated():
            value = self.expressions.value(arguments[entry.position(most)])
        seen = without_casts(value)
        variable = seen.lvalue.variable if isinstance(seen, Load) and isinstance(seen.lvalue, VariableLValue) else None
        is_local = variable is not None and variable.function is not None and not has_effects
        is_known = isinstance(value.type, CInteger) and (is_local or isinstance(seen, Constant))
        return convert(value, size_type(self.context.unit.model)) if is_known else None

    def checked_values(
        self, node: c_ast.FuncCall, symbol: FunctionSymbol, values: tuple[Expression, ...]
    ) -> tuple[Expression, ...]:
        """The arguments, after an edge to the violation where a library function's result does not fit its type, or is
        that of a division by zero (C11 7.22.6: undefined), or where there is none for an argument."""
        if not self.context.unit.checks & {CheckKind.OVERFLOW, CheckKind.DIVISION, CheckKind.BUILTIN}:
            return values
        entry = find(symbol.name)
        if entry is None or not (entry.overflow or entry.nonzero) or not self.context.is_in_library(symbol.declaration):
            return values
        values = tuple(self.context.held(value, node) for value in values)
        if entry.nonzero:
            self.expressions.checks.nonzero(values[entry.position(entry.nonzero)], node)
            return values
        operator = entry.overflow
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


def _is_above(result: Expression, most: Expression) -> Expression:
    """Is the result greater, and not negative?"""
    assert isinstance(result.type, CInteger) and isinstance(most.type, CInteger)
    wide = most.type if most.type.width >= result.type.width else result.type
    greater = binary(">", convert(result, wide), convert(most, wide), INT)
    if not result.type.signed:
        return greater
    return binary("&&", binary(">=", result, Constant(0, result.type), INT), greater, INT)


def _is_number_of_pointer(value: Expression) -> bool:
    """Is a pointer converted to a number in the expression?"""
    casts = (node for node in postorder(value) if isinstance(node, Cast))
    return any(isinstance(cast.operand.type, CPointer) and isinstance(cast.type, CInteger) for cast in casts)

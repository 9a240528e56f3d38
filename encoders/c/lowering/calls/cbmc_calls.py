"""Intrinsics of CBMC that are operations on pointers and values: `__CPROVER_same_object`, uninterpreted functions."""

from pycparser import c_ast

from encoders.c.cfa.ir import SAME_OBJECT, Binary, Expression, Load, Nondet
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, CFunction, CPointer, CRecord, CVoid

UNINTERPRETED = "__CPROVER_uninterpreted_"  # the rest of the name is free


class CbmcCalls:
    """Lowering of `__CPROVER_same_object(p, q)` and `__CPROVER_uninterpreted_X(...)`."""

    def __init__(self, context: LoweringContext, expressions: ExpressionLowering) -> None:
        self.context = context
        self.expressions = expressions

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The value of an intrinsic; None for other functions."""
        if name == "__CPROVER_same_object" and len(arguments) == 2:
            return self._same_object(node, arguments)
        return self._uninterpreted(node, name, arguments) if name.startswith(UNINTERPRETED) else None

    def _same_object(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        """1 where both pointers point into one object, or are both null."""
        right, left = (self.expressions.value(argument) for argument in reversed(arguments))
        for value in (left, right):
            if not isinstance(value.type, CPointer) or isinstance(value.type.target, CFunction):
                raise self.context.refuse(node, f"call of __CPROVER_same_object with a value of type '{value.type}'")
        return Binary(SAME_OBJECT, left, right, INT)

    def _uninterpreted(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """Some function of the arguments: proofs cover any value at each call, and no violation rests on one."""
        symbol = self.context.scope.find(name)
        if not isinstance(symbol, FunctionSymbol) or isinstance(symbol.type.result, CPointer | CRecord | CVoid):
            return None
        for argument in reversed(arguments):
            self.expressions.used(argument)
        value = self.context.temporary(symbol.type.result)
        operation = Nondet(value, name, is_estimate=True)
        self.context.cfa.emit(operation, self.context.origin(node), self.context.text(node))
        return Load(value, symbol.type.result)

"""Intrinsics of CBMC that are operations on pointers and values: `__CPROVER_same_object`, uninterpreted functions."""

from pycparser import c_ast

from chcverify.results.checks import DEREFERENCES
from encoders.c.cfa.ir import SAME_OBJECT, Binary, CheckAccess, Constant, Dereference, Expression, Load, Nondet
from encoders.c.lowering.calls.external_calls import ExternalCalls
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.symbols import FunctionSymbol
from encoders.c.types.c_types import INT, UCHAR, VOID, CFunction, CPointer, CRecord, CVoid, size_type

HAVOC_OBJECT = "__CPROVER_havoc_object"
UNINTERPRETED = "__CPROVER_uninterpreted_"  # the rest of the name is free


class CbmcCalls:
    """Lowering of `__CPROVER_same_object(p, q)`, `__CPROVER_havoc_object(p)` and `__CPROVER_uninterpreted_X(...)`."""

    def __init__(self, context: LoweringContext, expressions: ExpressionLowering, external: ExternalCalls) -> None:
        self.context = context
        self.expressions = expressions
        self.external = external

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """The value of an intrinsic; None for other functions."""
        if name == "__CPROVER_same_object" and len(arguments) == 2:
            return self._same_object(node, arguments)
        if name == HAVOC_OBJECT and len(arguments) == 1:
            return self._havoc_object(node, arguments[0])
        return self._uninterpreted(node, name, arguments) if name.startswith(UNINTERPRETED) else None

    def _same_object(self, node: c_ast.FuncCall, arguments: list[c_ast.Node]) -> Expression:
        """1 where both pointers point into one object, or are both null."""
        right, left = (self.expressions.value(argument) for argument in reversed(arguments))
        for value in (left, right):
            if not isinstance(value.type, CPointer) or isinstance(value.type.target, CFunction):
                raise self.context.refuse(node, f"call of __CPROVER_same_object with a value of type '{value.type}'")
        return Binary(SAME_OBJECT, left, right, INT)

    def _havoc_object(self, node: c_ast.FuncCall, argument: c_ast.Node) -> Expression:
        """Any contents for an object. Proofs cover more, what a function without a body may change that is given the
        pointer; so an estimate comes first, and no violation rests on it."""
        value = self.expressions.value(argument)
        if not isinstance(value.type, CPointer) or isinstance(value.type.target, CFunction):
            raise self.context.refuse(node, f"call of {HAVOC_OBJECT} with a value of type '{value.type}'")
        pointer = self.context.held(value, node)
        if self.context.unit.checks & DEREFERENCES:
            target = UCHAR if isinstance(value.type.target, CVoid) else value.type.target
            byte = Constant(1, size_type(self.context.unit.model))
            operation = CheckAccess(Dereference(pointer, target), byte)
            self.context.emit(operation, node)
        estimate = Nondet(self.context.temporary(INT), HAVOC_OBJECT, is_estimate=True)
        self.context.emit(estimate, node)
        self.external.havoc(node, HAVOC_OBJECT, [pointer])
        return Constant(0, VOID)

    def _uninterpreted(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """Some function of the arguments: proofs cover any value at each call, and no violation rests on one."""
        symbol = self.context.scope.find(name)
        if not isinstance(symbol, FunctionSymbol) or isinstance(symbol.type.result, CPointer | CRecord | CVoid):
            return None
        for argument in reversed(arguments):
            self.expressions.used(argument)
        value = self.context.temporary(symbol.type.result)
        operation = Nondet(value, name, is_estimate=True)
        self.context.emit(operation, node)
        return Load(value, symbol.type.result)

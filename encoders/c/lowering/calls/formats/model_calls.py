"""Calls of library models that lowering itself makes."""

from pycparser import c_ast

from encoders.c.cfa.ir import Call, Constant, Expression, Load
from encoders.c.lowering.calls import library_models
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.conversions import convert
from encoders.c.types.c_types import VOID


def model_call(context: LoweringContext, node: c_ast.Node, name: str, values: tuple[Expression, ...]) -> Expression:
    """The result of a call of the model with this name. values: its arguments, not yet converted."""
    symbol = library_models.model(context.unit, name)
    if context.evaluated:
        context.unit.wanted.setdefault(symbol.name, symbol)
    result = symbol.type.result
    lvalue = None if result == VOID else context.temporary(result)
    arguments = tuple(convert(value, kind) for value, kind in zip(values, symbol.type.parameters, strict=True))
    context.emit(Call(lvalue, symbol.name, arguments), node)
    return Constant(0, VOID) if lvalue is None else Load(lvalue, result)

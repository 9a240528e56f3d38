"""Reads of values that nobody uses: they are accesses, which may fail or be a data race."""

from pycparser import c_ast

from encoders.c.cfa.ir import AddressOf, Assign, Expression, Load, VariableLValue
from encoders.c.lowering.context import LoweringContext


def read_unused(context: LoweringContext, value: Expression, node: c_ast.Node) -> None:
    """Reads a value into a temporary where accesses are checked or may be data races.

    value: no array, but the address of one; only what that is made of is read. Plain variables are read for data races
    alone: no access of one fails.
    """
    if not (context.unit.has_threads or context.reads_are_checked):
        return
    if isinstance(value, Load) and isinstance(value.lvalue, VariableLValue) and not context.unit.has_threads:
        return
    if isinstance(value, Load | AddressOf):
        read = Assign(context.temporary(value.type), value, copies=isinstance(value, Load))
        context.emit(read, node)
    else:
        context.held(value, node)

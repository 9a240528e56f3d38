"""Objects with static storage that the program uses."""

from pycparser import c_ast

from encoders.c.cfa.ir import Declare, Variable, VariableLValue
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.symbols import GlobalVariable
from encoders.c.types.c_types import CArray, CType

THREAD_STORAGE = frozenset({"_Thread_local", "__thread", "thread_local"})


def is_thread_local(node: c_ast.Node) -> bool:
    """Does a declaration say that each thread has an object of its own?"""
    return not THREAD_STORAGE.isdisjoint(getattr(node, "storage", None) or ())


class StaticObjects:
    """The variables of the program that stand for objects with static storage."""

    def __init__(self, context: LoweringContext) -> None:
        self.context = context

    def global_variable(self, symbol: GlobalVariable) -> Variable:
        """The variable of the program for an object, which is used from now on."""
        if symbol.fixed is None:
            kind = symbol.type
            if isinstance(kind, CArray) and kind.length is None and symbol.defined:
                kind = CArray(kind.element, 1)  # a tentative definition never completed has one element
            if symbol.defined:
                self.context.size_of(kind, symbol.declaration)
            origin = self.context.origin(symbol.declaration)
            variable = Variable(
                symbol.unique,
                symbol.name,
                kind,
                origin=origin,
                volatile=symbol.volatile,
                constant=symbol.constant,
                atomic=symbol.atomic,
                thread_local=is_thread_local(symbol.declaration),
            )
            if not self.context.evaluated:
                return variable
            symbol.fixed = variable
            self.context.unit.used_globals[symbol.unique] = symbol
        return symbol.fixed

    def unnamed_object(self, kind: CType, node: c_ast.Node, constant: bool) -> VariableLValue:
        """The object of a compound literal: of the block, or static at file scope. constant: is it const?"""
        if not self.context.is_file_scope or not self.context.evaluated:
            made = self.context.temporary(kind, "<literal>", constant)
            self.context.emit(Declare(made.variable), node)
            return made
        name = f"literal#{len(self.context.unit.used_globals) + 1}"
        symbol = GlobalVariable(name, name, kind, node, self.context.scope, -1, defined=True, constant=constant)
        return VariableLValue(self.global_variable(symbol), kind)

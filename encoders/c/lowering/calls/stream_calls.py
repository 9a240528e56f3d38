"""What calls of the library do to the streams that they are given, beside what their models do."""

from pycparser import c_ast

from encoders.c.cfa.ir import Constant, EndStream, Expression
from encoders.c.library.table_reader import find
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.types.c_types import VOID, CPointer


class StreamCalls:
    """Lowering of the ends of streams."""

    def __init__(self, context: LoweringContext, side_effects: SideEffects, expressions: ExpressionLowering) -> None:
        self.context = context
        self.side_effects = side_effects
        self.expressions = expressions

    def before_call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> None:
        """Adds what a call of a function without a body does to streams.

        Where an argument has effects, so that it is evaluated by the call alone, it is not known which stream ends.
        """
        entry = find(name)
        if entry is None or len(arguments) < len(entry.parameters):
            return
        for closed in entry.closes:
            stream = self._pure(arguments[entry.position(closed)])
            pointer = Constant(0, CPointer(VOID)) if stream is None else stream
            if isinstance(pointer.type, CPointer):
                self.context.cfa.emit(EndStream(pointer), self.context.origin(node), self.context.text(node))

    def _pure(self, argument: c_ast.Node) -> Expression | None:
        """The value of an argument without effects."""
        return None if self.side_effects.has_effects(argument) else self.expressions.value(argument)

"""What calls of the library do to the streams that they are given, beside what their models do."""

from pycparser import c_ast

from encoders.c.cfa.ir import Constant, EndStream, Expression
from encoders.c.library.function_table import LibraryFunction, Trait
from encoders.c.library.table_reader import find
from encoders.c.lowering.calls.formats.model_calls import model_call
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.conversions import convert
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.types.c_types import VOID, CPointer

_ANY = CPointer(VOID)
_USE, _END = "__chcverify_use_stream", "__chcverify_end_stream"  # the models of streams over memory


class StreamCalls:
    """Lowering of the ends of streams, and of what streams over memory do to it."""

    def __init__(self, context: LoweringContext, side_effects: SideEffects, expressions: ExpressionLowering) -> None:
        self.context = context
        self.side_effects = side_effects
        self.expressions = expressions

    def before_call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> None:
        """Adds what a call of a function without a body does to streams.

        Where an argument has effects, so that it is evaluated by the call alone, it is not known which stream ends.
        Raises Unsupported where that stream may be over memory.
        """
        entry = find(name)
        if entry is None or len(arguments) < len(entry.parameters):
            return
        if self.context.unit.streams_in_memory:
            self._use(node, entry, arguments)
        for closed in entry.closes:
            stream = self._pure(arguments[entry.position(closed)])
            pointer = Constant(0, _ANY) if stream is None else stream
            if isinstance(pointer.type, CPointer):
                self.context.emit(EndStream(pointer), node)

    def _use(self, node: c_ast.FuncCall, entry: LibraryFunction, arguments: list[c_ast.Node]) -> None:
        """The memory of a stream may change."""
        if Trait.IN_MEMORY in entry.traits and self.context.unit.replaces_streams:
            raise self.context.refuse(node, f"{entry.name}, where standard streams are replaced")
        for name in entry.streams:
            stream = self._pure(arguments[entry.position(name)])
            if stream is None:
                raise self.context.refuse(node, f"{entry.name} of a stream that a call gives, beside one over memory")
            value = convert(stream, _ANY)
            model_call(self.context, node, _USE, (value,))
            if name in entry.closes:
                model_call(self.context, node, _END, (value,))

    def _pure(self, argument: c_ast.Node) -> Expression | None:
        """The value of an argument without effects."""
        return None if self.side_effects.has_effects(argument) else self.expressions.value(argument)

"""Calls that annotations of the source have become."""

from pycparser import c_ast

from chcverify.results.checks import CheckKind
from encoders.c.cfa.ir import Constant, Expression, LoopInvariant, ReachError, Skip
from encoders.c.lowering.collaborators import HasStatements
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.source.source_errors import SourceError, Unsupported
from encoders.c.types.c_types import VOID

INVARIANT_CALL = "__chcverify_loop_invariant"


class AnnotationCalls:
    """Lowering of calls of `__chcverify_loop_invariant(condition, "text")`."""

    def __init__(
        self,
        context: LoweringContext,
        side_effects: SideEffects,
        expressions: ExpressionLowering,
        lowering: HasStatements,
    ) -> None:
        self.context = context
        self.side_effects = side_effects
        self.expressions = expressions
        self.lowering = lowering

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """Void for an invariant; None for other functions."""
        if name != INVARIANT_CALL or len(arguments) != 2:
            return None
        condition, text = arguments[0], string_of(arguments[1])
        if CheckKind.INVARIANT in self.context.unit.checks:
            self._check(node, condition, f"loop invariant {text}")
        else:
            self._candidate(node, condition, text)
        return Constant(0, VOID)

    def _check(self, node: c_ast.FuncCall, condition: c_ast.Node, text: str) -> None:
        """Two edges: on where the invariant holds, and to a violation where it does not."""
        cfa, origin = self.context.cfa, self.context.origin(node)
        then, otherwise = cfa.location(), cfa.location()
        self.lowering.statements.branch(condition, then, otherwise)
        cfa.edge(otherwise, cfa.location(), ReachError(text, CheckKind.INVARIANT), origin, text)
        cfa.current = then

    def _candidate(self, node: c_ast.FuncCall, condition: c_ast.Node, text: str) -> None:
        """Notes the invariant at the present location; no run is changed. What is no pure expression is left out."""
        cfa, origin = self.context.cfa, self.context.origin(node)
        mark, checks = cfa.mark(), self.context.unit.checks
        self.context.unit.checks = frozenset()  # an invariant is not executed
        try:
            value = self.expressions.condition(condition)
        except (Unsupported, SourceError):
            value = None
        finally:
            self.context.unit.checks = checks
        if value is None or cfa.mark() != mark:
            cfa.rollback(mark)
            self.context.unit.assume("invariant", f"the loop invariant '{text}'", "is not used", origin)
            cfa.emit(Skip(), origin)
            return
        cfa.emit(LoopInvariant(value, text), origin)


def string_of(node: c_ast.Node) -> str:
    """The text of a string literal that an annotation has been put into; "" for another expression."""
    text = node.value[1:-1] if isinstance(node, c_ast.Constant) and node.type == "string" else ""
    return str(text.replace('\\"', '"').replace("\\\\", "\\"))

"""Assembler statements: not modelled, or any values for the outputs that they declare."""

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Assign, Constant, Expression, Load, LValue, Nondet
from encoders.c.lowering.calls.annotation_calls import string_of
from encoders.c.lowering.calls.external_calls import ExternalCalls
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.environment import Assembler, UndefinedFunctions
from encoders.c.lowering.expressions import ExpressionLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.source.gnu_tokens import ASSEMBLER_CALL
from encoders.c.types.c_types import VOID, CFloat, CInteger, is_scalar

WHAT = "assembler statement"
_WRITTEN = ("=", "+")  # what the constraints of outputs begin with


@dataclass(frozen=True, eq=False)
class AssemblerStatements:
    """Lowering of `__asm__("clobbers", "constraint", operand, ...)`, which the lexer makes."""

    context: LoweringContext
    lvalues: LValueLowering
    expressions: ExpressionLowering
    external: ExternalCalls

    def call(self, node: c_ast.FuncCall, name: str, arguments: list[c_ast.Node]) -> Expression | None:
        """No value; None for other functions. Raises Unsupported where the statement is not modelled."""
        if name != ASSEMBLER_CALL:
            return None
        surroundings = self.context.unit.surroundings
        if surroundings.assembler != Assembler.OUTPUTS or not arguments:
            raise self.context.refuse(node, WHAT)
        operands = list(zip(map(string_of, arguments[1::2]), arguments[2::2], strict=True))
        read = [self._read(operand) for constraint, operand in operands if not constraint.startswith("=")]
        written = [self._output(operand) for constraint, operand in operands if constraint.startswith(_WRITTEN)]
        changes = "changes nothing else"
        if "memory" in string_of(arguments[0]).split() and surroundings.functions != UndefinedFunctions.PURE:
            if surroundings.functions == UndefinedFunctions.REFUSE:
                raise self.context.refuse(node, f"{WHAT} that changes memory")
            changes = "changes what its operands and global variables reach"
            self.external.havoc(node, WHAT, read)
        self.context.unit.assume(
            "assembler", f"an {WHAT}", f"gives its outputs any values and {changes}", self.context.origin(node)
        )
        for output in written:
            value = self.context.temporary(output.type)
            self.context.emit(Nondet(value, WHAT), node)
            self.context.cfa.emit(Assign(output, Load(value, value.type)), self.context.origin(node))
        return Constant(0, VOID)

    def _read(self, node: c_ast.Node) -> Expression:
        value = self.expressions.value(node)
        self.expressions.hold_read(value, node)
        return self.context.held(value, node) if is_scalar(value.type) else value

    def _output(self, node: c_ast.Node) -> LValue:
        """An output. Raises Unsupported for one that is no number: where else pointers lead to is not modelled."""
        lvalue = self.lvalues.lvalue(node, "lvalue required as output of an assembler statement")
        if not isinstance(lvalue.type, CInteger | CFloat):
            raise self.context.refuse(node, f"{WHAT} with an output of type '{lvalue.type}'")
        return self.context.held_lvalue(lvalue, node)

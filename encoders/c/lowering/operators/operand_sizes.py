"""`sizeof`, `_Alignof` and their like (C11 6.5.3.4)."""

from pycparser import c_ast

from encoders.c.cfa.ir import Constant, Expression, FieldLValue, FunctionAddress
from encoders.c.lowering.collaborators import Operands
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.declarations import TypeLowering
from encoders.c.lowering.lvalues import LValueLowering
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.lowering.symbols import LocalVariable, VariableLength, VlaPart
from encoders.c.types.c_types import VOID, CPointer, CType, size_type


class OperandSizes:
    """Lowering of operators that measure types."""

    def __init__(self, context: LoweringContext, types: TypeLowering, lvalues: LValueLowering) -> None:
        self.context = context
        self.types = types
        self.lvalues = lvalues

    def size(self, node: c_ast.UnaryOp, operands: Operands) -> Expression:
        """The value of the operator. operands: lowers what it measures, which is not evaluated."""
        if node.op != "sizeof":
            return Constant(
                self.lvalues.operand_alignment(node.expr, node.op == "_Alignof"), size_type(self.context.unit.model)
            )
        kind: CType | VariableLength
        if isinstance(node.expr, c_ast.Typename):
            kind = self.types.type_of(node.expr)
        else:
            symbol = self.context.scope.find(node.expr.name) if isinstance(node.expr, c_ast.ID) else None
            if isinstance(symbol, LocalVariable) and isinstance(symbol.variable.type, CPointer):
                kind = symbol.variable.type
            elif isinstance(symbol, LocalVariable) and symbol.lengths is not None:
                kind = symbol.lengths
            else:
                with self.context.unevaluated():
                    part = operands.any_operand(node.expr)
                    kind = part.lengths if isinstance(part, VlaPart) else part.type
                    if isinstance(part, FieldLValue) and part.field.bit_offset is not None:
                        raise self.context.error(node, "sizeof applied to a bit-field")
                    if isinstance(part, FunctionAddress):
                        kind = VOID
        result = size_type(self.context.unit.model)
        if isinstance(kind, VariableLength):
            scalars = convert(kind.total, result)
            return binary("*", scalars, Constant(self.context.size_of(kind.scalar, node), result), result)
        return Constant(self.context.size_of(kind, node), result)

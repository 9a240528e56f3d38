"""C23's constexpr: scalars whose name is a constant expression."""

from pycparser import c_ast

from encoders.c.cfa.ir import Constant
from encoders.c.lowering.collaborators import Operands
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.conversions import convert
from encoders.c.lowering.operators.side_effects import SideEffects
from encoders.c.source.grammar import CONSTEXPR
from encoders.c.types.c_types import CFloat, CInteger, CType


class NamedConstants:
    """Enters the values that declarations with constexpr name."""

    def __init__(self, context: LoweringContext, side_effects: SideEffects, operands: Operands) -> None:
        self.context = context
        self.side_effects = side_effects
        self.operands = operands

    def declare(self, node: c_ast.Decl, unique: str, kind: CType) -> None:
        """Reads of a constexpr scalar are its value from now on; nothing for other declarations.

        unique: the unique name of the variable. Raises SourceError if its value is no constant of its type.
        Elements and members of constexpr objects are read like others, so they are no constant expressions.
        """
        if CONSTEXPR not in node.storage or not isinstance(kind, CInteger | CFloat):
            return
        given = node.init
        if isinstance(given, c_ast.InitList) and len(given.exprs) <= 1:
            given = given.exprs[0] if given.exprs else c_ast.Constant("int", "0", node.coord)
        value = None
        if given is not None and not self.side_effects.has_side_effects(given):
            with self.context.unevaluated():
                value = self.operands.value(given)
        if not isinstance(value, Constant):
            raise self.context.error(node, f"constexpr '{node.name}' is not initialized by a constant")
        known = convert(value, kind)
        assert isinstance(known, Constant)
        if known.value != value.value and not isinstance(kind, CFloat):
            raise self.context.error(node, f"constexpr '{node.name}': '{kind}' does not hold its value")
        self.context.unit.constants[unique] = known

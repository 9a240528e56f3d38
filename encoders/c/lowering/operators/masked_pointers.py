"""Pointers whose bits are masked: `(T *)((uintptr_t)p & mask)`, which is p, null, or an address of nothing known.

Code against speculative execution makes such masks without a branch: all bits are one, or none is.
"""

from pycparser import c_ast

from chcverify.quick_dataclass import dataclass
from encoders.c.cfa.ir import Assign, Assume, Binary, Constant, Expression, Load
from encoders.c.lowering.context import LoweringContext
from encoders.c.lowering.operators.addresses import pointer_behind
from encoders.c.lowering.operators.conversions import binary, convert
from encoders.c.types.c_types import INT, CInteger, CPointer


@dataclass(frozen=True)
class MaskedPointer:
    """What `(uintptr_t)p & mask` is made of."""

    pointer: Expression
    mask: Expression

    def has_all(self) -> Expression:
        """The condition under which it is the pointer: all bits of the mask are one."""
        kind = self.mask.type
        assert isinstance(kind, CInteger)
        return binary("==", self.mask, Constant(kind.wrap(-1), kind), INT)

    def masked(self, value: Expression) -> Expression:
        """The masked integer again. value: the one before, for its type."""
        return Binary("&", convert(self.pointer, self.mask.type), self.mask, value.type)

    def has_none(self) -> Expression:
        """The condition under which it is null."""
        return binary("==", self.mask, Constant(0, self.mask.type), INT)

    def converted(self, context: LoweringContext, value: Expression, kind: CPointer, node: c_ast.Node) -> Expression:
        """The pointer itself, null, or one that is made from a number, by the mask. value: the masked integer."""
        origin, text, cfa = context.origin(node), context.text(node), context.cfa
        result, after = context.temporary(kind), cfa.location()
        once = MaskedPointer(context.held(self.pointer, node), context.held(self.mask, node))
        null = convert(Constant(0, INT), kind)
        for condition, held in ((once.has_all(), convert(once.pointer, kind)), (once.has_none(), null)):
            then, otherwise = cfa.location(), cfa.location()
            cfa.edge(cfa.current, then, Assume(condition, True), origin, text)
            cfa.edge(cfa.current, otherwise, Assume(condition, False), origin, text)
            cfa.current = then
            cfa.emit(Assign(result, held), origin, text)
            cfa.jump(after, origin)
            cfa.current = otherwise
        cfa.emit(Assign(result, convert(once.masked(value), kind)), origin, text)
        cfa.jump(after, origin)
        cfa.current = after
        return Load(result, kind)


def masked_pointer(value: Expression, context: LoweringContext) -> MaskedPointer | None:
    """The parts of `(uintptr_t)p & mask`; None for other expressions, where the mask is a constant, which aligns, and
    where nothing is evaluated."""
    if not isinstance(value, Binary) or value.operator != "&" or context.is_file_scope or not context.evaluated:
        return None
    model, sides = context.unit.model, ((value.left, value.right), (value.right, value.left))
    found = [(pointer, mask) for side, mask in sides if (pointer := pointer_behind(side, model)) is not None]
    if len(found) != 1 or isinstance(found[0][1], Constant):
        return None
    return MaskedPointer(*found[0])

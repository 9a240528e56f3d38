"""The contents of blocks that end where nobody checks lifetimes: any."""

from collections.abc import Callable, Iterator

import z3

from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.machine_intervals import UNBOUNDED
from encoders.c.analysis.memory.forgotten_blocks import ForgottenBlock, ForgottenBlocks
from encoders.c.analysis.storage import NULL, OBJECT_STRIDE, Memory, StateVariable
from encoders.c.cfa.inlining import InlineFrame
from encoders.c.encoding.edge_values import UndeterminedValues
from encoders.c.encoding.expression_terms import State
from encoders.c.encoding.integer_theory import BoundedTerm, IntegerEncoding
from encoders.c.encoding.memory.record_copies import CellStore
from encoders.c.types.c_types import CPointer, CType


@dataclass(frozen=True, eq=False)
class ForgottenContents:
    """The end of a block in a state."""

    memory: Memory
    blocks: ForgottenBlocks
    theory: IntegerEncoding
    before: State
    live: int
    """The variables that matter afterwards, a bit set."""
    frame: InlineFrame
    """Of the edge."""

    def forget(
        self,
        block: ForgottenBlock,
        into: CellStore,
        any_value: Callable[[CType, object], BoundedTerm],
        choices: UndeterminedValues,
    ) -> Iterator[tuple[StateVariable, z3.ExprRef]]:
        """Stores any value in the cells of a block, or gives all that may be where it is any contents, if a variable
        may still lead to it: the new values of arrays."""
        for leaf, factor, count in block.parts:
            if not into.is_live(leaf):
                continue
            for i in range(count or 0):
                cell = into.cell(leaf, self.address(block), factor, i)
                into.put(cell, leaf.type, lambda kind, key=[leaf, i]: any_value(kind, key))  # type: ignore[misc]
            if count is None and leaf.array is not None and self.live >> leaf.array.index & 1:
                leads, old = self.is_led_to(block), self.before(leaf.array)
                if not z3.is_false(leads):
                    yield leaf.array, z3.If(leads, choices.add(old.sort(), leaf.type, leaf), old)

    def address(self, block: ForgottenBlock) -> BoundedTerm:
        """Where the block begins, in its top region."""
        return self._on_top(self.before(block.pointer), block.scale)

    def is_led_to(self, block: ForgottenBlock) -> z3.BoolRef:
        """A variable that matters afterwards may lead into the block, which is none if the pointer is null."""
        start = self.address(block)
        is_block = start.term != self.theory.address(NULL).term
        if (
            not self._sees_all()
            or self.memory.may_be_unknown(block.top)
            or self.memory.points_to.are_numbers_pointers()
        ):
            return is_block
        leads: list[z3.BoolRef] = []
        for target, leaf in self.blocks.holders(block.top):
            live = [variable for variable in leaf.variables if self.live >> variable.index & 1]
            if not live:
                continue
            scale = self.memory.scale(target)
            if leaf.array is not None or leaf.region.bytes or not isinstance(leaf.type, CPointer) or scale == 0:
                return is_block
            leads += [self._is_inside(start, self._on_top(self.before(variable), scale)) for variable in live]
        return z3.And(is_block, z3.Or(leads)) if leads else z3.BoolVal(False)

    def _sees_all(self) -> bool:
        """Are the live variables all that may lead to a block? Callers of a function with a summary have others."""
        root = self.frame
        while root.parent is not None:
            root = root.parent
        return root.function.name == self.memory.flat.program.initialise

    def _is_inside(self, start: BoundedTerm, address: BoundedTerm) -> z3.BoolRef:
        end = self.theory.advance(start, self.theory.address(OBJECT_STRIDE), None, 1)
        less = self.theory.address_less
        return z3.And(less(start, address, False), less(address, end, True))

    def _on_top(self, term: z3.ExprRef, scale: int) -> BoundedTerm:
        return BoundedTerm(term if scale == 1 else term / scale, UNBOUNDED)

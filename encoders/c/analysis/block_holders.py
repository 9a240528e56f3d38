"""Variables that hold pointers to blocks: while one of them does, the block is not lost (see encoding/lost_blocks.py).

Only variables that certainly live where they matter count: globals, and locals whose address nobody takes. A block that
is held by an array, by another block, or by a local whose address is taken counts as lost in the clauses, though it is
not: what they derive there is no run, and no proof covers it.
"""

from collections.abc import Iterator

from chcverify.results.checks import CheckKind
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, find, top_of
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.analysis.tracked_objects import TrackedObject, TrackedObjects
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, InlineFrame, Leave
from encoders.c.library.model_files import MODELS
from encoders.c.types.c_types import CPointer


class BlockHolders:
    """The variables that hold pointers to blocks, by the top region of the blocks. Empty where nothing can be lost."""

    def __init__(self, memory: Memory, objects: TrackedObjects) -> None:
        self.memory, self.objects = memory, objects
        self._checked = CheckKind.LEAK in objects.checks

    def blocks(self) -> Iterator[tuple[Region, TrackedObject]]:
        """The top regions of blocks that can be lost, with their tracked objects."""
        if self._checked:
            yield from ((top, tracked) for top, tracked in self.objects.all() if self.memory.has_allocations(top))

    def of(self, top: Region) -> list[tuple[StateVariable, Region]]:
        """The variables that may point to blocks of a top region, with the regions that they point into."""
        found = []
        for region, leaf in self.memory.leaves():
            target = region.pointee
            if not isinstance(leaf.type, CPointer) or target is None or top_of(target) is not top_of(top):
                continue
            if self._lives(leaf):
                found += [(variable, find(target)) for variable in leaf.variables]
        return found

    def _lives(self, leaf: ScalarStorage) -> bool:
        """True if the variables of a leaf live wherever they matter."""
        if leaf.array is not None or self.memory.has_allocations(leaf.region):
            return False
        return all(slot.frame == 0 or not slot.variable.address_taken for slot in self.memory.living(leaf.region))

    def reads(self, edge: FlatEdge) -> int:
        """The variables that must be known before an edge, so that they are until their lifetimes end."""
        mask = 0
        for _, tracked in self.blocks():
            mask |= tracked.mask
        if not mask:
            return 0
        if isinstance(edge.operation, ir.EndLifetimes):
            return mask | self.ended(edge)
        if isinstance(edge.operation, ir.CheckBlocks):
            mask |= self._globals()
            frame: InlineFrame | None = None if edge.operation.leaves_main else edge.frame
            while frame is not None:
                for variable in (*frame.function.parameters, *frame.function.locals):
                    mask |= self._cells(variable, frame)
                frame = frame.parent
        return mask

    def ended(self, edge: FlatEdge) -> int:
        """The variables that end at an edge."""
        mask = 0
        if self._checked and isinstance(edge.operation, ir.EndLifetimes):
            for variable in edge.operation.variables:
                mask |= self._cells(variable, edge.frame)
        return mask

    def _globals(self) -> int:
        mask = 0
        for _, leaf in self.memory.leaves():
            slots = self.memory.living(leaf.region)
            if isinstance(leaf.type, CPointer) and self._lives(leaf) and all(slot.frame == 0 for slot in slots):
                mask |= sum(1 << variable.index for variable in leaf.variables)
        return mask

    def _cells(self, variable: ir.Variable, frame: InlineFrame) -> int:
        """The state of a local pointer whose address nobody takes."""
        if variable.address_taken or variable.temporary or not isinstance(variable.type, CPointer):
            return 0
        leaf = self.memory.leaf(self.memory.points_to.regions.of_slot(slot_of(variable, frame)))
        if leaf.array is not None or len(self.memory.living(leaf.region)) != 1:
            return 0
        return sum(1 << cell.index for cell in leaf.variables)


def is_in_library(frame: InlineFrame) -> bool:
    """True for instances of library models: their states are none of the program's."""
    return any(location.origin.file.startswith(MODELS) for location in frame.function.locations[:1])


def leaves_library(edge: FlatEdge) -> bool:
    """True for the return of a library model."""
    return isinstance(edge.operation, Leave) and is_in_library(edge.operation.callee)

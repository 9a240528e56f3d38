"""Where blocks end whose lifetimes nobody checks: the state that holds their contents.

The cells of small blocks are forgotten one by one. Of others nobody knows the size: then all that is allocated where
they are is forgotten, if a variable that is used later may lead into the block.
"""

from collections.abc import Iterator

from chcverify.effort import MAX_COMBINED
from chcverify.quick_dataclass import dataclass
from encoders.c.analysis.abstract_evaluation import AbstractEvaluator
from encoders.c.analysis.machine_intervals import Interval
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, find, top_of
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import Enter, FlatProgram, InlineFrame
from encoders.c.cfa.type_sizes import sizes_of
from encoders.c.library.model_files import GIVEN_OBJECTS
from encoders.c.types.c_types import CRecord
from encoders.c.types.record_layout import SEPARATE_CELLS


@dataclass(frozen=True, eq=False)
class ForgottenBlock:
    """A block that ends."""

    top: Region
    """The region where it is."""
    pointer: StateVariable
    """The variable that leads to it: `scale` times the address in the top region."""
    scale: int
    parts: tuple[tuple[ScalarStorage, int, int | None], ...]
    """The leaves that hold it, the cells of each per address, and the cells that are forgotten (None: all of them)."""


class ForgottenBlocks:
    """The blocks of a program whose contents are forgotten."""

    def __init__(self, memory: Memory, flat: FlatProgram) -> None:
        self.memory = memory
        self._most: dict[Region, int | None] = {}  # bytes of a block, by the top region
        if any(isinstance(edge.operation, ir.Forget) for edge in flat.edges()):
            self._measure(flat)

    def of(self, operation: ir.Forget, frame: InlineFrame) -> ForgottenBlock | None:
        """The block that an operation forgets; None if nobody ever reads such blocks."""
        memory = self.memory
        slot = slot_of(operation.variable, frame)
        target = memory.points_to.target(operation.pointer, frame)
        top = top_of(target)
        holder = memory.leaf(memory.points_to.regions.of_slot(slot)).cells.get(memory.base(slot))
        scale = memory.scale(target)
        if top.type is None or not memory.has_allocations(top) or holder is None or scale == 0:
            return None
        return ForgottenBlock(top, holder, scale, tuple(self._parts(top)))

    def holders(self, top: Region) -> Iterator[tuple[Region, ScalarStorage]]:
        """The leaves whose pointers may lead into objects of a top region, each with the region that they lead to."""
        for region, leaf in self.memory.leaves():
            if region.pointee is not None and top_of(region.pointee) is top:
                yield find(region.pointee), leaf

    def _parts(self, top: Region) -> Iterator[tuple[ScalarStorage, int, int | None]]:
        assert top.type is not None
        most = self._most.get(top)
        units = None if most is None else self._units(top, most)
        for leaf, factor, count in self.memory.parts(top, top.type):
            cells = None if units is None or count is None else count * units
            yield leaf, factor, cells if cells is not None and cells <= SEPARATE_CELLS else None

    def _units(self, top: Region, size: int) -> int:
        """The objects of a region's type that begin in memory of `size` bytes."""
        assert top.type is not None
        bits = max(8, sizes_of(self.memory.flat.program).of(top.type))
        if isinstance(top.type, CRecord):  # without its padding
            members = self.memory.flat.program.records.get(top.type.tag, ())
            bits = max((8 * member.offset for member in members), default=0) + 8
        return -(-8 * size // bits)

    # --- sizes --------------------------------------------------------------------------------------------------------

    def _measure(self, flat: FlatProgram) -> None:
        """Finds the most bytes of a block in each region, as far as constants show."""
        sizes = self._passed_sizes(flat)
        for edge in flat.edges():
            operation, frame = edge.operation, edge.frame
            if not isinstance(operation, ir.Allocate) or frame.function.name in GIVEN_OBJECTS:
                continue
            points_to = self.memory.points_to
            top = top_of(points_to.regions.pointee(points_to.region_of(operation.lvalue, frame)))
            high = AbstractEvaluator(self.memory, frame, sizes).value(operation.size)[1]
            known = self._most.get(top, 0)
            is_small = known is not None and 0 <= high <= 8 * SEPARATE_CELLS * SEPARATE_CELLS
            self._most[top] = max(known or 0, int(high)) if is_small else None

    def _passed_sizes(self, flat: FlatProgram) -> dict[StateVariable, Interval]:
        """The values of parameters, of functions that are inlined, whose arguments are constants."""
        found: dict[StateVariable, Interval] = {}
        enters = [edge for edge in flat.edges() if isinstance(edge.operation, Enter)]
        for _ in range(MAX_COMBINED if enters else 0):
            joined: dict[StateVariable, Interval] = {}
            for edge in enters:
                assert isinstance(edge.operation, Enter)
                callee = edge.operation.callee
                for parameter, argument in zip(callee.function.parameters, edge.operation.arguments, strict=True):
                    cell = self._cell(parameter, callee)
                    if cell is not None and parameter.unique not in assigned(callee.function):
                        joined[cell] = AbstractEvaluator(self.memory, edge.frame, found).value(argument)
            found = joined
        return found

    def _cell(self, parameter: ir.Variable, frame: InlineFrame) -> StateVariable | None:
        if parameter.address_taken:
            return None
        return AbstractEvaluator(self.memory, frame, {}).cell(ir.VariableLValue.of(parameter))


def assigned(function: ir.FunctionCfa) -> frozenset[str]:
    """The unique names of the variables that a function assigns as a whole."""
    lvalues = (getattr(edge.operation, "lvalue", None) for edge in function.edges)
    return frozenset(lvalue.variable.unique for lvalue in lvalues if isinstance(lvalue, ir.VariableLValue))

"""Effects of operations on tracked objects: what their checks read, and which of their variables change."""

from collections.abc import Iterator

from encoders.c.analysis.memory.tracked_objects import TrackedObject, TrackedObjects
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.storage import Memory
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import base_of
from encoders.c.cfa.inlining import FlatEdge, Leave

Change = tuple[int, int]
"""The bit sets of variables that change, all of them, and of those that the new values depend on."""


class ObjectEffects:
    """The effects on tracked objects. Those on other state are in `effects.py`."""

    def __init__(self, memory: Memory, objects: TrackedObjects) -> None:
        self.memory, self.objects = memory, objects

    def reads(self, edge: FlatEdge) -> int:
        """The variables of tracked objects that the checks of the edge depend on."""
        frame = edge.frame
        match edge.operation:
            case ir.CheckAccess(lvalue=lvalue):
                lvalue = base_of(lvalue)
                if isinstance(lvalue, ir.VariableLValue):
                    tracked = self.objects.of_variable(lvalue.variable, frame)
                else:
                    tracked = self.objects.of(self.memory.points_to.target(lvalue.pointer, frame))
                return 0 if tracked is None else tracked.mask | self._alive(tracked)
            case ir.Release(pointer=pointer):
                tracked = self.objects.of(self.memory.points_to.target(pointer, frame))
                if tracked is None:
                    return 0
                return 1 << tracked.point.index | 1 << tracked.state.index | self._alive(tracked)
            case ir.Assign():
                tracked = self.objects.moved(edge.operation, frame)
                return 0 if tracked is None else tracked.mask
            case ir.Declare(variable=variable):
                return self._redeclared(edge, variable)
            case ir.CheckBlocks():
                mask = 0
                blocks = [tracked for top, tracked in self.objects.all() if self.objects.has_blocks(top)]
                for tracked in blocks:
                    mask |= 1 << tracked.state.index | 1 << tracked.point.index
                return mask
            case _:
                return 0

    def _alive(self, tracked: TrackedObject) -> int:
        """The variable that says which blocks live, where that is followed."""
        links = self.objects.links.get(tracked)
        return 0 if links is None else 1 << links.alive.index

    def _redeclared(self, edge: FlatEdge, variable: ir.Variable) -> int:
        """A second life of a variable whose first one has not ended is not modelled."""
        own, tracked = self._own(edge, variable)
        if own is None or tracked is None:
            return 0
        return 1 << own | 1 << tracked.point.index | 1 << tracked.state.index

    def _own(self, edge: FlatEdge, variable: ir.Variable) -> tuple[int | None, TrackedObject | None]:
        """The index of the variable that holds the address of a local, if there is one, and its tracked object."""
        own = self.memory.activation(slot_of(variable, edge.frame))
        return None if own is None else own.index, self.objects.of_variable(variable, edge.frame)

    def changes(self, edge: FlatEdge) -> Iterator[Change]:
        """The changes of tracked objects."""
        match edge.operation:
            case ir.Allocate(lvalue=lvalue):
                target = self.memory.points_to.regions.pointee(self.memory.points_to.region_of(lvalue, edge.frame))
                tracked = self.objects.of(target)
                if tracked is not None:
                    yield from self._born(tracked, 1 << self.memory.next_address(target).index)
            case ir.Declare(variable=variable):
                tracked = self.objects.of_variable(variable, edge.frame)
                slot = slot_of(variable, edge.frame)
                region = self.memory.points_to.regions.of_slot(slot)
                if tracked is not None and self.memory.activation(slot) is not None:
                    yield from self._born(tracked, 1 << self.memory.next_address(region).index)
                elif tracked is not None and self.objects.is_measured(variable):
                    yield from self._born(tracked, 0)
            case ir.Release(pointer=pointer):
                tracked = self.objects.of(self.memory.points_to.target(pointer, edge.frame))
                if tracked is not None:
                    yield self._ended(tracked, 0)
                yield from (self._ended(other, 0) for other in self.objects.of_unknown_release(edge))
            case ir.EndLifetimes(variables=variables):
                for variable in variables:
                    own, tracked = self._own(edge, variable)
                    if own is not None and tracked is not None:
                        yield self._ended(tracked, 1 << own)
                    for cell in self.objects.pointers_of(variable, edge.frame):
                        yield 1 << cell.index, 0
            case Leave(callee=callee):
                for tracked, _ in self.objects.left(callee):
                    yield 1 << tracked.state.index, 1 << tracked.state.index
            case _:
                pass

    def _born(self, tracked: TrackedObject, address: int) -> Iterator[Change]:
        for variable in (tracked.size, tracked.state):
            yield 1 << variable.index, 1 << variable.index | 1 << tracked.point.index | address

    def _ended(self, tracked: TrackedObject, address: int) -> Change:
        state = 1 << tracked.state.index
        return state, state | 1 << tracked.point.index | address

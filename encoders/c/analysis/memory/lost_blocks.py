"""Where lost blocks are looked for, and which variables may still lead to a block there.

A block that is lost stays lost. So it is enough to look where a run ends, and at one location of each loop that may go
on for ever: every run passes such a location after it has lost a block, or makes no more than finitely many steps.

What is not modelled there is asked after VISITS visits of such locations only: a run that goes on for ever makes these,
and for the others it is enough to look where they end. So programs that make fewer need no answer to it.
"""

from dataclasses import field, replace

from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import CheckKind
from encoders.c.analysis.counting_loops import open_locations
from encoders.c.analysis.memory.tracked_objects import BlockLinks, TrackedObject, TrackedObjects, Visits
from encoders.c.analysis.regions import BYTE_CELL, Region, find, top_of
from encoders.c.analysis.storage import OBJECT_STRIDE, Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatEdge, FlatFunction, FlatProgram, InlineFrame, Slot
from encoders.c.types.c_types import CFunction, CPointer

VISITS = 32
"""Visits of locations behind which it matters that more than one step may lead to a block. Bounded programs with a few
blocks of each kind make fewer; a block that is lost in an endless loop is shown by a run that makes so many: with 40 of
them, one of seven such programs (written for this) took more than 30 s, with 2 none did."""


@dataclass(frozen=True)
class Holders:
    """What leads to the blocks of a region at a location."""

    tracked: TrackedObject
    direct: tuple[tuple[StateVariable, Region], ...]
    """Cells of living variables that may hold pointers to the blocks, with the regions that they point into."""
    first: tuple[StateVariable, ...]
    """Cells of living variables through which other objects may lead to the blocks."""
    is_open: bool
    """Something else may lead there."""
    links: BlockLinks | None = None
    """The links by which blocks of the region lead to each other, where they are followed."""
    upward: bool = False
    """The links lead from older to newer blocks here."""
    visits: Visits | None = None
    """The counter of visits that must be enough before what is not modelled matters; None if it always does."""

    @property
    def is_modelled(self) -> bool:
        """True if it is certain what leads to the blocks."""
        return not self.is_open and not self.first

    @property
    def mask(self) -> int:
        """The bit set of all state that decides."""
        mask = self.tracked.mask if self.links is None else self.links.mask
        mask |= 0 if self.visits is None else self.visits.mask
        for variable in (*(variable for variable, _ in self.direct), *self.first):
            mask |= 1 << variable.index
        return mask


@dataclass(eq=False)
class LostBlocks:
    """The locations where lost blocks are looked for. loops: by location number. ends: by edge, of CheckBlocks."""

    loops: dict[int, list[Holders]] = field(default_factory=dict)
    ends: dict[FlatEdge, list[Holders]] = field(default_factory=dict)

    def kept(self) -> dict[int, int]:
        """The state that is live at locations because of the search, by location number."""
        masks: dict[int, int] = {}
        for number, holders in (*self.loops.items(), *((edge.source, found) for edge, found in self.ends.items())):
            for each in holders:
                masks[number] = masks.get(number, 0) | each.mask
        return masks


def lost_blocks(flat: FlatProgram, memory: Memory, objects: TrackedObjects) -> LostBlocks:
    """The locations and the holders, where lost blocks are looked for."""
    out = LostBlocks()
    if CheckKind.LEAK not in flat.program.checks:
        return out
    finder = _Finder(flat, memory, objects)
    for function in flat.functions.values():
        cuts = open_locations(function)
        if function.name != flat.program.initialise:
            cuts.append(function.entry)
        for number in cuts:
            out.loops[number] = finder.holders(function, number, function.locations[number].frame)
        for edge in function.edges:
            if isinstance(edge.operation, ir.CheckBlocks):
                frame = None if edge.operation.leaves_main else edge.frame
                out.ends[edge] = finder.holders(function, edge.source, frame)
    _count_visits(out, flat, memory, objects)
    return out


def _count_visits(lost: LostBlocks, flat: FlatProgram, memory: Memory, objects: TrackedObjects) -> None:
    """Counts the visits of locations where it may be unclear whether a block is lost, and lets them wait for enough.

    Locations from which a summarised function is called do not wait: such edges count nothing.
    """
    calling = {edge.source for edge in flat.edges() if isinstance(edge.operation, ir.Call)}
    unclear = {number for number, found in lost.loops.items() if not all(each.is_modelled for each in found)}
    waiting = frozenset(unclear - calling)
    if not waiting:
        return
    objects.visits = visits = Visits(memory.add_null("visits of open loops"), waiting, VISITS)
    for number in waiting:
        lost.loops[number] = [each if each.is_modelled else replace(each, visits=visits) for each in lost.loops[number]]


class _Finder:
    def __init__(self, flat: FlatProgram, memory: Memory, objects: TrackedObjects) -> None:
        self.flat, self.memory, self.objects = flat, memory, objects
        self.leaves = [(region, leaf) for region, leaf in memory.leaves() if self._target(region) is not None]

    def _target(self, region: Region) -> Region | None:
        """The top region of the objects that a scalar region's pointers point into; None if it holds no pointers."""
        leaf = self.memory.leaf(region)
        is_data = isinstance(leaf.type, CPointer) and not isinstance(leaf.type.target, CFunction)
        if region.pointee is None or not (is_data or leaf.type == BYTE_CELL):
            return None
        return top_of(region.pointee)

    def holders(self, function: FlatFunction, number: int, frame: InlineFrame | None) -> list[Holders]:
        """The holders of all blocks at a location with a number.

        frame: the innermost function instance that is active; None if main has ended.
        """
        frames = {0}
        is_whole = function.name == self.flat.program.initialise  # else nobody knows what the callers hold
        while frame is not None:
            frames.add(frame.number)
            frame = frame.parent
        return [
            self._of_region(top, tracked, number, frames, is_whole)
            for top, tracked in self.objects.all()
            if self.objects.has_blocks(top)
        ]

    def _of_region(self, top: Region, tracked: TrackedObject, number: int, frames: set[int], is_whole: bool) -> Holders:
        leading = self._leading(top)
        direct: list[tuple[StateVariable, Region]] = []
        first: list[StateVariable] = []
        is_open = not is_whole
        for region, leaf in self.leaves:
            target = self._target(region)
            if target is None or target not in leading:
                continue
            slots = [s for s in self.memory.living(region) if s.frame in frames and not s.variable.temporary]
            if not slots:
                continue
            if leaf.array is not None or leaf.type == BYTE_CELL:
                is_open = True
                continue
            for address, cell in leaf.cells.items():
                if self._slot(region, address) not in slots:
                    continue
                assert region.pointee is not None
                if target is top:
                    direct.append((cell, find(region.pointee)))
                if self._goes_on(target, leading):
                    first.append(cell)
        links = self.objects.links.get(tracked) if not is_open else None
        upward = links is not None and number in links.upward
        return Holders(tracked, tuple(direct), tuple(first), is_open, links, upward)

    def _leading(self, top: Region) -> set[Region]:
        """The top regions whose objects may lead to those of `top`, that one included."""
        found, grows = {top}, True
        while grows:
            grows = False
            for region, _ in self.leaves:
                outer = top_of(region)
                if self._target(region) in found and outer not in found:
                    found.add(outer)
                    grows = True
        return found

    def _goes_on(self, target: Region, leading: set[Region]) -> bool:
        """True if objects in a region hold pointers that may lead on."""
        targets = (self._target(region) for region, _ in self.leaves if top_of(region) is target)
        return any(each in leading for each in targets if each is not None)

    def _slot(self, region: Region, address: int) -> Slot | None:
        """The variable that a cell of a region belongs to."""
        scale = self.memory.scale(region)
        for slot in self.memory.living(region):
            own = self.memory.scale(self.memory.points_to.regions.of_slot(slot)) or 1
            start = self.memory.base(slot) // own * scale
            if start <= address < start + OBJECT_STRIDE // 2 * scale:
                return slot
        return None

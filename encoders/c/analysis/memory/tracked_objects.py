"""Tracked objects: state that follows one object of each region, so that accesses to all of them can be checked.

What is computed. To check every access to memory, one would have to know of each object whether it is still alive and
how large it is: unboundedly many facts, since a loop may allocate in each of its rounds. Instead the clauses follow a
single object of each region, and let the solver choose which one. Before the program starts, an arbitrary address,
`point`, is chosen for the region. If an object is allocated at that address, the clauses record its `size` and its
`state` (alive, released, ...); of the other objects nothing is recorded. A check of an access fails if the pointer
leads to the object at `point` and that object is not alive, or is too small. A region in which at most
MAX_ALTERNATIVES variables live and nothing is allocated needs no tracked object: their addresses and sizes are known.

Why it is right. Every violation is found: suppose that some run reads an object after its release. Choose `point` to be
the address of that object; with this choice the clauses have recorded the release, so they derive the violation. The
solver considers all choices, this one among them. And no other violation is found: whatever the choice is, what the
clauses record of the object at `point` is true of the run. A choice where no object is ever allocated only means that
the checks of that region say nothing in that run.

Example. In

    int *p = malloc(4), *q = malloc(4);
    free(p);
    *q = 1;
    *p = 1;

p and q lead to one region, with the addresses a and b. With point = a the state goes from unborn to heap (by the first
malloc) and to freed (by free). `*q = 1` does not lead to a, so its check holds; `*p = 1` leads to a, whose state is
freed: a violation. With point = b the state is heap to the end, and no check fails. With any other point it stays
unborn, and no check fails. If the last line is left out, no choice derives a violation, and the program is proved.

The classes below also follow links between blocks, with which lost blocks and lists of any length are decided: see
`BlockLinks` and `BlockRanks`.
"""

from collections.abc import Iterable, Iterator, Mapping
from enum import IntEnum

from chcverify.effort import MAX_ALTERNATIVES
from chcverify.quick_dataclass import dataclass
from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.analysis.memory.forgotten_blocks import ForgottenBlocks
from encoders.c.analysis.memory.written_cells import WrittenCells
from encoders.c.analysis.points_to import slot_of
from encoders.c.analysis.regions import Region, top_of
from encoders.c.analysis.storage import Memory, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.expression_walk import Node, base_of, postorder
from encoders.c.cfa.inlining import Enter, FlatEdge, FlatOperation, FlatProgram, InlineFrame, Slot
from encoders.c.library.model_files import GIVEN_OBJECTS
from encoders.c.source.source_errors import Unsupported
from encoders.c.types.c_types import CArray, CPointer, CRecord, CType, CVoid

BLOCKS = frozenset({CheckKind.FREE, CheckKind.LEAK, CheckKind.CLEANUP, CheckKind.LIFETIME})


class ObjectState(IntEnum):
    """What has happened to the tracked object by now; the value of its variable `state`."""

    UNBORN = 0  # it is not allocated yet
    STATIC = 1  # it is a variable that lives as long as the program, as far as pointers show
    STACK = 2  # it is a local variable, and its block is still being executed
    HEAP = 3  # it was allocated by malloc or its like, and is not released yet
    FREED = 4  # it was released
    GONE = 5  # it was a local variable, and its block has ended
    FIRST_FRAME = 6  # with n added: the n-th function instance that calls alloca allocated it, and has not returned


@dataclass(frozen=True, eq=False)
class TrackedObject:
    """The variables of the clauses that describe a region's tracked object."""

    point: StateVariable
    """Its address in the top region; chosen at the start, and never changed."""
    size: StateVariable
    """Its size in bytes."""
    state: StateVariable
    """What has happened to it by now, as a number of `ObjectState`."""

    @property
    def mask(self) -> int:
        """The bit set of the three variables."""
        return 1 << self.point.index | 1 << self.size.index | 1 << self.state.index


@dataclass(frozen=True, eq=False)
class BlockRanks:
    """An order of the blocks of a region in which links lead upwards, where that is not the order of allocations."""

    links: StateVariable
    """The array of the links."""
    ranks: StateVariable
    """The array of the ranks, by the addresses where blocks begin."""
    own: StateVariable
    """The rank of the tracked block."""
    gap: StateVariable
    """Any two ranks are equal, or differ by this at least."""
    pointers: tuple[StateVariable, ...]
    """The variables that lead to blocks."""
    anchors: tuple[StateVariable, ...]
    """Those of them that lead to one block for ever: links to that are no part of the order."""
    stores: Mapping[FlatEdge, bool]
    """The edges that store links. True if the block that the link leads to moves where the order must change; False if
    the block with the link does."""

    @property
    def mask(self) -> int:
        """The bit set of the state that is the order."""
        return 1 << self.ranks.index | 1 << self.own.index


@dataclass(frozen=True, eq=False)
class OuterLinks:
    """Links from blocks of another region, which blocks of this one lead not back to."""

    holders: TrackedObject
    """The tracked object of the region with the links."""
    array: StateVariable
    """The array of the links."""
    referrer: StateVariable
    """As in `BlockLinks`."""


@dataclass(frozen=True, eq=False)
class BlockLinks:
    """How blocks of a region lead to its tracked one."""

    tracked: TrackedObject
    referrers: tuple[tuple[StateVariable, StateVariable], ...]
    """For each array of links in the region, the address of a cell that leads to the tracked block while both blocks
    live. Of several such cells it is the one that was stored last; null once that cell leads elsewhere."""
    alive: StateVariable
    """The array of the blocks that live, by the addresses where they begin; null for all others."""
    upward: frozenset[int]
    """The numbers of the locations where links from older to newer blocks are followed."""
    order: BlockRanks | None = None
    """The order of the blocks; None if that of their allocations is enough."""
    outer: tuple[OuterLinks, ...] = ()
    """Links to the region from blocks of others. A block to which one leads is not lost unless that one is."""

    @property
    def cells(self) -> Iterator[tuple[StateVariable, StateVariable]]:
        """The arrays of links and the cells that lead to the tracked block, of this region and of others."""
        yield from self.referrers
        yield from ((link.array, link.referrer) for link in self.outer)

    @property
    def mask(self) -> int:
        """The bit set of all state that decides."""
        mask = self.tracked.mask | (0 if self.order is None else self.order.mask | 1 << self.alive.index)
        for array, referrer in self.cells:
            mask |= 1 << array.index | 1 << referrer.index
        return mask


@dataclass(frozen=True, eq=False)
class Visits:
    """How often a run has left some locations."""

    counter: StateVariable
    """The number of times, counted from null, up to `most`."""
    locations: frozenset[int]
    """The numbers of these locations."""
    most: int

    @property
    def mask(self) -> int:
        """The bit set of the counter."""
        return 1 << self.counter.index


class TrackedObjects:
    """The tracked objects of a program; there are none where nothing of memory is checked.

    `written` follows which cells were written. `forgotten` are the blocks whose release no check depends on. `visits`
    counts the visits of the locations where the search for lost blocks waits for enough of them, and is None where
    there are no such locations. `links` has an entry for each tracked object whose links are followed. `are_limited`:
    the encoder has found no object to be larger than LARGEST_OBJECT, and runs end at violations.
    """

    def __init__(self, memory: Memory, flat: FlatProgram) -> None:
        self.memory, self.checks = memory, flat.program.checks
        self.written = WrittenCells(memory, flat)
        self.forgotten = ForgottenBlocks(memory, flat)
        self._tracked: dict[Region, TrackedObject] = {}
        self._frames: dict[int, int] = {}  # numbers of frames that allocate on the stack
        self._stacks: dict[int, dict[Region, None]] = {}  # the top regions where a frame allocates
        self.links: dict[TrackedObject, BlockLinks] = {}  # where they are followed
        self.visits: Visits | None = None
        self.are_limited = False
        self._blocks: dict[Region, None] = {}  # the top regions where blocks live until they are released
        self._given: dict[Region, None] = {}  # the top regions of what main's arguments lead to
        if self.checks & (DEREFERENCES | BLOCKS):
            for edge in flat.edges():
                self._edge(edge, flat)

    def of(self, region: Region) -> TrackedObject | None:
        """The tracked object of the whole objects that a region is a part of; None where they are all known."""
        return self._tracked.get(top_of(region))

    def links_of(self, region: Region) -> BlockLinks | None:
        """The links to the tracked object of a region, if they are followed."""
        tracked = self.of(region)
        return None if tracked is None else self.links.get(tracked)

    def region_of(self, tracked: TrackedObject) -> Region:
        """The top region of a tracked object."""
        return next(top for top, other in self._tracked.items() if other is tracked)

    def all(self) -> Iterable[tuple[Region, TrackedObject]]:
        """The top regions with their tracked objects."""
        return self._tracked.items()

    @property
    def follows_blocks(self) -> bool:
        """True if it is followed which pointers lead to blocks: it is not known then what unknown pointers do."""
        return bool(self.links or self.checks & {CheckKind.LEAK, CheckKind.CLEANUP})

    def of_unknown_release(self, edge: FlatEdge) -> list[TrackedObject]:
        """The tracked objects that may be released where an edge calls free with a pointer that functions without a
        body have made (see unknown_pointers.py)."""
        operation, points_to = edge.operation, self.memory.points_to
        if not isinstance(operation, ir.Release) or self.follows_blocks:
            return []
        if not self.memory.may_be_unknown(points_to.target(operation.pointer, edge.frame)):
            return []
        if points_to.are_numbers_pointers():
            return list(self._tracked.values())
        reached = {top_of(node) for node in points_to.known_elsewhere()}
        return [tracked for top, tracked in self._tracked.items() if top_of(top) in reached]

    def has_blocks(self, top: Region) -> bool:
        """True for top regions where blocks live until they are released."""
        return top in self._blocks

    def is_given(self, top: Region) -> bool:
        """True for top regions of what main's arguments lead to."""
        return top in self._given

    def has_only_blocks(self, top: Region) -> bool:
        """True if nothing else than such blocks is allocated in a top region."""
        return (
            top in self._blocks and not any(top in stack for stack in self._stacks.values()) and top not in self._given
        )

    def of_variable(self, variable: ir.Variable, frame: InlineFrame) -> TrackedObject | None:
        """The tracked object of a variable's region."""
        return self.of(self.memory.points_to.regions.of_slot(slot_of(variable, frame)))

    def moved(self, operation: object, frame: InlineFrame) -> TrackedObject | None:
        """The tracked object of a pointer that an assignment stores after moving it, where lost blocks are looked for:
        a block is lost while only a pointer beyond its end leads to it, even if that comes back."""
        if CheckKind.LEAK not in self.checks or not isinstance(operation, ir.Assign):
            return None
        value = operation.value
        while isinstance(value, ir.Cast) and isinstance(value.type, CPointer):
            value = value.operand
        if not isinstance(value, ir.PointerAdd):
            return None
        return self.of(self.memory.points_to.target(value, frame))

    def pointers_of(self, variable: ir.Variable, frame: InlineFrame) -> Iterator[StateVariable]:
        """The cells of a variable that hold pointers; where lost blocks are looked for, they lead nowhere any more when
        its lifetime ends."""
        slot = slot_of(variable, frame)
        if CheckKind.LEAK not in self.checks or self.memory.activation(slot) is not None:
            return
        region = self.memory.points_to.regions.of_slot(slot)
        for leaf, factor, count in self.memory.parts(region, variable.type):
            if isinstance(leaf.type, CPointer) and leaf.array is None and count is not None:
                start = self.memory.base(slot) * factor
                yield from (leaf.cells[start + i] for i in range(count) if start + i in leaf.cells)

    def allocated_state(self, operation: ir.Allocate, frame: InlineFrame) -> int:
        """The state of an object after its allocation."""
        if operation.on_stack:
            return ObjectState.FIRST_FRAME + self._frames[frame.number]
        return ObjectState.STATIC if frame.function.name in GIVEN_OBJECTS else ObjectState.HEAP

    def left(self, frame: InlineFrame) -> list[tuple[TrackedObject, int]]:
        """The tracked objects that may end when a function instance returns, with their states until then."""
        if frame.number not in self._frames:
            return []
        state = ObjectState.FIRST_FRAME + self._frames[frame.number]
        return [(self._tracked[top], state) for top in self._stacks[frame.number] if top in self._tracked]

    def loads(self, edge: FlatEdge) -> Iterator[tuple[BlockLinks, ir.Load]]:
        """The links that an edge reads in any case through pointers, in regions with an order of their own."""
        roots = _values(edge.operation)
        for links in self.links.values():
            if links.order is None:
                continue
            for node in postorder(*roots, skip=_conditional(roots)):
                if isinstance(node, ir.Load) and isinstance(node.lvalue, ir.FieldLValue) and _is_scalar(node.type):
                    region = self.memory.points_to.region_of(node.lvalue, edge.frame)
                    if self.memory.leaf(region).array is links.order.links:
                        yield links, node

    def is_measured(self, variable: ir.Variable) -> bool:
        """True for arrays of variable length, whose sizes are state."""
        return isinstance(variable.type, CArray) and variable.type.length is None

    def _edge(self, edge: FlatEdge, flat: FlatProgram) -> None:
        points_to, frame = self.memory.points_to, edge.frame
        match edge.operation:
            case ir.CheckAccess(lvalue=lvalue):
                lvalue = base_of(lvalue)
                if isinstance(lvalue, ir.Dereference):
                    self._track(points_to.target(lvalue.pointer, frame))
                elif self.is_measured(lvalue.variable):
                    self._track(points_to.regions.of_slot(slot_of(lvalue.variable, frame)), always=True)
            case ir.Release(pointer=pointer):
                self._track(points_to.target(pointer, frame))
            case ir.Allocate(lvalue=lvalue, on_stack=on_stack):
                target = points_to.regions.pointee(points_to.region_of(lvalue, frame))
                if on_stack:
                    self._note_frame(edge, top_of(target), flat)
                elif frame.function.name in GIVEN_OBJECTS:
                    self._given[top_of(target)] = None
                else:
                    self._blocks[top_of(target)] = None
                    if self.checks & {CheckKind.LEAK, CheckKind.CLEANUP}:
                        self._track(target)
            case _:
                pass

    def _note_frame(self, edge: FlatEdge, top: Region, flat: FlatProgram) -> None:
        frame = edge.frame
        if frame.parent is None and frame.function.name != flat.program.initialise:
            raise Unsupported(edge.edge.origin, "alloca in a function that is called recursively or very often")
        self._frames.setdefault(frame.number, len(self._frames))
        self._stacks.setdefault(frame.number, {})[top] = None

    def _track(self, region: Region, always: bool = False) -> None:
        memory, top = self.memory, top_of(region)
        slots = memory.living(top)
        needed = memory.has_allocations(top) or len(slots) > MAX_ALTERNATIVES
        if top in self._tracked or not (needed or always or any(self.is_measured(s.variable) for s in slots)):
            return
        what = top.label or "memory"
        names = [f"tracked object of {what}", f"size of the tracked object of {what}"]
        names.append(f"state of the tracked object of {what}")
        self._tracked[top] = TrackedObject(*(memory.add_scalar(name, CPointer(CVoid())) for name in names))


def dangling(memory: Memory, flat: FlatProgram, live: dict[int, int]) -> frozenset[Slot]:
    """The variables to which pointers may still exist when their lifetimes end.

    live: the live variables of each location. These variables need an address of their own for each of their lives.
    """
    holders: dict[Region, int] = {}
    for region, leaf in memory.leaves():
        if region.pointee is not None:
            top = top_of(region.pointee)
            holders[top] = holders.get(top, 0) | sum(1 << variable.index for variable in leaf.variables)
    found: set[Slot] = set()
    for edge in flat.edges():
        if not isinstance(edge.operation, ir.EndLifetimes):
            continue
        for variable in edge.operation.variables:
            slot = slot_of(variable, edge.frame)
            if variable.address_taken and memory.activation(slot) is None:
                region = memory.points_to.regions.of_slot(slot)
                if holders.get(top_of(region), 0) & live[edge.target]:
                    found.add(slot)
    return frozenset(found)


def _is_scalar(kind: CType) -> bool:
    return not isinstance(kind, CArray | CRecord)


def _conditional(roots: tuple[Node, ...]) -> set[int]:
    """The identities of parts of expressions that are evaluated under a condition only."""
    parts: set[int] = set()
    for node in postorder(*roots):
        match node:
            case ir.Binary(operator="&&" | "||", right=right):
                parts.add(id(right))
            case ir.Conditional(then=then, otherwise=otherwise):
                parts |= {id(then), id(otherwise)}
            case _:
                pass
    return parts


def _values(operation: FlatOperation) -> tuple[Node, ...]:
    """The expressions whose values an operation uses."""
    match operation:
        case ir.Assume(condition=condition):
            return (condition,)
        case ir.Assign(lvalue=lvalue, value=value):
            return lvalue, value
        case Enter(arguments=arguments):
            return arguments
        case _:
            return ()

"""Linked blocks: regions whose blocks hold pointers to each other, and the state that proofs about them need.

A run has allocated the addresses below the next fresh one. An invariant about all blocks of a list ("each one
leads to a block that was allocated, or to none") has no other bound where the program itself keeps no pointer to the
last one.
"""

from collections.abc import Iterator, Mapping, Sequence

from chcverify.results.checks import DEREFERENCES, CheckKind
from encoders.c.analysis.memory.anchors import anchors
from encoders.c.analysis.memory.link_direction import unordered_stores, upward_locations
from encoders.c.analysis.memory.tracked_objects import BLOCKS, BlockLinks, BlockRanks, OuterLinks, TrackedObjects
from encoders.c.analysis.regions import Region, find, top_of
from encoders.c.analysis.storage import Memory, ScalarStorage, StateVariable
from encoders.c.cfa import ir
from encoders.c.cfa.inlining import FlatProgram, Slot
from encoders.c.types.c_types import CFunction, CPointer, CVoid


def ends_of_blocks(memory: Memory, objects: TrackedObjects) -> int:
    """The bit set of the next fresh addresses of regions whose blocks lead to each other."""
    if objects.checks & (DEREFERENCES | BLOCKS):
        tops = [top for top, _ in objects.all() if objects.has_blocks(top)]
    else:  # what a program asserts of each block of a list needs the same bound
        tops = list(dict.fromkeys(top_of(region) for region, _ in memory.leaves() if memory.has_allocations(region)))
    return sum(1 << memory.next_address(top).index for top in tops if any(_links(memory, top)))


def follow_links(flat: FlatProgram, memory: Memory, objects: TrackedObjects, live: Mapping[int, int]) -> None:
    """Adds the state that shows which block leads to the tracked one, where lost blocks are looked for.

    Only where accesses and releases are checked as well, since what a run does after a violation of these shows
    nothing; where no variable lives in the region; and in programs that are one flat function. live: the variables that
    the program may read, of each location.
    """
    needed = DEREFERENCES | {CheckKind.FREE, CheckKind.LEAK}
    if not needed <= objects.checks or len(flat.functions) != 1:
        return
    at_start = live[flat.functions[flat.program.initialise].entry]
    into = {top: tuple(_outer_links(memory, objects, top)) for top, _ in objects.all()}
    holders = {link.holders for links in into.values() for link in links}
    for top, tracked in objects.all():
        leaves = [leaf for leaf in _links(memory, top) if _is_plain(memory, leaf, top)]
        outer = into[top]
        if not (leaves or outer or tracked in holders) or not _is_followed(memory, objects, top):
            continue
        pointers = tuple(_pointers(memory, top))
        fixed = anchors(flat, {slot: cell for slot, cell in pointers if slot is not None}, live)
        order = _order(flat, memory, pointers, leaves, live, fixed)
        if order is not None:
            leaves = [leaf for leaf in leaves if leaf.array is order.links]
        arrays = [leaf.array for leaf in leaves if leaf.array is not None]
        referrers = [memory.add_null(f"last {leaf.region.label} to the tracked object") for leaf in leaves]
        for cell in _ended_pointers(flat, objects):
            if not at_start >> cell.index & 1:
                memory.set_null(cell)
        upward = upward_locations(flat, memory, leaves, live, fixed)
        alive = memory.add_null(f"blocks of {top.label or 'memory'} that live", is_array=True)
        inner = tuple(zip(arrays, referrers, strict=True))
        objects.links[tracked] = BlockLinks(tracked, inner, alive, upward, order, outer)


def _is_followed(memory: Memory, objects: TrackedObjects, top: Region) -> bool:
    """True for a region that holds blocks and nothing else: no variables."""
    return not memory.living(top) and objects.has_only_blocks(top)


def _outer_links(memory: Memory, objects: TrackedObjects, top: Region) -> Iterator[OuterLinks]:
    """The links to blocks of a region from those of others, to which its blocks do not lead back."""
    behind = _led_to(memory, top)
    for region, leaf in memory.leaves():
        outer = top_of(region)
        holders = objects.of(outer)
        if outer in behind or holders is None or leaf.array is None or not _is_followed(memory, objects, outer):
            continue
        if region.pointee is not None and top_of(region.pointee) is top and _is_plain(memory, leaf, top):
            yield OuterLinks(holders, leaf.array, memory.add_null(f"last {region.label} to the tracked object"))


def _led_to(memory: Memory, top: Region) -> set[Region]:
    """The top regions that objects of one lead to, itself included."""
    found, grows = {top}, True
    while grows:
        targets = {top_of(r.pointee) for r, _ in memory.leaves() if r.pointee is not None and top_of(r) in found}
        grows = not targets <= found
        found |= targets
    return found


_Pointer = tuple[Slot | None, StateVariable]
"""A cell that may point to the beginning of a block, behind the variable if the cell is a whole one, else None."""


def _order(
    flat: FlatProgram,
    memory: Memory,
    pointers: Sequence[_Pointer],
    leaves: Sequence[ScalarStorage],
    live: Mapping[int, int],
    fixed: frozenset[Slot],
) -> BlockRanks | None:
    """An order of a region's blocks along those links that are followed most; None if the order
    of their allocations is such an order.

    leaves: the storage of links. fixed: anchors.
    """
    followed = {leaf: sum(mask >> leaf.array.index & 1 for mask in live.values()) for leaf in leaves if leaf.array}
    if not followed:
        return None
    leaf = max(followed, key=lambda leaf: followed[leaf])
    stores = unordered_stores(flat, memory, leaf, fixed)
    if stores is None or leaf.array is None:
        return None
    name = leaf.region.label or "links"
    kept = tuple(cell for slot, cell in pointers if slot in fixed)
    ranks = memory.add_null(f"ranks of blocks along {name}", is_array=True)
    own = memory.add_null(f"rank of the tracked object along {name}")
    gap = memory.add_scalar(f"gap of ranks along {name}", CPointer(CVoid()))
    return BlockRanks(leaf.array, ranks, own, gap, tuple(cell for _, cell in pointers), kept, stores)


def _pointers(memory: Memory, top: Region) -> Iterator[_Pointer]:
    for region, leaf in memory.leaves():
        is_pointer = leaf.array is None and isinstance(leaf.type, CPointer) and region.pointee is not None
        if is_pointer and region.pointee is not None and find(region.pointee) is top:
            living = memory.living(region)
            whole = living[0] if len(living) == len(leaf.cells) == 1 and region.parent is None else None
            yield from ((whole, cell) for cell in leaf.cells.values())


def _ended_pointers(flat: FlatProgram, objects: TrackedObjects) -> Iterator[StateVariable]:
    """The cells of pointers that lead nowhere before their block begins and after it ends."""
    for edge in flat.edges():
        if isinstance(edge.operation, ir.EndLifetimes):
            for variable in edge.operation.variables:
                yield from objects.pointers_of(variable, edge.frame)


def _links(memory: Memory, top: Region) -> Iterator[ScalarStorage]:
    """The storage of pointers in blocks of a top region to blocks of the same region."""
    for region, leaf in memory.leaves():
        if top_of(region) is top and region.pointee is not None and top_of(region.pointee) is top:
            yield leaf


def _is_plain(memory: Memory, leaf: ScalarStorage, top: Region) -> bool:
    """True for an array with one pointer for each object of the region, to the beginning of one."""
    region, kind = find(leaf.region), leaf.type
    if leaf.array is None or region.bytes or region.pointee is None or memory.scale(region) != 1:
        return False
    return isinstance(kind, CPointer) and not isinstance(kind.target, CFunction) and find(region.pointee) is top


def united(left: Mapping[int, int], right: Mapping[int, int]) -> dict[int, int]:
    """The unions of bit sets that two tables have for the same numbers."""
    return {number: left.get(number, 0) | right.get(number, 0) for number in {**left, **right}}

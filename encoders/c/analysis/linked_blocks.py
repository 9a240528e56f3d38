"""State that proofs about linked blocks need beside what is live: the next fresh address of their region.

What a run has allocated are the addresses below it. An invariant about all blocks of a list ("each one leads to a block
that was allocated, or to none") has no other bound where the program itself keeps no pointer to the last one.
"""

from collections.abc import Mapping

from encoders.c.analysis.regions import Region, top_of
from encoders.c.analysis.storage import Memory
from encoders.c.analysis.tracked_objects import TrackedObjects


def ends_of_blocks(memory: Memory, objects: TrackedObjects) -> int:
    """The bit set of the next fresh addresses of regions whose blocks lead to each other."""
    linked = (top for top, _ in objects.all() if objects.has_blocks(top) and _is_linked(memory, top))
    return sum(1 << memory.next_address(top).index for top in linked)


def _is_linked(memory: Memory, top: Region) -> bool:
    """True if blocks of a top region hold pointers to blocks of the same region."""
    return any(
        top_of(region) is top and region.pointee is not None and top_of(region.pointee) is top
        for region, _ in memory.leaves()
    )


def united(left: Mapping[int, int], right: Mapping[int, int]) -> dict[int, int]:
    """The unions of bit sets that two tables have for the same numbers."""
    return {number: left.get(number, 0) | right.get(number, 0) for number in {**left, **right}}

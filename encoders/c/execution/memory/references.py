"""Blocks that no pointer of a living object leads to any more: valid-memtrack as a property of every state.

A block is lost if no living variable, directly or through living blocks, holds a pointer into it or to its end. Only
where a pointer to a block is overwritten, or what holds it ends, a block can be lost: these are candidates.
"""

from encoders.c.execution.objects import CValue, Object, Pointer, overlapping_cells, width_of
from encoders.c.types.c_types import CType


class References:
    """The pointers to blocks in a run.

    holders: objects that were given a pointer to a block, whether they still hold it or not. dropped: blocks that a
    pointer led to that is gone, since the last call of `lost`. escaped: blocks that functions without a body may have
    pointers to.
    """

    def __init__(self) -> None:
        self.holders: dict[Object, None] = {}
        self.dropped: dict[Object, None] = {}
        self.escaped: dict[Object, None] = {}

    def before_write(self, target: Object, offset: int, kind: CType) -> None:
        """Notes the pointers that a write of a scalar at a bit offset overwrites."""
        if target not in self.holders:
            return
        width, old = width_of(target, kind), target.cells.get(offset)
        if old is not None and width_of(target, old[0]) == width:
            self._drop(old[1])
            return
        self.before_overwriting(target, offset, width)

    def before_overwriting(self, target: Object, offset: int, width: int) -> None:
        """Notes the pointers in the bits [offset, offset + width) of an object, which are overwritten next."""
        for _, (_, value) in overlapping_cells(target, offset, width):
            self._drop(value)

    def written(self, target: Object, value: CValue) -> None:
        """Notes what an object holds now."""
        block = tracked_block(value)
        if block is None:
            return
        if _lives(target):
            self.holders[target] = None
        else:
            self.dropped[block] = None

    def forget(self, made: Object) -> None:
        """Notes all pointers in an object, which ends or gets new contents."""
        if made in self.holders:
            del self.holders[made]
            for _, value in made.cells.values():
                self._drop(value)

    def _drop(self, value: CValue) -> None:
        block = tracked_block(value)
        if block is not None:
            self.dropped[block] = None

    def lost(self) -> Object | None:
        """A candidate that lives and that nothing leads to; None if there is none. There are no candidates then."""
        wanted = {block: None for block in self.dropped if _lives(block) and block not in self.escaped}
        self.dropped = {}
        if not wanted:
            return None
        work = [made for made in self.holders if made.lifetime is not None and not made.lifetime.is_heap]
        work += [made for made in self.escaped if made in self.holders]
        reached: set[Object] = set()
        while work:
            for _, value in work.pop().cells.values():
                block = tracked_block(value)
                if block is None or block in reached:
                    continue
                reached.add(block)
                wanted.pop(block, None)
                if not wanted:
                    return None
                if block in self.holders:
                    work.append(block)
        return next(iter(wanted))


def _lives(made: Object) -> bool:
    return made.lifetime is not None and made.lifetime.is_alive


def tracked_block(value: CValue) -> Object | None:
    """The living block that the value points into, or to the end of; None for all other values."""
    if not isinstance(value, Pointer) or value.target is None:
        return None
    lifetime = value.target.lifetime
    if lifetime is None or not lifetime.is_heap or not lifetime.is_alive:
        return None
    return value.target if lifetime.size is None or 0 <= value.offset <= lifetime.size else None
